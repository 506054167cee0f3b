//! Copies that no other program can change: what is served may be truncated or overwritten where it came from.

use std::{
    fs::File,
    io::{self, Read, Seek as _},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{Refusal, SignatureFault, SnapshotKey, dates::Against};
use platbook::{
    directory::Directory,
    files::regular_file::{self, FileFault},
    fitness,
    snapshot::{LayerFile, Snapshot, SnapshotError},
};

/// The bytes of a snapshot, apart from where they came from.
#[derive(Debug)]
pub(super) enum Copy {
    /// A file that has a name until it is opened.
    OnDisk(NamedTempFile),
    /// Where there is no room for one.
    InMemory(Vec<u8>),
}

impl Copy {
    /// Copies the file at a path, to the folder for temporary files.
    pub(super) fn of_file_at(path: &Path) -> Result<Copy, Refusal> {
        let unread = |source| Refusal::Unread { path: path.to_owned(), source };
        let mut file = regular_file::open(path).map_err(|fault| match fault {
            FileFault::Io(source) => unread(source),
            _ => Refusal::NotAFile { path: path.to_owned() },
        })?;
        Copy::of(&mut file, None).map_err(unread)
    }

    /// Copies all bytes of a file, to this folder or the one for temporary files.
    pub(super) fn of(file: &mut File, folder: Option<&Path>) -> io::Result<Copy> {
        if let Ok(copy) = on_disk(file, folder) {
            return Ok(Copy::OnDisk(copy));
        }
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(Copy::InMemory(bytes))
    }

    /// Whether it is signed with this key. `at` is where the signature was found.
    pub(super) fn check(&self, key: &SnapshotKey, signature: &str, at: &str) -> Result<(), SignatureFault> {
        match self {
            Copy::OnDisk(file) => key.check(file.reopen()?, signature, at),
            Copy::InMemory(bytes) => key.check(bytes.as_slice(), signature, at),
        }
    }

    /// The directory that it holds, once it is fit to be served: in place of another, where it is held against one. It is
    /// warm.
    pub(super) fn judged(&self, against: Option<&Against<'_>>) -> Result<Directory, Refusal> {
        let directory = Directory::new(self.open()?);
        fitness::is_sound(&directory)?;
        if let Some(against) = against {
            against.check(&directory)?;
        }
        directory.warm();
        directory.warm_catalogue();
        Ok(directory)
    }

    /// The snapshot that it holds, whole and undamaged.
    pub(super) fn open(&self) -> Result<Snapshot, SnapshotError> {
        match self {
            Copy::OnDisk(file) => Snapshot::open(file.path()),
            Copy::InMemory(bytes) => Snapshot::copy(bytes),
        }
    }
}

/// Opens a layer file by a copy of it, for a service: whatever happens to the file, the service answers on.
///
/// # Errors
/// When it cannot be read, or is not a whole, undamaged layer file of a format that this release reads.
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
