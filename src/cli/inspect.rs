//! `platbook inspect`

use std::{
    fmt::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;

use super::{open_directory, print};
use crate::{
    directory::Directory,
    snapshot::ArchivedCoverageRow,
    vocabulary::{Coverage, Layer, StateCode},
};

#[derive(Debug, clap::Args)]
pub(super) struct InspectArgs {
    /// Snapshot to show [default: the one built in]
    file: Option<PathBuf>,
}

pub(super) fn inspect(args: &InspectArgs) -> Result<ExitCode> {
    let directory = open_directory(args.file.as_deref())?;
    let mut report = String::new();
    describe(&directory, &mut report)?;
    print(&report)?;
    Ok(ExitCode::SUCCESS)
}

/// What a snapshot holds, for people.
fn describe(directory: &Directory, out: &mut String) -> fmt::Result {
    let (snapshot, meta) = (directory.snapshot(), directory.snapshot().meta());
    writeln!(out, "snapshot  {}", directory.snapshot_id())?;
    writeln!(out, "built     {} by pipeline {}", directory.as_of(), meta.pipeline_version)?;
    writeln!(out, "vertices  {} read, {} stored", meta.source_vertices, meta.stored_vertices)?;
    writeln!(out, "\nsection            bytes")?;
    for (name, bytes) in snapshot.sizes() {
        writeln!(out, "{name:<14} {bytes:>9}")?;
    }
    writeln!(out, "\nlayer    rows")?;
    for layer in Layer::ALL {
        writeln!(out, "{:<7} {:>6}", layer.prefix(), snapshot.jurisdictions().rows_of(layer).len())?;
    }
    writeln!(out, "\nrecords    rows")?;
    let records = snapshot.records();
    for (what, rows) in [
        ("websites", records.websites().len()),
        ("resources", directory.resource_count()),
        ("guides", directory.guides().len()),
    ] {
        writeln!(out, "{what:<9} {rows:>5}")?;
    }
    writeln!(out, "\nstate layer   coverage  mapped  named  vintage  scale         source")?;
    meta.coverage.iter().try_for_each(|row| describe_coverage(directory, row, out))
}

fn describe_coverage(directory: &Directory, row: &ArchivedCoverageRow, out: &mut String) -> fmt::Result {
    let state = row.state().map_or("?", StateCode::usps);
    let layer = row.layer().map_or("?", Layer::prefix);
    let coverage = match row.coverage() {
        Coverage::Missing => "missing",
        Coverage::Partial => "partial",
        Coverage::Complete => "complete",
        Coverage::NotApplicable => "none",
    };
    let (mapped, named) = (row.with_boundary(), row.named_only());
    write!(out, "{state:<5} {layer:<7} {coverage:<8} {mapped:>7} {named:>6}")?;
    let Some(source) = row.source().and_then(|source| directory.source_row(source)) else {
        return writeln!(out);
    };
    let source = directory.source(source);
    let scale = source.scale.map_or_else(String::new, |scale| scale.to_string());
    writeln!(out, "  {:<7}  {scale:<12}  {}", source.vintage, source.name)
}
