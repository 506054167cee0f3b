//! Polls an address for newer snapshots, checks them and stores them. Another module swaps the editions.

use std::{fs::File, path::Path, sync::Arc, time::Duration};

use platbook_release::{Release, ReleasedFile, Sha256};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::{
    BadAddress, Clock, Event, Limits, Refusal, SignatureFault, SnapshotKey, SnapshotStore, SnapshotUrl,
    client::{Arriving, Client, Reply, late},
    copy::Copy,
    dates::Against,
    file::blocking,
    receive::{receive, unpacked},
    release,
    snapshot_store::{self, Origin, StoredSnapshot},
};
use crate::edition::Edition;
use platbook::{
    directory::Directory,
    files::durable::{Disk, NewFile},
};

/// The first pause after a failed poll while no snapshot of the address is served. The pause doubles each time, up to
/// the usual one. The service thus finds a mirror that starts a moment later within seconds. Chosen, not measured.
const RETRY: Duration = Duration::from_secs(5);

/// Random part of a pause, as a fraction of the pause: a thousand services that start together must not poll
/// together. Chosen, not measured.
const JITTER: f64 = 0.2;

/// A polled address, with the folder for its snapshots.
#[derive(Debug)]
pub struct Remote {
    url: SnapshotUrl,
    key: Option<SnapshotKey>,
    store: SnapshotStore,
    every: Duration,
    limits: Limits,
    clock: Clock,
    /// The origin of the served snapshot; `None` if it did not come from this address.
    origin: Option<Origin>,
    /// The file that was refused last; `None` if the address now has another file, or an accepted one.
    refused: Option<Refused>,
    /// The pause before the next poll.
    pause: Duration,
    /// The pause after a failed poll while no snapshot of this address is served.
    retry: Duration,
}

/// A refused file. The service does not fetch it again unless an operator requests it.
#[derive(Debug)]
struct Refused {
    /// The entity tag that the server sent with the file.
    etag: String,
    why: &'static str,
    /// The date of the file that was ahead of the clock. The file is fetched again once the clock reaches this date.
    /// `None` for other reasons of refusal.
    ahead: Option<String>,
}

/// A downloaded file before its acceptance checks.
struct Arrived {
    folder: TempDir,
    file: NewFile,
    signature: Option<String>,
    etag: Option<String>,
    /// The digest of the uncompressed file according to the statement about a release. `None` without a statement,
    /// and for the result of a delta, which is checked when it is made.
    sha256: Option<Sha256>,
}

/// The result of a poll.
enum Fetched {
    /// A known file, with its entity tag if the server sent a tag.
    Same(Option<String>),
    File(Arrived),
}

impl Refused {
    /// Returns the record of a refused file; `None` if the next download may be accepted, or the server sent no tag.
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

/// The inputs of the acceptance checks, which run on another thread.
struct Bench {
    url: SnapshotUrl,
    key: Option<SnapshotKey>,
    limits: Limits,
    clock: Clock,
    disk: Disk,
    served: Option<Arc<Edition>>,
    /// Whether the served snapshot came from this address.
    is_of_address: bool,
    /// The snapshot from which an operator rolled back; `None` if an operator requested this check.
    withdrawn: Option<Origin>,
    is_asked: bool,
}

impl Remote {
    /// Polls an address about once per `every`, and stores its snapshots in `store`.
    ///
    /// # Errors
    /// Fails if the address is safe only with a key, and `key` is `None`.
    pub fn new(
        url: SnapshotUrl,
        key: Option<SnapshotKey>,
        store: SnapshotStore,
        every: Duration,
        limits: Limits,
    ) -> Result<Remote, BadAddress> {
        url.check(key.is_some())?;
        let retry = RETRY.min(every);
        Ok(Remote {
            url,
            key,
            store,
            every,
            limits,
            clock: Clock::default(),
            origin: None,
            refused: None,
            // No snapshot of this address is served yet.
            pause: Duration::ZERO,
            retry,
        })
    }

    /// Returns the same source with another clock.
    pub fn with_clock(self, clock: Clock) -> Remote {
        Remote { clock, ..self }
    }

    /// Returns the newest stored snapshot that can be served; `None` without one. Reports to `tell` each
    /// snapshot that cannot be served, and each restored record.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn stored(&mut self, tell: impl Fn(Event)) -> Result<Option<Directory>, Refusal> {
        self.restore_origins(&tell)?;
        // The loop tries the current snapshot, then the previous one.
        for _ in 0..2 {
            let opened = match self.store.current() {
                Ok(None) => return Ok(None),
                Ok(Some(stored)) => self.open(stored),
                Err(refusal) => Err(refusal),
            };
            match opened {
                Ok((directory, origin)) => {
                    self.origin = Some(origin);
                    // Services that start together must not poll together.
                    self.pause = self.every.mul_f64(fastrand::f64());
                    return Ok(Some(directory));
                }
                Err(refusal) => tell(Event::SetAside(refusal)),
            }
            self.store.set_aside()?;
        }
        Ok(None)
    }

