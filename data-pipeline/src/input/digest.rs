//! Checks SHA-256 digests of input files.

use std::path::{Path, PathBuf};

use platbook_release::Sha256;

/// The reason why an input file was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file could not be read.
    #[error("cannot read {path}: {source}; `platbook-pipeline fetch` downloads files, --data names their directory", path = path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The file's digest differs from the manifest's.
    #[error("{path}: expected SHA-256 {expected}, got {got}; download the file again or correct the manifest", path = path.display())]
    Digest {
        /// Path of the file.
        path: PathBuf,
        /// Digest in the manifest.
        expected: String,
        /// Digest of the file.
        got: String,
    },
}

/// The SHA-256 of bytes as 64 lower-case hex digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::of(bytes).to_string()
}

/// Reads a file and checks its digest.
///
/// # Errors
/// When the file cannot be read or its digest differs.
pub fn read_checked(path: &Path, expected: &str) -> Result<Vec<u8>, InputError> {
    let bytes = std::fs::read(path).map_err(|source| InputError::Io { path: path.to_owned(), source })?;
    let got = sha256(&bytes);
    if got == expected {
        return Ok(bytes);
    }
    Err(InputError::Digest { path: path.to_owned(), expected: expected.to_owned(), got })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        // The published test vector of SHA-256.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(read_checked(file.path(), abc).unwrap(), b"abc");
        std::fs::write(file.path(), "abd").unwrap();
        let message = read_checked(file.path(), abc).unwrap_err().to_string();
        assert!(message.contains(abc) && message.contains("download the file again"), "{message}");
        let missing = read_checked(Path::new("no/such/file"), abc).unwrap_err().to_string();
        assert!(missing.contains("no/such/file") && missing.contains("fetch"), "{missing}");
    }
}
