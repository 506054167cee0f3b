//! Connections with TLS: the handshake, whose time and bytes are limited, and the stream after it.
//!
//! Nothing is allocated for TLS before the first byte. A handshake may take half to all of the idle timeout and a few
//! thousand bytes. During the handshake, the connection holds a slot and may lose it to others, as an idle connection
//! may. After the handshake, it is served like any other. The connection uses HTTP/2 if the client offers it and the
//! service has a place for another such connection.

use std::{
    io::{self, IoSlice},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig, server};

use super::{
    connection::{Accepted, Transport, first_wait, serve_connection},
    http_2::{self, Place},
    overload::at_once,
};
use crate::{
    system::{AsSocket, BorrowedSocket},
    tls::{ACME_TLS, Tls},
};

/// The first byte of a handshake: the type of its record (RFC 8446, section 5.1). No HTTP method begins with this
/// byte.
const HANDSHAKE: u8 = 0x16;

/// Maximum length of a client's handshake, in bytes. A handshake has some 2 KB with a post-quantum key share and
/// without a client certificate. A first message that never ends would make rustls hold 64 KiB.
const HANDSHAKE_BYTES_MAX: usize = 16 * 1024;

/// Maximum number of encrypted bytes that wait for the kernel: one record. With 64 KiB, the default of rustls, 10,000
/// clients that do not read would take 640 MB.
const WAITING_BYTES_MAX: usize = 16 * 1024;

/// Serves a connection from the network, once its handshake is complete.
pub(super) async fn serve_secure(stream: TcpStream, tls: Arc<Tls>, mut accepted: Accepted) {
    let shared = Arc::clone(&accepted.service);
    let counts = &shared.metrics().connections;
    let mut end = pin!(first_wait(accepted.idle_timeout));
    match accepted.first_step(begin(&stream), end.as_mut()).await {
        Ok(Begin::Handshake) => {}
        Ok(Begin::Plain) => {
            counts.without_tls.one();
            return at_once(&stream, &shared.rejections().without_tls.to_bytes());
        }
        Ok(Begin::Gone) => return,
        Err(cut) => return cut.end(&stream, counts),
    }
    let place = Place::take(counts);
    let mut handshake = accept(stream, tls.config(place.is_some()));
    let stream = match accepted.first_step(&mut *handshake, end).await {
        Ok(Ok(stream)) => SecureStream::of(stream),
        Ok(Err(_)) => return counts.handshakes_failed.one(),
        Err(cut) => {
            if let Some(socket) = handshake.get_ref() {
                cut.end(&socket.stream, counts);
            }
            return;
        }
    };
    drop(handshake);
    counts.handshakes.one();
    if stream.protocol() == Some(ACME_TLS) {
        // This connection was a certificate authority's check (RFC 8737), which ends with the handshake.
        return;
    }
    match place.filter(|_| Tls::is_http_2(stream.protocol())) {
        Some(place) => http_2::serve(stream, place, accepted).await,
        None => serve_connection(stream, accepted).await,
    }
}

/// Completes the handshake of a connection for one request of HTTP/1.1. `None` if it fails.
pub(super) async fn open(stream: TcpStream, tls: Arc<Tls>) -> Option<SecureStream> {
    match begin(&stream).await {
        Begin::Handshake => accept(stream, tls.config(false)).await.ok().map(SecureStream::of),
        Begin::Plain | Begin::Gone => None,
    }
}

/// The kind of a connection's first byte, which remains unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begin {
    Handshake,
    /// Probably the start of a request without TLS.
    Plain,
    Gone,
}

/// Waits for the first byte.
async fn begin(stream: &TcpStream) -> Begin {
    let mut first = [0];
    match stream.peek(&mut first).await {
        Ok(1) if first[0] == HANDSHAKE => Begin::Handshake,
        Ok(1) => Begin::Plain,
        _ => Begin::Gone,
    }
}

/// Starts to accept a handshake. The result is boxed, because a session has more than a kilobyte and is moved when it
/// is complete.
fn accept(stream: TcpStream, config: &Arc<ServerConfig>) -> Box<tokio_rustls::Accept<Socket>> {
    let socket = Socket { stream, left: HANDSHAKE_BYTES_MAX };
    let acceptor = TlsAcceptor::from(Arc::clone(config));
    Box::new(acceptor.accept_with(socket, |session| session.set_buffer_limit(Some(WAITING_BYTES_MAX))))
}

/// A socket below TLS.
#[derive(Debug)]
struct Socket {
    stream: TcpStream,
    /// Number of bytes that may still be read until the handshake is complete. The last read may exceed this number
    /// by 4 KiB.
    left: usize,
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.left != usize::MAX {
            self.left = self.left.saturating_sub(buffer.filled().len() - before);
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A connection after its handshake.
#[derive(Debug)]
pub(super) struct SecureStream(Box<server::TlsStream<Socket>>);

impl SecureStream {
    fn of(mut stream: server::TlsStream<Socket>) -> SecureStream {
        stream.get_mut().0.left = usize::MAX;
        SecureStream(Box::new(stream))
    }

    fn protocol(&self) -> Option<&[u8]> {
        self.0.get_ref().1.alpn_protocol()
    }
}

impl Transport for SecureStream {
    const IS_SECURE: bool = true;
}

impl AsSocket for SecureStream {
    #[cfg(unix)]
    fn as_fd(&self) -> BorrowedSocket<'_> {
        self.0.get_ref().0.stream.as_fd()
    }

    #[cfg(windows)]
    fn as_socket(&self) -> BorrowedSocket<'_> {
        self.0.get_ref().0.stream.as_socket()
    }
}

impl AsyncRead for SecureStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for SecureStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_shutdown(context)
    }
}