    /// Rewrites records of origin that a power cut left empty. The snapshots beside these records are whole.
    fn restore_origins(&self, tell: &impl Fn(Event)) -> Result<(), Refusal> {
        let folder = self.store.incoming()?;
        let id_of = |mut file: File| {
            let copy =
                Copy::of(&mut file, Some(folder.path())).map_err(|source| disk(folder.path(), source))?;
            Ok(copy.open()?.id().to_owned())
        };
        let restored = |path: &Path| tell(Event::OriginRestored { path: path.to_owned() });
        self.store.restore_origins(&self.url.to_string(), id_of, restored)
    }

    fn open(&self, stored: StoredSnapshot) -> Result<(Directory, Origin), Refusal> {
        let folder = self.store.incoming()?;
        let directory = judged_again(stored.file, stored.signature, self.key.as_ref(), &folder)?;
        Ok((directory, stored.origin))
    }

    /// Waits until the next poll is due.
    pub(super) async fn due(&mut self) {
        sleep(self.pause).await;
        self.pause = self.every.mul_f64(1.0 + JITTER * (2.0 * fastrand::f64() - 1.0));
    }

    /// Polls the address. Fetches a newer snapshot, checks it against the served one, and stores it; `None` if there
    /// is nothing newer. On demand (`is_asked`), the snapshot may be older or withdrawn. If `served` is from another
    /// source, only dates are compared: the new snapshot must not be older than the built-in one.
    ///
    /// # Errors
    /// If the new file is refused, or the address cannot be reached.
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
        let known = served.as_deref().map(|edition| edition.answers().directory().snapshot_id().to_owned());
        let fetched = async {
            match self.url.is_release() {
                true => self.fetch_release(known.as_deref(), is_asked, &limits).await,
                false => self.fetch(is_asked, &limits).await,
            }
        };
        let fetched = timeout(limits.whole, fetched).await;
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

