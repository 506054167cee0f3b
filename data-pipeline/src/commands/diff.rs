//! The `diff` subcommand: prints the differences between two snapshots.

use std::{io::Write as _, path::PathBuf};

use anyhow::Result;
use platbook_pipeline::diff::Diff;

use super::files::open;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The snapshot that services have now.
    old: PathBuf,
    /// The snapshot that is to replace it.
    new: PathBuf,
    /// Examples of each kind in each state, the most populous first.
    #[arg(long, default_value_t = 3)]
    examples: usize,
    /// Print all changes as JSON, for programs.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let diff = Diff::between(&open(&args.old)?, &open(&args.new)?);
    let mut out = std::io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &diff)?;
        writeln!(out)?;
    } else {
        out.write_all(diff.in_words(args.examples).as_bytes())?;
    }
    Ok(())
}
