//! Writes the table as Arrow record batches, and reads points from Arrow arrays.
//!
//! A batch has a column for each column of the table, with a validity bitmap. Texts of chains are stored once for
//! each resolver and copied by their numbers, so a point costs no allocation. Arrays pass to other programs only by
//! Arrow's C Data Interface, so these may use another version of Arrow.

mod append;
mod points;
mod texts;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{BooleanBuilder, Float64Builder},
};
use arrow_schema::{ArrowError, DataType, Field, Metadata, Schema, SchemaRef};

use super::{
    cells::{Cell, ChainCells, PointCells},
    column::{CellType, Column},
    outcome::{Location, Outcome},
    resolver::{Resolver, Table},
};
use crate::directory::BLOCK_POINTS;
use texts::{NO_TEXT, Texts};

pub use append::Appender;
pub use points::{Coordinates, Points};

/// Maximum number of rows of a batch; larger batches gain nothing. Chosen, not measured.
pub const BATCH_ROWS: usize = 1 << 16;

/// Maximum number of bytes of texts that a resolver keeps. The resolver then drops all texts and starts again.
const TEXT_BYTES_MAX: usize = 96 << 20;

/// How texts are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Each row has its text: `utf8`. All engines can read this form.
    #[default]
    Plain,
    /// Each text is stored once, and each row has the number of its text: `dictionary<int32, utf8>`. This form is
    /// smaller, above all with columns of functions.
    Dictionary,
}

/// The fields of a table in Arrow. The schema's metadata hold the id and date of the snapshot, and a field's metadata
/// hold its unit.
pub fn schema(table: &Table, encoding: Encoding) -> Schema {
    let directory = table.directory();
    let metadata = [("platbook.snapshot_id", directory.snapshot_id()), ("platbook.as_of", directory.as_of())];
    let fields: Vec<Field> = table.columns().iter().map(|column| field(*column, encoding)).collect();
    Schema::new(fields).with_metadata(metadata)
}

fn field(column: Column, encoding: Encoding) -> Field {
    let data_type = match (column.cell_type(), encoding) {
        (CellType::Text, Encoding::Plain) => DataType::Utf8,
        (CellType::Text, Encoding::Dictionary) => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        (CellType::Meters, _) => DataType::Float64,
        (CellType::Truth, _) => DataType::Boolean,
    };
    let unit: Metadata = column.unit().map(|unit| ("unit", unit)).into_iter().collect();
    Field::new(column.name(), data_type, column.is_nullable()).with_metadata(unit)
}

/// Makes batches on one thread.
pub struct Batches {
    resolver: Resolver,
    schema: SchemaRef,
    encoding: Encoding,
    stored: Vec<Stored>,
}

/// The state of a column between rows.
enum Stored {
    /// A column whose text depends on the chain: the distinct texts, and for each chain the number of its text.
    OfChain(Texts, Vec<u32>),
    /// A column whose text depends on the point: the distinct texts, and for each row of this batch the number of its
    /// text.
    OfPoint(Texts, Vec<u32>),
    Meters(Float64Builder),
    Truth(BooleanBuilder),
}

impl Batches {
    /// Makes batches of a table.
    pub fn new(table: &Arc<Table>, encoding: Encoding) -> Batches {
        let stored = table.columns().iter().map(|column| Stored::new(*column)).collect();
        Batches { resolver: table.resolver(), schema: Arc::new(schema(table, encoding)), encoding, stored }
    }

    /// The schema of each batch.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Makes a batch with a row for each location. Pass at most [`BATCH_ROWS`] for the best speed.
    ///
    /// # Errors
    /// If the texts of a column take more than 2 GB.
    pub fn batch(&mut self, locations: impl Iterator<Item = Location>) -> Result<RecordBatch, ArrowError> {
        self.forget_if_large();
        let table = self.resolver.table().clone();
        let (columns, directory) = (table.columns(), table.directory());
        let has_point_columns = columns.iter().any(|column| column.depends_on_point());
        let (mut locations, mut numbers) = (locations.peekable(), Vec::new());
        while locations.peek().is_some() {
            let Batches { resolver, stored, .. } = self;
            let block = locations.by_ref().take(BLOCK_POINTS);
            let outcomes = resolver.resolve(block, |cells| add_chain(stored, cells));
            numbers.extend(outcomes.iter().map(Outcome::chain_number));
            if has_point_columns {
                for outcome in outcomes {
                    let cells = PointCells::new(directory, outcome);
                    stored.iter_mut().zip(columns).for_each(|(stored, column)| stored.add(&cells, *column));
                }
            }
        }
        let encoding = self.encoding;
        let arrays: Result<Vec<ArrayRef>, ArrowError> =
            self.stored.iter_mut().map(|stored| stored.array(&numbers, encoding)).collect();
        RecordBatch::try_new(self.schema(), arrays?)
    }

