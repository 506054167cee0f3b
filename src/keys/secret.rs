//! The text of a key: `pbk_`, 43 base64url characters, and a checksum of 8 hexadecimal digits.
//!
//! The fixed prefix and the checksum let scanners recognize a leaked key: `pbk_[A-Za-z0-9_-]{43}[0-9a-f]{8}`. The
//! digits are the CRC-32, as in zip and PNG, of all characters before them.

use std::{fmt, io};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// The prefix of every key.
const PREFIX: &str = "pbk_";

/// Number of random bytes in a key: 256 bits.
const RANDOM_BYTES: usize = 32;

/// Number of characters before the checksum.
const BODY_CHARS: usize = PREFIX.len() + (RANDOM_BYTES * 8).div_ceil(6);

const CHECKSUM_CHARS: usize = 8;

/// A well-formed key. It has no `Display`, and its `Debug` hides it: keys stay out of logs.
#[derive(Clone, Copy)]
pub struct Secret<'t>(&'t str);

impl<'t> Secret<'t> {
    /// Parses a key; `None` if its form or checksum is wrong.
    pub fn parse(text: &'t str) -> Option<Secret<'t>> {
        let well_formed = text.len() == BODY_CHARS + CHECKSUM_CHARS && text.is_ascii();
        let (body, checksum) = text.split_at_checked(BODY_CHARS).filter(|_| well_formed)?;
        let random = body.strip_prefix(PREFIX)?;
        let is_base64url = URL_SAFE_NO_PAD.decode_slice(random, &mut [0; RANDOM_BYTES]).is_ok();
        (is_base64url && checksum_of(body) == checksum).then_some(Secret(text))
    }

    /// Returns the BLAKE3 digest, which is stored instead of the key.
    pub fn digest(self) -> [u8; 32] {
        *blake3::hash(self.0.as_bytes()).as_bytes()
    }
}

impl fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Makes the text of a new key.
///
/// # Errors
/// Fails if the operating system cannot provide random bytes.
pub(super) fn generate() -> io::Result<String> {
    let random: [u8; RANDOM_BYTES] = super::record::random_bytes()?;
    Ok(text_of(&random))
}

fn text_of(random: &[u8; RANDOM_BYTES]) -> String {
    let body = PREFIX.to_owned() + &URL_SAFE_NO_PAD.encode(random);
    let checksum = checksum_of(&body);
    body + &checksum
}

fn checksum_of(body: &str) -> String {
    format!("{:08x}", crc32fast::hash(body.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known texts: keys that were issued must stay valid.
    #[test]
    fn the_text_of_a_key_does_not_change() {
        for (random, text) in [
            ([0; RANDOM_BYTES], "pbk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA76e1c6b1"),
            (
                std::array::from_fn(|at| if at < 6 { b"\x14\xfb\x9c\x03\xd9\x7e"[at] } else { 0xFF }),
                "pbk_FPucA9l-__________________________________8f1c0bd34",
            ),
        ] {
            assert_eq!(text_of(&random), text);
            assert!(Secret::parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn only_whole_keys_are_keys() {
        let key = generate().unwrap();
        assert!(Secret::parse(&key).is_some());
        assert_ne!(generate().unwrap(), key);
        let changed = |at: usize| {
            let other = if key[at..].starts_with('A') { "B" } else { "A" };
            [&key[..at], other, &key[at + 1..]].concat()
        };
        let (body, checksum) = (changed(PREFIX.len()), changed(key.len() - 1));
        let long = format!("{key}0");
        let umlaut = format!("ü{}", &key[2..]);
        for text in [
            "",
            "pbk_",
            "sk_live",
            &key[1..],
            &key[..54],
            &key.to_uppercase(),
            &long,
            &umlaut,
            &body,
            &checksum,
        ] {
            assert!(Secret::parse(text).is_none(), "{text}");
        }
        assert_eq!(format!("{:?}", Secret::parse(&key)), "Some(Secret(..))");
    }
}
