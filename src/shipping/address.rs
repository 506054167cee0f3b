//! The address from which snapshots are fetched. Decides which schemes, hosts and redirects are safe; makes no
//! request itself.

use std::{collections::HashSet, fmt, net::IpAddr, str::FromStr, sync::Arc};

use platbook_https::Hosts;
use url::{Host, Url};

/// File name ending of a snapshot that is compressed with zstd.
const PACKED: &str = ".zst";

/// File name ending of the statement about a release.
const RELEASE: &str = ".json";

/// File name ending of a minisign signature.
const SIGNATURE: &str = ".minisig";

/// An address from which a snapshot may be fetched: https, or http within this machine or a private network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotUrl(Url);

/// Error for a text that is not an address of snapshots; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an https address of a snapshot without user and fragment, such as https://mirror.example/us.platbook.zst \
     (http only for this machine itself; with --snapshot-key also for private networks, such as http://10.0.0.5/us.platbook), \
     got {0:?}"
)]
pub struct BadAddress(String);

/// The network in which a host lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// This machine itself (loopback).
    Own,
    /// A private network (RFC 1918, or unique local IPv6).
    Private,
    /// Any other address, and every host name: a name may resolve to any address.
    Anywhere,
}

impl SnapshotUrl {
    /// Checks that no third party can change a download: it uses https, or stays within this machine. In a private
    /// network, a signature suffices as well.
    ///
    /// # Errors
    /// Fails if a third party could change a download.
    pub fn check(&self, is_signed: bool) -> Result<(), BadAddress> {
        let is_safe = match (self.0.scheme(), self.reach()) {
            ("https", _) | ("http", Reach::Own) => true,
            ("http", Reach::Private) => is_signed,
            _ => false,
        };
        if is_safe { Ok(()) } else { Err(BadAddress(self.0.to_string())) }
    }

    /// Returns the target of a redirect. `None` unless the target uses https to one of these hosts, or stays within
    /// this machine or the same private network. Otherwise, a mirror could make this machine send requests to its
    /// neighbors.
    pub(super) fn redirected(&self, location: &str, hosts: &Hosts) -> Option<SnapshotUrl> {
        let to = SnapshotUrl::from_url(self.0.join(location).ok()?)?;
        let stays = to.reach() == self.reach() && self.reach() != Reach::Anywhere;
        let may = match (self.0.scheme(), to.0.scheme()) {
            (_, "https") => stays || hosts.may_reach(to.host()),
            ("http", "http") => stays,
            _ => false,
        };
        may.then_some(to)
    }

    /// Returns the host. An IPv6 address has brackets.
    fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns the hosts that redirects may reach: the one of this address, which the operator chose, and public
    /// ones.
    pub(super) fn hosts(&self) -> Hosts {
        let own = self.host().trim_matches(['[', ']']).to_owned();
        Hosts::Public(Arc::new(HashSet::from([own])))
    }

    /// Returns the address of the snapshot's signature, which lies in the same folder. The signature is for the
    /// uncompressed snapshot.
    pub fn signature(&self) -> SnapshotUrl {
        let mut url = self.0.clone();
        let path = url.path().strip_suffix(PACKED).unwrap_or(url.path());
        let path = format!("{path}{SIGNATURE}");
        url.set_path(&path);
        SnapshotUrl(url)
    }

    /// Returns whether the address leads to the statement about a release, and not to a snapshot.
    pub fn is_release(&self) -> bool {
        self.0.path().ends_with(RELEASE)
    }

    /// Returns the address of a file in the same folder, with the same query. `name` has no slash.
    pub(super) fn beside(&self, name: &str) -> SnapshotUrl {
        let mut url = self.0.clone();
        let folder = url.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = format!("{folder}/{name}");
        url.set_path(&path);
        SnapshotUrl(url)
    }

    /// Returns the address as text, for a request. The query may hold a secret, so the text must not be shown or
    /// logged.
    pub(super) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    fn from_url(url: Url) -> Option<SnapshotUrl> {
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        let is_known = ["https", "http"].contains(&url.scheme()) && url.host().is_some();
        (is_plain && is_known && !url.path().ends_with('/')).then_some(SnapshotUrl(url))
    }

    fn reach(&self) -> Reach {
        let address = match self.0.host() {
            Some(Host::Domain("localhost")) => return Reach::Own,
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return Reach::Anywhere,
        };
        let is_private = match address {
            IpAddr::V4(address) => address.is_private(),
            IpAddr::V6(address) => address.is_unique_local(),
        };
        match (address.is_loopback(), is_private) {
            (true, _) => Reach::Own,
            (_, true) => Reach::Private,
            _ => Reach::Anywhere,
        }
    }
}

impl FromStr for SnapshotUrl {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<SnapshotUrl, BadAddress> {
        let url = Url::parse(text).ok().and_then(SnapshotUrl::from_url);
        let url = url.ok_or_else(|| BadAddress(text.to_owned()))?;
        // This check assumes a key, which may be configured later. `Remote::new` checks again once the key is known.
        url.check(true)?;
        Ok(url)
    }
}

