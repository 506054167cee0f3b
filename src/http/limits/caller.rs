//! Identifies the caller whose limits a request uses.

use std::net::{IpAddr, Ipv6Addr};

use crate::keys::{KeyClass, KeyId};

/// The class of a caller, which sets its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// An address without a key.
    NoKey,
    /// A key of the class standard.
    Standard,
    /// A key of the class partner.
    Partner,
}

impl Tier {
    /// The number of tiers.
    pub const COUNT: usize = 3;

    /// All tiers, in order.
    pub const ALL: [Tier; Tier::COUNT] = [Tier::NoKey, Tier::Standard, Tier::Partner];

    /// Returns the tier's name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::NoKey => "no_key",
            Tier::Standard => "standard",
            Tier::Partner => "partner",
        }
    }
}

/// A key or a network address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    identity: u64,
    tier: Tier,
}

/// Identities are exact, not hashed, so two callers are never confused. The network half of an IPv6 address is its
/// identity. Other callers have numbers of multicast groups (ff00::/8), which are never the source of a packet. IPv4
/// addresses are within ffff:ffff::/32, keys within fffe::/24.
const IPV4: u64 = 0xFFFF_FFFF << 32;
const KEY: u64 = 0x00FF_FE00 << 40;

impl Caller {
    /// The caller that an address identifies, without a key. IPv4-mapped IPv6 counts as IPv4, and an IPv6 /64 is one
    /// caller.
    pub fn of_address(address: IpAddr) -> Caller {
        let identity = match address.to_canonical() {
            IpAddr::V4(address) => IPV4 | u64::from(address.to_bits()),
            IpAddr::V6(address) => network_half(address),
        };
        Caller { identity, tier: Tier::NoKey }
    }

    /// The caller that a key identifies, whatever its address.
    pub fn of_key(id: KeyId, class: KeyClass) -> Caller {
        let tier = match class {
            KeyClass::Standard => Tier::Standard,
            KeyClass::Partner => Tier::Partner,
        };
        Caller { identity: KEY | id.number(), tier }
    }

    /// Returns the caller's tier, which sets its limits.
    pub fn tier(self) -> Tier {
        self.tier
    }

    /// Returns the number that identifies the caller.
    pub fn identity(self) -> u64 {
        self.identity
    }

    /// Returns whether an identity belongs to a key.
    pub(super) fn is_key(identity: u64) -> bool {
        identity >> 40 == KEY >> 40
    }
}

fn network_half(address: Ipv6Addr) -> u64 {
    (address.to_bits() >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_one_caller_or_two() {
        for (one, two, same) in [
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
            ("::1", "::ffff:0.0.0.1", false),
            ("255.255.255.255", "ff02::1", false),
            ("0.0.0.0", "::", false),
        ] {
            let caller = |text: &str| Caller::of_address(text.parse().unwrap());
            assert_eq!(caller(one) == caller(two), same, "{one} {two}");
        }
    }

    #[test]
    fn a_key_is_no_address() {
        for id in ["00000000", "zzzzzzzz"] {
            let key = Caller::of_key(id.parse().unwrap(), KeyClass::Partner);
            assert!(Caller::is_key(key.identity()), "{id}");
            assert_eq!(key.tier(), Tier::Partner);
        }
        for address in ["255.255.255.255", "0.0.0.0", "::", "2001:db8::1", "fe80::1"] {
            assert!(!Caller::is_key(Caller::of_address(address.parse().unwrap()).identity()), "{address}");
        }
    }
}
