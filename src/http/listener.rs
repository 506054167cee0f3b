//! Where connections come from.

use std::{future::Future, io, net::IpAddr, os::fd::AsFd};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
};

/// Where connections come from: an address of the network, or what stands for one.
pub trait Listener: Send + Sync + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + AsFd + Unpin + Send + 'static;

    /// The next connection, and the address that who is at its other end counts as.
    fn next(&self) -> impl Future<Output = io::Result<(Self::Stream, IpAddr)>> + Send;
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn next(&self) -> io::Result<(TcpStream, IpAddr)> {
        let (stream, peer) = self.accept().await?;
        // Only latency is lost where the system refuses.
        let _ = stream.set_nodelay(true);
        Ok((stream, peer.ip()))
    }
}
