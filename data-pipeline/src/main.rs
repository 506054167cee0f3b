//! `platbook-pipeline`: downloads published data and builds snapshots from it.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use platbook_pipeline::{Loaded, load_all, manifest::Manifest};

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
