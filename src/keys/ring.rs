//! The valid keys of a running service, reloaded when the file changes.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use subtle::ConstantTimeEq as _;

use super::{
    file::{KeyFileError, KeysFile},
    record::{KeyClass, KeyId, KeyRecord},
    secret::Secret,
};
use platbook::files::system::{FileStamp, change_time};

/// Minimum time between two checks of the file, in milliseconds. The first request with a key after this time notices
/// a revocation. Chosen, not measured: `keys revoke` promises one second.
const LOOK_MS: u64 = 500;

/// Valid keys, read again when the file changes.
///
/// The last keys stay valid if the file becomes unreadable or malformed, and the log reports each such change once. A
/// key only raises limits, so keeping one for a while does less harm than refusing all.
#[derive(Debug)]
pub struct KeyRing {
    file: KeysFile,
    valid: RwLock<Valid>,
    looked_at_ms: AtomicU64,
}

/// Identifies a state of the file, with the time of its last change. `None` if it is missing.
type Stamp = Option<(FileStamp, (i64, i64))>;

/// Keys by the first bytes of their digests. A caller cannot choose the digest of a guessed key, so the time of the
/// lookup reveals nothing. The whole digest is then compared in constant time.
type ByDigest = HashMap<u64, ([u8; 32], KeyId, KeyClass)>;

#[derive(Debug)]
struct Valid {
    stamp: Stamp,
    keys: ByDigest,
}

impl KeyRing {
    /// Reads the file and makes a ring of its valid keys.
    ///
    /// # Errors
    /// If the file is missing, unreadable or malformed.
    pub fn open(file: KeysFile) -> Result<KeyRing, KeyFileError> {
        // The stamp is taken before the file is read, so that the next check notices a change that occurs in between.
        let stamp = stamp_of(file.path());
        let keys = by_digest(&file.read()?);
        Ok(KeyRing { file, valid: RwLock::new(Valid { stamp, keys }), looked_at_ms: AtomicU64::new(0) })
    }

    /// Returns the id and class of a key; `None` if the key is not valid now. `now_ms` comes from any monotonic
    /// clock.
    pub fn find(&self, secret: Secret<'_>, now_ms: u64) -> Option<(KeyId, KeyClass)> {
        self.look(now_ms);
        let digest = secret.digest();
        // No code panics while it holds this lock, so poisoning can be ignored.
        let valid = self.valid.read().unwrap_or_else(PoisonError::into_inner);
        let (stored, id, class) = valid.keys.get(&begin_of(&digest))?;
        bool::from(stored.ct_eq(&digest)).then_some((*id, *class))
    }

    /// Reads the file again if it has changed. Checks for a change at most once every [`LOOK_MS`].
    fn look(&self, now_ms: u64) {
        let earlier = self.looked_at_ms.load(Ordering::Relaxed);
        if now_ms < earlier.saturating_add(LOOK_MS) {
            return;
        }
        // Only one of several threads checks the file; the others continue.
        let turn = self.looked_at_ms.compare_exchange(earlier, now_ms, Ordering::Relaxed, Ordering::Relaxed);
        if turn.is_err() {
            return;
        }
        let stamp = stamp_of(self.file.path());
        if self.valid.read().unwrap_or_else(PoisonError::into_inner).stamp == stamp {
            return;
        }
        let read = self.file.read();
        let mut valid = self.valid.write().unwrap_or_else(PoisonError::into_inner);
        valid.stamp = stamp;
        match read {
            Ok(records) => valid.keys = by_digest(&records),
            Err(error) => tracing::error!("{error}; the keys last read stay valid"),
        }
    }
}

fn by_digest(records: &[KeyRecord]) -> ByDigest {
    let valid = records.iter().filter(|record| record.revoked.is_none());
    valid.map(|record| (begin_of(&record.digest.0), (record.digest.0, record.id, record.class))).collect()
}

fn begin_of(digest: &[u8; 32]) -> u64 {
    u64::from_le_bytes(digest[..8].try_into().expect("eight bytes"))
}

fn stamp_of(path: &Path) -> Stamp {
    fs::metadata(path).ok().map(|metadata| (FileStamp::of(&metadata), change_time(&metadata)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_valid_from_their_making_to_their_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = KeysFile::at(folder.path().join("keys.json"));
        assert!(KeyRing::open(file.clone()).is_err());
        let add = |class| file.add(class, "", String::new()).unwrap();
        let (one, first) = add(KeyClass::Partner);
        let ring = KeyRing::open(file.clone()).unwrap();
        let find = |text: &str, now_ms| ring.find(Secret::parse(text).unwrap(), now_ms);
        assert_eq!(find(&first, 1000), Some((one, KeyClass::Partner)));
        let (two, second) = add(KeyClass::Standard);
        assert_eq!(find(&second, 1499), None, "not looked at yet");
        assert_eq!(find(&second, 1500), Some((two, KeyClass::Standard)));
        file.revoke(one, String::new()).unwrap();
        assert_eq!(find(&first, 2000), None);
        fs::write(file.path(), "half of a f").unwrap();
        assert_eq!(find(&second, 3000), Some((two, KeyClass::Standard)), "the keys last read stand");
        fs::remove_file(file.path()).unwrap();
        assert_eq!(find(&second, 4000), Some((two, KeyClass::Standard)), "the keys last read stand");
    }
}
