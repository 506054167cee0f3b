//! Hosts and the governments that they belong to.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{Geoid, StateCode};

/// Hosts of governments, from both lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    /// GEOIDs of the owner of each registered or listed domain, with all ids of the same government.
    pub owners: BTreeMap<String, BTreeSet<Geoid>>,
    /// Listed hosts outside .gov, even without a known owner.
    pub listed: BTreeSet<String>,
}

impl Hosts {
    /// Whether the host is a domain of the government, or under one.
    pub fn documents(&self, host: &str, body: Geoid) -> bool {
        above(host).iter().any(|domain| self.owners.get(domain).is_some_and(|ids| ids.contains(&body)))
    }

    /// Whether the host is a government's: .gov, .mil, under a state in .us, or on the list of addresses outside
    /// .gov.
    pub fn is_government_host(&self, host: &str) -> bool {
        let hosts = above(host);
        let Some(host) = hosts.first() else { return false };
        let mut pieces = host.rsplit('.');
        let (last, second, third) = (pieces.next(), pieces.next(), pieces.next());
        let is_state = |word: &str| StateCode::all().any(|state| state.usps().eq_ignore_ascii_case(word));
        let below_state = last == Some("us") && second.is_some_and(is_state) && third.is_some();
        (matches!(last, Some("gov" | "mil")) && second.is_some())
            || below_state
            || host.ends_with(".fed.us")
            || hosts.iter().any(|host| self.listed.contains(host))
    }
}

/// The host and the domains above it, in lower case without "www.".
fn above(host: &str) -> Vec<String> {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let starts = std::iter::once(0).chain(host.match_indices('.').map(|(at, _)| at + 1));
    starts.map(|at| host[at..].to_owned()).filter(|domain| domain.contains('.')).collect()
}
