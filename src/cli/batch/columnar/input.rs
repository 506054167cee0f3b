//! Opens a Parquet or Arrow file and finds its points.

use std::{
    fs::File,
    io::{BufReader, Read as _, Seek as _},
    path::Path,
};

use anyhow::{Context as _, Result};
use arrow_array::RecordBatchReader;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{Schema, SchemaRef};
use csv::ByteRecord;
use parquet::{
    arrow::arrow_reader::ParquetRecordBatchReaderBuilder, basic::LogicalType, schema::types::SchemaDescriptor,
};
use serde_json::Value;

use super::{
    super::{super::UsageError, formats::TableFormat, layout::LayoutArgs},
    BATCH_ROWS,
};

/// First bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";
/// First bytes of an Arrow file.
const ARROW: &[u8] = b"ARROW1";
/// First bytes of a message in an Arrow stream.
const ARROW_STREAM: &[u8] = &[0xff; 4];

/// Codes of reference systems whose coordinates are degrees within two meters of WGS 84, so that they need no
/// conversion.
const DEGREES: [&str; 4] = ["OGC:CRS84", "EPSG:4326", "EPSG:4269", "SRID:4326"];

/// An open Parquet or Arrow file.
pub(super) struct Input {
    pub(super) format: TableFormat,
    pub(super) reader: Box<dyn RecordBatchReader + Send>,
    /// The number of rows, if the file states it.
    pub(super) rows: Option<u64>,
    /// The column of points, with its reference system if the file names one.
    geometry: Option<(String, Option<String>)>,
}

impl Input {
    /// Opens a file; `None` if its first bytes are not those of Parquet or Arrow.
    ///
    /// # Errors
    /// If the file is damaged, or cannot be read.
    pub(super) fn open(path: &Path) -> Result<Option<Input>> {
        let Ok(mut file) = File::open(path) else { return Ok(None) };
        let mut head = Vec::new();
        if !file.metadata()?.is_file() || file.by_ref().take(8).read_to_end(&mut head).is_err() {
            return Ok(None);
        }
        file.rewind()?;
        let cannot = || format!("cannot read {}", path.display());
        Ok(Some(if head.starts_with(PARQUET) {
            Input::parquet(file).with_context(cannot)?
        } else if head.starts_with(ARROW) {
            Input::arrow(Box::new(FileReader::try_new_buffered(file, None).with_context(cannot)?))
        } else if head.starts_with(ARROW_STREAM) {
            Input::arrow(Box::new(StreamReader::try_new(BufReader::new(file), None).with_context(cannot)?))
        } else {
            return Ok(None);
        }))
    }

    fn parquet(file: File) -> Result<Input> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
        let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).ok();
        let geometry =
            geometry_of_metadata(builder.schema()).or_else(|| geometry_type(builder.parquet_schema()));
        let reader = Box::new(builder.with_batch_size(BATCH_ROWS).build()?);
        Ok(Input { format: TableFormat::Parquet, reader, rows, geometry })
    }

    fn arrow(reader: Box<dyn RecordBatchReader + Send>) -> Input {
        let geometry = geometry_of_metadata(&reader.schema());
        Input { format: TableFormat::Arrow, reader, rows: None, geometry }
    }

    pub(super) fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }

    /// Returns the names of the columns with points: latitude and longitude, or one column of WKB. Tries the options
    /// first, then what the file states, then the usual names.
    ///
    /// # Errors
    /// Fails if the file has no such column, or its reference system does not use degrees.
    pub(super) fn points(&self, args: &LayoutArgs) -> Result<Vec<String>, UsageError> {
        let schema = self.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        if let Some(other) = args.of_text_only() {
            return Err(UsageError(format!(
                "{other} is for files of text, and this is a Parquet or Arrow file"
            )));
        }
        let declared = self.geometry.as_ref().filter(|_| !args.names_coordinates());
        let Some(name) = args.geometry_column().or(declared.map(|(name, _)| name.as_str())) else {
            let header: ByteRecord = names.iter().collect();
            return Ok(args.point_columns(&header)?.map(|at| names[at].to_owned()).into());
        };
        let system = self.geometry.as_ref().filter(|(column, _)| column == name);
        match system.and_then(|(_, system)| system.as_deref()) {
            Some(system) if !DEGREES.iter().any(|known| system.eq_ignore_ascii_case(known)) => {
                Err(UsageError(format!(
                    "expected longitudes and latitudes in the column {name} ({}), got {system}; convert it first",
                    DEGREES[..3].join(", ")
                )))
            }
            _ => Ok(vec![name.to_owned()]),
        }
    }
}

/// Returns the column of points that the GeoParquet metadata name, with its reference system.
fn geometry_of_metadata(schema: &Schema) -> Option<(String, Option<String>)> {
    let geo: Value = serde_json::from_str(schema.metadata().get("geo")?).ok()?;
    let name = geo["primary_column"].as_str()?;
    Some((name.to_owned(), system_of(&geo["columns"][name]["crs"])))
}

/// Returns the code of a reference system, or its name; `None` for the default system and for an unknown one.
fn system_of(crs: &Value) -> Option<String> {
    let id = &crs["id"];
    match (id["authority"].as_str(), &id["code"]) {
        (Some(authority), Value::String(code)) => Some(format!("{authority}:{code}")),
        (Some(authority), Value::Number(code)) => Some(format!("{authority}:{code}")),
        _ => crs.as_str().or(crs["name"].as_str()).map(str::to_owned),
    }
}

/// Returns the first column of the type GEOMETRY or GEOGRAPHY.
fn geometry_type(schema: &SchemaDescriptor) -> Option<(String, Option<String>)> {
    schema.columns().iter().find_map(|column| {
        let system = match column.logical_type_ref()? {
            LogicalType::Geometry(geometry) => geometry.crs.clone(),
            LogicalType::Geography(geography) => geography.crs.clone(),
            _ => return None,
        };
        let is_json = |text: &String| text.trim_start().starts_with('{');
        let json =
            system.as_ref().filter(|text| is_json(text)).and_then(|text| serde_json::from_str(text).ok());
        Some((column.name().to_owned(), json.map_or(system, |json| system_of(&json))))
    })
}
