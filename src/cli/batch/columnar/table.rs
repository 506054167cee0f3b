//! Writes a table of texts and truth values as Parquet.

use std::{borrow::Cow, iter, sync::Arc};

use anyhow::Result;
use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{BooleanBuilder, StringBuilder},
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::{
    super::formats::{Compression, TableFormat},
    BATCH_ROWS,
    output::begin,
};
use platbook::columns::CellType;

/// A table that is built row by row.
pub(in crate::cli) struct TableWriter {
    schema: SchemaRef,
    columns: Vec<Cells>,
    /// The number of rows in `columns`.
    rows: usize,
    /// Full batches, each of which becomes a row group.
    batches: Vec<RecordBatch>,
}

/// The cells of a column that are not in a batch yet.
enum Cells {
    Texts(StringBuilder),
    Truths(BooleanBuilder),
}

impl TableWriter {
    /// Begins a table with these columns. A column of lengths would be stored as text, but no table has one.
    pub(in crate::cli) fn new<'c>(columns: impl Iterator<Item = (&'c str, CellType)>) -> TableWriter {
        let (mut fields, mut cells) = (Vec::new(), Vec::new());
        for (name, cell) in columns {
            let (of_type, column) = match cell {
                CellType::Truth => (DataType::Boolean, Cells::Truths(BooleanBuilder::new())),
                CellType::Text | CellType::Meters => (DataType::Utf8, Cells::Texts(StringBuilder::new())),
            };
            fields.push(Field::new(name, of_type, true));
            cells.push(column);
        }
        TableWriter { schema: Arc::new(Schema::new(fields)), columns: cells, rows: 0, batches: Vec::new() }
    }

    /// Adds a row: the text of each cell, `None` for null.
    ///
    /// # Errors
    /// Fails if the columns of a full batch do not fit together.
    pub(in crate::cli) fn add<'r>(
        &mut self,
        cells: impl Iterator<Item = Option<Cow<'r, str>>>,
    ) -> Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match column {
                Cells::Texts(texts) => texts.append_option(cell),
                Cells::Truths(truths) => truths.append_option(cell.map(|text| text == "true")),
            }
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.end_batch() } else { Ok(()) }
    }

    fn end_batch(&mut self) -> Result<()> {
        let arrays = self.columns.iter_mut().map(|column| -> ArrayRef {
            match column {
                Cells::Texts(texts) => Arc::new(texts.finish()),
                Cells::Truths(truths) => Arc::new(truths.finish()),
            }
        });
        self.batches.push(RecordBatch::try_new(Arc::clone(&self.schema), arrays.collect())?);
        self.rows = 0;
        Ok(())
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// If they cannot be encoded.
    pub(in crate::cli) fn finish(mut self) -> Result<Vec<u8>> {
        if self.rows > 0 {
            self.end_batch()?;
        }
        let mut bytes = Vec::new();
        let (mut writer, encoder) = begin(&mut bytes, &self.schema, TableFormat::Parquet, Compression::Zstd)?;
        for batch in self.batches {
            writer.write(encoder.encode(iter::once(Ok(batch)))?)?;
        }
        writer.finish()?;
        Ok(bytes)
    }
}
