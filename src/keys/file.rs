//! The keys file: JSON, replaced as a whole by `keys add` and `keys revoke`.
//!
//! Writers lock `FILE.lock` in the same folder, write a new file there and rename it over the old one. Readers thus
//! find the whole old file or the whole new one, even after a crash.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    record::{Digest, KeyClass, KeyId, KeyRecord, NOTE_CHARS_MAX},
    secret::{self, Secret},
};
use platbook::{
    files::{
        durable::{Disk, PRIVATE},
        regular_file::{self, FileFault},
        system,
    },
    vocabulary::is_clean_text,
};

/// Version of the file's format.
const FORMAT: u32 = 1;

/// Maximum length of a keys file that is read, in bytes: some 100,000 keys.
const FILE_BYTES_MAX: u64 = 32 << 20;

/// The reason why keys cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file cannot be opened, read, locked or written.
    #[error("cannot {what} {}: {error}{}", path.display(), next_step(error))]
    Io {
        /// The verb for the action that failed.
        what: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is not a keys file.
    #[error("{}: expected a keys file of format {FORMAT}, written by `platbook keys`: {why}", path.display())]
    Malformed {
        /// The path of the file.
        path: PathBuf,
        /// The fault of its contents.
        why: String,
    },
    /// A note is too long, or not plain text.
    #[error("a note has at most {NOTE_CHARS_MAX} characters and none that control a terminal")]
    BadNote,
    /// The file has no key with this id.
    #[error("no key {id} in {}; `platbook keys list` shows all", path.display())]
    Unknown {
        /// The id that the caller requested.
        id: KeyId,
        /// The path of the file.
        path: PathBuf,
    },
}

/// Returns advice for a missing file; an empty text for other errors.
fn next_step(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => {
            "; name a file in a folder that exists, or make one with `platbook keys add`"
        }
        _ => "",
    }
}

/// The contents of the file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Content {
    format: u32,
    keys: Vec<KeyRecord>,
}

/// A file of keys, by its path.
#[derive(Clone, Debug)]
pub struct KeysFile {
    path: PathBuf,
}

