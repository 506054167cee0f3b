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
    runtime::Builder,
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
};

use super::{UsageError, open_directory};
use crate::{
    directory::Directory,
    http::Service,
    shipping::{
        BadAddress, Event, Limits, Order, Refusal, Remote, Shelf, SnapshotKey, SnapshotUrl, Source,
        WatchedFile, follow,
    },
};

/// Where snapshots of an address are kept, unless told otherwise.
const FOLDER: &str = "/var/lib/platbook";

/// How often an address is asked, unless told otherwise.
const EVERY: Duration = Duration::from_secs(15 * 60);

/// Orders that wait while one is carried out: more say nothing new.
const ORDERS_MAX: usize = 4;

/// Where snapshots come from.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct FreshArgs {
    /// Snapshot to answer from; another file that is put in its place is served within seconds, if it is whole, fit and
    /// not older [default: the one built in]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_SNAPSHOT", conflicts_with = "snapshot_url")]
    snapshot: Option<PathBuf>,
    /// Address to fetch snapshots from, as they are or packed with zstd: asked at the start and then again and again.
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

    /// The snapshot to begin with, and where others come from.
    ///
    /// # Errors
    /// When there is none that can be served, or the options do not fit together.
    pub(super) fn open(&self) -> Result<(Option<Source>, Directory)> {
        match (&self.snapshot, &self.snapshot_url) {
            (Some(_), Some(_)) => {
                Err(UsageError("give --snapshot or --snapshot-url, not both".to_owned()).into())
            }
            (Some(path), None) => {
                let (file, directory) = WatchedFile::open(path, self.snapshot_key.clone())
                    .map_err(|refusal| of_option("--snapshot", path, refusal))?;
                Ok((Some(Source::File(Box::new(file))), directory))
            }
            (None, Some(url)) => {
                let (remote, directory) = self.open_remote(url)?;
                Ok((Some(Source::Url(Box::new(remote))), directory))
            }
            // Whoever gives a key relies on it.
            (None, None) if self.snapshot_key.is_some() => {
                Err(UsageError("--snapshot-key needs --snapshot or --snapshot-url".to_owned()).into())
            }
            (None, None) => Ok((None, open_directory(None)?)),
        }
    }

    /// What was kept last; where nothing was, what is at the address; and where nobody answers, what is built in.
    fn open_remote(&self, url: &SnapshotUrl) -> Result<(Remote, Directory)> {
        let folder = self.snapshot_dir.clone().unwrap_or_else(|| FOLDER.into());
        let shelf = Shelf::open(&folder).context("--snapshot-dir")?;
        let every = self.snapshot_every.map_or(EVERY, |every| every.0);
        let remote = Remote::new(url.clone(), self.snapshot_key.clone(), shelf, every, Limits::default());
        let mut remote = remote.map_err(|error: BadAddress| UsageError(error.to_string()))?;
        let kept =
            remote.kept(|refusal| tracing::warn!("a snapshot that was kept is not served: {refusal}"))?;
        if let Some(directory) = kept {
            return Ok((remote, directory));
        }
        tracing::info!("fetching the first snapshot from {url}");
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let first = match runtime.block_on(remote.look(None, false)) {
            Ok(Some(directory)) => directory,
            Ok(None) => open_directory(None)?,
            Err(refusal) => {
                let directory = open_directory(None).with_context(|| refusal.to_string())?;
                tracing::warn!("{refusal}; serving the built-in snapshot of {}", directory.as_of());
                directory
            }
        };
        Ok((remote, first))
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
}

/// Serves fresh snapshots from now on.
pub(super) fn keep(source: Option<Source>, orders: Orders, service: &Arc<Service>) {
    let (sender, ordered) = mpsc::channel(ORDERS_MAX);
    for (mut signals, order) in [(orders.take, Order::Take), (orders.back, Order::Back)] {
        let sender = sender.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                // When it is full, the same was asked for already.
                let _ = sender.try_send(order);
            }
        });
    }
    match source {
        Some(source) => {
            let tell = |event: Event| match event {
                Event::Stays(_) | Event::NotNoted(_) => tracing::warn!("{event}"),
                Event::Serving { .. } | Event::NothingNew => tracing::info!("{event}"),
            };
            drop(tokio::spawn(follow(source, Arc::clone(service), ordered, tell)));
        }
        None => drop(tokio::spawn(ignore(ordered))),
    }
}

/// Says that there is nothing to read anew.
async fn ignore(mut orders: mpsc::Receiver<Order>) {
    while orders.recv().await.is_some() {
        tracing::info!("the snapshot is the one built in; there is no file to read anew, nor one before it");
    }
}
