//! SHA-256 digests as text.

use std::{
    fmt,
    io::{self, Read, Write},
    str::FromStr,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::Digest as _;

/// A SHA-256 digest; its text has 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// Returns the digest of bytes.
    pub fn of(bytes: &[u8]) -> Sha256 {
        Sha256(sha2::Sha256::digest(bytes).into())
    }

    /// Returns the digest of all bytes that a reader gives.
    ///
    /// # Errors
    /// If the reader fails.
    pub fn of_reader(mut reader: impl Read) -> io::Result<Sha256> {
        let mut digesting = Digesting::new(io::sink());
        io::copy(&mut reader, &mut digesting)?;
        Ok(digesting.finish())
    }

    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Sha256 {
        Sha256(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Passes bytes on, and computes their length and digest.
pub(crate) struct Digesting<W> {
    to: W,
    digest: sha2::Sha256,
    pub(crate) bytes: u64,
}

impl<W: Write> Digesting<W> {
    pub(crate) fn new(to: W) -> Digesting<W> {
        Digesting { to, digest: sha2::Sha256::new(), bytes: 0 }
    }

    pub(crate) fn finish(self) -> Sha256 {
        Sha256(self.digest.finalize().into())
    }
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl FromStr for Sha256 {
    type Err = String;

    fn from_str(text: &str) -> Result<Sha256, String> {
        let wrong = || format!("expected a SHA-256 of 64 lower-case hexadecimal digits, got {text:?}");
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 64 || !text.bytes().all(is_digit) {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Sha256(bytes))
    }
}

impl Serialize for Sha256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sha256, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_one_text() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Sha256::of(b"").to_string(), empty);
        assert_eq!(empty.parse(), Ok(Sha256::of(b"")));
        assert_eq!(Sha256::of_reader(&b"abc"[..]).unwrap(), Sha256::of(b"abc"));
        for text in
            ["", &empty[1..], &empty.to_uppercase(), &format!("{empty}0"), &format!("+{}", &empty[1..])]
        {
            let message = text.parse::<Sha256>().unwrap_err();
            assert!(message.contains("expected a SHA-256"), "{message}");
        }
    }
}
