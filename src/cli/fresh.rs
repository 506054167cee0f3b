//! Chooses the first snapshot of a server and the source of newer ones, and handles the signals for both. The module
//! `shipping` fetches and checks snapshots.

use std::{
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Deserializer, de};
use tokio::sync::mpsc;

use super::{UsageError, open_directory};
use crate::{
    http::{Freshness, Service},
    shipping::{
        BadAddress, Clock, Event, Limits, Order, Refusal, Remote, SnapshotKey, SnapshotStore, SnapshotUrl,
        Source, WatchedFile, built_in, first, follow,
    },
    system::SnapshotSignals,
};
use platbook::{directory::Directory, snapshot::SnapshotError};

/// Default folder for snapshots that are fetched from an address.
const FOLDER: &str = "/var/lib/platbook";

/// Default pause between polls of an address. Chosen, not measured.
const EVERY: Duration = Duration::from_secs(15 * 60);

/// Maximum number of orders that wait while another is carried out. More orders would only repeat these.
const ORDERS_MAX: usize = 4;

/// Names in `/readyz` for the source of the served snapshot.
const BUILT_IN: &str = "built in";
const OF_FILE: &str = "file";
const KEPT: &str = "kept";
const FETCHED: &str = "fetched";

/// The reason in `/readyz` until the first poll ends.
const FIRST_LOOK: &str = "the first file is being fetched";

/// The reason in `/readyz` after a rollback, until a newer snapshot appears.
const WENT_BACK: &str = "an operator went back to it";

/// Options for the source of snapshots.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct FreshArgs {
    /// Snapshot to answer from; a replacement of the file is served within seconds unless it is damaged, unfit or older
    /// [default: the built-in one]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_SNAPSHOT", conflicts_with = "snapshot_url")]
    snapshot: Option<PathBuf>,
    /// Address to fetch snapshots from: a file, plain or packed with zstd, or a release (.json) with deltas. The
    /// service checks it again while it runs. It must be https. http is allowed for this machine and, with
    /// --snapshot-key, for private networks
    #[arg(long, value_name = "URL", env = "PLATBOOK_SNAPSHOT_URL")]
    #[serde(default, deserialize_with = "from_text")]
    snapshot_url: Option<SnapshotUrl>,
    /// Pause between polls of the address, such as 15m or 1h; varied by up to a fifth to spread the load [default: 15m]
    #[arg(long, value_name = "TIME", env = "PLATBOOK_SNAPSHOT_EVERY")]
    #[serde(default, deserialize_with = "from_text")]
    snapshot_every: Option<Every>,
    /// Folder that keeps the fetched snapshots: the served one, and the previous one, to which SIGUSR1 returns
    /// [default: /var/lib/platbook]
    #[arg(long, value_name = "DIR", env = "PLATBOOK_SNAPSHOT_DIR")]
    snapshot_dir: Option<PathBuf>,
    /// Minisign public key (RW...) that verifies snapshots. The signature is FILE.minisig or URL.minisig, made by
    /// `platbook-pipeline sign` [default: no signature is required]
    #[arg(long, value_name = "KEY", env = "PLATBOOK_SNAPSHOT_KEY")]
    snapshot_key: Option<SnapshotKey>,
}

/// A pause between two polls, from 1 s to 7 days.
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

/// Parses an optional setting of the configuration file in the same way as on the command line.
fn from_text<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: std::fmt::Display>,
    D: Deserializer<'de>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse()).transpose().map_err(de::Error::custom)
}

impl FreshArgs {
    /// Returns these options, with the unset ones taken from `other`. The source is one unit: a file in `self`
    /// excludes an address in `other`.
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

    /// Opens the first snapshot and the source of newer ones. Waits only for the local disk.
    ///
    /// # Errors
    /// If there is no snapshot to serve and no source, or the options contradict each other.
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
            // A key without an address or a file to check is the operator's mistake.
            (None, None) if self.snapshot_key.is_some() => {
                Err(UsageError("--snapshot-key needs --snapshot or --snapshot-url".to_owned()).into())
            }
            (None, None) => {
                let directory = Some(open_directory(None)?);
                Ok(Start { source: None, directory, from: BUILT_IN })
            }
        }
    }

    /// Returns the address of snapshots and the folder for them. `None` without an address.
    pub(super) fn remote(&self) -> Option<(&SnapshotUrl, PathBuf)> {
        self.snapshot_url.as_ref().map(|url| (url, self.folder()))
    }

    /// Returns the folder for snapshots.
    pub(super) fn folder(&self) -> PathBuf {
        self.snapshot_dir.clone().unwrap_or_else(|| FOLDER.into())
    }

    /// Locks the folder for snapshots of an address.
    ///
    /// # Errors
    /// If another process uses the folder, or the address is safe only with a key.
    pub(super) fn open_folder(&self, url: &SnapshotUrl) -> Result<Remote> {
        if url.is_release() && self.snapshot_key.is_none() {
            let expected = "--snapshot-url of a release needs --snapshot-key, since its statement is signed";
            return Err(UsageError(expected.to_owned()).into());
        }
        let store = SnapshotStore::open(&self.folder()).context("--snapshot-dir")?;
        let every = self.snapshot_every.map_or(EVERY, |every| every.0);
        let remote = Remote::new(url.clone(), self.snapshot_key.clone(), store, every, Limits::default());
        remote.map_err(|error: BadAddress| UsageError(error.to_string()).into())
    }

    /// Starts with the stored snapshot, or else with the built-in one. Without both, the service waits for the first
    /// fetched snapshot.
    fn open_remote(&self, url: &SnapshotUrl) -> Result<Start> {
        let mut remote = self.open_folder(url)?;
        let kept = remote.stored(|event| log(&event))?;
        let source = Some(Source::Url(Box::new(remote)));
        if let Some(directory) = kept {
            return Ok(Start { source, directory: Some(directory), from: KEPT });
        }
        let directory = built_in_one()?;
        match &directory {
            Some(directory) => tracing::info!(
                "fetching the first snapshot from {url}; serving the built-in one of {} until it is there",
                directory.as_of()
            ),
            None => {
                tracing::info!("fetching the first snapshot from {url}; nothing can be answered until then")
            }
        }
        Ok(Start { source, directory, from: BUILT_IN })
    }
}

