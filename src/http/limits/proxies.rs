//! Finds the caller's address behind proxies. This crate has its own parser. The crate `trusted-proxies` had its last
//! release in January 2025, eight days after its first, and trusts one of two fields that disagree.

use std::{
    borrow::Cow,
    net::{IpAddr, SocketAddr},
};

use hyper::{
    HeaderMap,
    header::{FORWARDED, HeaderName},
};

use super::network::Network;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The proxies whose headers about the caller's address are trusted; by default none.
///
/// `X-Forwarded-For` and `Forwarded` (RFC 7239) are read from the right. The caller is the rightmost address that is
/// not one of these proxies. Anyone may have written the entries to the left of that address. At an entry
/// that is not an address, the hop that wrote the entry is the caller. A line with an open quote makes the
/// connection's peer the caller, since its separators are ambiguous. Empty entries are skipped (RFC 9110, section
/// 5.6.1).
///
/// A proxy writes one of the two fields and may forward the other unchanged. The two fields of a request must name
/// the same caller. Otherwise, the uses count for the proxy itself.
#[derive(Debug, Default)]
pub struct Proxies(Vec<Network>);

impl Proxies {
    /// Makes the list of trusted proxies from these ranges of addresses.
    pub fn new(trusted: Vec<Network>) -> Proxies {
        Proxies(trusted)
    }

    /// Returns the caller's address, for a connection from `peer`.
    pub fn caller_address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if self.0.is_empty() || !self.trusts(peer) {
            return peer;
        }
        let listed = self.walk(peer, headers, &X_FORWARDED_FOR, forwarded_for_entries);
        let forwarded = self.walk(peer, headers, &FORWARDED, forwarded_entries);
        match (listed, forwarded) {
            (Some(address), None) | (None, Some(address)) => address,
            (Some(one), Some(two)) if one == two => one,
            _ => peer,
        }
    }

    /// Returns the caller that one of the two fields names; `None` if the request does not have the field.
    fn walk(
        &self,
        peer: IpAddr,
        headers: &HeaderMap,
        name: &HeaderName,
        entries: fn(&str) -> Option<Entries>,
    ) -> Option<IpAddr> {
        let mut caller = headers.contains_key(name).then_some(peer)?;
        for line in headers.get_all(name).iter().rev() {
            // The line is not text, so nothing to the left of this point is trusted.
            let Ok(line) = line.to_str() else { return Some(caller) };
            let Some(entries) = entries(line) else { return Some(peer) };
            for entry in entries.into_iter().rev() {
                match entry {
                    Some(address) if self.trusts(address) => caller = address,
                    Some(address) => return Some(address),
                    None => return Some(caller),
                }
            }
        }
        Some(caller)
    }

    pub(super) fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

/// The entries of a line, from left to right. `None` stands for an entry that is not an address.
type Entries = Vec<Option<IpAddr>>;

fn forwarded_for_entries(line: &str) -> Option<Entries> {
    let entries = line.split(',').map(trimmed).filter(|text| !text.is_empty());
    Some(entries.map(address).collect())
}

/// Returns the entries of a `Forwarded` line; `None` if a quote stays open.
fn forwarded_entries(line: &str) -> Option<Entries> {
    Some(split_unquoted(line, ',')?.into_iter().map(forwarded_entry).collect())
}

/// Returns the address in `for` of an element such as `for="[2001:db8::1]:4711";proto=https`; `None` if it is not an
/// address.
fn forwarded_entry(text: &str) -> Option<IpAddr> {
    let mut node = None;
    for pair in split_unquoted(text, ';')? {
        let (name, value) = pair.split_once('=')?;
        let value = unquoted(value)?;
        if name.eq_ignore_ascii_case("for") && node.replace(value).is_some() {
            return None;
        }
    }
    address(&node?)
}

/// Parses an address, with or without a port. An IPv6 address may have brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let address: Option<IpAddr> = text.parse().ok().or_else(bracketed).or_else(with_port);
    address.map(|address| address.to_canonical())
}

fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// Splits at separators outside of quoted-strings (RFC 9110, section 5.6.4), without empty parts. `None` if a quote
/// stays open.
fn split_unquoted(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut quoted) = (Vec::new(), 0, false);
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => quoted = !quoted,
            '\\' if quoted => {
                characters.next()?;
            }
            _ if character == separator && !quoted => {
                parts.push(&text[start..at]);
                start = at + separator.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    let parts = parts.into_iter().map(trimmed).filter(|part| !part.is_empty());
    (!quoted).then(|| parts.collect())
}

