//! Whose address counts where a proxy stands between.

use std::net::{IpAddr, SocketAddr};

use hyper::{
    HeaderMap,
    header::{FORWARDED, HeaderName},
};

use super::network::Network;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The proxies whose word on the caller's address is believed; by default none.
///
/// `X-Forwarded-For` and `Forwarded` (RFC 7239) are read from the right, each hop being believed as long as it is
/// one of these proxies: the caller is the rightmost address that is none. What stands left of it anyone may have
/// written. An entry that is no address ends the walk at the hop that wrote it.
///
/// A proxy writes one of the two fields and may pass the other on as it came. So where a request has both, they
/// must name the same caller; else the proxy itself is counted.
#[derive(Debug, Default)]
pub struct Proxies(Vec<Network>);

impl Proxies {
    /// These are trusted.
    pub fn new(trusted: Vec<Network>) -> Proxies {
        Proxies(trusted)
    }

    /// The caller's address, for a connection from `peer`.
    pub fn caller_address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if self.0.is_empty() || !self.trusts(peer) {
            return peer;
        }
        let listed = self.walk(peer, headers, &X_FORWARDED_FOR, forwarded_for_entry);
        let forwarded = self.walk(peer, headers, &FORWARDED, forwarded_entry);
        match (listed, forwarded) {
            (Some(address), None) | (None, Some(address)) => address,
            (Some(one), Some(two)) if one == two => one,
            _ => peer,
        }
    }

    /// The caller by one of the fields; `None` without it.
    fn walk(
        &self,
        peer: IpAddr,
        headers: &HeaderMap,
        name: &HeaderName,
        entry: fn(&str) -> Option<IpAddr>,
    ) -> Option<IpAddr> {
        let mut caller = headers.contains_key(name).then_some(peer)?;
        for line in headers.get_all(name).iter().rev() {
            // Not text: nothing left of here is believed.
            let Ok(line) = line.to_str() else { return Some(caller) };
            for text in line.rsplit(',') {
                match entry(text.trim_matches([' ', '\t'])) {
                    Some(address) if self.trusts(address) => caller = address,
                    Some(address) => return Some(address),
                    None => return Some(caller),
                }
            }
        }
        Some(caller)
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

/// An address, with or without a port; IPv6 in brackets or bare.
fn forwarded_for_entry(text: &str) -> Option<IpAddr> {
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let address: Option<IpAddr> = text.parse().ok().or_else(bracketed).or_else(with_port);
    address.map(|address| address.to_canonical())
}

/// The `for` of one element such as `for="[2001:db8::1]:4711";proto=https`.
fn forwarded_entry(text: &str) -> Option<IpAddr> {
    let mut nodes = text.split(';').filter_map(|pair| {
        let (name, value) = pair.trim_matches([' ', '\t']).split_once('=')?;
        name.eq_ignore_ascii_case("for").then_some(value)
    });
    let (node, None) = (nodes.next()?, nodes.next()) else { return None };
    forwarded_for_entry(node.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(node))
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    /// Who is counted for a connection from `peer` with these headers; 10/8 and 2001:db8:f::/48 are trusted.
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

    #[test]
    fn two_fields_must_agree() {
        let listed = (XFF, "198.51.100.7");
        check("10.0.0.1", &[listed, ("forwarded", "for=198.51.100.7")], "198.51.100.7");
        check("10.0.0.1", &[listed, ("forwarded", "for=203.0.113.9")], "10.0.0.1");
        check("10.0.0.1", &[listed, ("forwarded", "for=unknown")], "10.0.0.1");
    }
}
