//! Parses the address of a store as an operator writes it.

use std::{fmt, str::FromStr, time::Duration};

use redis::{Client, Connection, ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _, RedisResult};

/// The address of a store. `Debug` and `Display` show it without its password.
#[derive(Clone)]
pub struct StoreAddress(ConnectionInfo);

/// Error for a text that is not the address of a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an address such as redis://10.0.0.5:6379, redis://:PASSWORD@HOST:PORT/DATABASE or \
     unix:///run/redis/redis.sock, got {0:?}"
)]
pub struct BadStoreAddress(String);

impl StoreAddress {
    /// Connects to the store within this time.
    ///
    /// # Errors
    /// Fails if the store does not listen or respond, or if it refuses the password or the database.
    pub(super) fn connect(&self, within: Duration) -> RedisResult<Connection> {
        let connection = Client::open(self.0.clone())?.get_connection_with_timeout(within)?;
        connection.set_read_timeout(Some(within))?;
        connection.set_write_timeout(Some(within))?;
        Ok(connection)
    }

    /// Connects once, to check the address.
    ///
    /// # Errors
    /// Returns the reason why the store cannot be used.
    pub fn check(&self, within: Duration) -> Result<(), String> {
        let connected = self.connect(within);
        let replied = connected.and_then(|mut connection| redis::cmd("PING").exec(&mut connection));
        replied.map_err(|error| error.to_string())
    }
}

impl FromStr for StoreAddress {
    type Err = BadStoreAddress;

    fn from_str(text: &str) -> Result<StoreAddress, BadStoreAddress> {
        let info = text.into_connection_info().map_err(|_| BadStoreAddress(without_password(text)))?;
        let tcp = info.tcp_settings().clone().set_nodelay(true);
        // Stores do not need the name of the client library, and the connection is ready one command sooner.
        let redis = info.redis_settings().clone().set_skip_set_lib_name();
        Ok(StoreAddress(info.set_tcp_settings(tcp).set_redis_settings(redis)))
    }
}

/// Returns the text without the part between its scheme and the last `@`.
fn without_password(text: &str) -> String {
    let Some((before, host)) = text.rsplit_once('@') else { return text.to_owned() };
    let scheme = before.split_once("://").map_or("", |(scheme, _)| scheme);
    format!("{scheme}://...@{host}")
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.addr() {
            ConnectionAddr::Tcp(host, port) => write!(f, "{host}:{port}"),
            other => write!(f, "{other}"),
        }
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_passwords_are_not_shown() {
        for (text, shown) in [
            ("redis://10.0.0.5:6379", Some("10.0.0.5:6379")),
            ("valkey://store.example/1", Some("store.example:6379")),
            ("redis://user:secret@127.0.0.1:7000/2", Some("127.0.0.1:7000")),
            ("unix:///run/redis/redis.sock", Some("/run/redis/redis.sock")),
            ("10.0.0.5:6379", None),
            ("http://10.0.0.5", None),
            ("rediss://:secret@10.0.0.5", None),
            ("redis://:secret@10.0.0.5/x", None),
            ("redis://:secret", None),
            ("", None),
        ] {
            let read = text.parse::<StoreAddress>();
            let said =
                format!("{read:?} {}", read.as_ref().err().map(ToString::to_string).unwrap_or_default());
            assert_eq!(read.ok().map(|address| address.to_string()).as_deref(), shown, "{text}");
            assert!(!said.contains("secret@") && !said.contains(":secret@"), "{said}");
        }
    }
}
