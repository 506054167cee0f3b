//! Linux, macOS and other systems of their kind.

use std::{fs::File, io, os::fd::AsRawFd as _, path::Path, sync::Arc};

use rustix::fs::{AtFlags, CWD, linkat};
use signal_hook::consts::SIGXFSZ;
use tokio::signal::unix::{Signal, SignalKind, signal};

pub(crate) use super::socket::SocketFile;
use super::until_none;
pub(crate) use std::os::fd::AsFd as AsSocket;
#[cfg(feature = "tls")]
pub(crate) use std::os::fd::BorrowedFd as BorrowedSocket;
pub(crate) use tokio::net::{UnixListener as LocalListener, UnixStream as LocalStream};

/// The signals that stop a service.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Handles the signals from now on.
    ///
    /// # Errors
    /// If the system refuses the handlers.
    pub(crate) fn new() -> io::Result<StopSignals> {
        Ok(StopSignals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next signal.
    pub(crate) async fn wait(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The signals for snapshots.
pub(crate) struct SnapshotSignals {
    /// SIGHUP: takes the snapshot of the source now.
    pub(crate) take: Signal,
    /// SIGUSR1: goes back to the previous snapshot.
    pub(crate) back: Signal,
}

impl SnapshotSignals {
    /// Handles the signals from now on, so that they no longer end the process.
    ///
    /// # Errors
    /// If the system refuses the handlers.
    pub(crate) fn new() -> io::Result<SnapshotSignals> {
        // Some tools send SIGUSR2 to make a program reload, so this signal must not end the service.
        drop(signal(SignalKind::user_defined2())?);
        Ok(SnapshotSignals {
            take: signal(SignalKind::hangup())?,
            back: signal(SignalKind::user_defined1())?,
        })
    }
}

/// Makes a write beyond the file size limit (RLIMIT_FSIZE) fail with an error, as on a full disk. By default, a signal
/// ends the program without a message.
pub(crate) fn take_size_limits_as_errors() {
    // If the system refuses the handler, the signal still ends the program.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Gives a name to an unnamed file.
///
/// # Errors
/// On network file systems and on systems other than Linux, which cannot do that.
pub(crate) fn name_file(file: &File, new: &Path) -> io::Result<()> {
    let opened = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, opened, CWD, new, AtFlags::SYMLINK_FOLLOW)?)
}

/// Closes a listener of a socket file and returns the connections that it has accepted.
pub(crate) fn accepted(listener: LocalListener) -> io::Result<Vec<LocalStream>> {
    let listener = listener.into_std()?;
    let streams = until_none(|| listener.accept()).filter_map(|(stream, _)| {
        stream.set_nonblocking(true).ok()?;
        LocalStream::from_std(stream).ok()
    });
    Ok(streams.collect())
}
