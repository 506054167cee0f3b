//! Rows as CSV, as a JSON object on each line, or as GeoJSON features.

use csv::{ByteRecord, Writer, WriterBuilder};
use serde_json::Value as Json;

use super::{columns::Column, layout::Layout, values::Value};
use crate::geometry::LonLat;

/// An added column whose name the input already uses gets this in front.
const ADDED_PREFIX: &str = "platbook_";
/// Where a row's fields beyond those of the header go in JSON.
const EXTRA: &str = "extra_fields";

/// A format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// The input's columns, then the added ones; the input's delimiter.
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// A GeoJSON feature collection (RFC 7946).
    Geojson,
}

impl Format {
    /// The format that a file's name asks for.
    pub(super) fn of_name(name: &str) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
        match name.rsplit_once('.')?.1 {
            "csv" | "tsv" | "txt" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::Jsonl),
            "geojson" | "json" => Some(Format::Geojson),
            _ => None,
        }
    }
}

/// The names of all columns, of the input and added, as the output has them.
pub(super) struct Names {
    /// Of the input, as bytes.
    pub(super) input: ByteRecord,
    /// Added.
    pub(super) added: Vec<String>,
    /// All as the beginnings of JSON members: `"name":`.
    keys: Vec<String>,
    delimiter: u8,
}

impl Names {
    pub(super) fn new(layout: &Layout, columns: &[Column]) -> Names {
        let taken =
            |name: &str| layout.header.iter().any(|field| field.eq_ignore_ascii_case(name.as_bytes()));
        let added: Vec<String> = columns
            .iter()
            .map(|column| column.name())
            .map(|name| if taken(&name) { format!("{ADDED_PREFIX}{name}") } else { name })
            .collect();
        let mut all: Vec<String> = Vec::new();
        for (at, field) in layout.header.iter().enumerate() {
            all.push(unused(&all, String::from_utf8_lossy(field).trim(), at));
        }
        all.extend(added.iter().cloned());
        let keys = all.iter().map(|name| format!("{}:", Json::from(name.as_str()))).collect();
        Names { input: layout.header.clone(), added, keys, delimiter: layout.delimiter }
    }
}

/// Members of an object need names of their own.
fn unused(taken: &[String], name: &str, at: usize) -> String {
    let name = if name.is_empty() { format!("column_{}", at + 1) } else { name.to_owned() };
    let mut unused = name.clone();
    for number in 2.. {
        if !taken.contains(&unused) {
            break;
        }
        unused = format!("{name}_{number}");
    }
    unused
}

/// Writes rows of one piece.
pub(super) enum RowWriter<'n> {
    /// CSV.
    Csv(Box<Writer<Vec<u8>>>, usize),
    /// JSON, with or without features around the objects.
    Json(JsonWriter<'n>),
}

/// Writes JSON objects.
pub(super) struct JsonWriter<'n> {
    names: &'n Names,
    out: Vec<u8>,
    is_geojson: bool,
    /// The member that comes next.
    next: usize,
}

