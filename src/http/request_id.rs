//! The id that a request and its answer share.

use std::{
    cell::Cell,
    hash::{BuildHasher, RandomState},
};

use hyper::{HeaderMap, header::HeaderValue};

use crate::vocabulary::base32;

/// The name of the header.
pub(super) const X_REQUEST_ID: &str = "x-request-id";

/// Characters of a generated id: 5 random bits each, 120 in all.
const GENERATED_CHARS: u32 = 24;

/// The caller's id where it is usable, else a generated one.
pub(super) struct RequestId(HeaderValue);

impl RequestId {
    pub(super) fn of(headers: &HeaderMap) -> RequestId {
        let mut given = headers.get_all(X_REQUEST_ID).iter();
        match (given.next(), given.next()) {
            (Some(id), None) if is_usable(id.as_bytes()) => RequestId(id.clone()),
            _ => RequestId(generate()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        self.0.to_str().expect("ids are letters, digits, dot, underscore and hyphen")
    }

    pub(super) fn into_header(self) -> HeaderValue {
        self.0
    }
}

fn is_usable(id: &[u8]) -> bool {
    (8..=64).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

fn generate() -> HeaderValue {
    let bits = u128::from(next_random()) << 64 | u128::from(next_random());
    let id: String = base32(bits, GENERATED_CHARS).collect();
    HeaderValue::try_from(id).expect("the alphabet is plain ASCII")
}

/// SplitMix64 per thread, seeded by the operating system through [`RandomState`]: ids must not collide, but they
/// guard nothing.
fn next_random() -> u64 {
    thread_local!(static STATE: Cell<u64> = Cell::new(RandomState::new().hash_one(std::process::id())));
    let state = STATE.get().wrapping_add(0x9E37_79B9_7F4A_7C15);
    STATE.set(state);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usable_ids_are_echoed_and_others_replaced() {
        let long = "x".repeat(64);
        for (id, echoed) in [
            ("abcd-_.9", true),
            (&*long, true),
            ("short", false),
            ("has space", false),
            ("ümlautümlaut", false),
            (&*(long.clone() + "x"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_str(id).unwrap());
            assert_eq!(RequestId::of(&headers).0.as_bytes() == id.as_bytes(), echoed, "{id}");
            headers.append(X_REQUEST_ID, HeaderValue::from_static("second-id"));
            assert_eq!(RequestId::of(&headers).as_str().len(), GENERATED_CHARS as usize, "repeated");
        }
    }

    #[test]
    fn generated_ids_differ_and_are_usable() {
        let ids: std::collections::HashSet<_> = (0..10_000).map(|_| generate()).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| is_usable(id.as_bytes())));
    }
}
