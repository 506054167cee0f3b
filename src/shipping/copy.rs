//! Private copies of snapshots. Other programs may truncate or overwrite the original file while it is served, but
//! not a copy without a name.

use std::{
    fs::File,
    io::{self, Read, Seek as _},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{Refusal, SignatureFault, SnapshotKey, dates::Against};
use platbook::{
    acceptance,
    directory::Directory,
    files::regular_file::{self, FileFault},
    snapshot::{LayerFile, Snapshot, SnapshotError},
};

/// A private copy of the bytes of a snapshot.
#[derive(Debug)]
pub(super) enum Copy {
    /// A temporary file. Its name is removed when this value is dropped; an opened snapshot keeps the bytes.
    OnDisk(NamedTempFile),
    /// A copy in memory, for machines without a writable folder or without free disk space.
    InMemory(Vec<u8>),
}

impl Copy {
    /// Copies the file at a path into the folder for temporary files.
    pub(super) fn of_file_at(path: &Path) -> Result<Copy, Refusal> {
        let unread = |source| Refusal::Unread { path: path.to_owned(), source };
        let mut file = regular_file::open(path).map_err(|fault| match fault {
            FileFault::Io(source) => unread(source),
            _ => Refusal::NotAFile { path: path.to_owned() },
        })?;
        Copy::of(&mut file, None).map_err(unread)
    }

    /// Copies all bytes of a file into this folder, or into the one for temporary files.
    pub(super) fn of(file: &mut File, folder: Option<&Path>) -> io::Result<Copy> {
        if let Ok(copy) = on_disk(file, folder) {
            return Ok(Copy::OnDisk(copy));
        }
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(Copy::InMemory(bytes))
    }

    /// Checks the signature of the copy with this key. `at` is the path or address of the signature, for errors.
    pub(super) fn check(&self, key: &SnapshotKey, signature: &str, at: &str) -> Result<(), SignatureFault> {
        match self {
            Copy::OnDisk(file) => key.check(file.reopen()?, signature, at),
            Copy::InMemory(bytes) => key.check(bytes.as_slice(), signature, at),
        }
    }

    /// Opens the directory and runs the acceptance checks. With `against`, also compares the directory with the
    /// served one. Warms up the directory.
    pub(super) fn judged(&self, against: Option<&Against<'_>>) -> Result<Directory, Refusal> {
        let directory = Directory::new(self.open()?);
        acceptance::is_sound(&directory)?;
        if let Some(against) = against {
            against.check(&directory)?;
        }
        directory.warm();
        directory.warm_catalogue();
        Ok(directory)
    }

    /// Opens the snapshot and verifies its checksums.
    pub(super) fn open(&self) -> Result<Snapshot, SnapshotError> {
        match self {
            Copy::OnDisk(file) => Snapshot::open(file.path()),
            Copy::InMemory(bytes) => Snapshot::copy(bytes),
        }
    }
}

/// Opens a private copy of a layer file, so that a service does not depend on the file afterwards.
///
/// # Errors
/// Fails if the file cannot be read, is damaged, or is not a layer file of a format that this release reads.
pub fn open_layer(path: &Path) -> Result<LayerFile, Refusal> {
    let opened = match Copy::of_file_at(path)? {
        Copy::OnDisk(file) => LayerFile::open(file.path()),
        Copy::InMemory(bytes) => LayerFile::copy(&bytes),
    };
    Ok(opened?)
}

fn on_disk(file: &mut File, folder: Option<&Path>) -> io::Result<NamedTempFile> {
    let mut copy = folder.map_or_else(NamedTempFile::new, NamedTempFile::new_in)?;
    file.rewind()?;
    io::copy(file, copy.as_file_mut())?;
    Ok(copy)
}
