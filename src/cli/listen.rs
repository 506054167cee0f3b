//! The address that a service listens on, and the address at which clients reach it.

use std::{
    fmt, io,
    net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _, UdpSocket},
    path::PathBuf,
    str::FromStr,
};

use anyhow::{Result, anyhow};
use serde::Deserialize;
use tokio::net::TcpListener;

use crate::http;

/// The default port of the service.
const PORT: u16 = 8080;

/// Prefix of the path of a socket file in an option.
const UNIX: &str = "unix:";

/// An address to listen on: `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`. `:8080` means all addresses of this
/// machine, `8080` its loopback address, and `unix:/run/platbook.sock` a socket file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Text")]
pub(super) enum ListenAddress {
    /// A network address with its port.
    Network(SocketAddr),
    /// The path of a socket file.
    File(PathBuf),
}

/// A value in the configuration file, where a port may be a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Port(u16),
    Text(String),
}

/// Error for a text that is not an address to listen on.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected an address and port such as 127.0.0.1:8080, localhost:8080, :8080 or 8080, or unix: and a path, got {got:?}"
)]
pub(super) struct BadListenAddress {
    got: String,
}

impl Default for ListenAddress {
    fn default() -> ListenAddress {
        ListenAddress::Network((Ipv4Addr::LOCALHOST, PORT).into())
    }
}

impl FromStr for ListenAddress {
    type Err = BadListenAddress;

    fn from_str(text: &str) -> Result<ListenAddress, BadListenAddress> {
        let bad = || BadListenAddress { got: text.to_owned() };
        if let Some(path) = text.strip_prefix(UNIX) {
            return if path.is_empty() { Err(bad()) } else { Ok(ListenAddress::File(path.into())) };
        }
        if let Ok(address) = text.parse() {
            return Ok(ListenAddress::Network(address));
        }
        if let Ok(port) = text.parse::<u16>() {
            return Ok(ListenAddress::Network((Ipv4Addr::LOCALHOST, port).into()));
        }
        let (host, port) = text.rsplit_once(':').ok_or_else(bad)?;
        let port: u16 = port.parse().map_err(|_| bad())?;
        if host.is_empty() {
            return Ok(ListenAddress::Network((Ipv4Addr::UNSPECIFIED, port).into()));
        }
        let found: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(|_| bad())?.collect();
        let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
        first.copied().map(ListenAddress::Network).ok_or_else(bad)
    }
}

impl TryFrom<Text> for ListenAddress {
    type Error = BadListenAddress;

    fn try_from(text: Text) -> Result<ListenAddress, BadListenAddress> {
        match text {
            Text::Port(port) => port.to_string().parse(),
            Text::Text(text) => text.parse(),
        }
    }
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListenAddress::Network(address) => address.fmt(f),
            ListenAddress::File(path) => write!(f, "{UNIX}{}", path.display()),
        }
    }
}

/// Listens on the address that an option names.
pub(super) fn listen_at(option: &str, address: SocketAddr) -> Result<TcpListener> {
    http::listen(address).map_err(|error| {
        let next = match error.kind() {
            io::ErrorKind::AddrInUse => "; stop the program that uses it, or give another port",
            io::ErrorKind::AddrNotAvailable => "; give an address of this machine",
            io::ErrorKind::PermissionDenied => "; give a port above 1023, or the right to use this one",
            _ => "",
        };
        anyhow!("{option}: cannot listen on {address}: {error}{next}")
    })
}

/// Returns the address at which clients reach a service. For a service on all addresses, returns the machine's own
/// address in its network.
pub(super) fn reachable(bound: SocketAddr) -> SocketAddr {
    if !bound.ip().is_unspecified() {
        return bound;
    }
    SocketAddr::new(shown_to_others().unwrap_or(Ipv4Addr::LOCALHOST.into()), bound.port())
}

/// Returns the source address of packets to the Internet. Sends nothing: connecting a datagram socket only looks up
/// the route. The target is reserved for documentation (RFC 5737).
fn shown_to_others() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_as_people_write_them() {
        for (text, expected) in [
            ("8080", Some("127.0.0.1:8080")),
            (":8080", Some("0.0.0.0:8080")),
            ("0.0.0.0:80", Some("0.0.0.0:80")),
            ("[::1]:0", Some("[::1]:0")),
            ("localhost:8080", Some("127.0.0.1:8080")),
            ("unix:/run/platbook.sock", Some("unix:/run/platbook.sock")),
            ("unix:", None),
            ("", None),
            ("nowhere", None),
            ("127.0.0.1", None),
            ("127.0.0.1:99999", None),
            ("http://127.0.0.1:80", None),
        ] {
            let got = text.parse::<ListenAddress>().ok().map(|address| address.to_string());
            assert_eq!(got.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_service_is_found_where_it_listens() {
        let bound: SocketAddr = "192.0.2.7:80".parse().unwrap();
        assert_eq!(reachable(bound), bound);
        assert!(!reachable("0.0.0.0:80".parse().unwrap()).ip().is_unspecified());
    }
}
