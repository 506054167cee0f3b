//! An address that is asked for fresh snapshots again and again.

use std::{fs::File, path::Path, sync::Arc, time::Duration};

use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::{
    BadAddress, Clock, Event, Limits, Refusal, Shelf, SignatureFault, SnapshotKey, SnapshotUrl,
    client::{Arriving, Client, Reply, late},
    copy::Copy,
    dates::Against,
    file::blocking,
    receive::{receive, unpacked},
    shelf::{self, Kept, Origin},
};
use crate::edition::Edition;
use platbook::{
    directory::Directory,
    files::durable::{Disk, NewFile},
};

/// The pause after a look that failed while nothing of the address is served, doubled each time: a mirror that was started a
/// moment later is found within seconds, and one that is dead for long is asked no more often than usual.
const RETRY: Duration = Duration::from_secs(5);

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
    clock: Clock,
    /// Where the one that is served came from; `None` while that is none of this address.
    origin: Option<Origin>,
    /// The file that was refused last.
    refused: Option<Refused>,
    /// How long to wait for the next look.
    pause: Duration,
    /// How long to wait after a failed look, while nothing of this address is served.
    retry: Duration,
}

/// A file that was refused. It is not fetched again.
#[derive(Debug)]
struct Refused {
    /// The server's entity tag.
    etag: String,
    why: &'static str,
    /// The date that was ahead of the clock; once that is reached, the file is fetched again.
    ahead: Option<String>,
}

/// What has come and is not judged yet.
struct Arrived {
    folder: TempDir,
    file: NewFile,
    signature: Option<String>,
    etag: Option<String>,
}

/// The outcome of a look at the address.
enum Fetched {
    /// A file that is known, and what the server calls it.
    Same(Option<String>),
    File(Arrived),
}

impl Refused {
    /// What to remember of a file, where the same bytes would be refused again.
    fn of(refusal: &Refusal, etag: Option<String>) -> Option<Refused> {
        let etag = etag.filter(|_| refusal.is_of_the_bytes())?;
        let ahead = match refusal {
            Refusal::Ahead { as_of, .. } => Some(as_of.clone()),
            _ => None,
        };
        Some(Refused { etag, why: refusal.in_short(), ahead })
    }

    fn may_be_taken(&self, clock: &Clock) -> bool {
        self.ahead.as_ref().is_some_and(|as_of| clock.has_reached(as_of))
    }
}

