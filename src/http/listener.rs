//! Where connections come from.

use std::{io, net::IpAddr};

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

/// Where connections come from: an address of the network, or a socket file.
#[derive(Debug)]
pub enum Listener {
    /// An address.
    Network(TcpListener),
    /// A file, for programs of this machine such as a proxy.
    Local(UnixListener),
}

/// A connection.
#[derive(Debug)]
pub(super) enum Incoming {
    /// With the address of who is at its other end.
    Network(TcpStream, IpAddr),
    /// From a program of this machine.
    Local(UnixStream),
}

impl Listener {
    /// The next connection.
    pub(super) async fn next(&self) -> io::Result<Incoming> {
        match self {
            Listener::Network(listener) => {
                let (stream, peer) = listener.accept().await?;
                Ok(Incoming::Network(stream, peer.ip()))
            }
            Listener::Local(listener) => Ok(Incoming::Local(listener.accept().await?.0)),
        }
    }
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Listener {
        Listener::Network(listener)
    }
}
