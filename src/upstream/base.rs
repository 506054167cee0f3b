//! Parses the base address of a service: https, or http within this machine.

use std::net::IpAddr;

use url::{Host, Url};

/// The base address of a service, to which paths are appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Base {
    /// The address, without a slash at the end.
    url: String,
    /// The host in lower case, without the brackets of IPv6.
    host: String,
}

/// Error for a text that is not the address of a service; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an https address without user, query and fragment, such as https://maps.example/rest (http only for this \
     machine itself, such as http://127.0.0.1:8081), got {0:?}"
)]
pub struct BadBase(String);

impl Base {
    /// Parses an address.
    ///
    /// # Errors
    /// If the URL does not use https (or http to this machine), or has a user, query or fragment.
    pub(super) fn parse(text: &str) -> Result<Base, BadBase> {
        let bad = || BadBase(text.to_owned());
        let url = Url::parse(text).map_err(|_| bad())?;
        let host = url.host().ok_or_else(bad)?;
        let is_guarded = url.scheme() == "https" || (url.scheme() == "http" && is_this_machine(&host));
        let has_user = !url.username().is_empty() || url.password().is_some();
        if !is_guarded || has_user || url.query().is_some() || url.fragment().is_some() {
            return Err(bad());
        }
        let host = host.to_string().trim_matches(['[', ']']).to_lowercase();
        Ok(Base { host, url: url.as_str().trim_end_matches('/').to_owned() })
    }

    /// Returns the base address with this path appended.
    pub(super) fn below(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Returns the host in the form that the resolver expects.
    pub(super) fn host(&self) -> &str {
        &self.host
    }
}

fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => IpAddr::V4(*address).is_loopback(),
        Host::Ipv6(address) => IpAddr::V6(*address).is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_asked_is_read() {
        for (text, below, host) in [
            ("https://maps.example", "https://maps.example/query", "maps.example"),
            ("https://Maps.Example/rest/", "https://maps.example/rest/query", "maps.example"),
            ("http://127.0.0.1:8081", "http://127.0.0.1:8081/query", "127.0.0.1"),
            ("http://[::1]:8081/a", "http://[::1]:8081/a/query", "::1"),
            ("http://localhost:80/", "http://localhost/query", "localhost"),
            ("https://10.1.2.3/mirror", "https://10.1.2.3/mirror/query", "10.1.2.3"),
        ] {
            let base = Base::parse(text).unwrap();
            assert_eq!((base.below("/query").as_str(), base.host()), (below, host));
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_was_expected() {
        for text in [
            "",
            "maps.example",
            "http://maps.example",
            "http://10.1.2.3",
            "http://127.0.0.1.example",
            "http://localhost.example",
            "ftp://maps.example",
            "file:///etc/passwd",
            "https://user@maps.example",
            "https://user:secret@maps.example",
            "https://maps.example?a=b",
            "https://maps.example/#top",
            "https://",
            "https://maps .example",
        ] {
            let error = Base::parse(text).unwrap_err().to_string();
            assert!(error.contains("expected an https address") && error.contains(text), "{error}");
        }
    }
}
