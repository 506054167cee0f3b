//! `Host` rules of RFC 9112 section 3.2, which hyper does not check.

use hyper::{
    HeaderMap, Version,
    header::{HOST, HeaderValue},
};

/// Returns the fault of a request's `Host` lines; `None` if they are valid.
pub(super) fn host_fault(version: Version, headers: &HeaderMap) -> Option<&'static str> {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version < Version::HTTP_11 => None,
        (None, _) => Some("the Host header is missing; HTTP/1.1 needs one"),
        (Some(_), Some(_)) => Some("the Host header is given more than once; send one"),
        (Some(host), None) if is_valid(host) => None,
        (Some(_), None) => Some("the Host header is not host or host:port"),
    }
}

/// Returns whether a value is `uri-host [ ":" port ]`; an empty host is valid.
fn is_valid(host: &HeaderValue) -> bool {
    let host = host.as_bytes();
    let (name, port) = match host.strip_prefix(b"[") {
        Some(rest) => match rest.iter().position(|byte| *byte == b']') {
            Some(end) if is_ip_literal(&rest[..end]) => (&b""[..], &rest[end + 1..]),
            _ => return false,
        },
        None => host.split_at(host.iter().position(|byte| *byte == b':').unwrap_or(host.len())),
    };
    is_registered_name(name) && is_port(port)
}

fn is_ip_literal(literal: &[u8]) -> bool {
    let text = std::str::from_utf8(literal).unwrap_or_default();
    is_ip_future(literal) || text.parse::<std::net::Ipv6Addr>().is_ok()
}

/// Returns whether a literal is a future IP address: `v`, hexadecimal digits, a dot and characters of an address (RFC
/// 3986, section 3.2.2).
fn is_ip_future(literal: &[u8]) -> bool {
    let [b'v' | b'V', rest @ ..] = literal else { return false };
    let Some(dot) = rest.iter().position(|byte| *byte == b'.') else { return false };
    let (version, address) = (&rest[..dot], &rest[dot + 1..]);
    let address_has = |byte: &u8| is_plain(*byte) || *byte == b':';
    !version.is_empty()
        && version.iter().all(u8::is_ascii_hexdigit)
        && !address.is_empty()
        && address.iter().all(address_has)
}

/// Returns whether a byte is an unreserved character or a sub-delimiter.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte)
}

/// Returns whether a port is empty, or a colon and digits.
fn is_port(port: &[u8]) -> bool {
    port.strip_prefix(b":").map_or(port.is_empty(), |digits| digits.iter().all(u8::is_ascii_digit))
}

/// Returns whether a name has only unreserved characters, sub-delimiters and escapes.
fn is_registered_name(name: &[u8]) -> bool {
    let mut bytes = name.iter().copied();
    while let Some(byte) = bytes.next() {
        let hex = |digit: Option<u8>| digit.is_some_and(|digit| digit.is_ascii_hexdigit());
        let escape = byte == b'%' && hex(bytes.next()) && hex(bytes.next());
        if !escape && !is_plain(byte) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_checked_by_their_grammar() {
        for (host, valid) in [
            ("", true),
            ("example.org", true),
            ("example.org:8080", true),
            ("127.0.0.1:", true),
            ("[::1]:80", true),
            ("[::1]", true),
            ("a%20b", true),
            ("a b", false),
            ("a/b", false),
            ("user@host", false),
            ("host:80a", false),
            ("host:80:80", false),
            ("[::1", false),
            ("[::1]x", false),
            ("[nonsense]", false),
            ("a%2", false),
            ("a?b", false),
            ("[v1.fe80::a+en1]:80", true),
            ("[VF.x]", true),
            ("[v]", false),
            ("[v1]", false),
            ("[v.x]", false),
            ("[v1.]", false),
            ("[vg.x]", false),
            ("[v1.<a b>]:1", false),
            ("[v1.a%20b]", false),
        ] {
            assert_eq!(is_valid(&HeaderValue::from_static(host)), valid, "{host:?}");
        }
    }
}
