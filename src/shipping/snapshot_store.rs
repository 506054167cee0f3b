//! The folder that stores the last good snapshots: the served one, and the one for a rollback.
//!
//! Each snapshot has a folder with its signature and origin, so that one rename moves all three. The folders are
//! `current`, `previous`, `withdrawn` (an operator rolled back from its snapshot) and `refused` (its snapshot is
//! damaged or no longer signed). Downloads have folders that begin with `incoming-`.
//!
//! A power cut at any moment leaves a snapshot to serve. Files are synced before the rename that makes their folder
//! current, and renames are synced before a method returns. `tests/it/shipping/cuts.rs` tests this.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::Refusal;
use platbook::files::durable::{Disk, NewFile, PRIVATE};

const CURRENT: &str = "current";
const PREVIOUS: &str = "previous";
const WITHDRAWN: &str = "withdrawn";
const REFUSED: &str = "refused";
const INCOMING: &str = "incoming-";

/// File names within the folder of a snapshot.
const SNAPSHOT: &str = "snapshot.platbook";
const SIGNATURE: &str = "snapshot.platbook.minisig";
const ORIGIN: &str = "origin.json";

/// The folder for snapshots, locked for this process.
#[derive(Debug)]
pub struct SnapshotStore {
    folder: PathBuf,
    disk: Disk,
    _lock: File,
}

/// The source of a stored snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    /// The address from which the snapshot was fetched, without the address's query.
    pub(super) url: String,
    /// The server's entity tag for this version; `None` if unknown.
    pub(super) etag: Option<String>,
    /// The id of the snapshot.
    pub(super) id: String,
}

/// A stored snapshot with its signature (`None` if it has none) and origin.
#[derive(Debug)]
pub(super) struct StoredSnapshot {
    pub(super) file: File,
    pub(super) signature: Option<String>,
    pub(super) origin: Origin,
}

impl SnapshotStore {
    /// Locks a folder for this process, and creates it if necessary. Removes unfinished downloads of an earlier
    /// process.
    ///
    /// # Errors
    /// If the folder cannot be written, or another process uses it.
    pub fn open(folder: &Path) -> Result<SnapshotStore, Refusal> {
        SnapshotStore::open_on(Disk::default(), folder)
    }

    /// Locks a folder on a recording disk, to test power cuts.
    ///
    /// # Errors
    /// The same as those of [`SnapshotStore::open`].
    #[doc(hidden)]
    pub fn open_on(disk: Disk, folder: &Path) -> Result<SnapshotStore, Refusal> {
        let failed = |source| Refusal::Disk { path: folder.to_owned(), source };
        disk.create_folder(folder).map_err(failed)?;
        let lock = File::options().write(true).create(true).truncate(false).open(folder.join("lock"));
        let lock = lock.map_err(failed)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Refusal::FolderInUse { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Ok(()) => {}
        }
        let store = SnapshotStore { folder: folder.to_owned(), disk, _lock: lock };
        store.tidy().map_err(failed)?;
        Ok(store)
    }

