//! Points in, governments out, one CSV row each.

use std::io::{Read, Write};

use anyhow::Result;
use csv::{ByteRecord, Reader, ReaderBuilder, Writer, WriterBuilder};
use indicatif::ProgressBar;

use super::UsageError;
use crate::{
    answers::parse_point,
    directory::{Chain, Directory, Resolution, Row},
    encode::match_quality,
    vocabulary::StateCode,
    wire::IdText,
};

/// Bytes read or written at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// Rows between two looks at the progress bar.
const ROWS_PER_TICK: u64 = 16 * 1024;

/// Unresolved rows that are reported one by one; the rest is counted.
const REPORTS_MAX: u64 = 10;

const LAT_NAMES: [&str; 3] = ["lat", "latitude", "y"];
const LON_NAMES: [&str; 5] = ["lon", "lng", "long", "longitude", "x"];

/// The columns that are added to those of the input.
const ADDED: [&str; 9] =
    ["state", "county", "county_name", "cousub", "cousub_name", "place", "place_name", "quality", "error"];

/// An added column whose name the input already uses gets this in front.
const ADDED_PREFIX: &str = "platbook_";

#[derive(Debug, Default, clap::Args)]
pub(super) struct ColumnArgs {
    /// Column of the latitude [default: lat, latitude or y]
    #[arg(long, value_name = "NAME", requires = "csv")]
    lat_column: Option<String>,
    /// Column of the longitude [default: lon, lng, long, longitude or x]
    #[arg(long, value_name = "NAME", requires = "csv")]
    lon_column: Option<String>,
}

/// Copies each row with the governments of its point. A row that cannot be resolved is kept, says why in its
/// `error` column, and is reported on stderr by its line.
///
/// Returns how many rows were not resolved.
pub(super) fn resolve_rows(
    input: impl Read,
    output: impl Write,
    directory: &Directory,
    columns: &ColumnArgs,
    progress: &ProgressBar,
) -> Result<u64> {
    let mut reader = ReaderBuilder::new().flexible(true).buffer_capacity(BUFFER_BYTES).from_reader(input);
    let header = reader.byte_headers()?.clone();
    let layout = Layout::find(&header, columns)?;
    let mut rows = RowWriter {
        writer: WriterBuilder::new().flexible(true).buffer_capacity(BUFFER_BYTES).from_writer(output),
        directory,
    };
    rows.header(&header)?;
    let unresolved = copy_rows(&mut reader, &mut rows, &layout, progress)?;
    rows.writer.flush()?;
    if unresolved > REPORTS_MAX {
        progress.suspend(|| eprintln!("platbook: {unresolved} rows in all were not resolved"));
    }
    Ok(unresolved)
}

fn copy_rows(
    reader: &mut Reader<impl Read>,
    rows: &mut RowWriter<'_, impl Write>,
    layout: &Layout,
    progress: &ProgressBar,
) -> Result<u64> {
    let mut record = ByteRecord::new();
    let (mut read, mut unresolved) = (0u64, 0u64);
    while reader.read_byte_record(&mut record)? {
        if let Err(error) = rows.row(&record, layout)? {
            unresolved += 1;
            if unresolved <= REPORTS_MAX {
                let line = record.position().map_or(0, csv::Position::line);
                progress.suspend(|| eprintln!("platbook: line {line}: {error}"));
            }
        }
        read += 1;
        if read.is_multiple_of(ROWS_PER_TICK) {
            progress.set_position(reader.position().byte());
        }
    }
    Ok(unresolved)
}

/// Where the input has its coordinates.
struct Layout {
    lat: usize,
    lon: usize,
    fields: usize,
}

impl Layout {
    fn find(header: &ByteRecord, columns: &ColumnArgs) -> Result<Layout> {
        let lat = column(header, columns.lat_column.as_deref(), &LAT_NAMES, "--lat-column")?;
        let lon = column(header, columns.lon_column.as_deref(), &LON_NAMES, "--lon-column")?;
        Ok(Layout { lat, lon, fields: header.len() })
    }

    fn resolve(&self, record: &ByteRecord, directory: &Directory) -> Result<Chain, String> {
        if record.len() != self.fields {
            return Err(format!("expected {} fields as in the header, got {}", self.fields, record.len()));
        }
        let text = |at: usize| std::str::from_utf8(&record[at]).map_or("\u{fffd}", str::trim);
        let point =
            parse_point(Some(text(self.lat)), Some(text(self.lon))).map_err(|refusal| refusal.detail)?;
        match directory.resolve(point) {
            Resolution::Inside(chain) => Ok(chain),
            Resolution::Outside => Err("the point is in no covered state or territory".to_owned()),
        }
    }
}

fn column(header: &ByteRecord, wanted: Option<&str>, usual: &[&str], option: &str) -> Result<usize> {
    let position =
        |name: &str| header.iter().position(|field| field.trim_ascii().eq_ignore_ascii_case(name.as_bytes()));
    let found = match wanted {
        Some(name) => position(name),
        None => usual.iter().find_map(|name| position(name)),
    };
    found.ok_or_else(|| {
        let expected = wanted.map_or_else(|| usual.join(", "), str::to_owned);
        let header: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
        UsageError(format!(
            "expected a column {expected} in the first line, got {}; name it with {option}",
            header.join(",")
        ))
        .into()
    })
}

struct RowWriter<'d, W: Write> {
    writer: Writer<W>,
    directory: &'d Directory,
}

impl<W: Write> RowWriter<'_, W> {
    fn header(&mut self, header: &ByteRecord) -> csv::Result<()> {
        for field in header {
            self.writer.write_field(field)?;
        }
        for name in ADDED {
            if header.iter().any(|field| field.eq_ignore_ascii_case(name.as_bytes())) {
                self.writer.write_field(format!("{ADDED_PREFIX}{name}"))?;
            } else {
                self.writer.write_field(name)?;
            }
        }
        self.end()
    }

    /// Writes a row; the inner result says why it was not resolved.
    fn row(&mut self, record: &ByteRecord, layout: &Layout) -> csv::Result<Result<(), String>> {
        for at in 0..layout.fields {
            self.writer.write_field(record.get(at).unwrap_or_default())?;
        }
        let outcome = layout.resolve(record, self.directory);
        match &outcome {
            Ok(chain) => self.chain(chain)?,
            Err(error) => self.error(error)?,
        }
        self.end()?;
        Ok(outcome.map(drop))
    }

    fn chain(&mut self, chain: &Chain) -> csv::Result<()> {
        let state = self.directory.jurisdiction(chain.state).state;
        self.writer.write_field(state.map_or("", StateCode::usps))?;
        self.area(Some(chain.county))?;
        self.area(chain.cousub)?;
        self.area(chain.place)?;
        self.writer.write_field(match_quality(chain.quality).as_str())?;
        self.writer.write_field("")
    }

    /// Id and name.
    fn area(&mut self, row: Option<Row>) -> csv::Result<()> {
        let Some(row) = row else {
            self.writer.write_field("")?;
            return self.writer.write_field("");
        };
        let view = self.directory.jurisdiction(row);
        self.writer.write_field(IdText::of(&view.id).as_str())?;
        self.writer.write_field(view.name)
    }

    fn error(&mut self, error: &str) -> csv::Result<()> {
        for _ in 1..ADDED.len() {
            self.writer.write_field("")?;
        }
        self.writer.write_field(error)
    }

    fn end(&mut self) -> csv::Result<()> {
        self.writer.write_record(None::<&[u8]>)
    }
}
