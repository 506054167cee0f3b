//! A file is replaced whole or not at all.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Why a file was not written. The file that was there stays.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}; the file that was there stays", path.display())]
pub struct PublishError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// Writes beside the file and renames, so that readers see the old file or the whole new one, also after a power cut:
/// the bytes are on the disk before the name points to them, and the folder is synced so that the name is, too.
///
/// # Errors
/// When the folder cannot be written.
pub fn publish(path: &Path, bytes: &[u8]) -> Result<(), PublishError> {
    let failed = |source| PublishError { path: path.to_owned(), source };
    if is_device(path) {
        return File::options()
            .write(true)
            .open(path)
            .and_then(|mut file| file.write_all(bytes))
            .map_err(failed);
    }
    let beside = beside(path);
    let outcome = write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if let Err(source) = outcome {
        // What was begun is of no use; that it cannot be removed either changes nothing.
        let _ = fs::remove_file(&beside);
        return Err(failed(source));
    }
    File::open(folder(path)).and_then(|folder| folder.sync_all()).map_err(failed)
}

/// A device or a pipe, such as /dev/null: to replace one would take it from everybody.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether [`publish`] could write the file now.
///
/// # Errors
/// When it could not.
pub fn check_writable(path: &Path) -> Result<(), PublishError> {
    if is_device(path) {
        return Ok(());
    }
    let beside = beside(path);
    let failed = |source| PublishError { path: path.to_owned(), source };
    File::create(&beside).and_then(|_| fs::remove_file(&beside)).map_err(failed)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// `default.platbook.tmp` for `default.platbook`: no two files share it.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".tmp");
    path.with_file_name(name)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.platbook");
        publish(&path, b"old").unwrap();
        publish(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // What is no file is written, and stays what it is.
        let (mut reader, writer) = io::pipe().unwrap();
        publish(Path::new(&format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer))), b"new").unwrap();
        drop(writer);
        assert_eq!(io::read_to_string(&mut reader).unwrap(), "new");
        // A folder of that name cannot be replaced by a file.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        fs::write(taken.join("inside"), b"kept").unwrap();
        let told = publish(&taken, b"new").unwrap_err().to_string();
        assert!(told.contains("taken") && told.contains("stays"), "{told}");
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.platbook", "taken"]);
    }
}
