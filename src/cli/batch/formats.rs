//! Writes rows as CSV, as a JSON object on each line, or as GeoJSON features.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use csv::{ByteRecord, ReaderBuilder};
use serde_json::Value as Json;

use super::{
    super::UsageError,
    HAS_COLUMNS,
    fields::Fields,
    json_lines::{is_number, text_of},
    layout::{Form, Kind, Layout},
};
use platbook::{
    columns::{Cell, Column},
    files::durable::is_device,
    geometry::LonLat,
};

/// Prefix of an added column's name if the input already uses that name.
const ADDED_PREFIX: &str = "platbook_";
/// JSON member that holds the fields of a row for which the header has no column.
const EXTRA: &str = "extra_fields";

/// A text format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// CSV: the columns of the input, then the added ones, separated by the delimiter of the input.
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// A GeoJSON feature collection (RFC 7946).
    Geojson,
}

/// A binary format of the output, which stores columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableFormat {
    /// Parquet, with a row group for each group.
    Parquet,
    /// The file format of Apache Arrow, also known as Feather.
    Arrow,
}

/// The kind and format of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Rows of text, in this format.
    Text(Format),
    /// Columns with types, in this format.
    Table(TableFormat),
}

/// How columns of Parquet and Arrow are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Compression {
    /// Zstandard at its level 1.
    Zstd,
    /// Snappy, for Parquet only: Arrow files have no such compression and stay uncompressed.
    Snappy,
    /// Columns are not compressed.
    None,
}

/// The file name endings that select a format.
const ENDINGS: &str = if HAS_COLUMNS {
    ".csv, .tsv, .txt, .jsonl, .ndjson, .geojson or .json, each also with .gz or .zst, or in .parquet or .arrow"
} else {
    ".csv, .tsv, .txt, .jsonl, .ndjson, .geojson or .json, each also with .gz or .zst; this build does not write Parquet"
};

impl clap::ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Target] {
        const ALL: &[Target] = &[
            Target::Text(Format::Csv),
            Target::Text(Format::Jsonl),
            Target::Text(Format::Geojson),
            Target::Table(TableFormat::Parquet),
            Target::Table(TableFormat::Arrow),
        ];
        if HAS_COLUMNS { ALL } else { &ALL[..3] }
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(match self {
            Target::Text(Format::Csv) => "csv",
            Target::Text(Format::Jsonl) => "jsonl",
            Target::Text(Format::Geojson) => "geojson",
            Target::Table(TableFormat::Parquet) => "parquet",
            Target::Table(TableFormat::Arrow) => "arrow",
        }))
    }
}

impl Target {
    /// Returns the format of an output by the name of the file; `None` for stdout and for devices.
    ///
    /// # Errors
    /// Fails if no format has the ending of the name: a file must hold what its name says.
    pub(super) fn of_output(path: Option<&Path>) -> Result<Option<Target>, UsageError> {
        let Some(path) = path.filter(|path| !is_device(path)) else { return Ok(None) };
        match ending(path).as_str() {
            "csv" | "tsv" | "txt" => Ok(Some(Target::Text(Format::Csv))),
            "jsonl" | "ndjson" => Ok(Some(Target::Text(Format::Jsonl))),
            "geojson" | "json" => Ok(Some(Target::Text(Format::Geojson))),
            "parquet" if HAS_COLUMNS && !is_packed(path) => Ok(Some(Target::Table(TableFormat::Parquet))),
            "arrow" | "feather" if HAS_COLUMNS && !is_packed(path) => {
                Ok(Some(Target::Table(TableFormat::Arrow)))
            }
            _ => {
                let got = path.display();
                let what =
                    format!("expected a file that ends in {ENDINGS}, got {got}; or name a format with --to");
                Err(UsageError(what))
            }
        }
    }
}

/// Returns the ending of a file's name in lower case. Skips `.gz` and `.zst`.
pub(super) fn ending(path: &Path) -> String {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_owned())
}

fn is_packed(path: &Path) -> bool {
    let packing = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["gz", "zst"].iter().any(|known| packing.eq_ignore_ascii_case(known))
}

/// Number of rows at the beginning of a file that decide which columns hold numbers. Chosen, not measured.
const SAMPLE_ROWS: usize = 200;

