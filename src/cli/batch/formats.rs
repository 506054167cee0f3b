//! Writes rows as CSV, as a JSON object on each line, or as GeoJSON features.

use std::collections::{HashMap, HashSet};

use csv::ByteRecord;
use serde_json::Value as Json;

use super::{
    columns::{Column, Value},
    fields::Fields,
    layout::Layout,
};
use platbook::geometry::LonLat;

/// Prefix of an added column whose name the input already uses.
const ADDED_PREFIX: &str = "platbook_";
/// JSON member that holds a row's fields beyond those of the header.
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
    /// Returns the format by a file's name; `None` for an unknown ending.
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

/// The names of all columns in the output: the input's, then the added ones.
pub(super) struct Names {
    /// The names of the input, as bytes.
    input: ByteRecord,
    /// The names of the added columns.
    added: Vec<String>,
    /// All names as beginnings of JSON members: `"name":`.
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
        let mut unused = Unused::default();
        let of_input = layout.header.iter().enumerate().map(|(at, field)| {
            let name = String::from_utf8_lossy(field).trim().to_owned();
            unused.name(if name.is_empty() { format!("column_{}", at + 1) } else { name })
        });
        let of_input: Vec<String> = of_input.collect();
        let all = of_input.iter().chain(&added);
        let keys = all.map(|name| format!("{}:", Json::from(name.as_str()))).collect();
        Names { input: layout.header.clone(), added, keys, delimiter: layout.delimiter }
    }
}

/// Gives each member of an object a unique name, in time linear in the length of all names. Hashing is randomized,
/// since a file chooses the names.
#[derive(Default)]
struct Unused {
    taken: HashSet<String>,
    /// The number to try next after a name; all smaller ones are taken.
    next: HashMap<String, usize>,
}

impl Unused {
    /// Returns the wanted name, or the first unused of `name_2`, `name_3` and so on.
    fn name(&mut self, wanted: String) -> String {
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let first = self.next.get(&wanted).copied().unwrap_or(2);
        let mut numbered = (first..).map(|number| (number, format!("{wanted}_{number}")));
        let unused = numbered.find(|(_, name)| self.taken.insert(name.clone()));
        let (number, name) = unused.expect("there are more numbers than columns");
        self.next.insert(wanted, number + 1);
        name
    }
}

/// Writes rows, value by value, in one format.
pub(super) struct RowWriter<'n> {
    names: &'n Names,
    format: Format,
    /// Decides which fields need quotes.
    rules: csv_core::Writer,
}

