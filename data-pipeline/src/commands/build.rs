//! The `build` subcommand: writes a snapshot and its summary.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Context as _, Result, ensure};
use indicatif::ProgressBar;
use platbook::{
    files::durable::Disk,
    vocabulary::{Layer, StateCode},
};
use platbook_pipeline::{
    build::{self, Options},
    links::Table,
};

use super::{
    files::{open, publish},
    input_args::{InputArgs, SimplifyArgs},
    print,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    /// File to write; replaced only by a complete one. Its summary is written beside it.
    #[arg(long, default_value = "snapshots/default.platbook")]
    out: PathBuf,
    #[command(flatten)]
    simplify: SimplifyArgs,
    /// Build one state (two letters) from its files alone. Points in other states are outside of coverage and have no
    /// offices. The state's outer lines are not fitted to those of its neighbors.
    #[arg(long, value_name = "STATE")]
    state: Option<StateCode>,
    /// Results of link checks: the table that `check-links` writes [default: no link is verified]
    #[arg(long, value_name = "FILE")]
    links: Option<PathBuf>,
    /// Snapshot before this one: its history is continued with the changes since then [default: no history]
    #[arg(long, value_name = "OLD")]
    after: Option<PathBuf>,
    /// Also write a line for each record that was dropped, repaired or missed.
    #[arg(long)]
    records: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // Checked now, so that a build that takes minutes does not fail at its end.
    for path in [Some(&args.out), args.records.as_ref()].into_iter().flatten() {
        Disk::default().check_writable(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut manifest = args.inputs.manifest()?;
    if let Some(state) = args.state {
        manifest.narrow(state);
        ensure!(
            manifest
                .sources
                .iter()
                .any(|source| source.layer == Some(Layer::County) && !source.files.is_empty()),
            "the manifest names no file with counties of {}; name one, or build another state",
            state.name()
        );
        eprintln!("note: building {} alone; points outside of it will not be covered", state.name());
    }
    let spinner = ProgressBar::new_spinner();
    let simplify = args.simplify.tolerance();
    let links = args.links.as_deref().map(Table::read).transpose()?.unwrap_or_default();
    let (data, curated) = (args.inputs.data.clone(), args.inputs.curated.clone());
    let after = args.after.as_deref().map(open).transpose()?.map(Arc::new);
    let options = Options { data, curated, simplify, links, after };
    let built = build::build(&manifest, &options, &|what| {
        // Without a terminal, each step is a line of the log.
        if spinner.is_hidden() {
            eprintln!("{what}");
        }
        spinner.set_message(what.to_owned());
        spinner.tick();
    })?;
    spinner.finish_and_clear();
    publish(&args.out, built.directory.snapshot().bytes())?;
    publish(&args.out.with_extension("summary.txt"), built.report.summary().as_bytes())?;
    if let Some(path) = &args.records {
        publish(path, built.report.records().as_bytes())?;
    }
    print(built.report.summary())
}
