//! The `report` subcommand: prints the content of a snapshot.

use std::path::{Path, PathBuf};

use anyhow::Result;
use platbook_pipeline::{
    boundaries::load::load_listed,
    input::manifest::Manifest,
    output::report::{self, CensusList, Holdings},
};

use super::{
    files::{open, publish},
    print,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot to report on.
    #[arg(default_value = "snapshots/default.platbook")]
    snapshot: PathBuf,
    /// Also write a line for each government and function: the office and its known page.
    #[arg(long)]
    records: Option<PathBuf>,
    /// Directory of the published files. With it, the report also says which governments of the manifest's
    /// Census list are found at a point inside them.
    #[arg(long, env = "PLATBOOK_DATA")]
    data: Option<PathBuf>,
    /// The manifest that names the Census list.
    #[arg(long, default_value = "data-pipeline/sources.toml")]
    manifest: PathBuf,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let directory = open(&args.snapshot)?;
    let list = args.data.as_deref().map(|data| census_list(&args.manifest, data)).transpose()?.flatten();
    let holdings = Holdings::of(&directory, list.as_ref());
    let text = if args.json { serde_json::to_string_pretty(&holdings)? + "\n" } else { holdings.to_string() };
    print(&text)?;
    if let Some(path) = &args.records {
        publish(path, report::jobs(&directory).as_bytes())?;
    }
    Ok(())
}

fn census_list(manifest: &Path, data: &Path) -> Result<Option<CensusList>> {
    let manifest = Manifest::load(manifest)?;
    let (units, people) = load_listed(&manifest, data)?;
    Ok(CensusList::of(&manifest, units, people))
}
