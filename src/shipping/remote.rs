//! An address that is asked for fresh snapshots again and again.

use std::{fs::File, sync::Arc, time::Duration};

use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::{
    BadAddress, Limits, Refusal, Shelf, SignatureFault, SnapshotKey, SnapshotUrl,
    client::{Arriving, Client, Reply, late},
    copy::Copy,
    file::blocking,
    receive::{receive, unpacked},
    shelf::{self, Kept, Origin},
};
use crate::{directory::Directory, edition::Edition};

/// How far a pause may differ from the one that was asked for: a thousand services that start together do not ask together.
const JITTER: f64 = 0.2;

/// An address, with the folder where its snapshots are kept.
#[derive(Debug)]
pub struct Remote {
    url: SnapshotUrl,
    key: Option<SnapshotKey>,
    shelf: Shelf,
    every: Duration,
    limits: Limits,
    /// Where the one that is served came from; `None` while that is none of this address.
    origin: Option<Origin>,
    /// What the server calls a file that was refused: it is not fetched again.
    refused: Option<String>,
    /// How long to wait for the next look.
    pause: Duration,
}

/// What has come and is not judged yet.
struct Arrived {
    folder: TempDir,
    file: File,
    signature: Option<String>,
    etag: Option<String>,
}

/// What judging needs to know.
struct Bench {
    url: SnapshotUrl,
    key: Option<SnapshotKey>,
    limits: Limits,
    served: Option<Arc<Edition>>,
    /// The one that someone went back from, unless it is asked for.
    withdrawn: Option<Origin>,
    is_asked: bool,
}

impl Remote {
    /// Asks this address about as often as told, and keeps what comes on the shelf.
    ///
    /// # Errors
    /// When the address is only safe with a key, and there is none.
    pub fn new(
        url: SnapshotUrl,
        key: Option<SnapshotKey>,
        shelf: Shelf,
        every: Duration,
        limits: Limits,
    ) -> Result<Remote, BadAddress> {
        url.check(key.is_some())?;
        let pause = every.mul_f64(fastrand::f64()).min(every);
        Ok(Remote { url, key, shelf, every, limits, origin: None, refused: None, pause })
    }

    /// The snapshot that was kept last and can be served. `tell` hears of those that cannot.
    ///
    /// # Errors
    /// When the folder fails.
    pub fn kept(&mut self, tell: impl Fn(&Refusal)) -> Result<Option<Directory>, Refusal> {
        // The current one, and if need be the previous.
        for _ in 0..2 {
            let opened = match self.shelf.current() {
                Ok(None) => return Ok(None),
                Ok(Some(kept)) => self.open(kept),
                Err(refusal) => Err(refusal),
            };
            match opened {
                Ok((directory, origin)) => {
                    self.origin = Some(origin);
                    return Ok(Some(directory));
                }
                Err(refusal) => tell(&refusal),
            }
            self.shelf.set_aside()?;
        }
        Ok(None)
    }

    fn open(&self, kept: Kept) -> Result<(Directory, Origin), Refusal> {
        let folder = self.shelf.incoming()?;
        let directory = judged_again(kept.file, kept.signature, self.key.as_ref(), &folder)?;
        Ok((directory, kept.origin))
    }

    /// Waits until it is time to look.
    pub(super) async fn due(&mut self) {
        sleep(self.pause).await;
        self.pause = self.every.mul_f64(1.0 + JITTER * (2.0 * fastrand::f64() - 1.0));
    }

    /// Asks whether there is a newer snapshot, fetches and judges it against the one that is served, and keeps it. One
    /// that was asked for may be older, or one that was taken back. `served` does not count while it is none of this
    /// address: whoever gave the address wants what is there.
    ///
    /// # Errors
    /// When there is one and it is refused, or nobody could be asked.
    pub async fn look(
        &mut self,
        served: Option<Arc<Edition>>,
        is_asked: bool,
    ) -> Result<Option<Directory>, Refusal> {
        let whole = self.limits.whole;
        let arrived = timeout(whole, self.fetch(is_asked)).await;
        let arrived = arrived.map_err(|_| late(&self.url.to_string(), "the whole file", whole))??;
        let Some(arrived) = arrived else { return Ok(None) };
        let etag = arrived.etag.clone();
        let bench = self.bench(served, is_asked);
        match blocking(move || bench.judge(arrived)).await {
            Ok((folder, directory, origin)) => self.keep(folder, directory, origin),
            Err(refusal) => {
                self.refused = etag.filter(|_| refusal.is_of_the_bytes());
                Err(refusal)
            }
        }
    }

    fn keep(
        &mut self,
        folder: TempDir,
        directory: Directory,
        origin: Origin,
    ) -> Result<Option<Directory>, Refusal> {
        let is_same = self.origin.as_ref().is_some_and(|served| served.id == origin.id);
        let kept = if is_same { self.shelf.rename_current(&origin) } else { self.shelf.put(folder) };
        kept?;
        self.shelf.forgive(&origin.id)?;
        self.origin = Some(origin);
        self.refused = None;
        Ok((!is_same).then_some(directory))
    }

