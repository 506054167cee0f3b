//! Files on Linux, macOS and other systems of their kind.

use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

/// Identifies a state of a file, so that a replacement or a change is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    device: u64,
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds of the last change of the contents.
    modified: (i64, i64),
}

impl FileStamp {
    /// Returns the stamp of the file with this metadata.
    pub fn of(metadata: &Metadata) -> FileStamp {
        FileStamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }

    /// Whether both stamps are of the same file, changed or not.
    pub fn is_same_file(&self, other: &FileStamp) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// Returns the time of the last change of contents, name or permissions: seconds and nanoseconds since 1970.
pub fn change_time(metadata: &Metadata) -> (i64, i64) {
    (metadata.ctime(), metadata.ctime_nsec())
}

/// Sets the permission bits of a file that these options create.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// Returns the permission bits of a file.
pub fn mode_of(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o777
}

/// Sets the permission bits of an open file.
///
/// # Errors
/// If the system refuses.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Creates a folder with its missing parents. Only the owner may open those that are new.
///
/// # Errors
/// If the system refuses.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Syncs the names in a folder: those that were created, changed and removed.
///
/// # Errors
/// If the disk fails.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
