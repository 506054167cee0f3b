//! A range of addresses, as in 10.0.0.0/8.

use std::{fmt, net::IpAddr, str::FromStr};

use serde::{Deserialize, Deserializer, de::Error as _};

/// A range of addresses. IPv4-mapped IPv6 is IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    base: IpAddr,
    prefix: u32,
}

/// A text is no range of addresses.
#[derive(Debug, thiserror::Error)]
#[error("expected an address or a range such as 10.0.0.0/8 or 2001:db8::/32, got {got:?}{hint}")]
pub struct BadNetwork {
    got: String,
    hint: String,
}

impl Network {
    /// Whether the address is in it.
    pub fn contains(&self, address: IpAddr) -> bool {
        masked(address.to_canonical(), self.prefix) == Some(self.base)
            && address.to_canonical().is_ipv4() == self.base.is_ipv4()
    }
}

/// The address with all but the first bits zero; `None` where it has fewer bits.
fn masked(address: IpAddr, prefix: u32) -> Option<IpAddr> {
    match address {
        IpAddr::V4(address) if prefix <= 32 => {
            let mask = u32::MAX.checked_shl(32 - prefix).unwrap_or(0);
            Some(IpAddr::V4((address.to_bits() & mask).into()))
        }
        IpAddr::V6(address) if prefix <= 128 => {
            let mask = u128::MAX.checked_shl(128 - prefix).unwrap_or(0);
            Some(IpAddr::V6((address.to_bits() & mask).into()))
        }
        _ => None,
    }
}

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Network, BadNetwork> {
        let bad = |hint: String| BadNetwork { got: text.to_owned(), hint };
        let plain = || bad(String::new());
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, p)| (a, Some(p)));
        let given: IpAddr = address.parse().map_err(|_| plain())?;
        let whole: u32 = if given.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => whole,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().ok().filter(|prefix| *prefix <= whole).ok_or_else(plain)?
            }
            Some(_) => return Err(plain()),
        };
        let base = given.to_canonical();
        let folded = if base.is_ipv4() && whole == 128 { prefix.checked_sub(96) } else { Some(prefix) };
        let network = Network { base, prefix: folded.ok_or_else(plain)? };
        match masked(base, network.prefix) {
            Some(first) if first == base => Ok(network),
            Some(first) => Err(bad(format!("; did you mean {first}/{}?", network.prefix))),
            None => Err(plain()),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.prefix)
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
