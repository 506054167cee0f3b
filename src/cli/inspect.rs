//! `platbook inspect` and `platbook verify`

use std::{fmt::Write, path::PathBuf, process::ExitCode};

use anyhow::Result;

use super::{UsageError, open_directory, print};
use crate::{
    directory::{Coverage, Directory},
    vocabulary::StateCode,
};

#[derive(Debug, clap::Args)]
pub(super) struct InspectArgs {
    /// Snapshot to show [default: the one built in]
    file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Snapshot to check [default: the one built in]
    file: Option<PathBuf>,
    /// Also compare the answers at N points with a second, independent engine
    #[arg(long, value_name = "N")]
    cross_check: Option<u64>,
}

pub(super) fn inspect(args: &InspectArgs) -> Result<ExitCode> {
    let directory = open_directory(args.file.as_deref())?;
    print(&inspect_report(&directory))?;
    Ok(ExitCode::SUCCESS)
}

/// Opening a snapshot checks its lengths and checksums, so a snapshot that opens is whole.
pub(super) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let directory = open_directory(args.file.as_deref())?;
    print(&format!("snapshot {} of {}: whole\n", directory.snapshot_id(), directory.as_of()))?;
    if let Some(points) = args.cross_check {
        print(&cross_check_report(&directory, points)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a snapshot holds, for people.
fn inspect_report(directory: &Directory) -> String {
    let mut report = format!("snapshot  {}\nbuilt     {}\n", directory.snapshot_id(), directory.as_of());
    report.push_str("towns and townships by state\n");
    for state in StateCode::all() {
        let coverage = coverage_word(directory.cousub_coverage(state));
        let _ = writeln!(report, "  {state}  {coverage}"); // writing to a String cannot fail
    }
    report
}

fn coverage_word(coverage: Coverage) -> &'static str {
    match coverage {
        Coverage::Complete => "complete",
        Coverage::Partial => "partial",
        Coverage::NotApplicable => "none exist",
        Coverage::Missing => "missing",
    }
}

/// Compares answers at random points.
fn cross_check_report(_directory: &Directory, _points: u64) -> Result<String> {
    Err(UsageError("--cross-check is not in this version yet".to_owned()).into())
}