/// Removes the quotes and escapes of a quoted-string. `None` if a quote stands at another position.
fn unquoted(value: &str) -> Option<Cow<'_, str>> {
    if !value.contains('"') {
        return Some(Cow::Borrowed(value));
    }
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.strip_prefix('"')?.strip_suffix('"')?.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return None,
            '\\' => plain.push(characters.next()?),
            _ => plain.push(character),
        }
    }
    Some(Cow::Owned(plain))
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    /// Checks which caller counts for a connection from `peer` with these headers; 10/8 and 2001:db8:f::/48 are
    /// trusted.
    fn check(peer: &str, given: &[(&'static str, &'static str)], expected: &str) {
        let trusted = ["10.0.0.0/8", "2001:db8:f::/48"].map(|text| text.parse().unwrap());
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(*name, HeaderValue::from_static(value));
        }
        let caller = Proxies::new(trusted.into()).caller_address(peer.parse().unwrap(), &headers);
        assert_eq!(caller, expected.parse::<IpAddr>().unwrap(), "{peer} {given:?}");
    }

    const XFF: &str = "x-forwarded-for";

    #[test]
    fn only_trusted_proxies_are_believed() {
        check("192.0.2.1", &[(XFF, "198.51.100.7")], "192.0.2.1");
        check("192.0.2.1", &[("forwarded", "for=198.51.100.7")], "192.0.2.1");
        check("10.0.0.1", &[], "10.0.0.1");
        check("10.0.0.1", &[(XFF, "198.51.100.7")], "198.51.100.7");
        check("::ffff:10.0.0.1", &[(XFF, "198.51.100.7")], "198.51.100.7");
        check("2001:db8:f::1", &[(XFF, "2001:db8:1::7")], "2001:db8:1::7");
    }

    #[test]
    fn the_rightmost_stranger_is_the_caller() {
        check("10.0.0.1", &[(XFF, "203.0.113.9, 198.51.100.7")], "198.51.100.7");
        check("10.0.0.1", &[(XFF, "203.0.113.9,198.51.100.7 , 10.0.0.2")], "198.51.100.7");
        check("10.0.0.1", &[(XFF, "203.0.113.9"), (XFF, "198.51.100.7"), (XFF, "10.0.0.2")], "198.51.100.7");
        check("10.0.0.1", &[(XFF, "10.0.0.3, 10.0.0.2")], "10.0.0.3");
        check("10.0.0.1", &[(XFF, "::ffff:198.51.100.7")], "198.51.100.7");
    }

    #[test]
    fn entries_have_many_forms() {
        check("10.0.0.1", &[(XFF, "198.51.100.7:4711")], "198.51.100.7");
        check("10.0.0.1", &[(XFF, "[2001:db8::7]")], "2001:db8::7");
        check("10.0.0.1", &[(XFF, "[2001:db8::7]:4711")], "2001:db8::7");
        check("10.0.0.1", &[("forwarded", "for=198.51.100.7;proto=https;by=10.0.0.1")], "198.51.100.7");
        check("10.0.0.1", &[("forwarded", "proto=https; For=\"[2001:db8::7]:4711\"")], "2001:db8::7");
        check(
            "10.0.0.1",
            &[("forwarded", "for=203.0.113.9, for=198.51.100.7, for=10.0.0.2")],
            "198.51.100.7",
        );
    }

    #[test]
    fn what_is_no_address_ends_the_walk() {
        check("10.0.0.1", &[(XFF, "")], "10.0.0.1");
        check("10.0.0.1", &[(XFF, "unknown")], "10.0.0.1");
        check("10.0.0.1", &[(XFF, "203.0.113.9, unknown, 10.0.0.2")], "10.0.0.2");
        check("10.0.0.1", &[(XFF, "203.0.113.9, example.org")], "10.0.0.1");
        check("10.0.0.1", &[("forwarded", "for=_hidden")], "10.0.0.1");
        check("10.0.0.1", &[("forwarded", "proto=https")], "10.0.0.1");
        check("10.0.0.1", &[("forwarded", "for=198.51.100.7;for=203.0.113.9")], "10.0.0.1");
    }

    /// A client that may set its `Host` freely must not be able to set its address.
    #[test]
    fn quoted_text_is_no_list() {
        const FORWARDED: &str = "forwarded";
        for (given, caller) in [
            ("for=203.0.113.50;host=\"e,for=1.2.3.4;x=\"", "203.0.113.50"),
            ("for=203.0.113.50;host=\"e\\\",for=1.2.3.4;x=\"", "203.0.113.50"),
            ("for=\"\\9.9.9.1\"", "9.9.9.1"),
            ("for=9.9.9.1;by=\"a,b\"", "9.9.9.1"),
            ("by=\"a;for=1.1.1.1\";for=9.9.9.1", "9.9.9.1"),
            ("for=9.9.9.1,", "9.9.9.1"),
            ("for=9.9.9.1;, ,", "9.9.9.1"),
            ("for=1.1.1.1, ,for=9.9.9.1;;proto=http", "9.9.9.1"),
            // Quotes that stay open, or stand at a wrong position.
            ("for=9.9.9.1;host=\"e", "10.0.0.1"),
            ("for=9.9.9.1;host=\"e\\\"", "10.0.0.1"),
            ("for=9.9.9.1, for=10.0.0.2;host=\"e", "10.0.0.1"),
            ("for=9.9.9.1;host=e\"f\"", "10.0.0.1"),
            ("for=\"9.9.9.1\"x", "10.0.0.1"),
            ("for=9.9.9.1;host", "10.0.0.1"),
        ] {
            check("10.0.0.1", &[(FORWARDED, given)], caller);
        }
        check("10.0.0.1", &[(XFF, "9.9.9.1, ,")], "9.9.9.1");
        check("10.0.0.1", &[(FORWARDED, "for=9.9.9.1;host=\""), (FORWARDED, "for=10.0.0.2")], "10.0.0.1");
    }

    #[test]
    fn two_fields_must_agree() {
        let listed = (XFF, "198.51.100.7");
        check("10.0.0.1", &[listed, ("forwarded", "for=198.51.100.7")], "198.51.100.7");
        check("10.0.0.1", &[listed, ("forwarded", "for=203.0.113.9")], "10.0.0.1");
        check("10.0.0.1", &[listed, ("forwarded", "for=unknown")], "10.0.0.1");
    }
}
