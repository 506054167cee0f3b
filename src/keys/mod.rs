//! API keys: their text, the file with their digests, and the ring in which a running service looks them up.
//!
//! A key only raises the limits of its caller. `platbook keys add` shows a key once, and the file holds only the
//! key's BLAKE3 digest. A fast digest suffices: a key has 256 random bits, which cannot be guessed.

mod file;
mod record;
mod ring;
mod secret;

pub use file::{KeyFileError, KeysFile};
pub use record::{BadKeyId, KeyClass, KeyId, KeyRecord, NOTE_CHARS_MAX};
pub use ring::KeyRing;
pub use secret::Secret;
