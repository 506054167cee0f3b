//! Files on Windows.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io,
    os::windows::fs::MetadataExt as _,
    path::Path,
};

use crate::files::durable::PUBLIC;

/// Identifies a state of a file, so that a replacement or a change is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    bytes: u64,
    /// Time of creation, in units of 100 ns since 1601. The standard library does not give the number of a file.
    created: u64,
    /// Time of the last change of the contents, in the same units.
    modified: u64,
}

impl FileStamp {
    /// Returns the stamp of the file with this metadata.
    pub fn of(metadata: &Metadata) -> FileStamp {
        FileStamp {
            bytes: metadata.file_size(),
            created: metadata.creation_time(),
            modified: metadata.last_write_time(),
        }
    }

    /// Whether both stamps are of the same file, changed or not.
    pub fn is_same_file(&self, other: &FileStamp) -> bool {
        self.created == other.created
    }
}

/// Returns zeros: Windows does not give the time at which only the name or the permissions changed.
pub fn change_time(_metadata: &Metadata) -> (i64, i64) {
    (0, 0)
}

/// Returns the options unchanged: a new file inherits the access list of its folder.
pub fn with_mode(options: &mut OpenOptions, _mode: u32) -> &mut OpenOptions {
    options
}

/// Returns [`PUBLIC`] for every file: Windows has no permission bits.
pub fn mode_of(_metadata: &Metadata) -> u32 {
    PUBLIC
}

/// Does nothing, since a file has no permission bits.
///
/// # Errors
/// This twin always succeeds.
pub fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Creates a folder with its missing parents. Those that are new inherit the access list of their parent.
///
/// # Errors
/// If the system refuses.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Does nothing: NTFS logs changes of names by itself, and Windows cannot sync a folder.
///
/// # Errors
/// This twin always succeeds.
pub fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
