//! Reads files and folders of tables, and returns the valid content with all faults.
//!
//! A file with a fault must not hide the faults of others, so no function here stops at the first.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::error::{CuratedError, Fault, line_of};

/// Reads a file with `parse`. An unreadable file is a fault in its first line.
pub(super) fn read_file<T>(
    path: &Path,
    parse: impl Fn(&str, &str) -> Result<T, Vec<Fault>>,
) -> Result<T, Vec<Fault>> {
    let file = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => parse(&file, &text),
        Err(cause) => Err(vec![unreadable(path, &cause)]),
    }
}

/// Reads every `.toml` file of a folder with `parse`, in the order of names: the valid values, then all
/// faults.
pub(super) fn read_folder<T>(
    folder: &Path,
    parse: impl Fn(&str, &str) -> Result<T, Vec<Fault>>,
) -> (Vec<T>, Vec<Fault>) {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    match files_with(folder, "toml") {
        Ok(paths) => {
            for path in paths {
                read_file(&path, &parse).map_or_else(|more| faults.extend(more), |one| all.push(one));
            }
        }
        Err(cause) => faults.push(unreadable(folder, &cause)),
    }
    (all, faults)
}

/// The values, if there is no fault.
///
/// # Errors
/// All faults.
pub(super) fn whole<T>((all, faults): (T, Vec<Fault>)) -> Result<T, CuratedError> {
    if faults.is_empty() { Ok(all) } else { Err(CuratedError(faults)) }
}

pub(super) fn unreadable(path: &Path, cause: &std::io::Error) -> Fault {
    let what = format!("cannot be read: {cause}");
    Fault { file: path.display().to_string(), line: 1, key: String::new(), what }
}

/// The files of a folder with this ending, in the order of names.
pub(super) fn files_with(folder: &Path, ending: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == ending) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The fault of a text that is not TOML, or not of the table's shape.
pub(super) fn toml_fault(file: &str, text: &str, error: &toml::de::Error) -> Fault {
    let line = line_of(text, error.span().map_or(0, |span| span.start));
    Fault { file: file.to_owned(), line, key: String::new(), what: error.message().replace('\n', "; ") }
}
