//! Signs and verifies finished snapshots with minisign: services accept only files signed with a key that
//! they know.

use std::{
    io::Cursor,
    path::{Path, PathBuf},
};

use minisign::{KeyPair, PError, PublicKey, PublicKeyBox, SecretKey, SecretKeyBox, SignatureBox};
use platbook::directory::Directory;

/// The reason why a file was not signed, or its signature is not valid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SigningError {
    /// The text is not a minisign key, or the password is wrong.
    #[error("the key cannot be used: {0}; make one with `platbook-pipeline key NAME`")]
    Key(PError),
    /// The text is not a minisign signature.
    #[error("expected a signature of minisign: {0}; sign the file with `platbook-pipeline sign`")]
    Signature(PError),
    /// The signature was made with another key, or for other bytes.
    #[error("the signature is not that of this file with this key: {0}; sign the file again")]
    Wrong(PError),
}

/// Returns a new pair of keys as the texts of their files. The secret key has no password, so that nightly
/// jobs can use it.
///
/// # Errors
/// When the system gives no random numbers.
pub fn new_key() -> Result<(String, String), SigningError> {
    let pair = KeyPair::generate_unencrypted_keypair().map_err(SigningError::Key)?;
    let public = pair.pk.to_box().map_err(SigningError::Key)?.into_string();
    let secret = pair.sk.to_box(Some("platbook secret key")).map_err(SigningError::Key)?.into_string();
    Ok((public, secret))
}

/// Reads a secret key from the text of its file. `password` opens a protected key; without one the terminal
/// prompts for it.
///
/// # Errors
/// When the text is not a secret key, or the password is wrong.
pub fn secret_key(text: &str, password: Option<String>) -> Result<SecretKey, SigningError> {
    let boxed = || SecretKeyBox::from_string(text).map_err(SigningError::Key);
    match boxed()?.into_unencrypted_secret_key() {
        Ok(key) => Ok(key),
        Err(_) => boxed()?.into_secret_key(password).map_err(SigningError::Key),
    }
}

/// Reads a public key: the text of its file, or only the second line of that text.
///
/// # Errors
/// When the text is not a public key.
pub fn public_key(text: &str) -> Result<PublicKey, SigningError> {
    let line = text.trim();
    if line.lines().count() == 1 {
        return PublicKey::from_base64(line).map_err(SigningError::Key);
    }
    let boxed = PublicKeyBox::from_string(text).map_err(SigningError::Key)?;
    boxed.into_public_key().map_err(SigningError::Key)
}

/// Returns the text of the signature of `bytes`. The signature also covers the comment.
///
/// # Errors
/// When the key fails.
pub fn sign(bytes: &[u8], key: &SecretKey, comment: &str) -> Result<String, SigningError> {
    let signed = minisign::sign(
        None,
        key,
        Cursor::new(bytes),
        Some(comment),
        Some("signature of a platbook snapshot"),
    );
    signed.map(SignatureBox::into_string).map_err(SigningError::Key)
}

/// Returns the comment in the signature of a snapshot.
pub fn comment_on(snapshot: &Directory) -> String {
    format!("platbook snapshot {} of {}", snapshot.snapshot_id(), snapshot.as_of())
}

/// Verifies the signature of `bytes`, and returns its comment.
///
/// # Errors
/// When it is not the signature of these bytes with this key.
pub fn verify(bytes: &[u8], signature: &str, key: &PublicKey) -> Result<String, SigningError> {
    let signature = SignatureBox::from_string(signature).map_err(SigningError::Signature)?;
    minisign::verify(key, &signature, Cursor::new(bytes), true, false, false).map_err(SigningError::Wrong)?;
    signature.trusted_comment().map_err(SigningError::Signature)
}

/// The path of a file's signature: `us.platbook.minisig` for `us.platbook`.
pub fn path_of(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".minisig");
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_signed_bytes_are_verified() {
        let ((public, secret), (other, _)) = (new_key().unwrap(), new_key().unwrap());
        let signature = sign(b"bytes", &secret_key(&secret, None).unwrap(), "of today").unwrap();
        let changed = signature.replace("of today", "of tomorrow");
        let line = public.lines().nth(1).unwrap();
        for (bytes, signature, key, expected) in [
            (b"bytes", signature.as_str(), public.as_str(), "of today"),
            (b"bytes", &signature, line, "of today"),
            (b"other", &signature, &public, "the signature is not that of this file"),
            (b"bytes", &signature, &other, "the signature is not that of this file"),
            (b"bytes", &changed, &public, "the signature is not that of this file"),
            (b"bytes", "", &public, "expected a signature of minisign"),
        ] {
            let said = public_key(key).and_then(|key| verify(bytes, signature, &key));
            let said = said.unwrap_or_else(|error| error.to_string());
            assert!(said.starts_with(expected), "expected {expected:?}, got {said:?}");
        }
    }

    #[test]
    fn malformed_keys_are_refused() {
        assert!(public_key("RW").is_err());
        assert!(secret_key("untrusted comment: none\nRW", Some(String::new())).is_err());
    }
}