impl<'n> RowWriter<'n> {
    pub(super) fn new(format: Format, names: &'n Names) -> RowWriter<'n> {
        match format {
            Format::Csv => {
                let mut builder = WriterBuilder::new();
                let writer = builder.flexible(true).delimiter(names.delimiter).from_writer(Vec::new());
                RowWriter::Csv(Box::new(writer), names.input.len())
            }
            Format::Jsonl | Format::Geojson => RowWriter::Json(JsonWriter {
                names,
                out: Vec::new(),
                is_geojson: format == Format::Geojson,
                next: 0,
            }),
        }
    }

    /// What comes before all rows.
    pub(super) fn header(&mut self, names: &Names) -> csv::Result<()> {
        match self {
            RowWriter::Csv(writer, _) => {
                let added = names.added.iter().map(String::as_bytes);
                writer.write_record(names.input.iter().chain(added))
            }
            RowWriter::Json(json) => {
                if json.is_geojson {
                    json.out.extend(br#"{"type":"FeatureCollection","features":["#);
                }
                Ok(())
            }
        }
    }

    /// Begins a row with the fields of the input, as many as the header has.
    pub(super) fn begin(&mut self, record: &ByteRecord, point: Option<LonLat>) -> csv::Result<()> {
        match self {
            RowWriter::Csv(writer, fields) => {
                (0..*fields).try_for_each(|at| writer.write_field(record.get(at).unwrap_or_default()))
            }
            RowWriter::Json(json) => {
                json.begin(record, point);
                Ok(())
            }
        }
    }

    /// Adds the value of the next column.
    pub(super) fn add(&mut self, value: &Value<'_>) -> csv::Result<()> {
        match self {
            RowWriter::Csv(writer, _) => match value {
                Value::Null => writer.write_field(""),
                Value::Text(text) => writer.write_field(text),
                Value::Metres(metres) => writer.write_field(format!("{metres:.1}")),
                Value::Truth(truth) => writer.write_field(if *truth { "true" } else { "false" }),
            },
            RowWriter::Json(json) => {
                json.add(value);
                Ok(())
            }
        }
    }

    /// Ends a row: fields beyond those of the header stand last.
    pub(super) fn end(&mut self, record: &ByteRecord) -> csv::Result<()> {
        match self {
            RowWriter::Csv(writer, fields) => {
                record.iter().skip(*fields).try_for_each(|field| writer.write_field(field))?;
                writer.write_record(None::<&[u8]>)
            }
            RowWriter::Json(json) => {
                json.end(record);
                Ok(())
            }
        }
    }

    /// The bytes of the rows.
    pub(super) fn finish(self) -> Vec<u8> {
        match self {
            RowWriter::Csv(writer, _) => writer.into_inner().expect("memory takes what is written to it"),
            RowWriter::Json(json) => json.out,
        }
    }
}

/// What comes after all rows.
pub(super) fn footer(format: Format) -> &'static [u8] {
    if format == Format::Geojson { b"\n]}\n" } else { b"" }
}

impl JsonWriter<'_> {
    fn begin(&mut self, record: &ByteRecord, point: Option<LonLat>) {
        self.next = 0;
        if self.is_geojson {
            // The comma before the first feature is taken off where the pieces are joined.
            self.out.extend(b",\n{\"type\":\"Feature\",\"geometry\":");
            match point {
                Some(point) => {
                    let [lon, lat] = [point.lon_degrees(), point.lat_degrees()];
                    self.out.extend(format!("{{\"type\":\"Point\",\"coordinates\":[{lon},{lat}]}}").bytes());
                }
                None => self.out.extend(b"null"),
            }
            self.out.extend(b",\"properties\":");
        }
        self.out.push(b'{');
        for at in 0..self.names.input.len() {
            let text = record.get(at).map(String::from_utf8_lossy);
            self.member(|out| match text {
                Some(text) => write_json(out, &text),
                None => out.extend(b"null"),
            });
        }
    }

    fn add(&mut self, value: &Value<'_>) {
        self.member(|out| match value {
            Value::Null => out.extend(b"null"),
            Value::Text(text) => write_json(out, text),
            Value::Metres(metres) => out.extend(format!("{metres:.1}").bytes()),
            Value::Truth(truth) => out.extend(if *truth { &b"true"[..] } else { b"false" }),
        });
    }

    fn member(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.next > 0 {
            self.out.push(b',');
        }
        self.out.extend(self.names.keys[self.next].bytes());
        self.next += 1;
        write(&mut self.out);
    }

    fn end(&mut self, record: &ByteRecord) {
        let extra: Vec<_> = record.iter().skip(self.names.input.len()).map(String::from_utf8_lossy).collect();
        if !extra.is_empty() {
            self.out.extend(format!(",\"{EXTRA}\":{}", Json::from(extra)).bytes());
        }
        self.out.extend(if self.is_geojson { &b"}}"[..] } else { b"}\n" });
    }
}

fn write_json(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("memory takes what is written to it");
}
