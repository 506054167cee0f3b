//! `platbook-pipeline`: downloads published data and builds snapshots from it.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use platbook_pipeline::{
    Loaded,
    build::{Options, publish},
    load_all,
    manifest::Manifest,
};

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read all inputs and say what was kept and what was left out, without building anything.
    Inputs(Inputs),
    /// Build a snapshot from the files that the manifest names.
    Build(Build),
}

#[derive(clap::Args)]
struct Build {
    #[command(flatten)]
    inputs: Inputs,
    /// File to write; replaced only by a whole new one. Its summary is written beside it.
    #[arg(long, default_value = "snapshots/default.platbook")]
    out: PathBuf,
    /// Metres by which lines finer than 1:500,000 may be moved to make them simpler; 0 keeps every vertex.
    #[arg(long, default_value_t = 0)]
    simplify_m: u32,
    /// Also write a line for each record that was dropped, repaired or not found again.
    #[arg(long)]
    records: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Inputs {
    /// Directory that the manifest's paths are relative to.
    #[arg(long, env = "PLATBOOK_DATA")]
    data: PathBuf,
    /// The manifest.
    #[arg(long, default_value = "data-pipeline/sources.toml")]
    manifest: PathBuf,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Inputs(args) => inputs(&args),
        Command::Build(args) => build(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn inputs(args: &Inputs) -> Result<()> {
    let manifest = Manifest::load(&args.manifest)?;
    // Draws nothing when standard error is no terminal.
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?;
    let bar = ProgressBar::new(0).with_style(style);
    let loaded = load_all(&manifest, &args.data, |step| {
        bar.set_length(step.total as u64);
        bar.set_position(step.done as u64);
        bar.set_message(step.file.to_owned());
    })?;
    bar.finish_and_clear();
    print(&manifest, &loaded);
    Ok(())
}

fn build(args: &Build) -> Result<()> {
    let manifest = Manifest::load(&args.inputs.manifest)?;
    let spinner = ProgressBar::new_spinner();
    let options = Options { data: args.inputs.data.clone(), simplify_m: args.simplify_m };
    let built = platbook_pipeline::build(&manifest, &options, &|what| {
        spinner.set_message(what.to_owned());
        spinner.tick();
    })?;
    spinner.finish_and_clear();
    publish(&args.out, &built.bytes)?;
    publish(&args.out.with_extension("summary.txt"), built.report.summary().as_bytes())?;
    if let Some(path) = &args.records {
        publish(path, built.report.records().as_bytes())?;
    }
    print!("{}", built.report.summary());
    Ok(())
}

fn print(manifest: &Manifest, loaded: &Loaded) {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for area in &loaded.kept {
        let what = format!("{:?} {}", area.kind, area.func_stat.letter());
        *counts.entry((area.geoid.layer().prefix().to_owned(), what)).or_default() += 1;
    }
    for record in &loaded.dropped {
        let what = format!("dropped: {}", record.reason);
        *counts.entry((record.geoid.layer().prefix().to_owned(), what)).or_default() += 1;
    }
    for ((layer, what), count) in counts {
        println!("{layer:8} {what:40} {count:7}");
    }
    let vertices: usize = loaded.kept.iter().flat_map(|area| &area.rings).map(Vec::len).sum();
    println!("sources  {:48} {:7}", "", manifest.sources.len());
    println!("vertices {:48} {vertices:7}", "");
    println!("repaired {:48} {:7}", "", loaded.cleaned.len());
    println!("replaced {:48} {:7}", "", loaded.replaced.len());
    println!("ocd ids  {:48} {:7}", "", loaded.ocd.rows.len());
    println!("populations {:45} {:7}", "", loaded.population.len());
}