/// Opens the built-in snapshot; `None` if the program has no such snapshot.
///
/// # Errors
/// Fails if the snapshot cannot be opened.
pub(super) fn built_in_one() -> Result<Option<Directory>> {
    match built_in() {
        Ok(snapshot) => Ok(Some(Directory::new(snapshot))),
        Err(SnapshotError::NotEmbedded) => Ok(None),
        Err(error) => Err(anyhow::Error::from(error).context("the built-in snapshot does not open")),
    }
}

/// The first edition of a service, and the source of newer ones.
pub(super) struct Start {
    source: Option<Source>,
    directory: Option<Directory>,
    /// The source of the first snapshot, for `/readyz`.
    from: &'static str,
}

impl Start {
    /// Returns the local snapshot; `None` if the first one must be fetched.
    pub(super) fn first(&self) -> Option<&Directory> {
        self.directory.as_ref()
    }

    /// Returns the first snapshot. Without a local snapshot, waits until the source provides one, and reports the
    /// wait in `freshness`. `None` without a source.
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

    /// From now on, keeps the snapshot fresh in the background.
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

/// Logs an event and records for `/readyz` what it means.
fn note(event: Event, freshness: &Freshness) {
    log(&event);
    match event {
        Event::Serving { is_back, .. } => {
            freshness.serves(if is_back { KEPT } else { FETCHED });
            freshness.is_behind(is_back.then_some(WENT_BACK));
        }
        Event::Stays(refusal) | Event::Waits(refusal) => freshness.is_behind(Some(refusal.in_short())),
        // The withdrawn snapshot is known already, so a poll finds nothing new. The rollback remains the reason.
        Event::NothingNew { refused: None, .. } if freshness.get().behind == Some(WENT_BACK) => {}
        Event::NothingNew { refused, .. } => freshness.is_behind(refused),
        Event::NotNoted(_) | Event::SetAside(_) | Event::OriginRestored { .. } => {}
    }
}

fn log(event: &Event) {
    match event {
        // A scheduled poll that finds nothing new is not logged: the line would repeat every few minutes.
        Event::NothingNew { is_asked: false, .. } => {}
        Event::Serving { .. } | Event::NothingNew { .. } => tracing::info!("{event}"),
        _ => tracing::warn!("{event}"),
    }
}

/// Makes the error for the file that an option names. A path that is not a file counts as wrong usage.
pub(super) fn of_option(option: &str, path: &Path, refusal: Refusal) -> anyhow::Error {
    match refusal {
        Refusal::NotAFile { .. } => UsageError(format!("{option}: {refusal}")).into(),
        // The texts of these errors name the file already.
        Refusal::Unread { .. } | Refusal::Signature(_) => {
            anyhow::Error::from(refusal).context(option.to_owned())
        }
        refusal => anyhow::Error::from(refusal).context(format!("{option} {}", path.display())),
    }
}

/// The orders of an operator for snapshots, given by signals.
pub(super) struct Orders(SnapshotSignals);

impl Orders {
    /// Handles the signals from now on. Callers call this before they open a snapshot, which takes a while. Signals that
    /// arrive during that time are obeyed once the snapshot is served.
    ///
    /// # Errors
    /// If the system refuses the handlers.
    pub(super) fn hear() -> io::Result<Orders> {
        SnapshotSignals::new().map(Orders)
    }

    /// Returns a channel that yields the orders as signals arrive.
    pub(super) fn given(self) -> mpsc::Receiver<Order> {
        let (sender, ordered) = mpsc::channel(ORDERS_MAX);
        for (mut signals, order) in [(self.0.take, Order::Take), (self.0.back, Order::Back)] {
            let sender = sender.clone();
            tokio::spawn(async move {
                while signals.recv().await.is_some() {
                    // A full channel already holds the same order.
                    let _ = sender.try_send(order);
                }
            });
        }
        ordered
    }
}

/// Logs for each order that the service has no source of snapshots.
async fn ignore(mut orders: mpsc::Receiver<Order>) {
    while orders.recv().await.is_some() {
        tracing::info!(
            "the snapshot is the built-in one: there is no file to reload and no earlier snapshot"
        );
    }
}
