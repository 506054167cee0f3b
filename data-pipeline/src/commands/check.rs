//! The `check` subcommand: prints faults and changes of the hand-kept tables.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use platbook_pipeline::check::{Checked, check};

use super::files::open;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the hand-kept tables.
    #[arg(long, default_value = "data-pipeline/curated")]
    curated: PathBuf,
    /// The built snapshot that the tables are compared with.
    #[arg(long, default_value = "snapshots/default.platbook")]
    snapshot: PathBuf,
}

/// Prints faults to standard error and changes to standard output; fails if there are faults.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let directory = if args.snapshot.exists() {
        Some(open(&args.snapshot)?)
    } else {
        eprintln!("note: {} is missing, so answers are not compared", args.snapshot.display());
        None
    };
    let checked = check(&args.curated, directory.as_ref());
    show(&checked)?;
    Ok(if checked.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(checked: &Checked) -> Result<()> {
    for fault in &checked.faults {
        eprintln!("{fault}");
    }
    for note in &checked.notes {
        say!("note: {note}; only a build with the published lists can decide this");
    }
    for change in &checked.changes {
        say!("{change}");
    }
    say!("{} faults; {} changes of answers", checked.faults.len(), checked.changes.len());
    Ok(())
}
