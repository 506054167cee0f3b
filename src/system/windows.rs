//! The twin for Windows.

use std::{
    fmt,
    fs::File,
    future::pending,
    io,
    path::Path,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    signal::windows::{
        CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
    },
};

use super::SocketFault;

pub(crate) use std::os::windows::io::{AsSocket, BorrowedSocket};

/// The events that stop a service.
pub(crate) struct StopSignals {
    interrupt: CtrlC,
    cancel: CtrlBreak,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

impl StopSignals {
    /// Handles the events from now on.
    ///
    /// # Errors
    /// If the system refuses the handlers.
    pub(crate) fn new() -> io::Result<StopSignals> {
        Ok(StopSignals {
            interrupt: ctrl_c()?,
            cancel: ctrl_break()?,
            close: ctrl_close()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Waits for the next event.
    pub(crate) async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.cancel.recv() => {}
            _ = self.close.recv() => {}
            _ = self.shutdown.recv() => {}
        }
    }
}

/// The signals for snapshots, which Windows does not have. A watched file or address is polled as elsewhere.
pub(crate) struct SnapshotSignals {
    /// Takes the snapshot of the source now.
    pub(crate) take: Signal,
    /// Goes back to the previous snapshot.
    pub(crate) back: Signal,
}

/// A signal that never comes.
pub(crate) struct Signal;

impl SnapshotSignals {
    /// Returns signals that never come.
    ///
    /// # Errors
    /// This twin always succeeds.
    pub(crate) fn new() -> io::Result<SnapshotSignals> {
        Ok(SnapshotSignals { take: Signal, back: Signal })
    }
}

impl Signal {
    /// Waits forever, since no signal can come.
    pub(crate) async fn recv(&mut self) -> Option<()> {
        pending().await
    }
}

/// Does nothing: Windows has no signal for files that are too long.
pub(crate) fn take_size_limits_as_errors() {}

/// Refuses to name an unnamed file; the caller then copies it.
///
/// # Errors
/// Always, since Windows cannot give a name to such a file.
pub(crate) fn name_file(_file: &File, _new: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A socket file, which Windows does not have: no value of this type exists.
#[derive(Debug)]
pub(crate) enum SocketFile {}

impl SocketFile {
    /// Refuses to listen at a path.
    ///
    /// # Errors
    /// Always, since Windows has no socket files.
    pub(crate) fn bind(path: &Path) -> Result<(LocalListener, SocketFile), SocketFault> {
        let source = io::Error::other("there are no socket files on Windows; give an address and port");
        Err(SocketFault { path: path.to_owned(), source })
    }
}

impl fmt::Display for SocketFile {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// A listener at a socket file: no value of this type exists.
#[derive(Debug)]
pub enum LocalListener {}

/// A connection through a socket file: no value of this type exists.
#[derive(Debug)]
pub(crate) enum LocalStream {}

impl LocalListener {
    /// Accepts a connection, as the twin does.
    ///
    /// # Errors
    /// There is nothing that could fail.
    pub(crate) async fn accept(&self) -> io::Result<(LocalStream, ())> {
        match *self {}
    }
}

impl AsyncRead for LocalStream {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match *self {}
    }
}

impl AsyncWrite for LocalStream {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        match *self {}
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        match *self {}
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        match *self {}
    }
}

impl AsSocket for LocalStream {
    fn as_socket(&self) -> BorrowedSocket<'_> {
        match *self {}
    }
}

/// Returns the connections that a listener has accepted, which cannot exist here.
pub(crate) fn accepted(listener: LocalListener) -> io::Result<Vec<LocalStream>> {
    match listener {}
}
