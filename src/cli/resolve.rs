//! `platbook resolve`

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::{SnapshotArgs, answer::print_answer, csv_rows, open_directory, site};
use crate::{answers::Answers, operations::RESOLVE};

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct ResolveArgs {
    /// Latitude, WGS84 decimal degrees
    lat: Option<String>,
    /// Longitude, WGS84 decimal degrees (west is negative)
    lon: Option<String>,
    /// Free-text address
    #[arg(long, value_name = "TEXT")]
    address: Option<String>,
    /// Name of a county, city, town or township; with --state
    #[arg(long, value_name = "NAME")]
    place: Option<String>,
    /// Two-letter state code; with --place
    #[arg(long, value_name = "ST")]
    state: Option<String>,
    /// CSV file of points (- is stdin); writes CSV with the governments of each to stdout
    #[arg(long, value_name = "IN", conflicts_with_all = ["lat", "lon", "address", "place", "state"])]
    csv: Option<PathBuf>,
    #[command(flatten)]
    columns: csv_rows::ColumnArgs,
    /// Exit with 1 when a row of the CSV file could not be resolved
    #[arg(long, requires = "csv")]
    strict: bool,
    #[command(flatten)]
    snapshot: SnapshotArgs,
    /// Public address that answers link to
    #[arg(long, value_name = "URL", env = "PLATBOOK_SITE_URL", value_parser = site::site_url,
          default_value = site::SITE_URL)]
    site_url: String,
}

pub(super) fn resolve(args: ResolveArgs) -> Result<ExitCode> {
    let directory = open_directory(args.snapshot.snapshot.as_deref())?;
    let Some(path) = &args.csv else {
        let answers = Answers::new(directory, &args.site_url);
        return resolve_one(&args, &answers).map(|()| ExitCode::SUCCESS);
    };
    let (input, progress) = open_csv(path)?;
    let unresolved =
        csv_rows::resolve_rows(input, io::stdout().lock(), &directory, &args.columns, &progress)?;
    progress.finish_and_clear();
    Ok(if args.strict && unresolved > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn resolve_one(args: &ResolveArgs, answers: &Answers) -> Result<()> {
    let ResolveArgs { lat, lon, address, place, state, .. } = args;
    let named = [("lat", lat), ("lon", lon), ("address", address), ("place", place), ("state", state)];
    print_answer(answers, &RESOLVE, named.map(|(name, value)| (name, value.as_ref())))
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
