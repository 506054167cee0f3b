//! Which snapshot a server begins with, and where fresh ones come from.

use std::{
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Deserializer, de};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
};

use super::{UsageError, open_directory};
use crate::{
    http::{Freshness, Service},
    shipping::{
        BadAddress, Clock, Event, Limits, Order, Refusal, Remote, Shelf, SnapshotKey, SnapshotUrl, Source,
        WatchedFile, built_in, first, follow,
    },
};
use platbook::{directory::Directory, snapshot::SnapshotError};

/// Where snapshots of an address are kept, unless told otherwise.
const FOLDER: &str = "/var/lib/platbook";

/// How often an address is asked, unless told otherwise.
const EVERY: Duration = Duration::from_secs(15 * 60);

/// Orders that wait while one is carried out: more say nothing new.
const ORDERS_MAX: usize = 4;

/// Where a served snapshot comes from, in `/readyz`.
const BUILT_IN: &str = "built in";
const OF_FILE: &str = "file";
const KEPT: &str = "kept";
const FETCHED: &str = "fetched";

/// The reason in `/readyz` while the address has not answered yet.
const FIRST_LOOK: &str = "the first file is being fetched";

/// The reason in `/readyz` after a rollback, until a newer snapshot appears.
const WENT_BACK: &str = "an operator went back to it";

/// Where snapshots come from.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct FreshArgs {
    /// Snapshot to answer from; another file that is put in its place is served within seconds, if it is whole, fit and
    /// not older [default: the one built in]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_SNAPSHOT", conflicts_with = "snapshot_url")]
    snapshot: Option<PathBuf>,
    /// Address to fetch snapshots from, as they are or packed with zstd: asked again and again, beside what is served.
    /// https; http only for this machine, and with --snapshot-key for private networks
    #[arg(long, value_name = "URL", env = "PLATBOOK_SNAPSHOT_URL")]
    #[serde(default, deserialize_with = "from_text")]
    snapshot_url: Option<SnapshotUrl>,
    /// How often the address is asked, such as 15m or 1h; a fifth more or less, so that servers do not ask together
    /// [default: 15m]
    #[arg(long, value_name = "TIME", env = "PLATBOOK_SNAPSHOT_EVERY")]
    #[serde(default, deserialize_with = "from_text")]
    snapshot_every: Option<Every>,
    /// Folder for snapshots of the address: the one that is served, and the one before, to go back to with SIGUSR1
    /// [default: /var/lib/platbook]
    #[arg(long, value_name = "DIR", env = "PLATBOOK_SNAPSHOT_DIR")]
    snapshot_dir: Option<PathBuf>,
    /// Public key of minisign (RW...) that snapshots must be signed with: FILE.minisig or URL.minisig, made by
    /// `platbook-pipeline sign` [default: no signature is asked for]
    #[arg(long, value_name = "KEY", env = "PLATBOOK_SNAPSHOT_KEY")]
    snapshot_key: Option<SnapshotKey>,
}

/// A pause between two looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Every(Duration);

impl FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Every, String> {
        let wrong = || format!("expected a time from 1s to 7d, such as 15m or 1h, got {text:?}");
        let given: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
        let every = given.unsigned_abs();
        let is_sensible = given.is_positive() && (1..=7 * 86_400).contains(&every.as_secs());
        if is_sensible { Ok(Every(every)) } else { Err(wrong()) }
    }
}

/// What is written as text in a configuration file, too.
fn from_text<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: std::fmt::Display>,
    D: Deserializer<'de>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse()).transpose().map_err(de::Error::custom)
}

