//! Finds the source that documents an address, and returns the key under which its record cites it.

use platbook::vocabulary::JurisdictionId;

use crate::directory::websites::{DOTGOV, GSA};

/// Facts about hosts in the published lists.
pub trait Hosts {
    /// Whether the host is under a .gov domain that the registry gives to this body, or to an id of the same
    /// government.
    fn registered_to(&self, host: &str, body: &JurisdictionId) -> bool;
    /// Whether the host is under any .gov domain of the registry.
    fn registered(&self, host: &str) -> bool;
    /// Whether the host is on the list of government addresses outside .gov.
    fn listed(&self, host: &str) -> bool;
}

/// The host of an address in lower case, without port and `www.`; empty for a text without a host.
pub fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default().to_ascii_lowercase();
    host.strip_prefix("www.").unwrap_or(&host).to_owned()
}

/// The host and the domains above it, such as `gis.a.gov`, `a.gov`, `gov`.
pub fn above(host: &str) -> impl Iterator<Item = &str> {
    let starts = std::iter::once(0).chain(host.match_indices('.').map(|(at, _)| at + 1));
    starts.map(|at| &host[at..])
}

/// The source that documents a page of one government: the registry, if it gives the domain to that
/// government.
pub(super) fn of_government(hosts: &dyn Hosts, url: &str, body: &JurisdictionId) -> Option<&'static str> {
    hosts.registered_to(&host(url), body).then_some(DOTGOV)
}

/// The source that documents a page of a state or the nation: the registry for any of its domains, or the
/// list.
pub(super) fn of_agency(hosts: &dyn Hosts, url: &str) -> Option<&'static str> {
    let host = host(url);
    let listed = || hosts.listed(&host).then_some(GSA);
    hosts.registered(&host).then_some(DOTGOV).or_else(listed)
}
