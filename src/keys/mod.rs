//! API keys: what they look like, the file that holds their digests, and the ring that a running service asks.
//!
//! A key raises the limits of its caller and changes nothing else. It is shown once, by `platbook keys add`; the
//! file has only its BLAKE3 digest. A fast digest is enough: a key is 256 random bits, so there is nothing to
//! guess that a slow one would protect.

mod file;
mod record;
mod ring;
mod secret;

pub use file::{KeyFileError, KeysFile};
pub use record::{BadKeyId, KeyClass, KeyId, KeyRecord, NOTE_CHARS_MAX};
pub use ring::KeyRing;
pub use secret::Secret;
