//! The parts of the operating system that the service needs: signals, socket files, and names for unnamed files.
//!
//! Both twins have the same items. On Windows, the service knows no socket files and no signals for snapshots.
//! An option that needs one is refused.

use std::{io, path::PathBuf};

#[cfg(unix)]
mod socket;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// The service cannot listen on a socket file.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on unix:{}", path.display())]
pub(crate) struct SocketFault {
    path: PathBuf,
    source: io::Error,
}

/// Accepts until no connection waits. Skips connections that clients have closed already.
pub(crate) fn until_none<S>(mut accept: impl FnMut() -> io::Result<S>) -> impl Iterator<Item = S> {
    std::iter::from_fn(move || {
        loop {
            match accept() {
                Ok(stream) => return Some(stream),
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => return None,
            }
        }
    })
}