/// What judging needs to know.
struct Bench {
    url: SnapshotUrl,
    key: Option<SnapshotKey>,
    limits: Limits,
    clock: Clock,
    disk: Disk,
    served: Option<Arc<Edition>>,
    /// Whether the one that is served came from this address.
    is_of_address: bool,
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
        let retry = RETRY.min(every);
        Ok(Remote {
            url,
            key,
            shelf,
            every,
            limits,
            clock: Clock::default(),
            origin: None,
            refused: None,
            // Nothing of this address is served yet.
            pause: Duration::ZERO,
            retry,
        })
    }

    /// The same by another clock.
    pub fn with_clock(self, clock: Clock) -> Remote {
        Remote { clock, ..self }
    }

    /// The snapshot that was kept last and can be served. `tell` hears of those that cannot, and of what was restored.
    ///
    /// # Errors
    /// When the folder fails.
    pub fn kept(&mut self, tell: impl Fn(Event)) -> Result<Option<Directory>, Refusal> {
        self.restore_origins(&tell)?;
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
                    // Services that are started together do not ask together.
                    self.pause = self.every.mul_f64(fastrand::f64());
                    return Ok(Some(directory));
                }
                Err(refusal) => tell(Event::SetAside(refusal)),
            }
            self.shelf.set_aside()?;
        }
        Ok(None)
    }

    /// A power cut may have emptied the file that says where a snapshot came from; the snapshot is whole all the same.
    fn restore_origins(&self, tell: &impl Fn(Event)) -> Result<(), Refusal> {
        let folder = self.shelf.incoming()?;
        let id_of = |mut file: File| {
            let copy =
                Copy::of(&mut file, Some(folder.path())).map_err(|source| disk(folder.path(), source))?;
            Ok(copy.open()?.id().to_owned())
        };
        let restored = |path: &Path| tell(Event::OriginRestored { path: path.to_owned() });
        self.shelf.restore_origins(&self.url.to_string(), id_of, restored)
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
    /// that was asked for may be older, or one that was taken back. While `served` is none of this address, only its date
    /// counts: whoever gave the address wants what is there, but not what is older than the one built in.
    ///
    /// # Errors
    /// When there is one and it is refused, or nobody could be asked.
    pub async fn look(
        &mut self,
        served: Option<Arc<Edition>>,
        is_asked: bool,
    ) -> Result<Option<Directory>, Refusal> {
        let looked = self.look_once(served, is_asked).await;
        if self.origin.is_none() && looked.as_ref().is_err_and(|refusal| !refusal.is_of_the_bytes()) {
            self.pause = self.retry;
            self.retry = (self.retry * 2).min(self.every);
        }
        looked
    }

    async fn look_once(
        &mut self,
        served: Option<Arc<Edition>>,
        is_asked: bool,
    ) -> Result<Option<Directory>, Refusal> {
        let limits = self.limits_beside(served.as_deref(), is_asked);
        let fetched = timeout(limits.whole, self.fetch(is_asked, &limits)).await;
        let fetched = fetched.map_err(|_| late(&self.url.to_string(), "the whole file", limits.whole))??;
        let arrived = match fetched {
            Fetched::File(arrived) => arrived,
            Fetched::Same(etag) => {
                self.refused.take_if(|refused| etag.is_some_and(|etag| etag != refused.etag));
                return Ok(None);
            }
        };
        let etag = arrived.etag.clone();
        let bench = self.bench(served, limits, is_asked);
        match blocking(move || bench.judge(arrived)).await {
            Ok((folder, directory, origin)) => self.keep(folder, directory, origin),
            Err(refusal) => {
                self.refused = Refused::of(&refusal, etag);
                Err(refusal)
            }
        }
    }

    /// Why the file at the address is not served, as the last look found it; `None` where it is.
    pub(super) fn refused(&self) -> Option<&'static str> {
        self.refused.as_ref().map(|refused| refused.why)
    }

    fn limits_beside(&self, served: Option<&Edition>, is_asked: bool) -> Limits {
        let bytes = |edition: &Edition| {
            let sizes = edition.answers().directory().snapshot().sizes();
            sizes.iter().map(|(_, bytes)| *bytes as u64).sum()
        };
        let served = served.filter(|_| !is_asked).map(bytes);
        served.map_or(self.limits, |bytes| self.limits.beside(bytes))
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
        self.retry = RETRY.min(self.every);
        Ok((!is_same).then_some(directory))
    }

    fn bench(&self, served: Option<Arc<Edition>>, limits: Limits, is_asked: bool) -> Bench {
        Bench {
            url: self.url.clone(),
            key: self.key.clone(),
            limits,
            clock: self.clock.clone(),
            disk: self.shelf.disk().clone(),
            served,
            is_of_address: self.origin.is_some(),
            withdrawn: self.shelf.withdrawn().filter(|_| !is_asked),
            is_asked,
        }
    }

    /// What is there, unless it is known.
    async fn fetch(&self, is_asked: bool, limits: &Limits) -> Result<Fetched, Refusal> {
        let client = Client::new(*limits);
        let arriving = match client.file(&self.url, &self.known_tags(is_asked)).await? {
            Reply::Same(etag) => return Ok(Fetched::Same(etag)),
            Reply::File(arriving) => arriving,
        };
        let etag = arriving.etag.clone();
        let (folder, file) = self.receive(arriving, limits).await?;
        let signature = match &self.key {
            Some(_) => Some(client.signature(&self.url.signature()).await?),
            None => None,
        };
        Ok(Fetched::File(Arrived { folder, file, signature, etag }))
    }

    async fn receive(&self, arriving: Arriving, limits: &Limits) -> Result<(TempDir, NewFile), Refusal> {
        let folder = self.shelf.incoming()?;
        let path = folder.path().join("arriving");
        let file = receive(arriving, &self.url.to_string(), (self.shelf.disk(), &path), limits).await?;
        Ok((folder, file))
    }

    /// The tags of what need not come again. Who asks wants even what was refused or taken back.
    fn known_tags(&self, is_asked: bool) -> Vec<String> {
        let own = |origin: &Origin| origin.etag.clone().filter(|_| origin.url == self.url.to_string());
        let mut tags: Vec<String> = self.origin.iter().filter_map(own).collect();
        if !is_asked {
            let refused = self.refused.iter().filter(|refused| !refused.may_be_taken(&self.clock));
            tags.extend(refused.map(|refused| refused.etag.clone()));
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
    let copy = Copy::of(&mut file, Some(folder.path())).map_err(|source| disk(folder.path(), source))?;
    check(&copy, key, signature.as_deref(), at)?;
    copy.judged(None)
}

fn disk(path: &Path, source: std::io::Error) -> Refusal {
    Refusal::Disk { path: path.to_owned(), source }
}

fn check(copy: &Copy, key: Option<&SnapshotKey>, signature: Option<&str>, at: &str) -> Result<(), Refusal> {
    let Some(key) = key else { return Ok(()) };
    let missing = || SignatureFault::Missing { at: at.to_owned() };
    Ok(copy.check(key, signature.ok_or_else(missing)?, at)?)
}

impl Bench {
    /// Unpacks, verifies and judges what has come, and completes its folder.
    fn judge(self, arrived: Arrived) -> Result<(TempDir, Directory, Origin), Refusal> {
        let Arrived { folder, file: mut packed, signature, etag } = arrived;
        let at = shelf::snapshot_in(folder.path());
        let failed = |source| disk(folder.path(), source);
        let mut file = match unpacked(packed.file(), (&self.disk, &at), &self.limits)? {
            Some(unpacked) => packed.remove().map(|()| unpacked).map_err(failed)?,
            None => packed.rename(&at).map(|()| packed).map_err(failed)?,
        };
        let copy = Copy::of(file.file(), Some(folder.path())).map_err(failed)?;
        let signed_at = self.url.signature().to_string();
        check(&copy, self.key.as_ref(), signature.as_deref(), &signed_at)?;
        let directory = copy.judged(Some(&Against {
            served: self.served.as_deref().map(|edition| edition.answers().directory()),
            is_of_source: self.is_of_address,
            is_asked: self.is_asked,
            clock: &self.clock,
        }))?;
        let id = directory.snapshot_id().to_owned();
        if self.withdrawn.is_some_and(|withdrawn| withdrawn.id == id) {
            return Err(Refusal::TakenBack { id });
        }
        let origin = Origin { url: self.url.to_string(), etag, id };
        drop(copy);
        shelf::complete(&self.disk, folder.path(), &file, signature.as_deref(), &origin)?;
        Ok((folder, directory, origin))
    }
}
