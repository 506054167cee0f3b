//! The `inputs` subcommand: prints counts and lists of the loaded records.

use std::collections::BTreeMap;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use platbook_pipeline::{
    boundaries::{
        clean::Changes,
        load::{Loaded, load_all},
        precincts,
    },
    curated::AreaTables,
};

use super::{input_args::InputArgs, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    /// Print each area and each dropped record on its own line.
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let manifest = args.inputs.manifest()?;
    let tables = AreaTables::load(&args.inputs.curated)?;
    // The bar draws nothing when standard error is not a terminal.
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?;
    let bar = ProgressBar::new(0).with_style(style);
    let loaded = load_all(&manifest, &args.inputs.data, &tables, |step| {
        bar.set_length(step.total as u64);
        bar.set_position(step.done as u64);
        bar.set_message(step.file.to_owned());
    })?;
    bar.finish_and_clear();
    if args.list {
        list(&loaded)?;
    }
    counts(&loaded)
}

fn list(loaded: &Loaded) -> Result<()> {
    for area in &loaded.kept {
        let word = area.legal_type.as_deref().unwrap_or("-");
        let (kind, letter) = (area.kind, area.func_stat.letter());
        say!("{}\t{kind:?}\t{letter}\t{word}\t{}\t{}\t{}", area.geoid, area.name, area.vintage, area.scale);
    }
    for record in &loaded.dropped {
        say!("{}\tdropped\t{}\t{}\t{}", record.geoid, record.reason, record.name, record.file);
    }
    for (geoid, changes) in &loaded.cleaned {
        say!("{geoid}\trepaired\t{changes:?}");
    }
    for outcome in &loaded.precincts {
        say!("{outcome}");
    }
    for row in &loaded.replaced {
        let new: Vec<String> = row.new.iter().map(ToString::to_string).collect();
        say!("{}\treplaced\t{}\t{}", row.old, new.join(" "), row.note);
    }
    Ok(())
}

fn counts(loaded: &Loaded) -> Result<()> {
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for area in &loaded.kept {
        let what = format!("{:?}, functional status {}", area.kind, area.func_stat.letter()).to_lowercase();
        *counts.entry((area.geoid.layer().prefix(), what)).or_default() += 1;
    }
    for record in &loaded.dropped {
        let what = format!("left out: {}", record.reason);
        *counts.entry((record.geoid.layer().prefix(), what)).or_default() += 1;
    }
    for ((layer, what), count) in counts {
        say!("{layer:10} {what:40} {count:8}");
    }
    print(&precincts::summary(&loaded.precincts))?;
    let mut changes = Changes::default();
    loaded.cleaned.iter().for_each(|(_, change)| changes.add(change));
    let vertices = loaded.kept.iter().flat_map(|area| &area.rings).map(Vec::len).sum();
    for (what, count) in [
        ("vertices", vertices),
        ("records repaired", loaded.cleaned.len()),
        ("repeated vertices dropped", changes.duplicates),
        ("spikes dropped", changes.spikes),
        ("rings cut where they touch themselves", changes.split),
        ("rings dropped that enclose nothing", changes.dropped),
        ("holes that nothing encloses", changes.orphan_holes),
        ("retired ids", loaded.replaced.len()),
        ("Open Civic Data ids", loaded.ocd.rows.len()),
        ("populations", loaded.population.len()),
    ] {
        say!("{:10} {what:40} {count:8}", "all");
    }
    Ok(())
}
