//! `platbook resolve --csv`: what the command has beyond the operation.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::csv_rows;
use crate::directory::Directory;

/// The command that takes these options.
pub(super) const COMMAND: &str = "resolve";

#[derive(Debug, clap::Args)]
pub(super) struct CsvArgs {
    /// CSV file of points (- is stdin); writes CSV with the governments of each to stdout
    #[arg(long, value_name = "IN", conflicts_with_all = ["lat", "lon", "address", "place", "state", "format"])]
    pub(super) csv: Option<PathBuf>,
    #[command(flatten)]
    columns: csv_rows::ColumnArgs,
    /// Exit with 1 when a row of the CSV file could not be resolved
    #[arg(long, requires = "csv")]
    strict: bool,
}

/// Resolves each row of a CSV file.
pub(super) fn resolve_csv(path: &Path, args: &CsvArgs, directory: &Directory) -> Result<ExitCode> {
    let (input, progress) = open_csv(path)?;
    let unresolved = csv_rows::resolve_rows(input, io::stdout().lock(), directory, &args.columns, &progress)?;
    progress.finish_and_clear();
    Ok(if args.strict && unresolved > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The input, with a bar where a person watches.
fn open_csv(path: &Path) -> Result<(Box<dyn Read>, ProgressBar)> {
    let (input, bytes): (Box<dyn Read>, _) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let bytes = file.metadata()?.len();
        (Box::new(file), Some(bytes))
    };
    if !io::stderr().is_terminal() {
        return Ok((input, ProgressBar::hidden()));
    }
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    Ok((input, bytes.map_or_else(ProgressBar::no_length, ProgressBar::new).with_style(style)))
}
