//! Listens on a socket file, which only this machine can reach: for a proxy in front of the service.

use std::{
    fmt, fs, io,
    os::unix::{
        fs::{FileTypeExt as _, PermissionsExt as _},
        net::UnixStream as ProbeStream,
    },
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use tokio::net::UnixListener;

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
    pub(crate) fn bind(path: &Path) -> Result<(UnixListener, SocketFile)> {
        let cannot = || format!("cannot listen on unix:{}", path.display());
        remove_stale(path).with_context(cannot)?;
        let listener = UnixListener::bind(path).with_context(cannot)?;
        fs::set_permissions(path, fs::Permissions::from_mode(MODE)).with_context(cannot)?;
        let stamp = stamp_of(path).with_context(cannot)?;
        Ok((listener, SocketFile { path: path.to_owned(), stamp }))
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
fn remove_stale(path: &Path) -> Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    if !found.file_type().is_socket() {
        bail!("the file exists and is not a socket; give another path");
    }
    match ProbeStream::connect(path) {
        Ok(_) => bail!("another service listens there; stop it, or give another path"),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(fs::remove_file(path)?),
        Err(error) => Err(error.into()),
    }
}

fn stamp_of(path: &Path) -> io::Result<FileStamp> {
    fs::symlink_metadata(path).map(|metadata| FileStamp::of(&metadata))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_is_there_as_long_as_somebody_listens() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let first = SocketFile::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, MODE);
        let taken = format!("{:#}", SocketFile::bind(&path).unwrap_err());
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
        let refused = format!("{:#}", SocketFile::bind(&path).unwrap_err());
        assert!(refused.contains("is not a socket"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
    }
}