impl FreshArgs {
    /// What is set here, or else there. Where snapshots come from is said in one place: a file here is not an address
    /// there.
    pub(super) fn or(self, other: FreshArgs) -> FreshArgs {
        let is_said = self.snapshot.is_some() || self.snapshot_url.is_some();
        let other_origin = if is_said { (None, None) } else { (other.snapshot, other.snapshot_url) };
        FreshArgs {
            snapshot: self.snapshot.or(other_origin.0),
            snapshot_url: self.snapshot_url.or(other_origin.1),
            snapshot_every: self.snapshot_every.or(other.snapshot_every),
            snapshot_dir: self.snapshot_dir.or(other.snapshot_dir),
            snapshot_key: self.snapshot_key.or(other.snapshot_key),
        }
    }

    /// The snapshot to begin with, and where others come from. Nothing is waited for but this machine's disk.
    ///
    /// # Errors
    /// When there is none that can be served and none will come, or the options do not fit together.
    pub(super) fn open(&self) -> Result<Start> {
        let is_followed = self.snapshot.is_some() || self.snapshot_url.is_some();
        if let Some(fault) = Clock::default().fault().filter(|_| is_followed) {
            tracing::warn!("{fault}");
        }
        match (&self.snapshot, &self.snapshot_url) {
            (Some(_), Some(_)) => {
                Err(UsageError("give --snapshot or --snapshot-url, not both".to_owned()).into())
            }
            (Some(path), None) => {
                let (file, directory) = WatchedFile::open(path, self.snapshot_key.clone())
                    .map_err(|refusal| of_option("--snapshot", path, refusal))?;
                let source = Some(Source::File(Box::new(file)));
                Ok(Start { source, directory: Some(directory), from: OF_FILE })
            }
            (None, Some(url)) => self.open_remote(url),
            // Whoever gives a key relies on it.
            (None, None) if self.snapshot_key.is_some() => {
                Err(UsageError("--snapshot-key needs --snapshot or --snapshot-url".to_owned()).into())
            }
            (None, None) => {
                let directory = Some(open_directory(None)?);
                Ok(Start { source: None, directory, from: BUILT_IN })
            }
        }
    }

    /// What was kept last; where nothing was, what is built in; and where nothing is, the service waits for the first.
    fn open_remote(&self, url: &SnapshotUrl) -> Result<Start> {
        let folder = self.snapshot_dir.clone().unwrap_or_else(|| FOLDER.into());
        let shelf = Shelf::open(&folder).context("--snapshot-dir")?;
        let every = self.snapshot_every.map_or(EVERY, |every| every.0);
        let remote = Remote::new(url.clone(), self.snapshot_key.clone(), shelf, every, Limits::default());
        let mut remote = remote.map_err(|error: BadAddress| UsageError(error.to_string()))?;
        let kept = remote.kept(|event| log(&event))?;
        let source = Some(Source::Url(Box::new(remote)));
        if let Some(directory) = kept {
            return Ok(Start { source, directory: Some(directory), from: KEPT });
        }
        let directory = match built_in() {
            Ok(snapshot) => Some(Directory::new(snapshot)),
            Err(SnapshotError::NotEmbedded) => None,
            Err(error) => {
                return Err(anyhow::Error::from(error).context("the built-in snapshot does not open"));
            }
        };
        match &directory {
            Some(directory) => tracing::info!(
                "fetching the first snapshot from {url}; serving the built-in one of {} until it is there",
                directory.as_of()
            ),
            None => {
                tracing::info!("fetching the first snapshot from {url}; there is none to serve until then")
            }
        }
        Ok(Start { source, directory, from: BUILT_IN })
    }
}

/// The first edition of a service, and its source.
pub(super) struct Start {
    source: Option<Source>,
    directory: Option<Directory>,
    /// Where the snapshot comes from.
    from: &'static str,
}

impl Start {
    /// The snapshot to begin with, where there is one; else the first of the source. `freshness` is what callers are told
    /// meanwhile.
    pub(super) async fn directory(
        &mut self,
        orders: &mut mpsc::Receiver<Order>,
        freshness: &Freshness,
    ) -> Option<Directory> {
        if let Some(directory) = self.directory.take() {
            return Some(directory);
        }
        freshness.is_behind(Some(FIRST_LOOK));
        let found = first(self.source.as_mut()?, orders, |event| note(event, freshness)).await;
        self.from = FETCHED;
        Some(found)
    }

