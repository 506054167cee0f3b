//! The id that a request and its response share.

use hyper::{HeaderMap, header::HeaderValue};

use platbook::vocabulary::base32_text;

/// The name of the header with the id.
pub(super) const X_REQUEST_ID: &str = "x-request-id";

/// Number of characters of a generated id: 5 random bits each, 120 in all.
const GENERATED_CHARS: usize = 24;

/// The id that the caller sent if it is usable, or else a generated one.
pub(super) struct RequestId(HeaderValue);

impl RequestId {
    pub(super) fn of(headers: &HeaderMap) -> RequestId {
        let mut given = headers.get_all(X_REQUEST_ID).iter();
        match (given.next(), given.next()) {
            (Some(id), None) if is_usable(id.as_bytes()) => RequestId(id.clone()),
            _ => RequestId::generated(),
        }
    }

    /// Makes a random id.
    pub(super) fn generated() -> RequestId {
        RequestId(generate())
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

/// Generates an id with the random generator of this thread, which the system seeded: ids must not collide, but need
/// not be secret.
fn generate() -> HeaderValue {
    let id: [u8; GENERATED_CHARS] = base32_text(fastrand::u128(..));
    HeaderValue::from_bytes(&id).expect("the alphabet is plain ASCII")
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
            ("\"quoted\"", false),
            ("ümlautümlaut", false),
            (&*(long.clone() + "x"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_str(id).unwrap());
            assert_eq!(RequestId::of(&headers).0.as_bytes() == id.as_bytes(), echoed, "{id}");
            headers.append(X_REQUEST_ID, HeaderValue::from_static("second-id"));
            assert_eq!(RequestId::of(&headers).as_str().len(), GENERATED_CHARS, "repeated");
        }
    }

    #[test]
    fn generated_ids_differ_and_are_usable() {
        let ids: std::collections::HashSet<_> = (0..10_000).map(|_| generate()).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| is_usable(id.as_bytes())));
    }
}
