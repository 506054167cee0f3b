//! Checks minisign signatures of snapshots. Checksums reveal damage, signatures reveal forgery.

use std::{
    fmt,
    io::{self, Read},
    str::FromStr,
};

use minisign_verify::{Error, PublicKey, Signature};
use serde::{Deserialize, Deserializer, de};

/// Number of bytes to read at a time: chosen, not measured.
const PIECE: usize = 1 << 16;

/// Maximum length of a signature file, in bytes; a signature has some 300.
pub(super) const SIGNATURE_BYTES_MAX: u64 = 4096;

/// The public key with which snapshots must be signed.
#[derive(Clone, PartialEq, Eq)]
pub struct SnapshotKey(PublicKey);

/// Error for a text that is not a public key; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a public key of minisign: the line of 56 letters that begins with RW, from the file that ends in .pub; got \
     {0:?}"
)]
pub struct BadKey(String);

/// The reason why a file does not count as signed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureFault {
    /// The signature is missing.
    #[error("expected a signature at {at}, found none; sign the snapshot with `platbook-pipeline sign`")]
    Missing {
        /// The path or address that was tried.
        at: String,
    },
    /// The text is not a signature of minisign.
    #[error(
        "expected a signature of minisign at {at}, got something else; sign the snapshot with `platbook-pipeline sign`"
    )]
    Unreadable {
        /// The path or address of the text.
        at: String,
    },
    /// The signature has the old form without prehashing, for which the whole file must be in memory.
    #[error("the signature is of the old form; sign the snapshot again with `platbook-pipeline sign`")]
    OldForm,
    /// The signature was made with another key.
    #[error("the snapshot is signed with another key than the one of --snapshot-key")]
    OtherKey,
    /// The signature belongs to another file, or one of the two was changed.
    #[error(
        "the signature is not that of this snapshot: one of the two is older than the other, or was changed; sign it again \
         with `platbook-pipeline sign`"
    )]
    Wrong,
    /// Reading the snapshot or its signature failed.
    #[error("the snapshot cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl SnapshotKey {
    /// Checks that the bytes are signed with this key. `at` is the path or address of the signature, for errors.
    ///
    /// # Errors
    /// Fails if the bytes are not signed with the key, or cannot be read.
    pub fn check(&self, mut bytes: impl Read, signature: &str, at: &str) -> Result<(), SignatureFault> {
        let signature =
            Signature::decode(signature).map_err(|_| SignatureFault::Unreadable { at: at.to_owned() })?;
        let mut verifier = self.0.verify_stream(&signature).map_err(|error| match error {
            Error::UnexpectedKeyId => SignatureFault::OtherKey,
            _ => SignatureFault::OldForm,
        })?;
        let mut piece = vec![0; PIECE];
        loop {
            match bytes.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => verifier.update(&piece[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        verifier.finalize().map_err(|_| SignatureFault::Wrong)
    }
}

impl FromStr for SnapshotKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<SnapshotKey, BadKey> {
        PublicKey::from_base64(text.trim()).map(SnapshotKey).map_err(|_| BadKey(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for SnapshotKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SnapshotKey, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl fmt::Debug for SnapshotKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SnapshotKey")
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use minisign::KeyPair;

    use super::*;

    fn sign(pair: &KeyPair, bytes: &[u8]) -> String {
        minisign::sign(Some(&pair.pk), &pair.sk, Cursor::new(bytes), Some("of a test"), None)
            .unwrap()
            .into_string()
    }

    #[test]
    fn only_the_signature_of_these_bytes_with_this_key_counts() {
        let (pair, other) = (
            KeyPair::generate_unencrypted_keypair().unwrap(),
            KeyPair::generate_unencrypted_keypair().unwrap(),
        );
        let key: SnapshotKey = pair.pk.to_base64().parse().unwrap();
        let bytes = vec![7; 200_000];
        let right = sign(&pair, &bytes);
        let comment_changed = right.replace("of a test", "of another");
        for (signature, expected) in [
            (right.as_str(), "signed"),
            (&sign(&pair, b"another file"), "the signature is not that of this snapshot"),
            (&sign(&other, &bytes), "the snapshot is signed with another key"),
            (&comment_changed, "the signature is not that of this snapshot"),
            ("", "expected a signature of minisign at here"),
            ("<html>not found</html>\n\n\n\n", "expected a signature of minisign at here"),
        ] {
            let said = key.check(bytes.as_slice(), signature, "here");
            let said = said.map_or_else(|fault| fault.to_string(), |()| "signed".to_owned());
            assert!(said.starts_with(expected), "expected {expected:?}, got {said:?}");
        }
    }

    #[test]
    fn texts_that_are_no_key_are_refused() {
        for text in ["", "RW", "untrusted comment: minisign public key", &"A".repeat(56)] {
            let message = text.parse::<SnapshotKey>().unwrap_err().to_string();
            assert!(message.contains("expected a public key of minisign"), "{message}");
        }
    }
}