    fn bench(&self, served: Option<Arc<Edition>>, is_asked: bool) -> Bench {
        Bench {
            url: self.url.clone(),
            key: self.key.clone(),
            limits: self.limits,
            served: served.filter(|_| self.origin.is_some()),
            withdrawn: self.shelf.withdrawn().filter(|_| !is_asked),
            is_asked,
        }
    }

    /// What is there, unless it is known.
    async fn fetch(&self, is_asked: bool) -> Result<Option<Arrived>, Refusal> {
        let client = Client::new(self.limits);
        let arriving = match client.file(&self.url, &self.known_tags(is_asked)).await? {
            Reply::Same => return Ok(None),
            Reply::File(arriving) => arriving,
        };
        let etag = arriving.etag.clone();
        let (folder, file) = self.receive(arriving).await?;
        let signature = match &self.key {
            Some(_) => Some(client.signature(&self.url.signature()).await?),
            None => None,
        };
        Ok(Some(Arrived { folder, file, signature, etag }))
    }

    async fn receive(&self, arriving: Arriving) -> Result<(TempDir, File), Refusal> {
        let folder = self.shelf.incoming()?;
        let path = folder.path().join("arriving");
        let file = receive(arriving, &self.url.to_string(), &path, &self.limits).await?;
        Ok((folder, file))
    }

    /// The tags of what need not come again. Who asks wants even what was refused or taken back.
    fn known_tags(&self, is_asked: bool) -> Vec<String> {
        let own = |origin: &Origin| origin.etag.clone().filter(|_| origin.url == self.url.to_string());
        let mut tags: Vec<String> = self.origin.iter().filter_map(own).collect();
        if !is_asked {
            tags.extend(self.refused.clone());
            tags.extend(self.shelf.withdrawn().as_ref().and_then(own));
        }
        tags
    }

    /// The snapshot that was kept before this one. The one that is left is not taken again before someone asks for it.
    ///
    /// # Errors
    /// When there is none, or it cannot be served any more.
    pub async fn back(&mut self) -> Result<Directory, Refusal> {
        let kept = self.shelf.previous()?.ok_or(Refusal::NoEarlier)?;
        let (folder, key) = (self.shelf.incoming()?, self.key.clone());
        let Kept { file, signature, origin } = kept;
        let directory = blocking(move || judged_again(file, signature, key.as_ref(), &folder)).await?;
        self.shelf.back()?;
        self.origin = Some(origin);
        Ok(directory)
    }

    /// Notes that the one before is served again. Where none was fetched before, that is the one built in.
    pub(super) fn gone_back(&mut self) -> Result<(), Refusal> {
        self.origin = self.shelf.previous()?.map(|kept| kept.origin);
        self.shelf.back()
    }
}

/// A snapshot of the shelf, from a copy: still whole, signed and sound?
fn judged_again(
    mut file: File,
    signature: Option<String>,
    key: Option<&SnapshotKey>,
    folder: &TempDir,
) -> Result<Directory, Refusal> {
    let at = "the snapshot kept in --snapshot-dir";
    let disk = |source| Refusal::Disk { path: folder.path().to_owned(), source };
    let copy = Copy::of(&mut file, Some(folder.path())).map_err(disk)?;
    check(&copy, key, signature.as_deref(), at)?;
    copy.judged(None, true)
}

fn check(copy: &Copy, key: Option<&SnapshotKey>, signature: Option<&str>, at: &str) -> Result<(), Refusal> {
    let Some(key) = key else { return Ok(()) };
    let missing = || SignatureFault::Missing { at: at.to_owned() };
    Ok(copy.check(key, signature.ok_or_else(missing)?, at)?)
}

impl Bench {
    /// Unpacks, verifies and judges what has come, and completes its folder.
    fn judge(self, arrived: Arrived) -> Result<(TempDir, Directory, Origin), Refusal> {
        let Arrived { folder, file, signature, etag } = arrived;
        let (packed_at, at) = (folder.path().join("arriving"), shelf::snapshot_in(folder.path()));
        let disk = |source| Refusal::Disk { path: folder.path().to_owned(), source };
        let as_it_is = file.try_clone().map_err(disk)?;
        let mut file = match unpacked(file, &at, &self.limits)? {
            Some(unpacked) => std::fs::remove_file(&packed_at).map(|()| unpacked).map_err(disk)?,
            None => std::fs::rename(&packed_at, &at).map(|()| as_it_is).map_err(disk)?,
        };
        let copy = Copy::of(&mut file, Some(folder.path())).map_err(disk)?;
        let signed_at = self.url.signature().to_string();
        check(&copy, self.key.as_ref(), signature.as_deref(), &signed_at)?;
        let served = self.served.as_deref().map(|edition| edition.answers().directory());
        let directory = copy.judged(served, self.is_asked)?;
        let id = directory.snapshot_id().to_owned();
        if self.withdrawn.is_some_and(|withdrawn| withdrawn.id == id) {
            return Err(Refusal::TakenBack { id });
        }
        let origin = Origin { url: self.url.to_string(), etag, id };
        drop(copy);
        shelf::complete(folder.path(), &file, signature.as_deref(), &origin)?;
        Ok((folder, directory, origin))
    }
}
