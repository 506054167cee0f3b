//! The snapshot file that is served, and newer ones that take its place.
//!
//! The file is copied before it is mapped: another program may truncate or overwrite it, and a mapped file that shrinks
//! ends the process. The copy has no name, so it goes with the process; it costs some 50 MB of the folder for temporary
//! files, and a tenth of a second.

use std::{
    fs::{self, File, Metadata},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::NamedTempFile;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::spawn_blocking,
    time::sleep,
};

use super::UsageError;
use crate::{directory::Directory, edition::Edition, http::Service, snapshot::Snapshot, vocabulary::Layer};

/// How often the file is looked at. A new one is read when two looks have seen the same: until then it may be being
/// written.
const LOOK: Duration = Duration::from_secs(1);

/// Of the rows of a layer that is served, how many percent a newer snapshot must have.
const ROWS_PERCENT_MIN: usize = 50;

/// Which file stands at a path, so that another one is told from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

/// A snapshot file whose copy is served.
#[derive(Debug)]
pub(super) struct ServedFile {
    path: PathBuf,
    stamp: Stamp,
}

impl ServedFile {
    /// Opens a file by a copy of it.
    ///
    /// # Errors
    /// When it cannot be read, or is not a whole snapshot.
    pub(super) fn open(path: &Path) -> Result<(ServedFile, Directory)> {
        let cannot = || format!("cannot read the snapshot {}", path.display());
        // Asked before it is opened: to open a pipe waits for who writes to it.
        let metadata = fs::metadata(path).with_context(cannot)?;
        if !metadata.is_file() {
            let what = "a folder, a pipe or a device";
            return Err(UsageError(format!("expected a snapshot at {}, found {what}", path.display())).into());
        }
        let mut file = File::open(path).with_context(cannot)?;
        let stamp = Stamp::of(&file.metadata().with_context(cannot)?);
        let snapshot = copied(&mut file).with_context(|| path.display().to_string())?;
        Ok((ServedFile { path: path.to_owned(), stamp }, Directory::new(snapshot)))
    }

    /// Serves each newer file that is put in its place, and on SIGHUP whatever stands there. One that cannot be served is
    /// told, and the one before goes on.
    pub(super) async fn follow(mut self, service: Arc<Service>, site: String, mut hangup: Signal) {
        let mut seen = self.stamp;
        loop {
            let is_asked = tokio::select! {
                () = sleep(LOOK) => false,
                asked = hangup.recv() => asked.is_some(),
            };
            let Ok(metadata) = fs::metadata(&self.path) else { continue };
            let now = Stamp::of(&metadata);
            let is_still = std::mem::replace(&mut seen, now) == now;
            if is_asked || now != self.stamp && is_still {
                self.stamp = now;
                self.take(&service, &site, is_asked).await;
            }
        }
    }

    async fn take(&self, service: &Arc<Service>, site: &str, is_asked: bool) {
        let (path, site, of_work) = (self.path.clone(), site.to_owned(), Arc::clone(service));
        let taken = spawn_blocking(move || {
            let (_, directory) = ServedFile::open(&path)?;
            let served = of_work.edition().load();
            check(served.answers().directory(), &directory, is_asked)?;
            directory.warm();
            directory.warm_catalogue();
            anyhow::Ok(Edition::new(directory, &site))
        });
        match taken.await.context("reading the snapshot failed").flatten() {
            Ok(edition) => {
                let as_of = edition.answers().directory().as_of().to_owned();
                service.edition().swap(edition);
                eprintln!("platbook: now serving {} of {as_of}", self.path.display());
            }
            Err(error) => eprintln!("platbook: the snapshot that is served stays: {error:#}"),
        }
    }
}

/// Refuses what a slip would bring: an older snapshot, and one of another world. Who sends SIGHUP may want the older one back.
fn check(served: &Directory, new: &Directory, is_asked: bool) -> Result<()> {
    if !is_asked && new.as_of() < served.as_of() {
        bail!(
            "it is of {}, older than {}; send SIGHUP to serve it all the same",
            new.as_of(),
            served.as_of()
        );
    }
    for layer in Layer::ALL {
        let (had, has) = (served.rows_of(layer).len(), new.rows_of(layer).len());
        let enough = has * 100 >= had * ROWS_PERCENT_MIN;
        ensure!(enough, "it has {has} rows of the layer {}, the one served {had}", layer.prefix());
    }
    Ok(())
}

/// A snapshot of a file's bytes that no other program can change.
fn copied(file: &mut File) -> Result<Snapshot> {
    match on_disk(file) {
        Ok(copy) => Ok(Snapshot::open(copy.path())?),
        // No room for a copy there: then in memory.
        Err(_) => {
            let mut bytes = Vec::new();
            io::Seek::rewind(file)?;
            io::Read::read_to_end(file, &mut bytes)?;
            Ok(Snapshot::copy(&bytes)?)
        }
    }
}

/// The name goes when the value does; what is mapped by then stays.
fn on_disk(file: &mut File) -> io::Result<NamedTempFile> {
    let mut copy = NamedTempFile::new()?;
    io::copy(file, copy.as_file_mut())?;
    Ok(copy)
}

/// Signals that other programs are asked to read their files anew with must not end this one.
///
/// # Errors
/// When the system refuses.
pub(super) fn hangups() -> io::Result<Signal> {
    for kind in [SignalKind::user_defined1(), SignalKind::user_defined2()] {
        // Once asked for, a signal no longer ends the process.
        drop(signal(kind)?);
    }
    signal(SignalKind::hangup())
}

/// Says that there is no file to read anew.
pub(super) async fn ignore(mut hangup: Signal) {
    while hangup.recv().await.is_some() {
        eprintln!("platbook: SIGHUP: the snapshot is the one built in; there is no file to read anew");
    }
}
