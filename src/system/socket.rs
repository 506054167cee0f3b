//! Listens on a socket file, which only this machine can reach: for a proxy in front of the service.

use std::{
    fmt, fs, io,
    os::unix::{
        fs::{FileTypeExt as _, PermissionsExt as _},
        net::UnixStream as ProbeStream,
    },
    path::{Path, PathBuf},
};

use tokio::net::UnixListener;

use super::SocketFault;
use platbook::files::system::FileStamp;

/// Permissions of the file: only the owner and the group may connect.
const MODE: u32 = 0o660;

/// The socket file of a listening service, removed on drop.
#[derive(Debug)]
pub(crate) struct SocketFile {
    path: PathBuf,
    stamp: FileStamp,
}

impl SocketFile {
    /// Listens at this path. Replaces the socket file that a killed service left.
    ///
    /// # Errors
    /// If another service listens there, or the system refuses.
    pub(crate) fn bind(path: &Path) -> Result<(UnixListener, SocketFile), SocketFault> {
        let bound = || {
            remove_stale(path)?;
            let listener = UnixListener::bind(path)?;
            fs::set_permissions(path, fs::Permissions::from_mode(MODE))?;
            let stamp = stamp_of(path)?;
            Ok((listener, SocketFile { path: path.to_owned(), stamp }))
        };
        bound().map_err(|source| SocketFault { path: path.to_owned(), source })
    }
}

impl fmt::Display for SocketFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unix:{}", self.path.display())
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // Another service may have replaced the file in the meantime.
        if stamp_of(&self.path).is_ok_and(|found| found.is_same_file(&self.stamp)) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes a socket file on which no program listens.
fn remove_stale(path: &Path) -> io::Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    if !found.file_type().is_socket() {
        return Err(io::Error::other("the file exists and is not a socket; give another path"));
    }
    match ProbeStream::connect(path) {
        Ok(_) => Err(io::Error::other("another service listens there; stop it, or give another path")),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(path),
        Err(error) => Err(error),
    }
}

fn stamp_of(path: &Path) -> io::Result<FileStamp> {
    fs::symlink_metadata(path).map(|metadata| FileStamp::of(&metadata))
}

#[cfg(test)]
mod tests {
    use super::*;
    use platbook::vocabulary::with_causes;

    #[tokio::test]
    async fn a_file_is_there_as_long_as_somebody_listens() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let first = SocketFile::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, MODE);
        let taken = with_causes(&SocketFile::bind(&path).unwrap_err());
        assert!(taken.contains("another service listens there"), "{taken}");
        drop(first);
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn a_file_left_behind_is_replaced_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists(), "as after a crash");
        let first = SocketFile::bind(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let second = SocketFile::bind(&path).unwrap();
        drop(first);
        assert!(path.exists(), "it is the second one's");
        drop(second);
        fs::write(&path, "text").unwrap();
        let refused = with_causes(&SocketFile::bind(&path).unwrap_err());
        assert!(refused.contains("is not a socket"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
    }
}
