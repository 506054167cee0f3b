//! Adds the table's columns to batches that hold points.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};

use super::{Batches, Coordinates, Encoding, Points, schema};
use crate::columns::Table;

/// Prefix of an added column whose name the input already uses.
const ADDED_PREFIX: &str = "platbook_";

/// Adds columns to the batches of one stream.
pub struct Appender {
    batches: Batches,
    /// The columns with the points: latitude and longitude, or one column of WKB.
    points: Vec<usize>,
    schema: SchemaRef,
}

impl Appender {
    /// Finds the columns by their names: two for latitude and longitude, or one for points as WKB.
    ///
    /// # Errors A column is missing; the message lists the columns of the input.
    pub fn new(
        input: &Schema,
        table: &Arc<Table>,
        encoding: Encoding,
        names: &[String],
    ) -> Result<Appender, ArrowError> {
        let position = |name: &String| {
            input.fields().iter().position(|field| field.name() == name).ok_or_else(|| {
                let got: Vec<&str> = input.fields().iter().map(|field| field.name().as_str()).collect();
                let what = format!("expected a column {name}, got {}", got.join(", "));
                ArrowError::SchemaError(what)
            })
        };
        let points = names.iter().map(position).collect::<Result<_, _>>()?;
        let added = schema(table, encoding);
        let is_taken =
            |name: &str| input.fields().iter().any(|field| field.name().eq_ignore_ascii_case(name));
        let added_fields = added.fields().iter().map(|field| {
            let name = field.name();
            let name = if is_taken(name) { format!("{ADDED_PREFIX}{name}") } else { name.clone() };
            Arc::new(Field::clone(field).with_name(name))
        });
        let fields: Vec<_> = input.fields().iter().cloned().chain(added_fields).collect();
        let mut metadata = input.metadata().clone();
        metadata.extend(added.metadata().clone());
        let schema = Arc::new(Schema::new(fields).with_metadata(metadata));
        Ok(Appender { batches: Batches::new(table, encoding), points, schema })
    }

    /// The schema of the batches with their added columns.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Returns the batch with the added columns.
    ///
    /// # Errors The batch's columns hold no points, or as for [`Batches::batch`].
    pub fn append(&mut self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let points = match self.points[..] {
            [lat, lon] => Points::LatLon(
                Coordinates::new(batch.column(lat), "lat")?,
                Coordinates::new(batch.column(lon), "lon")?,
            ),
            _ => Points::of_wkb(batch.column(self.points[0]))?,
        };
        let added = self.batches.batch(points.locations(0..batch.num_rows()))?;
        let arrays = batch.columns().iter().chain(added.columns()).cloned().collect();
        RecordBatch::try_new(self.schema(), arrays)
    }
}
