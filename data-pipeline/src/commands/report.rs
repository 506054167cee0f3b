//! The `report` subcommand: prints the content of a snapshot.

use std::{io::Write as _, path::PathBuf};

use anyhow::Result;
use platbook_pipeline::output::report::{self, Holdings};

use super::files::{open, publish};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot to report on.
    #[arg(default_value = "snapshots/default.platbook")]
    snapshot: PathBuf,
    /// Also write a line for each government and function: the office and its known page.
    #[arg(long)]
    records: Option<PathBuf>,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let directory = open(&args.snapshot)?;
    let holdings = Holdings::of(&directory);
    let text = if args.json { serde_json::to_string_pretty(&holdings)? + "\n" } else { holdings.to_string() };
    std::io::stdout().write_all(text.as_bytes())?;
    if let Some(path) = &args.records {
        publish(path, report::jobs(&directory).as_bytes())?;
    }
    Ok(())
}
