//! Publishes snapshots in the folder of a file server: each packed and signed, with deltas from earlier ones, and a
//! signed statement that expires.
//!
//! Files have the ids of snapshots in their names, and the statement is written last. So a client finds whole files
//! at any moment. Files of the previous release stay, for clients that have just read its statement.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use minisign::SecretKey;
use platbook::{
    acceptance::{self, Rejection},
    directory::Directory,
    files::durable::{Disk, PUBLIC},
    snapshot::{Snapshot, SnapshotError},
};
use platbook_release::{
    DELTAS_MAX, Delta, FORMAT, Release, ReleaseFault, ReleasedFile, Sha256, SnapshotOfRelease, make,
};

use crate::signing::{self, SigningError};

/// Name of the statement in the folder.
pub const STATEMENT: &str = "release.json";

/// Level of zstd for whole snapshots. It packs 59 MB to 29.7 MB, where level 3 leaves 37.6 MB. Its window has the 8
/// MB that each client can unpack.
const LEVEL: i32 = 19;

/// Endings of the files that this module writes, and removes once no release needs them.
const ENDINGS: [&str; 3] = [".platbook.zst", ".platbook.minisig", ".dcz"];

/// The reason why a snapshot was not published. The folder keeps the release that it had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PublishError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The bytes are not a whole snapshot.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// Services would not accept the snapshot.
    #[error("services would not take it: {0}")]
    Rejected(#[from] Rejection),
    /// The statement in the folder cannot be read.
    #[error("{}: {fault}; move it away to begin anew", path.display())]
    Statement {
        /// Path of the statement.
        path: PathBuf,
        /// Fault of the statement.
        fault: ReleaseFault,
    },
    /// The snapshot of the release is gone or damaged, so that the next one cannot be compared with it.
    #[error("{}: expected the snapshot that {STATEMENT} states, found none or another; restore it, or move {STATEMENT} away to begin anew", path.display())]
    Lost {
        /// Path of the packed snapshot.
        path: PathBuf,
    },
    /// The key could not sign.
    #[error(transparent)]
    Signing(#[from] SigningError),
}

/// The folder of a file server, and how it is filled.
pub struct Publisher<'a> {
    /// The folder that the server shows.
    pub folder: &'a Path,
    /// The secret key that signs each snapshot and the statement.
    pub key: &'a SecretKey,
    /// Time at which the statement expires.
    pub expires: Timestamp,
    /// Number of earlier snapshots from which deltas lead to the new one.
    pub keep: usize,
}

/// The result of a publication.
#[derive(Debug)]
pub struct Published {
    /// The statement that was written.
    pub release: Release,
    /// Whether the folder had this snapshot already, so that only the time at which the statement expires is new.
    pub is_renewed: bool,
    /// Names of the files that were removed, since no release needs them.
    pub removed: Vec<String>,
}

