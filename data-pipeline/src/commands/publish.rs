//! The `publish` subcommand: fills the folder of a file server with a release.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use jiff::{SignedDuration, Timestamp};
use platbook_pipeline::publish::{Published, Publisher, STATEMENT};

use super::{
    files::bytes_of,
    sign::{KeyArgs, secret_key},
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot file to publish.
    file: PathBuf,
    #[command(flatten)]
    release: ReleaseArgs,
}

/// The options for a release.
#[derive(clap::Args)]
pub(super) struct ReleaseArgs {
    /// Folder that a file server shows; it keeps the packed snapshots that deltas start from.
    #[arg(long, value_name = "DIR")]
    pub(super) to: PathBuf,
    #[command(flatten)]
    pub(super) key: KeyArgs,
    /// Time after which services warn that newer statements are withheld, unless one has replaced it.
    #[arg(long, value_name = "TIME", default_value = "72h")]
    expires: SignedDuration,
    /// Number of earlier snapshots from which deltas are made.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(super) keep: u8,
}

impl ReleaseArgs {
    /// The time at which a statement that is written at `now` expires.
    pub(super) fn expires_after(&self, now: Timestamp) -> Result<Timestamp> {
        ensure!(self.expires.is_positive(), "expected a time such as 72h in --expires, got {}", self.expires);
        now.checked_add(self.expires).context("--expires")
    }
}

/// Publishes a snapshot, and prints what services will fetch.
pub(crate) fn run(args: &Args) -> Result<()> {
    let ReleaseArgs { to, keep, .. } = &args.release;
    let expires = args.release.expires_after(Timestamp::now())?;
    let bytes = bytes_of(&args.file)?;
    let key = secret_key(&args.release.key)?;
    let publisher = Publisher { folder: to, key: &key, expires, keep: (*keep).into() };
    let Published { release, is_renewed, removed } =
        publisher.publish(&bytes).with_context(|| args.file.display().to_string())?;
    let snapshot = &release.snapshot;
    let verb = if is_renewed { "renewed" } else { "published" };
    say!("{verb} snapshot {} of {} until {}", snapshot.id, snapshot.as_of, release.expires);
    say!("whole: {} bytes, unpacked {}", release.file.bytes, snapshot.bytes);
    for delta in &release.deltas {
        say!("from {} of {}: {} bytes", delta.from.id, delta.from.as_of, delta.file.bytes);
    }
    say!("removed {} files; services follow {}", removed.len(), to.join(STATEMENT).display());
    Ok(())
}
