//! The `diff` subcommand: prints the differences between two snapshots.

use std::path::PathBuf;

use anyhow::Result;
use platbook_pipeline::diff::Diff;

use super::{files::open, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The snapshot that services have now.
    old: PathBuf,
    /// The snapshot that is to replace it.
    new: PathBuf,
    /// Maximum number of examples of each kind of change in each state; those that concern the most people come first.
    #[arg(long, default_value_t = 3)]
    examples: usize,
    /// Print all changes as JSON, for programs.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let diff = Diff::between(&open(&args.old)?, &open(&args.new)?);
    print(&if args.json { serde_json::to_string_pretty(&diff)? + "\n" } else { diff.in_words(args.examples) })
}
