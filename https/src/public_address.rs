//! Recognizes network addresses on the public internet.
//!
//! The services are public. A name that resolves to a private address is a fault or an attack (server-side request
//! forgery), and is rejected. Otherwise the owner of the name could make this machine send requests to its neighbors.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

use ipnet::{Ipv4Net, Ipv6Net};

/// IPv4 ranges that are not public: the IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast and class E.
const NOT_PUBLIC_4: [&str; 17] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
];

/// The IPv6 global unicast addresses; all others are special.
const PUBLIC_6: &str = "2000::/3";

/// Special ranges within [`PUBLIC_6`] (IANA IPv6 Special-Purpose Address Registry), including 6to4, which carries an
/// IPv4 address.
const NOT_PUBLIC_6: [&str; 6] =
    ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "3ffe::/16"];

/// Returns whether an address is on the public internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_4(address),
        IpAddr::V6(address) => inner(address).map_or_else(|| is_public_6(address), is_public_4),
    }
}

/// Returns the IPv4 address in an IPv6 address: mapped, or translated by the network (RFC 6052) for machines with IPv6
/// only.
fn inner(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = address.segments() else { return address.to_ipv4_mapped() };
    Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
}

fn is_public_4(address: Ipv4Addr) -> bool {
    static NETS: LazyLock<Vec<Ipv4Net>> = LazyLock::new(|| NOT_PUBLIC_4.map(read).to_vec());
    !NETS.iter().any(|net| net.contains(&address))
}

fn is_public_6(address: Ipv6Addr) -> bool {
    static PUBLIC: LazyLock<Ipv6Net> = LazyLock::new(|| read(PUBLIC_6));
    static NETS: LazyLock<Vec<Ipv6Net>> = LazyLock::new(|| NOT_PUBLIC_6.map(read).to_vec());
    PUBLIC.contains(&address) && !NETS.iter().any(|net| net.contains(&address))
}

fn read<N: std::str::FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("{text} is a network"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_are_public() {
        for (text, expected) in [
            ("148.129.75.29", true),
            ("8.8.8.8", true),
            ("172.32.0.1", true),
            ("100.128.0.1", true),
            ("2610:20:2010::1", true),
            ("2600:1f18::1", true),
            ("::ffff:8.8.8.8", true),
            ("64:ff9b::8.8.8.8", true),
            ("127.0.0.1", false),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("198.18.0.1", false),
            ("192.0.2.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::1", false),
            ("::", false),
            ("fe80::1", false),
            ("fc00::1", false),
            ("fd00:ec2::254", false),
            ("ff02::1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("::127.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("2001::1", false),
            ("2001:db8::1", false),
        ] {
            assert_eq!(is_public(text.parse().unwrap()), expected, "{text}");
        }
    }
}