    /// Returns why the last poll refused the file at the address; `None` if it did not.
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
        let stored = if is_same { self.store.rename_current(&origin) } else { self.store.put(folder) };
        stored?;
        self.store.forgive(&origin.id)?;
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
            disk: self.store.disk().clone(),
            served,
            is_of_address: self.origin.is_some(),
            withdrawn: self.store.withdrawn().filter(|_| !is_asked),
            is_asked,
        }
    }

    /// Downloads the file and its signature, unless the file is known.
    async fn fetch(&self, is_asked: bool, limits: &Limits) -> Result<Fetched, Refusal> {
        let client = Client::new(&self.url, *limits);
        let arriving = match client.file(&self.url, &self.known_tags(is_asked)).await? {
            Reply::Same(etag) => return Ok(Fetched::Same(etag)),
            Reply::File(arriving) => arriving,
        };
        let etag = arriving.etag.clone();
        let (folder, file) = self.receive(arriving, &self.url, limits).await?;
        let signature = match &self.key {
            Some(_) => Some(client.signature(&self.url.signature()).await?),
            None => None,
        };
        Ok(Fetched::File(Arrived { folder, file, signature, etag, sha256: None }))
    }

    /// Fetches the snapshot of the release, by a delta if possible, unless the snapshot is served or known. The
    /// digest of the snapshot serves as its entity tag.
    async fn fetch_release(
        &self,
        served: Option<&str>,
        is_asked: bool,
        limits: &Limits,
    ) -> Result<Fetched, Refusal> {
        let client = Client::new(&self.url, *limits);
        let release = release::statement(&client, &self.url, self.key.as_ref(), &self.clock).await?;
        let tag = release.snapshot.sha256.to_string();
        if served == Some(release.snapshot.id.as_str()) || self.known_tags(is_asked).contains(&tag) {
            return Ok(Fetched::Same(Some(tag)));
        }
        let signature = client.signature(&self.url.beside(&release.signature)).await?;
        let by_delta = self.by_delta(&client, &release, limits).await.unwrap_or_else(|refusal| {
            tracing::warn!("{refusal}; the whole file is fetched");
            None
        });
        let sha256 = by_delta.is_none().then_some(release.snapshot.sha256);
        let (folder, file) = match by_delta {
            Some(made) => made,
            None => self.file_of(&client, &release.file, limits).await?,
        };
        Ok(Fetched::File(Arrived { folder, file, signature: Some(signature), etag: Some(tag), sha256 }))
    }

    /// Makes the snapshot of the release from a local snapshot and a delta. `None` if there is no such delta.
    async fn by_delta(
        &self,
        client: &Client,
        release: &Release,
        limits: &Limits,
    ) -> Result<Option<(TempDir, NewFile)>, Refusal> {
        let to = release.snapshot.clone();
        if to.bytes > limits.bytes_max {
            return Ok(None);
        }
        let stored = self.store.current()?.map(|stored| stored.file);
        let of_thread = release.clone();
        let Some((base, delta)) = blocking(move || Ok(release::base(&of_thread, stored))).await? else {
            return Ok(None);
        };
        let arrived = self.file_of(client, &delta.file, limits).await?;
        let (disk, url) = (self.store.disk().clone(), self.url.beside(&delta.file.name).to_string());
        blocking(move || release::applied(&base, arrived, &to, &disk, url)).await.map(Some)
    }

    /// Downloads a file of the release, up to the size that the statement gives.
    async fn file_of(
        &self,
        client: &Client,
        file: &ReleasedFile,
        limits: &Limits,
    ) -> Result<(TempDir, NewFile), Refusal> {
        let url = self.url.beside(&file.name);
        let limits = Limits { bytes_max: limits.bytes_max.min(file.bytes), ..*limits };
        match client.file(&url, &[]).await? {
            Reply::File(arriving) => self.receive(arriving, &url, &limits).await,
            Reply::Same(_) => Err(Refusal::NothingBefore { url: url.to_string() }),
        }
    }

    async fn receive(
        &self,
        arriving: Arriving,
        url: &SnapshotUrl,
        limits: &Limits,
    ) -> Result<(TempDir, NewFile), Refusal> {
        let folder = self.store.incoming()?;
        let path = folder.path().join("arriving");
        let file = receive(arriving, &url.to_string(), (self.store.disk(), &path), limits).await?;
        Ok((folder, file))
    }

    /// Returns the entity tags of files that the server need not send again. A requested check also accepts refused
    /// and withdrawn files.
    fn known_tags(&self, is_asked: bool) -> Vec<String> {
        let own = |origin: &Origin| origin.etag.clone().filter(|_| origin.url == self.url.to_string());
        let mut tags: Vec<String> = self.origin.iter().filter_map(own).collect();
        if !is_asked {
            let refused = self.refused.iter().filter(|refused| !refused.may_be_taken(&self.clock));
            tags.extend(refused.map(|refused| refused.etag.clone()));
            tags.extend(self.store.withdrawn().as_ref().and_then(own));
        }
        tags
    }

    /// Returns to the previous stored snapshot. Withdraws the current one until an operator requests it.
    ///
    /// # Errors
    /// If there is no earlier snapshot, or it cannot be served anymore.
    pub async fn back(&mut self) -> Result<Directory, Refusal> {
        let stored = self.store.previous()?.ok_or(Refusal::NoEarlier)?;
        let (folder, key) = (self.store.incoming()?, self.key.clone());
        let StoredSnapshot { file, signature, origin } = stored;
        let directory = blocking(move || judged_again(file, signature, key.as_ref(), &folder)).await?;
        self.store.back()?;
        self.origin = Some(origin);
        Ok(directory)
    }

    /// Records that the previous snapshot is served again. Without an earlier fetched snapshot, this is the built-in
    /// one.
    pub(super) fn gone_back(&mut self) -> Result<(), Refusal> {
        self.origin = self.store.previous()?.map(|stored| stored.origin);
        self.store.back()
    }
}

/// Makes a copy of a stored snapshot, and checks again that the copy is whole, signed and acceptable.
fn judged_again(
    mut file: File,
    signature: Option<String>,
    key: Option<&SnapshotKey>,
    folder: &TempDir,
) -> Result<Directory, Refusal> {
    let at = "the snapshot stored in --snapshot-dir";
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
    /// Decompresses, verifies and checks a download, and completes its folder.
    fn judge(self, arrived: Arrived) -> Result<(TempDir, Directory, Origin), Refusal> {
        let Arrived { folder, file: mut packed, signature, etag, sha256 } = arrived;
        let at = snapshot_store::snapshot_in(folder.path());
        let failed = |source| disk(folder.path(), source);
        let mut file = match unpacked(packed.file(), (&self.disk, &at), &self.limits)? {
            Some(unpacked) => packed.remove().map(|()| unpacked).map_err(failed)?,
            None => packed.rename(&at).map(|()| packed).map_err(failed)?,
        };
        if let Some(expected) = sha256 {
            release::check_digest(file.file(), expected, &self.url)?;
        }
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
        snapshot_store::complete(&self.disk, folder.path(), &file, signature.as_deref(), &origin)?;
        Ok((folder, directory, origin))
    }
}
