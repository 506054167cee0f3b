//! Reads and writes files named on the command line.

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    path::Path,
};

use anyhow::{Context as _, Result, ensure};
use platbook::{
    directory::Directory,
    files::durable::{Disk, PUBLIC},
    snapshot::Snapshot,
};

/// Maximum length of a key, a signature or a password, in bytes; larger than any of them. Chosen, not measured.
const TEXT_BYTES_MAX: u64 = 64 << 10;

/// Reads a file whole. Refuses devices, whose content may have no end and would take all memory.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    let cannot = || format!("cannot read {}", path.display());
    let is_file = fs::metadata(path).with_context(cannot)?.is_file();
    ensure!(is_file, "expected a file at {}, found a folder, a pipe or a device", path.display());
    fs::read(path).with_context(cannot)
}

/// Opens a snapshot file as a directory.
pub(crate) fn open(path: &Path) -> Result<Directory> {
    let snapshot = Snapshot::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Directory::new(snapshot))
}

/// Reads the text of a small file, such as a key. A pipe is accepted.
pub(crate) fn text_of(path: &Path) -> Result<String> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(TEXT_BYTES_MAX).read_to_string(&mut text));
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(text)
}

/// Replaces a file that anyone may read, either completely or not at all.
pub(crate) fn publish(path: &Path, bytes: &[u8]) -> Result<()> {
    let replaced = Disk::default().replace(path, PUBLIC, |file| file.write_all(bytes));
    replaced.with_context(|| format!("cannot write {}; the file that was there stays", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), Path::new("/dev/zero")] {
            let error = bytes_of(path).unwrap_err().to_string();
            assert!(error.contains("expected a file at"), "{error}");
        }
        assert_eq!(text_of(Path::new("/dev/zero")).unwrap().len() as u64, TEXT_BYTES_MAX);
        let path = folder.path().join("a");
        fs::write(&path, "a text").unwrap();
        assert_eq!(
            (bytes_of(&path).unwrap(), text_of(&path).unwrap()),
            (b"a text".to_vec(), "a text".into())
        );
    }
}
