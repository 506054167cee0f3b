//! The record of a key, without its text.

use std::{fmt, io, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use platbook::vocabulary::{base32_bits, base32_text};

/// Maximum number of characters in a note. Chosen, not measured.
pub const NOTE_CHARS_MAX: usize = 200;

/// The class of a key, which sets its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyClass {
    /// 120 requests a minute, 20,000 a day.
    Standard,
    /// 600 requests a minute, 200,000 a day.
    Partner,
}

impl fmt::Display for KeyClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KeyClass::Standard => "standard",
            KeyClass::Partner => "partner",
        })
    }
}

/// The public name of a key, never reused. Eight characters encode 40 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(u64);

/// Number of bits in an id: eight characters of five bits.
const ID_BITS: u32 = 40;

impl KeyId {
    /// Makes a random id.
    ///
    /// # Errors
    /// Fails if the operating system cannot provide random bytes.
    pub(super) fn generate() -> io::Result<KeyId> {
        Ok(KeyId(u64::from_le_bytes(random_bytes()?) >> (64 - ID_BITS)))
    }

    /// Returns the id as a number below 2^40.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = base32_text::<{ ID_BITS as usize / 5 }>(u128::from(self.0));
        f.write_str(std::str::from_utf8(&id).expect("the alphabet is plain ASCII"))
    }
}

/// Error for a text that is not the id of a key.
#[derive(Debug, thiserror::Error)]
#[error("expected the id of a key, 8 letters and digits such as 7f3kq09z, got {0}")]
pub struct BadKeyId(String);

impl FromStr for KeyId {
    type Err = BadKeyId;

    fn from_str(text: &str) -> Result<KeyId, BadKeyId> {
        let number = base32_bits(text).filter(|_| text.len() == ID_BITS as usize / 5);
        match number {
            Some(number) => Ok(KeyId(number as u64)),
            // A key that someone pastes instead of an id must not be printed.
            None if text.starts_with("pbk_") => Err(BadKeyId("a key".to_owned())),
            None => Err(BadKeyId(text.to_owned())),
        }
    }
}

impl Serialize for KeyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for KeyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeyId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A BLAKE3 digest, written as 64 hexadecimal digits in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest(pub(super) [u8; 32]);

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = String::deserialize(deserializer)?;
        let hash = blake3::Hash::from_hex(text).map_err(|error| {
            D::Error::custom(format!("expected a digest of 64 hexadecimal digits: {error}"))
        })?;
        Ok(Digest(*hash.as_bytes()))
    }
}

/// The record of a key in the keys file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRecord {
    /// The public name of the key.
    pub id: KeyId,
    /// The class of the key, which sets its limits.
    pub class: KeyClass,
    /// Date and time (RFC 3339) when the key was made.
    pub created: String,
    /// Date and time when the key was revoked; `None` while it is valid. The record stays, so that the id is not
    /// reused.
    pub revoked: Option<String>,
    /// The operator's note about the user of the key; may be empty.
    #[serde(default)]
    pub note: String,
    pub(super) digest: Digest,
}

/// Returns random bytes from the operating system.
///
/// # Errors
/// Fails if the system cannot provide them.
pub(super) fn random_bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        for number in [0, 1, 31, 32, (1 << ID_BITS) - 1] {
            assert_eq!(KeyId(number).to_string().parse::<KeyId>().unwrap(), KeyId(number));
        }
        assert_eq!(KeyId(1).to_string(), "00000001");
        for text in ["", "0000001", "000000001", "0000000l", "0000000A", "ü000000"] {
            assert!(text.parse::<KeyId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_given_as_an_id_does_not_come_back() {
        let key = super::super::secret::generate().unwrap();
        assert!(!key.parse::<KeyId>().unwrap_err().to_string().contains(&key[4..12]));
    }
}