    fn tidy(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(INCOMING) {
                self.disk.remove_folder(&entry.path())?;
            }
        }
        // An earlier process ended between two renames.
        if !self.at(CURRENT).exists() && self.at(PREVIOUS).exists() {
            self.disk.rename(&self.at(PREVIOUS), &self.at(CURRENT))?;
            self.sync()?;
        }
        Ok(())
    }

    /// Returns the disk to which the files are written.
    pub(super) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Rewrites each unreadable record of origin, with this address and without an entity tag. Reports the folder to
    /// `tell`. The snapshot contains its own id, so only the tag is lost. Without the tag, the file is fetched once
    /// more.
    pub(super) fn restore_origins(
        &self,
        url: &str,
        id_of: impl Fn(File) -> Result<String, Refusal>,
        tell: impl Fn(&Path),
    ) -> Result<(), Refusal> {
        for name in [CURRENT, PREVIOUS, WITHDRAWN] {
            let folder = self.at(name);
            if !folder.exists() || origin(&folder).is_ok() {
                continue;
            }
            // An unreadable snapshot is refused later with its reason, when it is to be served.
            let Ok(file) = File::open(folder.join(SNAPSHOT)) else { continue };
            let Ok(id) = id_of(file) else { continue };
            let origin = Origin { url: url.to_owned(), etag: None, id };
            write_origin(&self.disk, &folder, &origin).map_err(|error| self.failed(error))?;
            tell(&folder);
        }
        Ok(())
    }

    /// Reads the current snapshot: the served one, or the one that the last process served. `None` if there is no
    /// such snapshot.
    pub(super) fn current(&self) -> Result<Option<StoredSnapshot>, Refusal> {
        self.read(CURRENT)
    }

    /// Reads the previous snapshot, for a rollback; `None` if there is no such snapshot.
    pub(super) fn previous(&self) -> Result<Option<StoredSnapshot>, Refusal> {
        self.read(PREVIOUS)
    }

    /// Returns the origin of the snapshot from which an operator rolled back last.
    pub(super) fn withdrawn(&self) -> Option<Origin> {
        origin(&self.at(WITHDRAWN)).ok()
    }

    /// Creates a folder for a download. Dropping the returned value removes the folder.
    pub(super) fn incoming(&self) -> Result<TempDir, Refusal> {
        let made = tempfile::Builder::new().prefix(INCOMING).tempdir_in(&self.folder);
        let made = made.map_err(|error| self.failed(error))?;
        self.disk.folder_made(made.path());
        Ok(made)
    }

    /// Makes a complete download the current snapshot. The current one becomes the previous one.
    pub(super) fn put(&self, incoming: TempDir) -> Result<(), Refusal> {
        let moved = self.replace(CURRENT, PREVIOUS).and_then(|()| {
            let path = incoming.keep();
            self.disk.rename(&path, &self.at(CURRENT)).inspect_err(|_| drop(fs::remove_dir_all(&path)))
        });
        moved.and_then(|()| self.sync()).map_err(|error| self.failed(error))
    }

    /// Makes the previous snapshot the current one. Withdraws the snapshot that was current until now, so that it is
    /// not fetched again.
    pub(super) fn back(&self) -> Result<(), Refusal> {
        self.set_current_as(WITHDRAWN)
    }

    /// Moves a damaged current snapshot to `refused`, so that the previous one is next.
    pub(super) fn set_aside(&self) -> Result<(), Refusal> {
        self.set_current_as(REFUSED)
    }

    fn set_current_as(&self, name: &str) -> Result<(), Refusal> {
        let moved = self.replace(CURRENT, name).and_then(|()| self.replace(PREVIOUS, CURRENT));
        moved.and_then(|()| self.sync()).map_err(|error| self.failed(error))
    }

    /// Ends the withdrawal of a snapshot that an operator requested again.
    pub(super) fn forgive(&self, id: &str) -> Result<(), Refusal> {
        if self.withdrawn().is_none_or(|withdrawn| withdrawn.id != id) {
            return Ok(());
        }
        let removed = self.disk.remove_folder(&self.at(WITHDRAWN)).and_then(|()| self.sync());
        removed.map_err(|error| self.failed(error))
    }

    /// Records the new entity tag of the current snapshot.
    pub(super) fn rename_current(&self, origin: &Origin) -> Result<(), Refusal> {
        write_origin(&self.disk, &self.at(CURRENT), origin).map_err(|error| self.failed(error))
    }

    /// Renames a folder, and replaces an existing folder of the new name. Does nothing if the folder does not exist.
    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (self.at(from), self.at(to));
        if !from.exists() {
            return Ok(());
        }
        if to.exists() {
            self.disk.remove_folder(&to)?;
        }
        self.disk.rename(&from, &to)
    }

    fn read(&self, name: &str) -> Result<Option<StoredSnapshot>, Refusal> {
        let folder = self.at(name);
        if !folder.exists() {
            return Ok(None);
        }
        let disk = |source| Refusal::Disk { path: folder.clone(), source };
        let origin = origin(&folder).map_err(disk)?;
        let file = File::open(folder.join(SNAPSHOT)).map_err(disk)?;
        let signature = fs::read_to_string(folder.join(SIGNATURE)).ok();
        Ok(Some(StoredSnapshot { file, signature, origin }))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Syncs the folder, so that renames survive a power cut.
    fn sync(&self) -> io::Result<()> {
        self.disk.sync_folder(&self.folder)
    }

    fn failed(&self, source: io::Error) -> Refusal {
        Refusal::Disk { path: self.folder.clone(), source }
    }
}

/// Returns the path of the snapshot within its folder.
pub(super) fn snapshot_in(folder: &Path) -> PathBuf {
    folder.join(SNAPSHOT)
}

/// Completes the folder of a download: writes its signature and origin, and syncs all files.
pub(super) fn complete(
    disk: &Disk,
    folder: &Path,
    file: &NewFile,
    signature: Option<&str>,
    origin: &Origin,
) -> Result<(), Refusal> {
    let written = || {
        if let Some(signature) = signature {
            disk.replace(&folder.join(SIGNATURE), PRIVATE, |file| file.write_all(signature.as_bytes()))?;
        }
        file.sync()?;
        // This also syncs the folder, and with it the names of its files.
        write_origin(disk, folder, origin)
    };
    written().map_err(|source| Refusal::Disk { path: folder.to_owned(), source })
}

fn origin(folder: &Path) -> io::Result<Origin> {
    Ok(serde_json::from_slice(&fs::read(folder.join(ORIGIN))?)?)
}

fn write_origin(disk: &Disk, folder: &Path, origin: &Origin) -> io::Result<()> {
    let json = serde_json::to_vec_pretty(origin)?;
    disk.replace(&folder.join(ORIGIN), PRIVATE, |file| file.write_all(&json))
}