impl KeysFile {
    /// Makes the handle of a file at this path. Does not open the file.
    pub fn at(path: impl Into<PathBuf>) -> KeysFile {
        KeysFile { path: path.into() }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads all keys, including revoked ones, in the order of their creation.
    ///
    /// # Errors
    /// If the file is missing, unreadable or malformed.
    pub fn read(&self) -> Result<Vec<KeyRecord>, KeyFileError> {
        let bytes = regular_file::read(&self.path, FILE_BYTES_MAX).map_err(|fault| match fault {
            FileFault::Io(error) => self.io("read", error),
            other => self.malformed(other.to_string()),
        })?;
        let content: Content = serde_json::from_slice(&bytes)
            .map_err(|error| self.malformed(format!("it is not the JSON of one: {error}")))?;
        if content.format != FORMAT {
            return Err(self.malformed(format!("it is of format {}", content.format)));
        }
        Ok(content.keys)
    }

    /// Makes a key and returns its text, which is not stored. Creates the file if it is missing.
    ///
    /// # Errors
    /// If the note is invalid, or the file cannot be read, locked or written.
    pub fn add(&self, class: KeyClass, note: &str, now: String) -> Result<(KeyId, String), KeyFileError> {
        if !is_clean_text(note, NOTE_CHARS_MAX) {
            return Err(KeyFileError::BadNote);
        }
        let _lock = self.lock()?;
        let mut keys = if self.path.exists() { self.read()? } else { Vec::new() };
        let random = |error| self.io("get random bytes for", error);
        let text = secret::generate().map_err(random)?;
        let mut id = KeyId::generate().map_err(random)?;
        while keys.iter().any(|key| key.id == id) {
            id = KeyId::generate().map_err(random)?;
        }
        let digest = Digest(Secret::parse(&text).expect("a new key is well-formed").digest());
        keys.push(KeyRecord { id, class, created: now, revoked: None, note: note.to_owned(), digest });
        self.replace(keys)?;
        Ok((id, text))
    }

    /// Revokes a key. Returns whether the key was valid until now.
    ///
    /// # Errors
    /// If the key is unknown, or the file cannot be read, locked or written.
    pub fn revoke(&self, id: KeyId, now: String) -> Result<bool, KeyFileError> {
        let _lock = self.lock()?;
        let mut keys = self.read()?;
        let unknown = || KeyFileError::Unknown { id, path: self.path.clone() };
        let key = keys.iter_mut().find(|key| key.id == id).ok_or_else(unknown)?;
        if key.revoked.is_some() {
            return Ok(false);
        }
        key.revoked = Some(now);
        self.replace(keys)?;
        Ok(true)
    }

    /// Waits for the lock of writers. Dropping the returned file releases the lock.
    fn lock(&self) -> Result<File, KeyFileError> {
        let mut path = self.path.clone().into_os_string();
        path.push(".lock");
        let path = PathBuf::from(path);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let opened = system::with_mode(&mut options, PRIVATE).open(&path);
        let locked = opened.and_then(|file| file.lock().map(|()| file));
        locked.map_err(|error| KeyFileError::Io { what: "lock", path, error })
    }

    /// Replaces the file. The caller must hold the lock, since the name of the temporary file is fixed.
    fn replace(&self, keys: Vec<KeyRecord>) -> Result<(), KeyFileError> {
        let content = Content { format: FORMAT, keys };
        let mut json = serde_json::to_vec_pretty(&content).expect("a keys file is plain data");
        json.push(b'\n');
        let written = Disk::default().replace(&self.path, PRIVATE, |file| file.write_all(&json));
        written.map_err(|error| self.io("write", error))
    }

    fn io(&self, what: &'static str, error: io::Error) -> KeyFileError {
        KeyFileError::Io { what, path: self.path.clone(), error }
    }

    fn malformed(&self, why: String) -> KeyFileError {
        KeyFileError::Malformed { path: self.path.clone(), why }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    fn mode_of(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    const NOW: &str = "2026-11-21T00:00:00Z";

    fn empty_folder() -> (tempfile::TempDir, KeysFile) {
        let folder = tempfile::tempdir().unwrap();
        let file = KeysFile::at(folder.path().join("keys.json"));
        (folder, file)
    }

    #[test]
    fn keys_come_and_go() {
        let (_folder, file) = empty_folder();
        assert!(matches!(file.read(), Err(KeyFileError::Io { .. })));
        let (one, text) = file.add(KeyClass::Standard, "a town's map", NOW.into()).unwrap();
        let (two, _) = file.add(KeyClass::Partner, "", NOW.into()).unwrap();
        assert!(file.revoke(one, NOW.into()).unwrap());
        assert!(!file.revoke(one, NOW.into()).unwrap());
        let keys = file.read().unwrap();
        let ids: Vec<_> = keys.iter().map(|key| (key.id, key.class, key.revoked.is_some())).collect();
        assert_eq!(ids, [(one, KeyClass::Standard, true), (two, KeyClass::Partner, false)]);
        let stored = fs::read_to_string(file.path()).unwrap();
        assert!(!stored.contains(&text[4..47]), "the key itself is not stored");
        let unknown = "00000000".parse().unwrap();
        assert!(file.revoke(unknown, NOW.into()).unwrap_err().to_string().contains("no key 00000000"));
        assert!(matches!(file.add(KeyClass::Standard, "a\nb", NOW.into()), Err(KeyFileError::BadNote)));
    }

    #[test]
    fn the_file_is_its_owners_and_keeps_what_permissions_it_is_given() {
        let (_folder, file) = empty_folder();
        file.add(KeyClass::Standard, "", NOW.into()).unwrap();
        assert_eq!(mode_of(file.path()), 0o600);
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o640)).unwrap();
        file.add(KeyClass::Standard, "", NOW.into()).unwrap();
        assert_eq!(mode_of(file.path()), 0o640);
    }

    #[test]
    fn a_link_stays_a_link() {
        let (folder, file) = empty_folder();
        file.add(KeyClass::Standard, "", NOW.into()).unwrap();
        let link = KeysFile::at(folder.path().join("link.json"));
        std::os::unix::fs::symlink(file.path(), link.path()).unwrap();
        link.add(KeyClass::Partner, "", NOW.into()).unwrap();
        assert!(link.path().is_symlink());
        assert_eq!(file.read().unwrap().len(), 2);
    }

    #[test]
    fn writers_at_the_same_time_lose_nothing() {
        let (_folder, file) = empty_folder();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    (0..5).for_each(|_| drop(file.add(KeyClass::Standard, "", NOW.into()).unwrap()))
                });
            }
        });
        assert_eq!(file.read().unwrap().len(), 20);
    }

    #[test]
    fn what_is_no_keys_file_is_refused_by_name() {
        let (_folder, file) = empty_folder();
        for (content, said) in [
            ("", "EOF"),
            ("{}", "missing field"),
            (r#"{"format":2,"keys":[]}"#, "of format 2"),
            (r#"{"format":1,"keys":[{"id":"x"}]}"#, "id of a key"),
        ] {
            fs::write(file.path(), content).unwrap();
            let error = file.read().unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("keys.json"), "{content}: {error}");
        }
    }

    /// Opening a pipe does not block, and an endless file is not read.
    #[test]
    fn pipes_and_devices_are_refused() {
        let (folder, _) = empty_folder();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
            let error = KeysFile::at(path).read().unwrap_err().to_string();
            assert!(error.contains("a folder, a pipe or a device"), "{error}");
        }
    }
}