    /// Serves fresh snapshots from now on.
    pub(super) fn keep(self, orders: mpsc::Receiver<Order>, service: &Arc<Service>) {
        let freshness = service.health().freshness();
        freshness.serves(self.from);
        let Some(source) = self.source else {
            drop(tokio::spawn(ignore(orders)));
            return;
        };
        if self.from == BUILT_IN {
            freshness.is_behind(Some(FIRST_LOOK));
        }
        let of_service = Arc::clone(service);
        let tell = move |event| note(event, of_service.health().freshness());
        drop(tokio::spawn(follow(source, Arc::clone(service), orders, tell)));
    }
}

/// Logs an event, and keeps what it means for `/readyz`.
fn note(event: Event, freshness: &Freshness) {
    log(&event);
    match event {
        Event::Serving { is_back, .. } => {
            freshness.serves(if is_back { KEPT } else { FETCHED });
            freshness.is_behind(is_back.then_some(WENT_BACK));
        }
        Event::Stays(refusal) | Event::Waits(refusal) => freshness.is_behind(Some(refusal.in_short())),
        // The one that was left is known, so a look says that there is nothing new.
        Event::NothingNew { refused: None, .. } if freshness.get().behind == Some(WENT_BACK) => {}
        Event::NothingNew { refused, .. } => freshness.is_behind(refused),
        Event::NotNoted(_) | Event::SetAside(_) | Event::OriginRestored { .. } => {}
    }
}

fn log(event: &Event) {
    match event {
        // What is looked for every minute and is not there is not worth a line.
        Event::NothingNew { is_asked: false, .. } => {}
        Event::Serving { .. } | Event::NothingNew { .. } => tracing::info!("{event}"),
        _ => tracing::warn!("{event}"),
    }
}

/// Why the file of an option is not served. A path that is no file is a slip of whoever typed it.
pub(super) fn of_option(option: &str, path: &Path, refusal: Refusal) -> anyhow::Error {
    match refusal {
        Refusal::NotAFile { .. } => UsageError(format!("{option}: {refusal}")).into(),
        // These name the file themselves.
        Refusal::Unread { .. } | Refusal::Signature(_) => {
            anyhow::Error::from(refusal).context(option.to_owned())
        }
        refusal => anyhow::Error::from(refusal).context(format!("{option} {}", path.display())),
    }
}

/// The signals about snapshots: SIGHUP takes what is there, SIGUSR1 goes back.
pub(super) struct Orders {
    take: Signal,
    back: Signal,
}

impl Orders {
    /// Hears them from now on: none ends the process any more. Asked for before a snapshot is opened, which takes a while;
    /// what comes meanwhile is done once it is served.
    ///
    /// # Errors
    /// When the system refuses signals.
    pub(super) fn hear() -> io::Result<Orders> {
        // Programs are asked by this one, too, to read their files anew.
        drop(signal(SignalKind::user_defined2())?);
        Ok(Orders { take: signal(SignalKind::hangup())?, back: signal(SignalKind::user_defined1())? })
    }

    /// The orders, as they come.
    pub(super) fn given(self) -> mpsc::Receiver<Order> {
        let (sender, ordered) = mpsc::channel(ORDERS_MAX);
        for (mut signals, order) in [(self.take, Order::Take), (self.back, Order::Back)] {
            let sender = sender.clone();
            tokio::spawn(async move {
                while signals.recv().await.is_some() {
                    // When it is full, the same was asked for already.
                    let _ = sender.try_send(order);
                }
            });
        }
        ordered
    }
}

/// Says that there is nothing to read anew.
async fn ignore(mut orders: mpsc::Receiver<Order>) {
    while orders.recv().await.is_some() {
        tracing::info!("the snapshot is the one built in; there is no file to read anew, nor one before it");
    }
}
