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

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Metadata, Schema, SchemaRef};

use super::{
    cells::{Cell, ChainCells, PointCells},
    column::{CellType, Column},
    outcome::Location,
    resolver::{Resolver, Table},
};
use crate::{
    directory::{BLOCK_POINTS, along_curve},
    geometry::{LonLat, UNITS_PER_DEGREE},
};
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
    Meters(Vec<Option<f64>>),
    Truth(Vec<Option<bool>>),
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
        let mut locations: Vec<Option<Location>> = locations.map(Some).collect();
        let rows = locations.len();
        let mut numbers = vec![None; rows];
        self.stored.iter_mut().for_each(|stored| stored.begin(rows));
        for block in order_of(&locations).chunks(BLOCK_POINTS) {
            let Batches { resolver, stored, .. } = self;
            let of_block = block.iter().filter_map(|row| locations[*row as usize].take());
            let outcomes = resolver.resolve(of_block, |cells| add_chain(stored, cells));
            for (row, outcome) in block.iter().map(|row| *row as usize).zip(outcomes) {
                numbers[row] = outcome.chain_number();
                if has_point_columns {
                    let cells = PointCells::new(directory, outcome);
                    stored
                        .iter_mut()
                        .zip(columns)
                        .for_each(|(stored, column)| stored.set(row, &cells, *column));
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

/// Points are left in their order if at least this share of them lies within 0.1 degree of the point before. To sort
/// them again costs more than it saves (2026-11-28: 0.85 times the rate of points in stripes of 0.1 degree).
const NEIGHBORS_MIN: f64 = 0.5;
const NEIGHBOR_UNITS: u32 = UNITS_PER_DEGREE as u32 / 10;

/// The numbers of the rows in the order in which their points are resolved fastest.
fn order_of(locations: &[Option<Location>]) -> Vec<u32> {
    let points = || {
        locations.iter().map(|location| match location {
            Some(Location::Point(point)) => Some(*point),
            _ => None,
        })
    };
    let is_near = |(a, b): (Option<LonLat>, Option<LonLat>)| {
        a.zip(b).is_some_and(|(a, b)| {
            a.lat().abs_diff(b.lat()) <= NEIGHBOR_UNITS && a.lon().abs_diff(b.lon()) <= NEIGHBOR_UNITS
        })
    };
    let near = points().zip(points().skip(1)).filter(|pair| is_near(*pair)).count();
    if near as f64 >= locations.len() as f64 * NEIGHBORS_MIN {
        return (0..locations.len() as u32).collect();
    }
    let places = points().map(|point| point.map_or(0, along_curve));
    let mut keys: Vec<u64> = (0_u64..).zip(places).map(|(row, place)| u64::from(place) << 32 | row).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
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
            CellType::Meters => Stored::Meters(Vec::new()),
            CellType::Truth => Stored::Truth(Vec::new()),
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

    /// Makes room for the rows of a batch, which are null until they are set.
    fn begin(&mut self, rows: usize) {
        match self {
            Stored::OfChain(..) => {}
            Stored::OfPoint(_, of_rows) => of_rows.resize(rows, NO_TEXT),
            Stored::Meters(cells) => cells.resize(rows, None),
            Stored::Truth(cells) => cells.resize(rows, None),
        }
    }

    /// Sets the cell of a row.
    fn set(&mut self, row: usize, cells: &PointCells<'_>, column: Column) {
        match (self, cells.cell(column)) {
            (Stored::OfPoint(texts, of_rows), Cell::Text(text)) => of_rows[row] = texts.number(text),
            (Stored::Meters(of_rows), Cell::Meters(meters)) => of_rows[row] = Some(meters),
            (Stored::Truth(of_rows), Cell::Truth(truth)) => of_rows[row] = Some(truth),
            _ => {}
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
            Stored::Meters(cells) => Arc::new(Float64Array::from(std::mem::take(cells))),
            Stored::Truth(cells) => Arc::new(BooleanArray::from(std::mem::take(cells))),
        })
    }
}

#[cfg(test)]
mod tests;
