//! `platbook-pipeline report`

use std::{io::Write as _, path::PathBuf};

use anyhow::{Context, Result};
use platbook::{directory::Directory, snapshot::Snapshot};
use platbook_pipeline::output::{publish::publish, report};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The snapshot.
    #[arg(default_value = "snapshots/default.platbook")]
    snapshot: PathBuf,
    /// Also write a line for each government and function: who does it, and which page is known.
    #[arg(long)]
    records: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let path = &args.snapshot;
    let snapshot = Snapshot::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let bytes = std::fs::metadata(path).with_context(|| format!("cannot open {}", path.display()))?.len();
    let directory = Directory::new(snapshot);
    std::io::stdout().write_all(report::of_snapshot(&directory, bytes).as_bytes())?;
    if let Some(path) = &args.records {
        publish(path, report::jobs(&directory).as_bytes())?;
    }
    Ok(())
}
