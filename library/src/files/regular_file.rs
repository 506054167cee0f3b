//! Opens and reads files that an operator names. It accepts only regular files up to an expected length.
//!
//! Opening a pipe blocks until another program writes to it, and a device may have no end. All options that name a file
//! open it with these functions, so a wrong path causes an error at once.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

/// The reason why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The operating system reported an error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The path leads to a folder, a pipe or a device.
    #[error("it is a folder, a pipe or a device; expected a file")]
    NotRegular,
    /// The file is longer than a file of its kind may be.
    #[error("it has more than the {bytes_max} bytes that a file of this kind may have")]
    TooLong {
        /// Maximum length of a file of this kind, in bytes.
        bytes_max: u64,
    },
}

impl From<FileFault> for io::Error {
    fn from(fault: FileFault) -> io::Error {
        match fault {
            FileFault::Io(error) => error,
            other => io::Error::new(io::ErrorKind::InvalidInput, other.to_string()),
        }
    }
}

/// Opens a regular file, or the regular file that a link leads to.
///
/// # Errors
/// [`FileFault`] if the file cannot be opened, or is a folder, a pipe or a device.
pub fn open(path: &Path) -> Result<File, FileFault> {
    // The check precedes the opening, because opening a pipe blocks until another program opens its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(FileFault::NotRegular);
    }
    let file = File::open(path)?;
    // The second check is necessary because another program may have replaced the file in between.
    if file.metadata()?.is_file() { Ok(file) } else { Err(FileFault::NotRegular) }
}

/// Reads a regular file, which may have at most `bytes_max` bytes.
///
/// # Errors
/// As for [`open`], and if the file has more than `bytes_max` bytes.
pub fn read(path: &Path, bytes_max: u64) -> Result<Vec<u8>, FileFault> {
    let mut bytes = Vec::new();
    // The length in the metadata may be wrong: it is 0 for files of /proc, and a file may grow.
    open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max { Err(FileFault::TooLong { bytes_max }) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipes_devices_and_folders_are_refused_and_lengths_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        fs::write(path("text"), "12345").unwrap();
        std::os::unix::fs::symlink(path("text"), path("link")).unwrap();
        for (path, bytes_max, expected) in [
            (path("text"), 5, Ok("12345")),
            (path("link"), 6, Ok("12345")),
            (path("text"), 4, Err("more than the 4 bytes")),
            (path("pipe"), 9, Err("a folder, a pipe or a device")),
            (folder.path().to_owned(), 9, Err("a folder, a pipe or a device")),
            ("/dev/zero".into(), 9, Err("a folder, a pipe or a device")),
            (path("none"), 9, Err("No such file")),
        ] {
            let read = read(&path, bytes_max);
            match (read, expected) {
                (Ok(bytes), Ok(text)) => assert_eq!(bytes, text.as_bytes()),
                (Err(fault), Err(part)) => assert!(fault.to_string().contains(part), "{path:?}: {fault}"),
                (read, _) => panic!("{path:?}: {read:?}"),
            }
        }
    }
}