    fn forget_if_large(&mut self) {
        if self.stored.iter().map(Stored::bytes).sum::<usize>() > TEXT_BYTES_MAX {
            self.resolver.forget_chains();
            self.stored = self.resolver.table().columns().iter().map(|column| Stored::new(*column)).collect();
        }
    }
}

/// Makes batches of [`BATCH_ROWS`] for all points, on this many threads, in the order of the points.
///
/// # Errors
/// As for [`Batches::batch`].
pub fn batches_of(
    table: &Arc<Table>,
    points: &Points,
    encoding: Encoding,
    threads: usize,
) -> Result<Vec<RecordBatch>, ArrowError> {
    let count = points.len().div_ceil(BATCH_ROWS);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let work = || {
        let mut batches = Batches::new(table, encoding);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let start = number * BATCH_ROWS;
            if number >= count {
                return;
            }
            let batch = batches.batch(points.locations(start..points.len().min(start + BATCH_ROWS)));
            done.lock().expect("no thread panics while it adds a batch").push((number, batch));
        }
    };
    thread::scope(|scope| {
        (1..threads.min(count)).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut done = done.into_inner().expect("no thread panics while it adds a batch");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, batch)| batch).collect()
}

fn add_chain(stored: &mut [Stored], cells: &ChainCells<'_>) {
    for (stored, column) in stored.iter_mut().zip(cells.columns()) {
        if let Stored::OfChain(texts, of_chains) = stored {
            of_chains.push(cells.text(*column).map_or(NO_TEXT, |text| texts.number(&text)));
        }
    }
}

impl Stored {
    fn new(column: Column) -> Stored {
        match column.cell_type() {
            CellType::Meters => Stored::Meters(Float64Builder::new()),
            CellType::Truth => Stored::Truth(BooleanBuilder::new()),
            CellType::Text if column.depends_on_point() => Stored::OfPoint(Texts::default(), Vec::new()),
            CellType::Text => Stored::OfChain(Texts::default(), Vec::new()),
        }
    }

    /// The bytes of the column's texts.
    fn bytes(&self) -> usize {
        match self {
            Stored::OfChain(texts, _) | Stored::OfPoint(texts, _) => texts.bytes(),
            Stored::Meters(_) | Stored::Truth(_) => 0,
        }
    }

    /// Adds the cell of the next row.
    fn add(&mut self, cells: &PointCells<'_>, column: Column) {
        match self {
            Stored::OfChain(..) => {}
            Stored::OfPoint(texts, of_rows) => of_rows.push(match cells.cell(column) {
                Cell::Text(text) => texts.number(text),
                _ => NO_TEXT,
            }),
            Stored::Meters(builder) => builder.append_option(match cells.cell(column) {
                Cell::Meters(meters) => Some(meters),
                _ => None,
            }),
            Stored::Truth(builder) => builder.append_option(match cells.cell(column) {
                Cell::Truth(truth) => Some(truth),
                _ => None,
            }),
        }
    }

    /// Finishes the column of a batch. `chains` has the number of each row's chain.
    fn array(&mut self, chains: &[Option<usize>], encoding: Encoding) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Stored::OfChain(texts, of_chains) => {
                let of_rows: Vec<u32> =
                    chains.iter().map(|chain| chain.map_or(NO_TEXT, |number| of_chains[number])).collect();
                texts.array(&of_rows, encoding)?
            }
            Stored::OfPoint(texts, of_rows) => {
                let array = texts.array(of_rows, encoding)?;
                of_rows.clear();
                array
            }
            Stored::Meters(builder) => Arc::new(builder.finish()),
            Stored::Truth(builder) => Arc::new(builder.finish()),
        })
    }
}

#[cfg(test)]
mod tests;
