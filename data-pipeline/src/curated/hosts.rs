//! Reads `hosts.toml`, the kinds of publishers by the hosts of their pages.
//!
//! The table is built into the program, so that readers of sources need no folder to look up a host.

use std::{collections::HashMap, sync::LazyLock};

use platbook::vocabulary::{PublisherKind, bare_url};
use serde::Deserialize;

const TABLE: &str = include_str!("../../curated/hosts.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    endings: Vec<String>,
    class: Vec<Class>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    kind: PublisherKind,
    hosts: Vec<String>,
}

static HOSTS: LazyLock<HashMap<String, PublisherKind>> = LazyLock::new(|| {
    let table: Table = toml::from_str(TABLE).expect("a test reads hosts.toml");
    let endings = table.endings.into_iter().map(|ending| (ending, PublisherKind::Official));
    let rows =
        table.class.into_iter().flat_map(|class| class.hosts.into_iter().map(move |host| (host, class.kind)));
    endings.chain(rows).collect()
});

/// The host of an address, in lower case and without `www.`.
pub(super) fn host_of(url: &str) -> String {
    let bare = bare_url(url);
    let host = bare.split(['/', '?', '#', ':']).next().unwrap_or_default().to_ascii_lowercase();
    host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
}

/// The kind of a page's publisher; `None` for a host without a row. The longest row that fits counts.
pub fn kind_of(url: &str) -> Option<PublisherKind> {
    let host = host_of(url);
    let mut rest = Some(host.as_str());
    while let Some(name) = rest {
        if let Some(kind) = HOSTS.get(name) {
            return Some(*kind);
        }
        rest = name.split_once('.').map(|(_, parent)| parent);
    }
    let is_official = is_of_government(&host) || is_of_test(&host);
    is_official.then_some(PublisherKind::Official)
}

/// Whether the ending of a host is only for governments: `.gov`, `.mil`, and the names below a state in `.us`.
pub(super) fn is_of_government(host: &str) -> bool {
    let mut parts = host.rsplit('.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("gov" | "mil"), Some(_), _) => true,
        (Some("us"), Some(state), Some(_)) => state.len() == 2,
        _ => false,
    }
}

/// Names that tests use (RFC 2606); no source outside of tests has one.
fn is_of_test(host: &str) -> bool {
    cfg!(test)
        && (host.ends_with(".example") || host.ends_with("example.org") || host.ends_with("example.com"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_classed_by_their_longest_row() {
        use PublisherKind as P;
        for (url, kind) in [
            ("https://www.hennepincounty.gov/x", Some(P::Official)),
            ("https://WWW.co.anoka.mn.us", Some(P::Official)),
            ("https://bell.tx.publicsearch.us/", Some(P::Vendor)),
            ("https://law.justia.com/codes", Some(P::LawPublisher)),
            ("https://www.law.cornell.edu/uscode", Some(P::LawPublisher)),
            ("https://ctas.tennessee.edu/", Some(P::Official)),
            ("https://raw.githubusercontent.com/a/b", Some(P::Other)),
            ("https://en.wikisource.org/wiki/X", Some(P::Encyclopedia)),
            ("https://www.sharonherald.com:443/news", Some(P::News)),
            ("https://becq.gov.mp/", Some(P::Official)),
            ("https://a.example/", Some(P::Official)),
            ("https://us/", None),
            ("https://gov/", None),
            ("https://never-seen.com/", None),
        ] {
            assert_eq!(kind_of(url), kind, "{url}");
        }
    }

    #[test]
    fn each_host_has_one_row_as_it_is_compared() {
        let table: Table = toml::from_str(TABLE).unwrap();
        let hosts = || table.class.iter().flat_map(|class| &class.hosts);
        for host in hosts() {
            assert_eq!(host_of(host), *host, "write it without www. and in lower case");
            assert!(!is_of_government(host), "{host} needs no row");
        }
        assert_eq!(HOSTS.len(), table.endings.len() + hosts().count(), "a host stands twice");
    }
}