impl<'n> RowWriter<'n> {
    pub(super) fn new(format: Format, names: &'n Names) -> RowWriter<'n> {
        let rules = csv_core::WriterBuilder::new().delimiter(names.delimiter).build();
        RowWriter { names, format, rules }
    }

    /// Returns the format of the output.
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Returns the bytes before all rows.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self.format {
            Format::Csv => {
                let added = self.names.added.iter().map(String::as_bytes);
                for (at, name) in self.names.input.iter().chain(added).enumerate() {
                    self.delimit(&mut out, at);
                    self.field(&mut out, name);
                }
                out.push(b'\n');
            }
            Format::Jsonl => {}
            Format::Geojson => out.extend(br#"{"type":"FeatureCollection","features":["#),
        }
        out
    }

    /// Begins a row with the fields of the input, up to the number of the header's.
    pub(super) fn begin(&self, out: &mut Vec<u8>, row: Fields<'_>, point: Option<LonLat>) {
        match self.format {
            Format::Csv => self.input(out, row),
            Format::Jsonl => self.members(out, row),
            Format::Geojson => {
                feature(out, point);
                self.members(out, row);
            }
        }
    }

    /// Writes the value of an added column, by its number. Values must come in the order of columns.
    pub(super) fn value(&self, out: &mut Vec<u8>, at: usize, value: &Value<'_>) {
        match self.format {
            Format::Csv => {
                out.push(self.names.delimiter);
                self.field_of(out, value);
            }
            Format::Jsonl | Format::Geojson => {
                self.key(out, self.names.input.len() + at);
                json(out, value);
            }
        }
    }

    /// Ends a row. Fields beyond those of the header come last.
    pub(super) fn end(&self, out: &mut Vec<u8>, row: Fields<'_>) {
        let fields = self.names.input.len();
        match self.format {
            Format::Csv => {
                match row.as_written(fields) {
                    Some((_, more)) => out.extend_from_slice(more),
                    None => row.skip(fields).for_each(|field| {
                        out.push(self.names.delimiter);
                        self.field(out, field);
                    }),
                }
                out.push(b'\n');
            }
            Format::Jsonl | Format::Geojson => {
                let extra: Vec<_> = row.skip(fields).map(String::from_utf8_lossy).collect();
                if !extra.is_empty() {
                    out.extend(format!(",\"{EXTRA}\":{}", Json::from(extra)).bytes());
                }
                out.extend(if self.format == Format::Geojson { &b"}}"[..] } else { b"}\n" });
            }
        }
    }

    /// Writes the fields of the input as CSV.
    fn input(&self, out: &mut Vec<u8>, row: Fields<'_>) {
        let fields = self.names.input.len();
        if let Some((written, _)) = row.as_written(fields) {
            out.extend_from_slice(written);
            (row.len()..fields).for_each(|_| out.push(self.names.delimiter));
            return;
        }
        for at in 0..fields {
            self.delimit(out, at);
            self.field(out, row.get(at).unwrap_or_default());
        }
    }

    fn delimit(&self, out: &mut Vec<u8>, at: usize) {
        if at > 0 {
            out.push(self.names.delimiter);
        }
    }

    fn field_of(&self, out: &mut Vec<u8>, value: &Value<'_>) {
        match value {
            Value::Null => {}
            Value::Text(text) => self.field(out, text.as_bytes()),
            Value::Meters(meters) => self.field(out, format!("{meters:.1}").as_bytes()),
            Value::Truth(truth) => self.field(out, if *truth { b"true" } else { b"false" }),
        }
    }

    /// Writes a field, quoted if necessary.
    fn field(&self, out: &mut Vec<u8>, field: &[u8]) {
        if !self.rules.should_quote(field) {
            return out.extend_from_slice(field);
        }
        out.push(b'"');
        for part in field.split_inclusive(|byte| *byte == b'"') {
            out.extend_from_slice(part);
            out.extend(part.last().filter(|last| **last == b'"'));
        }
        out.push(b'"');
    }

    /// Begins an object with the fields of the input as members.
    fn members(&self, out: &mut Vec<u8>, row: Fields<'_>) {
        out.push(b'{');
        for at in 0..self.names.input.len() {
            self.key(out, at);
            match row.get(at).map(String::from_utf8_lossy) {
                Some(text) => json(out, &Value::Text(&text)),
                None => json(out, &Value::Null),
            }
        }
    }

    fn key(&self, out: &mut Vec<u8>, at: usize) {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(self.names.keys[at].as_bytes());
    }
}

/// Begins a feature, up to its properties.
fn feature(out: &mut Vec<u8>, point: Option<LonLat>) {
    // The comma before the first feature is removed when the pieces are joined.
    out.extend(b",\n{\"type\":\"Feature\",\"geometry\":");
    match point {
        Some(point) => {
            let [lon, lat] = [point.lon_degrees(), point.lat_degrees()];
            out.extend(format!("{{\"type\":\"Point\",\"coordinates\":[{lon},{lat}]}}").bytes());
        }
        None => out.extend(b"null"),
    }
    out.extend(b",\"properties\":");
}

fn json(out: &mut Vec<u8>, value: &Value<'_>) {
    match value {
        Value::Null => out.extend(b"null"),
        Value::Text(text) => serde_json::to_writer(out, text).expect("memory takes what is written to it"),
        Value::Meters(meters) => out.extend(format!("{meters:.1}").bytes()),
        Value::Truth(truth) => out.extend(if *truth { &b"true"[..] } else { b"false" }),
    }
}

/// Returns the bytes after all rows.
pub(super) fn footer(format: Format) -> &'static [u8] {
    if format == Format::Geojson { b"\n]}\n" } else { b"" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_are_numbered() {
        for (header, names) in [
            ("c,c,c", "c c_2 c_3"),
            ("c_2,c,c,c", "c_2 c c_3 c_4"),
            ("c,c,c_2,c_2", "c c_2 c_2_2 c_2_3"),
            (",a,,column_1", "column_1 a column_3 column_1_2"),
        ] {
            let layout = Layout {
                delimiter: b',',
                lat: 0,
                lon: 1,
                header: header.split(',').collect::<Vec<_>>().into(),
            };
            let keys = Names::new(&layout, &[]).keys;
            let got: Vec<_> = keys.iter().map(|key| key.trim_matches(['"', ':'])).collect();
            assert_eq!(got.join(" "), names);
        }
    }
}