/// The names of all columns in the output: the input's, then the added ones.
pub(super) struct Names {
    /// The column names of the input, as bytes.
    input: ByteRecord,
    /// The names of the added columns.
    added: Vec<String>,
    /// All names as the first part of a JSON member: `"name":`.
    keys: Vec<String>,
    /// Whether each column of the input holds numbers.
    numbers: Vec<bool>,
    form: Form,
    /// The delimiter of the output.
    delimiter: u8,
}

impl Names {
    /// Makes the names of an output. `head` holds the first bytes of the input file; `delimiter` is that of the
    /// output.
    pub(super) fn new(layout: &Layout, columns: &[Column], head: &[u8], delimiter: u8) -> Names {
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
        let numbers = columns_of_numbers(layout, head);
        Names { input: layout.header.clone(), added, keys, numbers, form: layout.form, delimiter }
    }

    /// Returns whether the output may contain copies of the input's rows as they are.
    fn is_alike(&self) -> bool {
        self.form == Form::Csv(self.delimiter)
    }
}

/// Returns for each column whether it holds numbers: coordinates do, and so do columns whose first cells are all
/// numbers. CSV has no types, so a later cell that is not a number stays a text.
fn columns_of_numbers(layout: &Layout, head: &[u8]) -> Vec<bool> {
    let Form::Csv(delimiter) = layout.form else { return vec![false; layout.header.len()] };
    let mut seen = vec![(0, 0); layout.header.len()];
    let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(head);
    let mut rows: Vec<_> = reader.byte_records().filter_map(Result::ok).take(SAMPLE_ROWS).collect();
    // The end of `head` may cut off the last row.
    if rows.len() > 1 {
        rows.pop();
    }
    for row in &rows {
        for ((cells, numbers), field) in seen.iter_mut().zip(row).filter(|(_, field)| !field.is_empty()) {
            *cells += 1;
            *numbers += usize::from(is_number(field));
        }
    }
    let is_coordinate = |at: usize| matches!(layout.kind, Kind::Point { lat, lon } if at == lat || at == lon);
    let is_of_numbers =
        |(at, (cells, numbers)): (usize, (usize, usize))| is_coordinate(at) || cells > 0 && cells == numbers;
    seen.into_iter().enumerate().map(is_of_numbers).collect()
}

