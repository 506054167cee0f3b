//! `platbook verify`

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Result, bail};
use indicatif::ProgressBar;

use super::{open_directory, print};
use crate::{
    directory::Directory,
    reference::{CrossCheck, cross_check},
};

/// The same points in every run, so that a difference can be looked into.
const SEED: u64 = 1;

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Snapshot to check [default: the one built in]
    file: Option<PathBuf>,
    /// Also compare the answers at N points with a second, independent engine
    #[arg(long, value_name = "N")]
    cross_check: Option<u64>,
}

/// Opening a snapshot checks its lengths and checksums, so a snapshot that opens is whole.
pub(super) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let directory = open_directory(args.file.as_deref())?;
    print(&format!("snapshot {} of {} is whole\n", directory.snapshot_id(), directory.as_of()))?;
    if let Some(count) = args.cross_check {
        compare_engines(&directory, count)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn compare_engines(directory: &Directory, count: u64) -> Result<()> {
    let progress = if io::stderr().is_terminal() { ProgressBar::new(count) } else { ProgressBar::hidden() };
    let found = cross_check(directory, count, SEED, || progress.inc(1));
    progress.finish_and_clear();
    let CrossCheck { points, on_border, covered, differences, difference_count } = found;
    print(&format!(
        "compared {points} points, {covered} of them covered; {on_border} more lay exactly on a border\n"
    ))?;
    for (point, trie, reference) in differences {
        print(&format!("{point}: trie {trie:?}, reference {reference:?}\n"))?;
    }
    if difference_count > 0 {
        bail!(
            "the engines differ on {difference_count} of {points} points: report the first ones, listed above"
        );
    }
    Ok(())
}
