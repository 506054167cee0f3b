//! Parses ranges of addresses, such as 10.0.0.0/8.

use std::{fmt, net::IpAddr, str::FromStr};

use ipnet::{IpNet, Ipv4Net};
use serde::{Deserialize, Deserializer, de::Error as _};

/// A range of addresses. IPv4-mapped IPv6 addresses count as IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

/// Number of bits before the IPv4 address in an IPv4-mapped IPv6 address.
const MAPPED_BITS: u8 = 96;

/// Error for a text that is not a range of addresses.
#[derive(Debug, thiserror::Error)]
#[error("expected an address or a range such as 10.0.0.0/8 or 2001:db8::/32, got {got:?}{hint}")]
pub struct BadNetwork {
    got: String,
    hint: String,
}

impl Network {
    /// Returns whether the address is in the range.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Network, BadNetwork> {
        let bad = |hint: String| BadNetwork { got: text.to_owned(), hint };
        let one = || text.parse::<IpAddr>().ok().map(IpNet::from);
        let range = text.parse().ok().or_else(one).map(unmapped).ok_or_else(|| bad(String::new()))?;
        let whole = range.trunc();
        // Address bits beyond the prefix length are a mistake, in the address or in the length.
        (range == whole).then_some(Network(range)).ok_or_else(|| bad(format!("; did you mean {whole}?")))
    }
}

/// Converts a range of IPv4-mapped IPv6 addresses to IPv4.
fn unmapped(range: IpNet) -> IpNet {
    match (range.addr().to_canonical(), range) {
        (IpAddr::V4(address), IpNet::V6(mapped)) if mapped.prefix_len() >= MAPPED_BITS => {
            Ipv4Net::new_assert(address, mapped.prefix_len() - MAPPED_BITS).into()
        }
        _ => range,
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Network, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_they_say() {
        for (range, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("::ffff:10.0.0.0/104", "10.9.9.9", true),
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("0.0.0.0/0", "255.255.255.255", true),
            ("0.0.0.0/0", "::1", false),
            ("::/0", "2001:db8::1", true),
            ("::/0", "192.0.2.1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("::1", "::1", true),
        ] {
            let network: Network = range.parse().unwrap();
            assert_eq!(network.contains(address.parse().unwrap()), inside, "{range} {address}");
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for (text, said) in [
            ("", "got \"\""),
            ("10.0.0.0/33", "got"),
            ("10.0.0.0/", "got"),
            ("10.0.0.0/+8", "got"),
            ("10.0.0.0/8/8", "got"),
            ("10.0.0/8", "got"),
            ("::/129", "got"),
            ("::ffff:10.0.0.0/90", "got"),
            ("example.org", "got"),
            ("10.0.0.1/8", "did you mean 10.0.0.0/8?"),
        ] {
            let error = text.parse::<Network>().unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
