//! `platbook tables`: writes the tables of a snapshot as files with checksums, for users who need all data.
//!
//! The rows are those of the service's lists, so files and answers agree. The same snapshot yields the same bytes
//! each time.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use serde_json::Value;

#[cfg(feature = "parquet")]
use super::batch::TableWriter;
use super::{
    SnapshotArgs,
    lists::{self, Column},
    open_directory, print, site,
};
use crate::{edition::Edition, operations::OPERATIONS, wire::TABLE_FORMATS};
use platbook::{
    answers::{CHECKSUMS, FileTable},
    files::durable::{Disk, PUBLIC},
    vocabulary::Function,
};
use platbook_release::Sha256;

#[derive(Debug, clap::Args)]
pub(super) struct TablesArgs {
    /// Folder to write to: the files go into a folder in it, named after the snapshot's id
    folder: PathBuf,
    #[command(flatten)]
    snapshot: SnapshotArgs,
}

/// Writes each table in each format, then the checksums. Prints the path of each file.
pub(super) fn tables(args: &TablesArgs) -> Result<ExitCode> {
    let directory = open_directory(args.snapshot.snapshot.as_deref())?;
    let folder = args.folder.join(directory.snapshot_id());
    let cannot = || format!("cannot write {}", folder.display());
    Disk::default().create_folder(&folder).with_context(cannot)?;
    let sums = folder.join(CHECKSUMS);
    // The old checksums must not remain while the files are replaced.
    if sums.exists() {
        fs::remove_file(&sums).with_context(cannot)?;
    }
    let edition = Edition::new(directory, site::SITE_URL);
    let mut lines = String::new();
    for table in FileTable::ALL {
        let mut made = Made::new(lists::columns_of(table))?;
        each_row(&edition, table, |row| made.add(row))?;
        for (format, bytes) in TABLE_FORMATS.iter().zip(made.finish()?) {
            let name = format!("{}.{format}", table.as_str());
            write(&folder.join(&name), &bytes)?;
            lines += &format!("{}  {name}\n", Sha256::of(&bytes));
        }
    }
    write(&sums, lines.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = Disk::default().replace(path, PUBLIC, |file| file.write_all(bytes));
    written.with_context(|| format!("cannot write {}", path.display()))?;
    print(&format!("{}\n", path.display()))
}

/// Passes each row of a table to `take`, in an order that depends only on the snapshot.
fn each_row(edition: &Edition, table: FileTable, mut take: impl FnMut(&Value) -> Result<()>) -> Result<()> {
    let mut list = |id: &str, pairs: &[(&str, &str)]| {
        let operation = OPERATIONS.iter().find(|operation| operation.id == id);
        let operation = operation.context("the table of operations has no such list")?;
        lists::each_row(edition, operation, pairs, |row| take(row).map(|()| true))
    };
    match table {
        FileTable::Jurisdictions => list("list_jurisdictions", &[]),
        FileTable::Offices => Function::ALL
            .into_iter()
            .try_for_each(|function| list("list_offices", &[("function", function.as_str())])),
        FileTable::Resources => (0..edition.answers().directory().resource_count())
            .filter_map(|number| edition.encoder().resource(edition.answers(), number))
            .try_for_each(|row| take(&row)),
    }
}

/// The bytes of a table in each format, in the order of [`TABLE_FORMATS`].
struct Made {
    columns: Vec<Column>,
    csv: Vec<u8>,
    #[cfg(feature = "parquet")]
    parquet: TableWriter,
}

impl Made {
    fn new(columns: Vec<Column>) -> Result<Made> {
        let mut csv = Vec::new();
        lists::write_header(&mut csv, &columns)?;
        Ok(Made {
            csv,
            #[cfg(feature = "parquet")]
            parquet: TableWriter::new(columns.iter().map(|column| (column.name, column.cell))),
            columns,
        })
    }

    fn add(&mut self, row: &Value) -> Result<()> {
        #[cfg(feature = "parquet")]
        self.parquet.add(self.columns.iter().map(|column| lists::cell(row, column)))?;
        lists::write_record(&mut self.csv, &self.columns, row)
    }

    fn finish(self) -> Result<Vec<Vec<u8>>> {
        #[cfg(feature = "parquet")]
        let files = vec![self.csv, self.parquet.finish()?];
        #[cfg(not(feature = "parquet"))]
        let files = vec![self.csv];
        Ok(files)
    }
}
