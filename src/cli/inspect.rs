//! `platbook inspect`: prints the contents of a snapshot.

use std::{fmt, path::PathBuf, process::ExitCode};

use anyhow::Result;
use serde::Serialize;

use super::{open_directory, print, print_json};
use platbook::{
    directory::Directory,
    snapshot::ArchivedCoverageRow,
    vocabulary::{Coverage, Layer, StateCode},
};

#[derive(Debug, clap::Args)]
pub(super) struct InspectArgs {
    /// Snapshot to show [default: the one built in]
    file: Option<PathBuf>,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

pub(super) fn inspect(args: &InspectArgs) -> Result<ExitCode> {
    let directory = open_directory(args.file.as_deref())?;
    let holdings = Holdings::of(&directory);
    if args.json {
        print_json(&holdings)?;
    } else {
        print(&holdings.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A name with the number of its items.
#[derive(Debug, Serialize)]
struct Counted<'a> {
    name: &'a str,
    count: u64,
}

/// The contents of a snapshot.
#[derive(Debug, Serialize)]
struct Holdings<'a> {
    snapshot: &'a str,
    built: &'a str,
    pipeline_version: &'a str,
    source_vertices: u64,
    stored_vertices: u64,
    sections_bytes: Vec<Counted<'a>>,
    layers: Vec<Counted<'a>>,
    records: Vec<Counted<'a>>,
    coverage: Vec<CoverageLine<'a>>,
}

/// The coverage of a layer in a state, and the source of most of that coverage.
#[derive(Debug, Serialize)]
struct CoverageLine<'a> {
    state: &'a str,
    layer: &'a str,
    coverage: &'a str,
    mapped: u32,
    named: u32,
    vintage: Option<u16>,
    scale: Option<String>,
    source: Option<&'a str>,
}

impl<'a> Holdings<'a> {
    fn of(directory: &'a Directory) -> Holdings<'a> {
        let (snapshot, meta) = (directory.snapshot(), directory.snapshot().meta());
        let counted = |name, count: usize| Counted { name, count: count as u64 };
        let rows = |layer: Layer| counted(layer.prefix(), snapshot.jurisdictions().rows_of(layer).len());
        Holdings {
            snapshot: directory.snapshot_id(),
            built: directory.as_of(),
            pipeline_version: &meta.pipeline_version,
            source_vertices: meta.source_vertices.into(),
            stored_vertices: meta.stored_vertices.into(),
            sections_bytes: snapshot.sizes().iter().map(|(name, bytes)| counted(name, *bytes)).collect(),
            layers: Layer::ALL.map(rows).into(),
            records: vec![
                counted("websites", snapshot.records().websites().len()),
                counted("resources", directory.resource_count()),
                counted("guides", directory.guides().len()),
            ],
            coverage: meta.coverage.iter().map(|row| CoverageLine::of(directory, row)).collect(),
        }
    }
}

impl<'a> CoverageLine<'a> {
    fn of(directory: &'a Directory, row: &'a ArchivedCoverageRow) -> CoverageLine<'a> {
        let source = row.source().and_then(|source| directory.source_row(source));
        let source = source.map(|source| directory.source(source));
        CoverageLine {
            state: row.state().map_or("?", StateCode::usps),
            layer: row.layer().map_or("?", Layer::prefix),
            coverage: match row.coverage() {
                Coverage::Missing => "missing",
                Coverage::Partial => "partial",
                Coverage::Complete => "complete",
                Coverage::NotApplicable => "none",
            },
            mapped: row.with_boundary(),
            named: row.named_only(),
            vintage: source.as_ref().map(|source| source.vintage),
            scale: source.as_ref().and_then(|source| source.scale).map(|scale| scale.to_string()),
            source: source.map(|source| source.name),
        }
    }
}

/// Formats the contents of a snapshot as tables for people.
impl fmt::Display for Holdings<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "snapshot  {}", self.snapshot)?;
        writeln!(out, "built     {} by pipeline {}", self.built, self.pipeline_version)?;
        writeln!(out, "vertices  {} read, {} stored", self.source_vertices, self.stored_vertices)?;
        for (title, lines) in [
            ("section            bytes", &self.sections_bytes),
            ("layer               rows", &self.layers),
            ("records             rows", &self.records),
        ] {
            writeln!(out, "\n{title}")?;
            lines.iter().try_for_each(|Counted { name, count }| writeln!(out, "{name:<14} {count:>9}"))?;
        }
        writeln!(out, "\nstate layer   coverage  mapped  named  vintage  scale         source")?;
        self.coverage.iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

impl fmt::Display for CoverageLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CoverageLine { state, layer, coverage, mapped, named, .. } = self;
        write!(out, "{state:<5} {layer:<7} {coverage:<8} {mapped:>7} {named:>6}")?;
        if let (Some(source), Some(vintage)) = (self.source, self.vintage) {
            let scale = self.scale.as_deref().unwrap_or_default();
            write!(out, "  {vintage:<7}  {scale:<12}  {source}")?;
        }
        Ok(())
    }
}
