//! The folder where the last good snapshots are kept: the one that is served, and the one to go back to.
//!
//! Each stands in a folder of its own with its signature and where it came from, so that one rename moves all three:
//! `current`, `previous`, `withdrawn` (someone went back from it) and `refused` (it was kept, but is damaged or no longer
//! signed as it should be). What is on its way stands in folders that begin with `incoming-`.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::Refusal;

const CURRENT: &str = "current";
const PREVIOUS: &str = "previous";
const WITHDRAWN: &str = "withdrawn";
const REFUSED: &str = "refused";
const INCOMING: &str = "incoming-";

/// Names within the folder of a snapshot.
const SNAPSHOT: &str = "snapshot.platbook";
const SIGNATURE: &str = "snapshot.platbook.minisig";
const ORIGIN: &str = "origin.json";

/// The folder; this process alone uses it.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    _lock: File,
}

/// Where a snapshot came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    /// The address, without its query.
    pub(super) url: String,
    /// What the server calls this version.
    pub(super) etag: Option<String>,
    /// The id of the snapshot.
    pub(super) id: String,
}

/// A snapshot of the shelf.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) file: File,
    pub(super) signature: Option<String>,
    pub(super) origin: Origin,
}

impl Shelf {
    /// Takes a folder into use; makes it if need be, and clears away what an earlier process left half done.
    ///
    /// # Errors
    /// When it cannot be written, or another process uses it.
    pub fn open(folder: &Path) -> Result<Shelf, Refusal> {
        let disk = |source| Refusal::Disk { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(disk)?;
        let lock = File::options().write(true).create(true).truncate(false).open(folder.join("lock"));
        let lock = lock.map_err(disk)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Refusal::FolderInUse { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(disk(error)),
            Ok(()) => {}
        }
        let shelf = Shelf { folder: folder.to_owned(), _lock: lock };
        shelf.tidy().map_err(disk)?;
        Ok(shelf)
    }

    fn tidy(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(INCOMING) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        // Ended between two renames.
        if !self.at(CURRENT).exists() && self.at(PREVIOUS).exists() {
            fs::rename(self.at(PREVIOUS), self.at(CURRENT))?;
        }
        Ok(())
    }

    /// The snapshot that is served, or was when the process ended.
    pub(super) fn current(&self) -> Result<Option<Kept>, Refusal> {
        self.read(CURRENT)
    }

    /// The one to go back to.
    pub(super) fn previous(&self) -> Result<Option<Kept>, Refusal> {
        self.read(PREVIOUS)
    }

    /// Where the one came from that someone went back from last.
    pub(super) fn withdrawn(&self) -> Option<Origin> {
        origin(&self.at(WITHDRAWN)).ok()
    }

    /// A folder for what is on its way; it goes when it is dropped.
    pub(super) fn incoming(&self) -> Result<TempDir, Refusal> {
        tempfile::Builder::new().prefix(INCOMING).tempdir_in(&self.folder).map_err(|error| self.disk(error))
    }

    /// Makes what has come the current one, and the current one the previous.
    pub(super) fn put(&self, incoming: TempDir) -> Result<(), Refusal> {
        let moved = self.replace(CURRENT, PREVIOUS).and_then(|()| {
            let path = incoming.keep();
            fs::rename(&path, self.at(CURRENT)).inspect_err(|_| drop(fs::remove_dir_all(&path)))
        });
        moved.and_then(|()| self.sync()).map_err(|error| self.disk(error))
    }

    /// Makes the previous one the current, and keeps the one that is left so that it is not taken again.
    pub(super) fn back(&self) -> Result<(), Refusal> {
        let moved = self.replace(CURRENT, WITHDRAWN);
        let moved = moved.and_then(|()| self.replace(PREVIOUS, CURRENT)).and_then(|()| self.sync());
        moved.map_err(|error| self.disk(error))
    }

    /// Puts a current one aside that cannot be served, so that the previous one is next.
    pub(super) fn set_aside(&self) -> Result<(), Refusal> {
        let moved = self.replace(CURRENT, REFUSED).and_then(|()| self.replace(PREVIOUS, CURRENT));
        moved.map_err(|error| self.disk(error))
    }

    /// Forgets that someone went back from this one: it was asked for again.
    pub(super) fn forgive(&self, id: &str) -> Result<(), Refusal> {
        if self.withdrawn().is_none_or(|withdrawn| withdrawn.id != id) {
            return Ok(());
        }
        fs::remove_dir_all(self.at(WITHDRAWN)).map_err(|error| self.disk(error))
    }

    /// Notes what the server calls the current one now.
    pub(super) fn rename_current(&self, origin: &Origin) -> Result<(), Refusal> {
        write_origin(&self.at(CURRENT), origin).map_err(|error| self.disk(error))
    }

    /// Moves one name to another, in place of what is there. Nothing happens where there is nothing to move.
    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (self.at(from), self.at(to));
        if !from.exists() {
            return Ok(());
        }
        if to.exists() {
            fs::remove_dir_all(&to)?;
        }
        fs::rename(from, to)
    }

    fn read(&self, name: &str) -> Result<Option<Kept>, Refusal> {
        let folder = self.at(name);
        if !folder.exists() {
            return Ok(None);
        }
        let disk = |source| Refusal::Disk { path: folder.clone(), source };
        let origin = origin(&folder).map_err(disk)?;
        let file = File::open(folder.join(SNAPSHOT)).map_err(disk)?;
        let signature = fs::read_to_string(folder.join(SIGNATURE)).ok();
        Ok(Some(Kept { file, signature, origin }))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Renames are on the disk, also after a power cut.
    fn sync(&self) -> io::Result<()> {
        File::open(&self.folder)?.sync_all()
    }

    fn disk(&self, source: io::Error) -> Refusal {
        Refusal::Disk { path: self.folder.clone(), source }
    }
}

/// Where the snapshot of a folder stands.
pub(super) fn snapshot_in(folder: &Path) -> PathBuf {
    folder.join(SNAPSHOT)
}

/// Completes the folder of a snapshot: signature, origin, and all of it on the disk.
pub(super) fn complete(
    folder: &Path,
    file: &File,
    signature: Option<&str>,
    origin: &Origin,
) -> Result<(), Refusal> {
    let written = || {
        if let Some(signature) = signature {
            fs::write(folder.join(SIGNATURE), signature)?;
        }
        write_origin(folder, origin)?;
        file.sync_all()?;
        File::open(folder)?.sync_all()
    };
    written().map_err(|source| Refusal::Disk { path: folder.to_owned(), source })
}

fn origin(folder: &Path) -> io::Result<Origin> {
    Ok(serde_json::from_slice(&fs::read(folder.join(ORIGIN))?)?)
}

fn write_origin(folder: &Path, origin: &Origin) -> io::Result<()> {
    fs::write(folder.join(ORIGIN), serde_json::to_vec_pretty(origin)?)
}
