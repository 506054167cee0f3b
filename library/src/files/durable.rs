//! Replaces files so that a power cut leaves either the old file or the new one.
//!
//! A rename may survive a power cut while the bytes of the renamed file are lost, unless the file was synced before.
//! The rename itself may be lost, unless the folder is synced after it. [`Disk::replace`] does both. After a power cut
//! at any moment, the path holds all old bytes or all new bytes. After [`Disk::replace`] has returned, it holds the new
//! ones.
//!
//! A test can observe every operation ([`Disk::watched`]), and reproduce the states that a power cut may leave.

use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::system;

/// Permissions of a file that only its owner may read.
pub const PRIVATE: u32 = 0o600;

/// Permissions of a file that anyone may read.
pub const PUBLIC: u32 = 0o644;

/// Suffix of the temporary file, which is later renamed to the final name.
const NEW: &str = ".new";

/// Performs file operations so that their results survive a power cut.
#[derive(Clone, Default)]
pub struct Disk {
    watcher: Option<Arc<Watcher>>,
}

/// A function that is called after each operation.
type Watcher = dyn Fn(Operation<'_>) + Send + Sync;

/// A completed file operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<'p> {
    /// An empty file was created.
    Create(&'p Path),
    /// Bytes were appended to a file.
    Write(&'p Path),
    /// The bytes of a file were synced.
    Sync(&'p Path),
    /// A file or folder was renamed within its folder.
    Rename(&'p Path, &'p Path),
    /// A file was removed.
    Remove(&'p Path),
    /// A folder was created.
    CreateFolder(&'p Path),
    /// An empty folder was removed.
    RemoveFolder(&'p Path),
    /// The names in a folder were synced.
    SyncFolder(&'p Path),
}

impl Disk {
    /// Creates a disk that calls `watcher` after each operation.
    pub fn watched(watcher: impl Fn(Operation<'_>) + Send + Sync + 'static) -> Disk {
        Disk { watcher: Some(Arc::new(watcher)) }
    }

    /// Replaces or creates the file at `path`, completely or not at all. A new file has the permissions `mode`; a
    /// replaced file keeps its permissions. For a link, the file that it leads to is replaced. A device is written to
    /// directly.
    ///
    /// Only one writer may run at a time. The temporary file is always `path.new`, so the next call overwrites what a
    /// crash has left there.
    ///
    /// # Errors
    /// If the disk fails. The file at `path` is then the old one, except if only the last sync of the folder failed.
    pub fn replace(
        &self,
        path: &Path,
        mode: u32,
        write: impl FnOnce(&mut NewFile) -> io::Result<()>,
    ) -> io::Result<()> {
        if is_device(path) {
            let file = File::options().write(true).open(path)?;
            return write(&mut NewFile { file, path: path.to_owned(), disk: self.clone() });
        }
        let path = followed(path);
        let mode = fs::metadata(&path).map_or(mode, |metadata| system::mode_of(&metadata));
        let new = beside(&path, NEW);
        let replaced = self.write_whole(&new, mode, write).and_then(|()| self.settle(&new, &path));
        // The partial file is removed: it is useless, and may fill the rest of the disk.
        replaced.inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// Checks whether [`Disk::replace`] can write the file now.
    ///
    /// # Errors
    /// The error that [`Disk::replace`] would return.
    pub fn check_writable(&self, path: &Path) -> io::Result<()> {
        if is_device(path) {
            return Ok(());
        }
        let new = beside(&followed(path), NEW);
        self.write_whole(&new, PRIVATE, |_| Ok(()))?;
        self.remove_file(&new)
    }

    /// Renames `new`, a complete and synced file, to `path` in the same folder, and syncs the folder.
    ///
    /// # Errors
    /// If the disk fails. The file at `path` is then the old one, except if only the sync of the folder failed.
    pub fn settle(&self, new: &Path, path: &Path) -> io::Result<()> {
        self.rename(new, path)?;
        self.sync_folder(folder_of(path))
    }

    fn write_whole(
        &self,
        path: &Path,
        mode: u32,
        write: impl FnOnce(&mut NewFile) -> io::Result<()>,
    ) -> io::Result<()> {
        // A crash may have left a file here with other permissions, so it is removed.
        match self.remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = self.create(path)?;
        write(&mut file)?;
        system::set_mode(&file.file, mode)?;
        file.sync()
    }

    /// Creates an empty file, if none exists at `path`.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if the file exists, or another error if the disk fails.
    pub fn create(&self, path: &Path) -> io::Result<NewFile> {
        let mut options = OpenOptions::new();
        options.create_new(true).read(true).write(true);
        let file = system::with_mode(&mut options, PRIVATE).open(path)?;
        self.notify(Operation::Create(path));
        Ok(NewFile { file, path: path.to_owned(), disk: self.clone() })
    }

    /// Renames a file or folder within its folder.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)?;
        self.notify(Operation::Rename(from, to));
        Ok(())
    }

    /// Removes the file at `path`.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)?;
        self.notify(Operation::Remove(path));
        Ok(())
    }

    /// Creates a folder and its missing parents, and syncs the parent of each new folder.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn create_folder(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        let parent = folder_of(path);
        self.create_folder(parent)?;
        fs::create_dir(path)?;
        self.folder_made(path);
        self.sync_folder(parent)
    }

    /// Informs the watcher about a folder that was created by other means.
    pub fn folder_made(&self, path: &Path) {
        self.notify(Operation::CreateFolder(path));
    }

    /// Removes a folder with its files.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let files: Vec<PathBuf> =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        fs::remove_dir_all(path)?;
        for file in &files {
            self.notify(Operation::Remove(file));
        }
        self.notify(Operation::RemoveFolder(path));
        Ok(())
    }

    /// Syncs the list of names in a folder, so that creations, renames and removals survive a power cut.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync_folder(&self, path: &Path) -> io::Result<()> {
        system::sync_folder(path)?;
        self.notify(Operation::SyncFolder(path));
        Ok(())
    }

    fn notify(&self, operation: Operation<'_>) {
        if let Some(watcher) = &self.watcher {
            watcher(operation);
        }
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disk")
    }
}

/// A new file that is open for writing.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    path: PathBuf,
    disk: Disk,
}

impl NewFile {
    /// Syncs the bytes of the file.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()?;
        self.disk.notify(Operation::Sync(&self.path));
        Ok(())
    }

    /// Renames the file within its folder.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        self.disk.rename(&self.path, to)?;
        to.clone_into(&mut self.path);
        Ok(())
    }

    /// Removes the file from its folder.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn remove(self) -> io::Result<()> {
        self.disk.remove_file(&self.path)
    }

    /// The open file, for reading and seeking.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.disk.notify(Operation::Write(&self.path));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether the path leads to a device or a pipe, such as /dev/null. A file in place of /dev/null would break all other
/// programs that write to it.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The folder that contains a path; `.` for a path that is only a name.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The target of the path if it is a link, else the path itself.
fn followed(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::PermissionsExt as _, sync::Mutex};

    use super::*;

    /// Returns the names of the operations that `work` performs, each with the name of its file.
    fn operations(work: impl FnOnce(&Disk)) -> Vec<String> {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let of_disk = Arc::clone(&seen);
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        work(&Disk::watched(move |operation| {
            let words = match operation {
                Operation::Create(path) => format!("create {}", name(path)),
                Operation::Write(path) => format!("write {}", name(path)),
                Operation::Sync(path) => format!("sync {}", name(path)),
                Operation::Rename(from, to) => format!("rename {} {}", name(from), name(to)),
                Operation::Remove(path) => format!("remove {}", name(path)),
                Operation::CreateFolder(path) => format!("create folder {}", name(path)),
                Operation::RemoveFolder(path) => format!("remove folder {}", name(path)),
                Operation::SyncFolder(_) => "sync folder".to_owned(),
            };
            of_disk.lock().unwrap().push(words);
        }));
        Arc::into_inner(seen).unwrap().into_inner().unwrap()
    }

    #[test]
    fn a_file_is_replaced_in_an_order_that_survives_a_power_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let order = ["create a.new", "write a.new", "sync a.new", "rename a.new a", "sync folder"];
        let replace = |bytes: &'static [u8]| {
            operations(|disk| disk.replace(&path, PRIVATE, |file| file.write_all(bytes)).unwrap())
        };
        assert_eq!(replace(b"one"), order);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, PRIVATE);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        fs::write(folder.path().join("a.new"), "left by a crash").unwrap();
        assert_eq!(replace(b"two"), [&["remove a.new"], &order[..]].concat());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let failed = Disk::default().replace(&path, PRIVATE, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        Disk::default().check_writable(&path).unwrap();
        // A file cannot replace a folder.
        let taken = folder.path().join("taken");
        fs::create_dir_all(taken.join("inside")).unwrap();
        assert!(Disk::default().replace(&taken, PUBLIC, |_| Ok(())).is_err());
        assert!(Disk::default().check_writable(&path.join("b")).is_err(), "a file is not a folder");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
        // The error must be about the folder at `a.new`, not only say that the name exists.
        fs::create_dir(folder.path().join("a.new")).unwrap();
        let blocked = Disk::default().replace(&path, PRIVATE, |_| Ok(())).unwrap_err();
        assert_ne!(blocked.kind(), io::ErrorKind::AlreadyExists, "{blocked}");
    }

    #[test]
    fn a_device_is_written_to_and_a_link_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        fs::write(&path, "old").unwrap();
        let replace =
            |path: &Path| Disk::default().replace(path, PUBLIC, |file| file.write_all(b"new")).unwrap();
        let checked = operations(|disk| disk.check_writable(&link).unwrap());
        assert_eq!(
            checked,
            ["create a.new", "sync a.new", "remove a.new"],
            "beside the file, as it is replaced"
        );
        replace(&link);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // A pipe that is open as a file descriptor, as the shell's `>(...)` creates it.
        let (mut reader, writer) = io::pipe().unwrap();
        replace(Path::new(&format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer))));
        drop(writer);
        assert_eq!(io::read_to_string(&mut reader).unwrap(), "new");
    }

    #[test]
    fn folders_are_made_and_removed_with_what_is_in_them() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("b").join("c");
        let made = operations(|disk| disk.create_folder(&inner).unwrap());
        assert_eq!(made, ["create folder b", "sync folder", "create folder c", "sync folder"]);
        fs::write(inner.join("d"), "").unwrap();
        let removed = operations(|disk| disk.remove_folder(&inner).unwrap());
        assert_eq!(removed, ["remove d", "remove folder c"]);
        assert!(!inner.exists());
    }
}