impl Publisher<'_> {
    /// Publishes a snapshot that services would accept after the one in the folder. Only the statement is new if the
    /// folder has the same snapshot.
    ///
    /// # Errors
    /// If services would not take it, or a file cannot be read, written or signed.
    pub fn publish(&self, bytes: &[u8]) -> Result<Published, PublishError> {
        let directory = Directory::new(Snapshot::copy(bytes)?);
        acceptance::is_sound(&directory)?;
        Disk::default().create_folder(self.folder).map_err(|source| failed(self.folder, source))?;
        let before = self.statement()?;
        let is_renewed = before.as_ref().is_some_and(|before| before.snapshot.id == directory.snapshot_id());
        let release = match &before {
            Some(before) if is_renewed => Release { expires: self.expires.to_string(), ..before.clone() },
            _ => self.release(bytes, &directory, before.as_ref())?,
        };
        self.state(&release)?;
        let removed = self.remove_others(&release, before.as_ref())?;
        Ok(Published { release, is_renewed, removed })
    }

    /// Returns the snapshot of the release in the folder; `None` in a new folder.
    ///
    /// # Errors
    /// If the statement or the snapshot cannot be read, or the snapshot is not the one that is stated.
    pub fn latest(&self) -> Result<Option<Directory>, PublishError> {
        let Some(release) = self.statement()? else { return Ok(None) };
        let bytes = self.unpacked(&release.snapshot)?;
        let bytes = bytes.filter(|bytes| Sha256::of(bytes) == release.snapshot.sha256);
        let lost = || PublishError::Lost { path: self.folder.join(name_of(&release.snapshot)) };
        Ok(Some(Directory::new(Snapshot::copy(&bytes.ok_or_else(lost)?)?)))
    }

    /// Reads the statement of the previous release; `None` in a new folder.
    fn statement(&self) -> Result<Option<Release>, PublishError> {
        let path = self.folder.join(STATEMENT);
        match fs::read(&path) {
            Ok(text) => {
                Release::read(&text).map(Some).map_err(|fault| PublishError::Statement { path, fault })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(failed(&path, source)),
        }
    }

    /// Writes the files of a new release.
    fn release(
        &self,
        bytes: &[u8],
        directory: &Directory,
        before: Option<&Release>,
    ) -> Result<Release, PublishError> {
        let snapshot = SnapshotOfRelease {
            id: directory.snapshot_id().to_owned(),
            as_of: directory.as_of().to_owned(),
            bytes: bytes.len() as u64,
            sha256: Sha256::of(bytes),
        };
        let earlier: Vec<&SnapshotOfRelease> = before.map(snapshots).unwrap_or_default();
        let mut deltas = Vec::new();
        for (number, from) in earlier.into_iter().take(self.keep.min(DELTAS_MAX)).enumerate() {
            let Some(old) = self.unpacked(from)? else { continue };
            if number == 0 {
                acceptance::may_follow(directory, &Directory::new(Snapshot::copy(&old)?), false)?;
            }
            let name = format!("{}-{}.dcz", from.id, snapshot.id);
            let mut delta = Vec::new();
            make(&old, bytes, &mut delta).map_err(|source| failed(Path::new(&name), source))?;
            deltas.push(Delta { from: from.clone(), file: self.file(name, &delta)? });
        }
        let packed = zstd::encode_all(bytes, LEVEL).map_err(|source| failed(self.folder, source))?;
        let signed = signing::sign(bytes, self.key, &signing::comment_on(directory))?;
        let signature = self.file(format!("{}.platbook.minisig", snapshot.id), signed.as_bytes())?.name;
        let file = self.file(name_of(&snapshot), &packed)?;
        Ok(Release { format: FORMAT, expires: self.expires.to_string(), snapshot, file, signature, deltas })
    }

    /// Reads a snapshot that was published before; `None` if its file is gone.
    fn unpacked(&self, snapshot: &SnapshotOfRelease) -> Result<Option<Vec<u8>>, PublishError> {
        let path = self.folder.join(name_of(snapshot));
        match fs::File::open(&path) {
            Ok(file) => zstd::decode_all(file).map(Some).map_err(|source| failed(&path, source)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(failed(&path, source)),
        }
    }

    fn file(&self, name: String, bytes: &[u8]) -> Result<ReleasedFile, PublishError> {
        let path = self.folder.join(&name);
        let written = Disk::default().replace(&path, PUBLIC, |file| file.write_all(bytes));
        written.map_err(|source| failed(&path, source))?;
        Ok(ReleasedFile { name, bytes: bytes.len() as u64 })
    }

    /// Writes the statement with its signature, which makes the release known.
    fn state(&self, release: &Release) -> Result<(), PublishError> {
        let text = release.to_text();
        let comment = format!("platbook release {} until {}", release.snapshot.id, release.expires);
        let signed = signing::sign(text.as_bytes(), self.key, &comment)?;
        self.file(format!("{STATEMENT}.minisig"), signed.as_bytes())?;
        self.file(STATEMENT.to_owned(), text.as_bytes()).map(drop)
    }

    /// Removes files of earlier releases. The files of the previous release stay, and so do the snapshots that later
    /// deltas start from.
    fn remove_others(
        &self,
        release: &Release,
        before: Option<&Release>,
    ) -> Result<Vec<String>, PublishError> {
        let starts = snapshots(release).into_iter().take(self.keep).map(name_of);
        let named = [Some(release), before].into_iter().flatten().flat_map(Release::names);
        let needed: BTreeSet<String> = named.map(str::to_owned).chain(starts).collect();
        let names = || -> io::Result<Vec<String>> {
            let entries = fs::read_dir(self.folder)?;
            entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
        };
        let mut removed = names().map_err(|source| failed(self.folder, source))?;
        let is_ours = |name: &str| ENDINGS.iter().any(|ending| name.ends_with(ending));
        removed.retain(|name| is_ours(name) && !needed.contains(name));
        removed.sort();
        for name in &removed {
            let path = self.folder.join(name);
            fs::remove_file(&path).map_err(|source| failed(&path, source))?;
        }
        Ok(removed)
    }
}

/// The snapshots that a statement names, the latest first.
fn snapshots(release: &Release) -> Vec<&SnapshotOfRelease> {
    let earlier = release.deltas.iter().map(|delta| &delta.from);
    [&release.snapshot].into_iter().chain(earlier).collect()
}

fn name_of(snapshot: &SnapshotOfRelease) -> String {
    format!("{}.platbook.zst", snapshot.id)
}

fn failed(path: &Path, source: io::Error) -> PublishError {
    PublishError::Io { path: path.to_owned(), source }
}
