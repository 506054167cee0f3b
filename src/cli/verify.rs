//! `platbook verify`: checks a snapshot. On demand, also compares two lookup engines.

use std::{
    fmt,
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use serde::Serialize;

use super::{number, open_directory, print, print_json};
use platbook::{
    directory::Directory,
    reference::{CrossCheck, cross_check},
};

/// Seed of the random points, fixed so that a difference between the engines can be reproduced.
const SEED: u64 = 1;

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Snapshot to check [default: the one built in]
    file: Option<PathBuf>,
    /// Also compare the answers at N points with a second, independent engine
    #[arg(long, value_name = "N", value_parser = number::from_zero::<u64>)]
    cross_check: Option<u64>,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

/// The result of the check.
#[derive(Debug, Serialize)]
struct Verified<'a> {
    snapshot: &'a str,
    built: &'a str,
    is_whole: bool,
    cross_check: Option<Compared>,
}

/// The comparison of the two engines.
#[derive(Debug, Serialize)]
struct Compared {
    points: u64,
    covered: u64,
    on_border: u64,
    differences: u64,
    /// The first differences, one line each.
    examples: Vec<String>,
}

/// Checks a snapshot. Opening a file verifies the snapshot. Opening the built-in snapshot skips this step, so this
/// function verifies it.
pub(super) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let directory = open_directory(args.file.as_deref())?;
    if args.file.is_none() {
        directory.snapshot().verify()?;
    }
    let cross_check = args.cross_check.map(|count| compare_engines(&directory, count));
    let differences = cross_check.as_ref().map_or(0, |compared| compared.differences);
    let verified =
        Verified { snapshot: directory.snapshot_id(), built: directory.as_of(), is_whole: true, cross_check };
    if args.json {
        print_json(&verified)?;
    } else {
        print(&verified.to_string())?;
    }
    if differences > 0 {
        bail!("the engines differ on {differences} points: report the first ones, listed above");
    }
    Ok(ExitCode::SUCCESS)
}

fn compare_engines(directory: &Directory, count: u64) -> Compared {
    let progress = if io::stderr().is_terminal() { ProgressBar::new(count) } else { ProgressBar::hidden() };
    let found = cross_check(directory, count, SEED, || progress.inc(1));
    progress.finish_and_clear();
    let CrossCheck { points, on_border, covered, differences, difference_count } = found;
    let line = |(point, trie, reference)| format!("{point}: trie {trie:?}, reference {reference:?}");
    let examples = differences.into_iter().map(line).collect();
    Compared { points, covered, on_border, differences: difference_count, examples }
}

/// Formats the result for people.
impl fmt::Display for Verified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "snapshot {} of {} is whole", self.snapshot, self.built)?;
        let Some(Compared { points, covered, on_border, examples, .. }) = &self.cross_check else {
            return Ok(());
        };
        writeln!(
            f,
            "compared {points} points, {covered} of them covered; {on_border} more lay exactly on a border"
        )?;
        examples.iter().try_for_each(|example| writeln!(f, "{example}"))
    }
}
