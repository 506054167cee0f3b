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

/// A signal for snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(windows, expect(dead_code, reason = "Windows has no such signals"))]
pub(crate) enum SnapshotSignal {
    /// SIGHUP: takes the snapshot of the source now.
    Take,
    /// SIGUSR1: goes back to the previous snapshot.
    Back,
}
