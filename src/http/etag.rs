//! Weak entity tags and `If-None-Match` (RFC 9110 8.8.3, 13.1.2).

use hyper::{
    HeaderMap,
    header::{HeaderValue, IF_NONE_MATCH},
};
use xxhash_rust::xxh3::xxh3_64;

/// Number of characters of the opaque part: 64 bits in hexadecimal.
const OPAQUE_CHARS: usize = 16;

/// The tag of an answer: `W/"0123456789abcdef"`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ETag([u8; OPAQUE_CHARS + 4]);

impl ETag {
    /// Returns the tag of these bytes.
    pub(super) fn of(bytes: &[u8]) -> ETag {
        ETag::of_hash(xxh3_64(bytes))
    }

    /// Returns the tag of a body by the body's hash.
    pub(super) fn of_hash(hash: u64) -> ETag {
        let mut tag = *b"W/\"0123456789abcdef\"";
        hex::encode_to_slice(hash.to_be_bytes(), &mut tag[3..3 + OPAQUE_CHARS])
            .expect("two digits for each of eight bytes have room");
        ETag(tag)
    }

    pub(super) fn header(&self) -> HeaderValue {
        HeaderValue::from_bytes(&self.0).expect("a tag is plain ASCII")
    }

    /// Returns whether the client already has this answer.
    pub(super) fn is_known_to(&self, headers: &HeaderMap) -> bool {
        headers.get_all(IF_NONE_MATCH).iter().any(|value| lists(value.as_bytes(), self.opaque()))
    }

    fn opaque(&self) -> &[u8] {
        &self.0[3..3 + OPAQUE_CHARS]
    }
}

/// Returns whether a list of tags contains this one by weak comparison, or is `*`. Malformed members are skipped.
fn lists(list: &[u8], opaque: &[u8]) -> bool {
    list.trim_ascii() == b"*" || members(list).any(|member| member == opaque)
}

/// Returns the opaque parts of a list. A malformed member ends at the next comma.
fn members(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        loop {
            if let Some((opaque, others)) = first_member(rest) {
                rest = others;
                return Some(opaque);
            }
            let comma = rest.iter().position(|byte| *byte == b',')?;
            rest = &rest[comma + 1..];
        }
    })
}

/// Returns the opaque part of a list's first tag, which may contain commas, and the rest of the list. `None` if the
/// tag is malformed.
fn first_member(list: &[u8]) -> Option<(&[u8], &[u8])> {
    let list = list.trim_ascii_start();
    let quoted = list.strip_prefix(b"W/").unwrap_or(list).strip_prefix(b"\"")?;
    let end = quoted.iter().position(|byte| *byte == b'"')?;
    let others = match quoted[end + 1..].trim_ascii_start() {
        [] => &[],
        [b',', others @ ..] => others,
        _ => return None,
    };
    Some((&quoted[..end], others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_have_equal_tags() {
        assert_eq!(ETag::of(b"a").header(), ETag::of(b"a").header());
        assert_ne!(ETag::of(b"a").header(), ETag::of(b"b").header());
        assert_eq!(ETag::of_hash(0x0123_4567_89AB_CDEF).header(), "W/\"0123456789abcdef\"");
    }

    #[test]
    fn lists_are_compared_weakly() {
        for (list, known) in [
            ("*", true),
            (" * ", true),
            ("W/\"x\"", true),
            ("\"x\"", true),
            ("\"a,b\", W/\"x\"", true),
            ("junk, \"x\"", true),
            ("\"a\",\"x\"", true),
            ("x", false),
            ("\"xx\"", false),
            ("W/\"X\"", false),
            (", ,\"x\" ,,", true),
            ("\"a\"\t,\tW/\"x\"", true),
            ("\"a, \"x\"", true),
            ("\"a\"b, \"x\"", true),
            ("\"x", false),
            ("\"x\"y", false),
            ("\"a\" \"x\"", false),
            ("w/\"x\"", false),
            ("W/ \"x\"", false),
            ("junk\"x\"", false),
            ("\"a,x,b\"", false),
            ("\"*\"", false),
            ("\"a\", *", false),
            ("", false),
        ] {
            assert_eq!(lists(list.as_bytes(), b"x"), known, "{list}");
        }
    }
}