/// Shows the address without its query, which may hold a secret.
impl fmt::Display for SnapshotUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.clone();
        shown.set_query(None);
        shown.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks whether an address is allowed: without a key, only with one, or not at all.
    fn check(text: &str, expected: &str) {
        let got = match text.parse::<SnapshotUrl>() {
            Ok(url) if url.check(false).is_ok() => "yes",
            Ok(_) => "with a key",
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains("expected an https address") && message.contains(text), "{message}");
                "no"
            }
        };
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn only_safe_addresses_are_accepted() {
        for (text, expected) in [
            ("https://mirror.example/us.platbook", "yes"),
            ("https://10.0.0.5:8443/us.platbook.zst?token=a", "yes"),
            ("http://127.0.0.1:8081/us.platbook", "yes"),
            ("http://[::1]/us.platbook", "yes"),
            ("http://localhost/us.platbook", "yes"),
            ("http://10.0.0.5/us.platbook", "with a key"),
            ("http://192.168.1.2/us.platbook", "with a key"),
            ("http://[fd00::1]/us.platbook", "with a key"),
            ("http://mirror.example/us.platbook", "no"),
            ("http://8.8.8.8/us.platbook", "no"),
            ("http://localhost.example/us.platbook", "no"),
            ("ftp://mirror.example/us.platbook", "no"),
            ("file:///etc/passwd", "no"),
            ("https://user:secret@mirror.example/us.platbook", "no"),
            ("https://mirror.example/us.platbook#top", "no"),
            ("https://mirror.example/", "no"),
            ("us.platbook", "no"),
            ("", "no"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn redirects_lead_to_public_https_or_stay() {
        for (from, to, expected) in [
            ("https://a.example/x", "https://b.example/y", Some("https://b.example/y")),
            ("https://a.example/x", "/y?z=1", Some("https://a.example/y?z=1")),
            ("https://a.example/x", "http://a.example/x", None),
            ("https://a.example/x", "http://127.0.0.1/x", None),
            ("https://a.example/x", "file:///etc/passwd", None),
            ("https://a.example/x", "https://u:p@b.example/y", None),
            ("http://127.0.0.1/x", "http://127.0.0.1:81/y", Some("http://127.0.0.1:81/y")),
            ("http://127.0.0.1/x", "https://b.example/y", Some("https://b.example/y")),
            ("http://127.0.0.1/x", "http://10.0.0.5/y", None),
            ("http://10.0.0.5/x", "http://127.0.0.1/y", None),
            ("http://127.0.0.1/x", "http://b.example/y", None),
            // A redirect may reach a private network only from within, or if the operator named the host.
            ("https://a.example/x", "https://10.0.0.5/y", None),
            ("https://a.example/x", "https://169.254.169.254/latest/meta-data", None),
            ("https://a.example/x", "https://[::1]/y", None),
            ("https://a.example/x", "https://[fd00::1]/y", None),
            ("https://a.example/x", "https://1.1.1.1/y", Some("https://1.1.1.1/y")),
            ("http://127.0.0.1/x", "https://10.0.0.5/y", None),
            ("https://10.0.0.5/x", "https://10.0.0.6/y", Some("https://10.0.0.6/y")),
            ("https://10.0.0.5/x", "/y", Some("https://10.0.0.5/y")),
            ("https://[fd00::1]/x", "/y", Some("https://[fd00::1]/y")),
            ("https://192.0.2.1/x", "/y", Some("https://192.0.2.1/y")),
        ] {
            let from: SnapshotUrl = from.parse().unwrap();
            let redirected = from.redirected(to, &from.hosts());
            let got = redirected.as_ref().map(SnapshotUrl::as_str);
            assert_eq!(got, expected, "{from} to {to}");
        }
    }

    #[test]
    fn files_of_a_release_lie_beside_its_statement() {
        let url: SnapshotUrl = "https://a.example/us/release.json?t=1".parse().unwrap();
        assert!(url.is_release() && !url.beside("b.dcz").is_release());
        assert_eq!(url.beside("b.dcz").as_str(), "https://a.example/us/b.dcz?t=1");
        assert_eq!(url.signature().as_str(), "https://a.example/us/release.json.minisig?t=1");
    }

    #[test]
    fn the_signature_is_that_of_the_snapshot_itself() {
        for (url, signature) in [
            ("https://a.example/us.platbook", "https://a.example/us.platbook.minisig"),
            ("https://a.example/us.platbook.zst?t=1", "https://a.example/us.platbook.minisig?t=1"),
        ] {
            assert_eq!(url.parse::<SnapshotUrl>().unwrap().signature().as_str(), signature);
        }
        let url: SnapshotUrl = "https://a.example/us.platbook?token=secret".parse().unwrap();
        assert_eq!(url.to_string(), "https://a.example/us.platbook");
    }
}
