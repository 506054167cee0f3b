//! Copies that no other program can change: what is served may be truncated or overwritten where it came from.

use std::{
    fs::File,
    io::{self, Read, Seek as _},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{Refusal, SignatureFault, SnapshotKey};
use crate::{
    directory::Directory,
    fitness,
    snapshot::{Snapshot, SnapshotError},
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

    /// The directory that it holds, once it is fit to be served: in place of this one, where one is given. It is warm.
    pub(super) fn judged(
        &self,
        served: Option<&Directory>,
        may_be_older: bool,
    ) -> Result<Directory, Refusal> {
        let directory = Directory::new(self.open()?);
        fitness::is_sound(&directory)?;
        if let Some(served) = served {
            fitness::may_follow(&directory, served, may_be_older)?;
        }
        directory.warm();
        directory.warm_catalogue();
        Ok(directory)
    }

    /// The copy without a name, to go back to: it goes with the process.
    pub(super) fn nameless(self) -> Option<File> {
        match self {
            Copy::OnDisk(file) => Some(file.into_file()),
            Copy::InMemory(_) => None,
        }
    }

    fn open(&self) -> Result<Snapshot, SnapshotError> {
        match self {
            Copy::OnDisk(file) => Snapshot::open(file.path()),
            Copy::InMemory(bytes) => Snapshot::copy(bytes),
        }
    }
}

fn on_disk(file: &mut File, folder: Option<&Path>) -> io::Result<NamedTempFile> {
    let mut copy = folder.map_or_else(NamedTempFile::new, NamedTempFile::new_in)?;
    file.rewind()?;
    io::copy(file, copy.as_file_mut())?;
    Ok(copy)
}