/// Gives each member of an object a unique name, in time linear in the length of all names. Hashing is randomized,
/// since the names come from a file.
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
    /// Decides which CSV fields need quotes.
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

    /// Returns the bytes that precede all rows.
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

    /// Begins a row with the fields of the input for which the header has a column.
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

    /// Writes the value of an added column, by the column's number. Values must come in the order of the columns.
    pub(super) fn value(&self, out: &mut Vec<u8>, at: usize, value: Cell<'_>) {
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

    /// Ends a row. JSON rows end with the fields for which the header has no column.
    pub(super) fn end(&self, out: &mut Vec<u8>, row: Fields<'_>) {
        if self.format == Format::Csv {
            return out.push(b'\n');
        }
        let more = row.skip(self.names.input.len());
        if row.skip(self.names.input.len()).any(|field| !field.is_empty()) {
            out.extend(format!(",\"{EXTRA}\":").bytes());
            match self.names.form {
                Form::Csv(_) => {
                    let more: Vec<_> = more.map(String::from_utf8_lossy).collect();
                    out.extend(Json::from(more).to_string().bytes());
                }
                Form::JsonLines => more.for_each(|object| out.extend_from_slice(object)),
            }
        }
        out.extend(if self.format == Format::Geojson { &b"}}"[..] } else { b"}\n" });
    }

    /// Writes the fields of the input as CSV.
    fn input(&self, out: &mut Vec<u8>, row: Fields<'_>) {
        let fields = self.names.input.len();
        if let Some((written, _)) = row.as_written(fields).filter(|_| self.names.is_alike()) {
            out.extend_from_slice(written);
            (row.len()..fields).for_each(|_| out.push(self.names.delimiter));
            return;
        }
        for at in 0..fields {
            self.delimit(out, at);
            let field = row.get(at).unwrap_or_default();
            match self.names.form {
                Form::Csv(_) => self.field(out, field),
                Form::JsonLines => self.field(out, text_of(field).as_bytes()),
            }
        }
    }

    fn delimit(&self, out: &mut Vec<u8>, at: usize) {
        if at > 0 {
            out.push(self.names.delimiter);
        }
    }

    fn field_of(&self, out: &mut Vec<u8>, value: Cell<'_>) {
        match value {
            Cell::Null => {}
            Cell::Text(text) => self.field(out, text.as_bytes()),
            Cell::Meters(meters) => tenths(out, meters),
            Cell::Truth(truth) => self.field(out, if truth { b"true" } else { b"false" }),
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
            match (row.get(at), self.names.form) {
                (None, _) => json(out, Cell::Null),
                (Some(field), Form::JsonLines) => out.extend_from_slice(field),
                (Some(b""), Form::Csv(_)) if self.names.numbers[at] => json(out, Cell::Null),
                (Some(field), Form::Csv(_)) if self.names.numbers[at] && is_number(field) => {
                    out.extend_from_slice(field);
                }
                (Some(field), Form::Csv(_)) => json(out, Cell::Text(&String::from_utf8_lossy(field))),
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

/// Begins a GeoJSON feature, up to its properties.
fn feature(out: &mut Vec<u8>, point: Option<LonLat>) {
    // The first feature's comma is removed when the pieces are joined.
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

fn json(out: &mut Vec<u8>, value: Cell<'_>) {
    match value {
        Cell::Null => out.extend(b"null"),
        Cell::Text(text) => serde_json::to_writer(out, text).expect("writing to memory does not fail"),
        Cell::Meters(meters) => tenths(out, meters),
        Cell::Truth(truth) => out.extend(if truth { &b"true"[..] } else { b"false" }),
    }
}

/// Writes a length with one decimal.
fn tenths(out: &mut Vec<u8>, meters: f64) {
    use std::io::Write as _;
    write!(out, "{meters:.1}").expect("writing to memory does not fail");
}

/// Returns the bytes that follow all rows.
pub(super) fn footer(format: Format) -> &'static [u8] {
    if format == Format::Geojson { b"\n]}\n" } else { b"" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(header: &str) -> Layout {
        let kind = Kind::Point { lat: 0, lon: 1 };
        Layout { form: Form::Csv(b','), kind, header: header.split(',').collect::<Vec<_>>().into() }
    }

    #[test]
    fn repeated_names_are_numbered() {
        for (header, names) in [
            ("c,c,c", "c c_2 c_3"),
            ("c_2,c,c,c", "c_2 c c_3 c_4"),
            ("c,c,c_2,c_2", "c c_2 c_2_2 c_2_3"),
            (",a,,column_1", "column_1 a column_3 column_1_2"),
        ] {
            let keys = Names::new(&layout(header), &[], b"", b',').keys;
            let got: Vec<_> = keys.iter().map(|key| key.trim_matches(['"', ':'])).collect();
            assert_eq!(got.join(" "), names);
        }
    }

    #[test]
    fn columns_of_numbers_are_known_by_their_first_cells() {
        let head = b"lat,lon,a,zip,empty,mixed\nx,1,5,55401,,1\n1,2,,01234,,\n1,1,7,55401,,x\n1,2,3";
        let numbers = columns_of_numbers(&layout("lat,lon,a,zip,empty,mixed"), head);
        assert_eq!(numbers, [true, true, true, false, false, false]);
    }

    #[test]
    fn a_file_is_what_its_name_says() {
        let text = |format| Some(Target::Text(format));
        for (path, expected) in [
            ("a.csv", Some(text(Format::Csv))),
            ("a.TSV.gz", Some(text(Format::Csv))),
            ("a.b.ndjson.zst", Some(text(Format::Jsonl))),
            ("a.json", Some(text(Format::Geojson))),
            ("/dev/null", Some(None)),
            ("a.parquet", Some(Some(Target::Table(TableFormat::Parquet)))),
            ("a.Arrow", Some(Some(Target::Table(TableFormat::Arrow)))),
            ("a.parquet.gz", None),
            ("a.gz", None),
            ("csv", None),
            ("a.", None),
        ] {
            assert_eq!(Target::of_output(Some(Path::new(path))).ok(), expected, "{path}");
        }
    }
}
