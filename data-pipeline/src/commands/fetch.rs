//! The `fetch` subcommand: downloads TIGER/Line files with a progress bar.

use std::path::PathBuf;

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use platbook::vocabulary::{Layer, StateCode};
use platbook_pipeline::fetch::{Limits, OFFICIAL_BASE_URL, Order, Progress, fetch, write_manifest};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// TIGER/Line year, such as 2024.
    #[arg(long, value_parser = clap::value_parser!(u16).range(2011..=2100))]
    vintage: u16,
    /// Directory for the files; interrupted downloads resume.
    #[arg(long, env = "PLATBOOK_DATA")]
    data: PathBuf,
    /// Address of the published files, up to `/TIGER{year}`.
    #[arg(long, default_value = OFFICIAL_BASE_URL)]
    base_url: String,
    /// Layers, separated by commas: state, county, cousub, place.
    #[arg(long, value_delimiter = ',', default_value = "state,county,cousub,place", value_parser = layer)]
    layers: Vec<Layer>,
    /// Two-letter codes of the states for subdivisions and places, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    states: Vec<StateCode>,
    /// File for the manifest [default: DATA/sources.toml]
    #[arg(long)]
    manifest: Option<PathBuf>,
}

fn layer(word: &str) -> Result<Layer> {
    match Layer::from_prefix(word) {
        Some(layer) => Ok(layer),
        None => bail!("expected state, county, cousub or place"),
    }
}

pub(crate) fn run(args: Args) -> Result<()> {
    let states = if args.states.is_empty() { StateCode::all().collect() } else { args.states };
    let order = Order {
        vintage: args.vintage,
        layers: args.layers,
        states,
        base_url: args.base_url,
        data_dir: args.data,
        limits: Limits::default(),
    };
    // The bar draws nothing when standard error is not a terminal.
    let template = "{prefix} {bar:30} {bytes}/{total_bytes} {binary_bytes_per_sec} {msg}";
    let bar = ProgressBar::no_length().with_style(ProgressStyle::with_template(template)?);
    let mut current = usize::MAX;
    let report = fetch(&order, |progress: Progress| {
        if current != progress.index {
            current = progress.index;
            bar.reset();
            bar.set_prefix(format!("[{}/{}]", progress.index + 1, progress.files));
            bar.set_message(progress.file.to_owned());
        }
        if let Some(trouble) = progress.trouble {
            bar.suspend(|| eprintln!("{}: {trouble}", progress.file));
            return;
        }
        match progress.total {
            Some(total) => bar.set_length(total),
            None => bar.unset_length(),
        }
        bar.set_position(progress.bytes);
    })?;
    bar.finish_and_clear();
    let manifest = args.manifest.unwrap_or_else(|| order.data_dir.join("sources.toml"));
    // Only the day of retrieval needs a clock; builds read it from the manifest.
    write_manifest(&order, &manifest, &jiff::Timestamp::now().strftime("%Y-%m-%d").to_string())?;
    say!("{} files downloaded, {} were there already", report.downloaded, report.present);
    say!("manifest: {}", manifest.display());
    Ok(())
}
