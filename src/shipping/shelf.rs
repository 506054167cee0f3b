//! The folder where the last good snapshots are kept: the one that is served, and the one to go back to.
//!
//! Each stands in a folder of its own with its signature and where it came from, so that one rename moves all three:
//! `current`, `previous`, `withdrawn` (someone went back from it) and `refused` (it was kept, but is damaged or no longer
//! signed as it should be). What is on its way stands in folders that begin with `incoming-`.
//!
//! A power cut at any moment leaves a snapshot to serve: files are synced before the rename that makes their folder the
//! current one, and the renames before they count. `tests/it/shipping/cuts.rs` tries it.

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

/// Names within the folder of a snapshot.
const SNAPSHOT: &str = "snapshot.platbook";
const SIGNATURE: &str = "snapshot.platbook.minisig";
const ORIGIN: &str = "origin.json";

/// The folder; this process alone uses it.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    disk: Disk,
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
        Shelf::open_on(Disk::default(), folder)
    }

    /// The same on a disk that is watched, to test power cuts.
    ///
    /// # Errors
    /// As for [`Shelf::open`].
    #[doc(hidden)]
    pub fn open_on(disk: Disk, folder: &Path) -> Result<Shelf, Refusal> {
        let failed = |source| Refusal::Disk { path: folder.to_owned(), source };
        disk.create_folder(folder).map_err(failed)?;
        let lock = File::options().write(true).create(true).truncate(false).open(folder.join("lock"));
        let lock = lock.map_err(failed)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Refusal::FolderInUse { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Ok(()) => {}
        }
        let shelf = Shelf { folder: folder.to_owned(), disk, _lock: lock };
        shelf.tidy().map_err(failed)?;
        Ok(shelf)
    }

    fn tidy(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(INCOMING) {
                self.disk.remove_folder(&entry.path())?;
            }
        }
        // Ended between two renames.
        if !self.at(CURRENT).exists() && self.at(PREVIOUS).exists() {
            self.disk.rename(&self.at(PREVIOUS), &self.at(CURRENT))?;
            self.sync()?;
        }
        Ok(())
    }

    /// The disk that its files are written to.
    pub(super) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Writes where each snapshot came from anew, where that cannot be read: of this address, at an unknown version. `tell`
    /// hears of each. The snapshot itself says its id, so nothing is lost but the version, which is asked for again.
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
            // A snapshot that cannot be read is refused, with its reason, where it is to be served.
            let Ok(file) = File::open(folder.join(SNAPSHOT)) else { continue };
            let Ok(id) = id_of(file) else { continue };
            let origin = Origin { url: url.to_owned(), etag: None, id };
            write_origin(&self.disk, &folder, &origin).map_err(|error| self.failed(error))?;
            tell(&folder);
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
        let made = tempfile::Builder::new().prefix(INCOMING).tempdir_in(&self.folder);
        let made = made.map_err(|error| self.failed(error))?;
        self.disk.folder_made(made.path());
        Ok(made)
    }

    /// Makes what has come the current one, and the current one the previous.
    pub(super) fn put(&self, incoming: TempDir) -> Result<(), Refusal> {
        let moved = self.replace(CURRENT, PREVIOUS).and_then(|()| {
            let path = incoming.keep();
            self.disk.rename(&path, &self.at(CURRENT)).inspect_err(|_| drop(fs::remove_dir_all(&path)))
        });
        moved.and_then(|()| self.sync()).map_err(|error| self.failed(error))
    }

    /// Makes the previous one the current, and keeps the one that is left so that it is not taken again.
    pub(super) fn back(&self) -> Result<(), Refusal> {
        self.set_current_as(WITHDRAWN)
    }

    /// Puts a current one aside that cannot be served, so that the previous one is next.
    pub(super) fn set_aside(&self) -> Result<(), Refusal> {
        self.set_current_as(REFUSED)
    }

    fn set_current_as(&self, name: &str) -> Result<(), Refusal> {
        let moved = self.replace(CURRENT, name).and_then(|()| self.replace(PREVIOUS, CURRENT));
        moved.and_then(|()| self.sync()).map_err(|error| self.failed(error))
    }

    /// Forgets that someone went back from this one: it was asked for again.
    pub(super) fn forgive(&self, id: &str) -> Result<(), Refusal> {
        if self.withdrawn().is_none_or(|withdrawn| withdrawn.id != id) {
            return Ok(());
        }
        let removed = self.disk.remove_folder(&self.at(WITHDRAWN)).and_then(|()| self.sync());
        removed.map_err(|error| self.failed(error))
    }

    /// Notes what the server calls the current one now.
    pub(super) fn rename_current(&self, origin: &Origin) -> Result<(), Refusal> {
        write_origin(&self.disk, &self.at(CURRENT), origin).map_err(|error| self.failed(error))
    }

    /// Moves one name to another, in place of what is there. Nothing happens where there is nothing to move.
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
        self.disk.sync_folder(&self.folder)
    }

    fn failed(&self, source: io::Error) -> Refusal {
        Refusal::Disk { path: self.folder.clone(), source }
    }
}

/// Where the snapshot of a folder stands.
pub(super) fn snapshot_in(folder: &Path) -> PathBuf {
    folder.join(SNAPSHOT)
}

/// Completes the folder of a snapshot on its way: signature, origin, and all of it on the disk.
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
        // Syncs the names in the folder, too.
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
