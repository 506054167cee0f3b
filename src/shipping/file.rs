//! Watches a snapshot file and loads it again when it is replaced. Polls the file, and serves a private copy.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::{task::spawn_blocking, time::sleep};

use super::{
    Clock, Refusal, SignatureFault, SnapshotKey, copy::Copy, dates::Against, signature::SIGNATURE_BYTES_MAX,
};
use crate::edition::Edition;
use platbook::{
    directory::Directory,
    files::{
        regular_file::{self, FileFault},
        system::FileStamp,
    },
};

/// Pause between two polls of the file: chosen, not measured. A new file is read once two polls have found the same
/// stamp, since it may still be written before that.
const LOOK: Duration = Duration::from_secs(1);

/// Stamps of the snapshot and of its signature, which may appear later than the snapshot. `None` for a missing file.
type Stamps = (Option<FileStamp>, Option<FileStamp>);

/// A snapshot file whose copy is served.
#[derive(Debug)]
pub struct WatchedFile {
    path: PathBuf,
    key: Option<SnapshotKey>,
    clock: Clock,
    /// The stamps of the file that was loaded last. `seen` has those at the last poll.
    read: Stamps,
    seen: Stamps,
}

impl WatchedFile {
    /// Opens a private copy of a file. With a key, the file must have a valid signature in `FILE.minisig`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a whole snapshot, is not signed with the key, or is not acceptable.
    pub fn open(path: &Path, key: Option<SnapshotKey>) -> Result<(WatchedFile, Directory), Refusal> {
        let stamps = stamps(path);
        let directory = take(path, key.as_ref(), None)?;
        let clock = Clock::default();
        let file = WatchedFile { path: path.to_owned(), key, clock, read: stamps, seen: stamps };
        Ok((file, directory))
    }

    /// Waits until the path has another file.
    pub(super) async fn due(&mut self) {
        loop {
            sleep(LOOK).await;
            let now = stamps(&self.path);
            let is_still = std::mem::replace(&mut self.seen, now) == now;
            if is_still && now.0.is_some() && now != self.read {
                return;
            }
        }
    }

    /// Loads the current file. On demand (`is_asked`), it may be older than the served one.
    pub(super) async fn look(
        &mut self,
        served: Option<Arc<Edition>>,
        is_asked: bool,
    ) -> Result<Option<Directory>, Refusal> {
        self.read = stamps(&self.path);
        let (path, key, clock) = (self.path.clone(), self.key.clone(), self.clock.clone());
        let taken = blocking(move || {
            let served = served.as_deref().map(|edition| edition.answers().directory());
            let against = Against { served, is_of_source: true, is_asked, clock: &clock };
            take(&path, key.as_ref(), Some(&against))
        });
        taken.await.map(Some)
    }
}

/// Runs slow work on a separate thread, so that it delays no request.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(Refusal::Broken(error.to_string())))
}

fn take(path: &Path, key: Option<&SnapshotKey>, against: Option<&Against<'_>>) -> Result<Directory, Refusal> {
    let copy = Copy::of_file_at(path)?;
    if let Some(key) = key {
        let at = signature_of(path);
        copy.check(key, &read_signature(&at)?, &at.display().to_string())?;
    }
    copy.judged(against)
}

fn stamps(path: &Path) -> Stamps {
    let stamp = |path: &Path| fs::metadata(path).ok().map(|metadata| FileStamp::of(&metadata));
    (stamp(path), stamp(&signature_of(path)))
}

/// Returns the path of a file's signature: `us.platbook.minisig` for `us.platbook`.
fn signature_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".minisig");
    path.with_file_name(name)
}

/// Reads a signature file of at most [`SIGNATURE_BYTES_MAX`].
pub(super) fn read_signature(at: &Path) -> Result<String, Refusal> {
    let missing = || SignatureFault::Missing { at: at.display().to_string() };
    let text = regular_file::read(at, SIGNATURE_BYTES_MAX).map_err(|fault| match fault {
        FileFault::NotRegular => missing(),
        FileFault::Io(error) if error.kind() == io::ErrorKind::NotFound => missing(),
        FileFault::Io(error) => SignatureFault::Io(error),
        FileFault::TooLong { .. } => SignatureFault::Unreadable { at: at.display().to_string() },
    })?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
