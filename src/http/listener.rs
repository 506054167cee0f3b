//! Listeners that accept connections, and that stop without losing clients.

#[cfg(feature = "tls")]
use std::sync::Arc;
use std::{io, net::IpAddr};

#[cfg(target_os = "linux")]
use socket2::{SockFilter, SockRef};
use tokio::net::{TcpListener, TcpStream};

use crate::system::{self, LocalListener, LocalStream};
#[cfg(feature = "tls")]
use crate::tls::Tls;

/// A listener for connections, at a network address or a socket file.
#[derive(Debug)]
pub enum Listener {
    /// A network address with its port.
    Network(TcpListener),
    /// A socket file, for programs of this machine such as a proxy.
    Local(LocalListener),
    /// A network address whose connections begin with a TLS handshake.
    #[cfg(feature = "tls")]
    Secure(TcpListener, Arc<Tls>),
}

/// A connection that a listener accepted.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A connection from the network, with the address of the client.
    Network(TcpStream, IpAddr),
    /// A connection from a program of this machine.
    Local(LocalStream),
    /// A connection from the network, before its TLS handshake.
    #[cfg(feature = "tls")]
    Secure(TcpStream, IpAddr, Arc<Tls>),
}

impl Listener {
    /// Accepts the next connection.
    pub(super) async fn next(&self) -> io::Result<Incoming> {
        match self {
            Listener::Network(listener) => {
                let (stream, peer) = listener.accept().await?;
                Ok(Incoming::Network(stream, peer.ip()))
            }
            Listener::Local(listener) => Ok(Incoming::Local(listener.accept().await?.0)),
            #[cfg(feature = "tls")]
            Listener::Secure(listener, tls) => {
                let (stream, peer) = listener.accept().await?;
                Ok(Incoming::Secure(stream, peer.ip(), Arc::clone(tls)))
            }
        }
    }
}

/// Drops each segment that opens a connection and passes all others. The flag SYN is the second bit of byte 13 of the
/// TCP header. The instructions of classic BPF: load the byte, skip one if the bit is not set, drop, pass.
#[cfg(target_os = "linux")]
const NO_MORE: [SockFilter; 4] = [
    SockFilter::new(0x30, 0, 0, 13),
    SockFilter::new(0x45, 0, 1, 0x02),
    SockFilter::new(0x06, 0, 0, 0),
    SockFilter::new(0x06, 0, 0, u32::MAX),
];

impl Listener {
    /// Stops the kernel from beginning further connections. Connections that it has begun can still be accepted. A
    /// client without a reply tries again after a second, and is refused then.
    ///
    /// Closing a listener resets the connections that the kernel has begun, and portable sockets cannot refuse only
    /// new ones. Linux has a filter for this purpose. Without the filter, clients that connect in the last moment of
    /// a stop are reset and must connect again.
    pub(super) fn take_no_more(&self) {
        #[cfg(target_os = "linux")]
        if let Some(listener) = self.network() {
            let _ = SockRef::from(listener).attach_filter(&NO_MORE);
        }
    }

    /// Returns the listener of the network; `None` for a socket file.
    #[cfg(target_os = "linux")]
    fn network(&self) -> Option<&TcpListener> {
        match self {
            Listener::Network(listener) => Some(listener),
            Listener::Local(_) => None,
            #[cfg(feature = "tls")]
            Listener::Secure(listener, _) => Some(listener),
        }
    }

    /// Closes the listener and returns the connections that the kernel has accepted, including those that the runtime
    /// does not know yet.
    pub(super) fn close(self) -> Vec<Incoming> {
        let taken = match self {
            Listener::Network(listener) => {
                accepted(listener, |(stream, peer)| Incoming::Network(stream, peer))
            }
            #[cfg(feature = "tls")]
            Listener::Secure(listener, tls) => {
                accepted(listener, |(stream, peer)| Incoming::Secure(stream, peer, Arc::clone(&tls)))
            }
            Listener::Local(listener) => {
                system::accepted(listener).map(|streams| streams.into_iter().map(Incoming::Local).collect())
            }
        };
        taken.unwrap_or_default()
    }
}

/// Closes a network listener and returns the connections that it has accepted.
fn accepted(
    listener: TcpListener,
    incoming: impl Fn((TcpStream, IpAddr)) -> Incoming,
) -> io::Result<Vec<Incoming>> {
    let listener = listener.into_std()?;
    let streams = system::until_none(|| listener.accept()).filter_map(|(stream, peer)| {
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer.ip()))
    });
    Ok(streams.map(incoming).collect())
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Listener {
        Listener::Network(listener)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{io::Write as _, net::SocketAddr, time::Duration};

    use super::*;

    #[tokio::test]
    async fn what_the_kernel_has_taken_is_accepted_and_nothing_after_that() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let listener = Listener::from(listener);
        let mut clients: Vec<_> = (0..20).map(|_| std::net::TcpStream::connect(address).unwrap()).collect();
        listener.take_no_more();
        // The kernel ignores the client instead of refusing it, because the listener is still open.
        let late = std::net::TcpStream::connect_timeout(&address, Duration::from_millis(50));
        assert_eq!(late.unwrap_err().kind(), io::ErrorKind::TimedOut);
        for client in &mut clients {
            client.write_all(b"GET").unwrap();
        }
        assert_eq!(listener.close().len(), clients.len());
        let refused = std::net::TcpStream::connect(address).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    }
}
