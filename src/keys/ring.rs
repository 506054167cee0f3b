//! The keys that are valid now, as a running service asks for them.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::MetadataExt as _,
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

/// Least time between two looks at the file. A revocation is seen by the first request with a key after it.
const LOOK_MS: u64 = 500;

/// Valid keys, read again when the file changes.
///
/// A file that has become unreadable or malformed changes nothing: the keys last read stand, and stderr says so
/// once per change. A key raises limits only, so to keep one for a while does less harm than to refuse all.
#[derive(Debug)]
pub struct KeyRing {
    file: KeysFile,
    valid: RwLock<Valid>,
    looked_at_ms: AtomicU64,
}

/// What tells one state of the file from another.
type Stamp = Option<(u64, u64, u64, i64, i64)>;

/// By the first bytes of the digest. Who asks cannot choose the digest of a guess, so the time of the look-up
/// tells nothing of the keys; the whole digest is then compared in constant time.
type ByDigest = HashMap<u64, ([u8; 32], KeyId, KeyClass)>;

#[derive(Debug)]
struct Valid {
    stamp: Stamp,
    keys: ByDigest,
}

impl KeyRing {
    /// Reads the file.
    ///
    /// # Errors
    /// When it is missing, unreadable or malformed.
    pub fn open(file: KeysFile) -> Result<KeyRing, KeyFileError> {
        // Taken first: a change between the two is then seen at the next look.
        let stamp = stamp_of(file.path());
        let keys = by_digest(&file.read()?);
        Ok(KeyRing { file, valid: RwLock::new(Valid { stamp, keys }), looked_at_ms: AtomicU64::new(0) })
    }

    /// Id and class of a key, if it is valid now. `now_ms` is of any clock that never goes back.
    pub fn find(&self, secret: Secret<'_>, now_ms: u64) -> Option<(KeyId, KeyClass)> {
        self.look(now_ms);
        let digest = secret.digest();
        // Nothing panics while it holds this lock; whatever it guards is whole.
        let valid = self.valid.read().unwrap_or_else(PoisonError::into_inner);
        let (stored, id, class) = valid.keys.get(&begin_of(&digest))?;
        bool::from(stored.ct_eq(&digest)).then_some((*id, *class))
    }

    /// Reads the file again if it has changed; looks at it at most once every [`LOOK_MS`].
    fn look(&self, now_ms: u64) {
        let earlier = self.looked_at_ms.load(Ordering::Relaxed);
        if now_ms < earlier.saturating_add(LOOK_MS) {
            return;
        }
        // One of several threads looks; the others go on.
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
    let metadata = fs::metadata(path).ok()?;
    let time_ns = |s: i64, ns: i64| s.wrapping_mul(1_000_000_000).wrapping_add(ns);
    let modified = time_ns(metadata.mtime(), metadata.mtime_nsec());
    let changed = time_ns(metadata.ctime(), metadata.ctime_nsec());
    Some((metadata.dev(), metadata.ino(), metadata.len(), modified, changed))
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
