//! Signatures of finished snapshots, by minisign: services take only what is signed with the key that they know.

use std::{
    io::Cursor,
    path::{Path, PathBuf},
};

use minisign::{KeyPair, PError, PublicKey, PublicKeyBox, SecretKey, SecretKeyBox, SignatureBox};

/// Why something was not signed, or does not count as signed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SigningError {
    /// No key of minisign, or the wrong password.
    #[error("the key cannot be used: {0}; make one with `platbook-pipeline key NAME`")]
    Key(PError),
    /// No signature of minisign.
    #[error("expected a signature of minisign: {0}; sign the file with `platbook-pipeline sign`")]
    Signature(PError),
    /// The signature is another's, or that of other bytes.
    #[error("the signature is not that of this file with this key: {0}; sign the file again")]
    Wrong(PError),
}

/// A new pair of keys as the texts of their files, the secret one without a password: nightly work has nobody to type it.
///
/// # Errors
/// When the system gives no random numbers.
pub fn new_key() -> Result<(String, String), SigningError> {
    let pair = KeyPair::generate_unencrypted_keypair().map_err(SigningError::Key)?;
    let public = pair.pk.to_box().map_err(SigningError::Key)?.into_string();
    let secret = pair.sk.to_box(Some("platbook secret key")).map_err(SigningError::Key)?.into_string();
    Ok((public, secret))
}

/// The secret key in the text of its file. `password` is for one that has a password; where none is given, it is asked for
/// at the terminal.
///
/// # Errors
/// When it is none, or the password is wrong.
pub fn secret_key(text: &str, password: Option<String>) -> Result<SecretKey, SigningError> {
    let boxed = || SecretKeyBox::from_string(text).map_err(SigningError::Key);
    match boxed()?.into_unencrypted_secret_key() {
        Ok(key) => Ok(key),
        Err(_) => boxed()?.into_secret_key(password).map_err(SigningError::Key),
    }
}

/// The public key: the text of its file, or its second line alone.
///
/// # Errors
/// When it is none.
pub fn public_key(text: &str) -> Result<PublicKey, SigningError> {
    let line = text.trim();
    if line.lines().count() == 1 {
        return PublicKey::from_base64(line).map_err(SigningError::Key);
    }
    let boxed = PublicKeyBox::from_string(text).map_err(SigningError::Key)?;
    boxed.into_public_key().map_err(SigningError::Key)
}

/// The text of the signature of these bytes. The comment is signed, too.
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

/// Verifies the signature of these bytes, and gives its comment.
///
/// # Errors
/// When it is not the signature of these bytes with this key.
pub fn verify(bytes: &[u8], signature: &str, key: &PublicKey) -> Result<String, SigningError> {
    let signature = SignatureBox::from_string(signature).map_err(SigningError::Signature)?;
    minisign::verify(key, &signature, Cursor::new(bytes), true, false, false).map_err(SigningError::Wrong)?;
    signature.trusted_comment().map_err(SigningError::Signature)
}

/// Where the signature of a file stands: `us.platbook.minisig`.
pub fn path_of(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".minisig");
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_signed_is_told_from_the_rest() {
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
    fn keys_that_are_none_are_refused() {
        assert!(public_key("RW").is_err());
        assert!(secret_key("untrusted comment: none\nRW", Some(String::new())).is_err());
    }
}
