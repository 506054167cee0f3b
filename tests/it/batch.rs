use std::{
    io::{Read as _, Write as _},
    process::{Command, Output, Stdio},
};

use fastrand::Rng;

/// Coordinates of the middle of Minneapolis, and of a point north of Toronto.
const INSIDE: &str = "44.9773,-93.2655";
const OUTSIDE: &str = "45.5,-79.0";

pub fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_platbook"))
        .args(["resolve", "--in", "-"])
        .args(args)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // A process that refuses its input does not read it to the end.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The rows of CSV by column.
pub struct Table {
    header: csv::StringRecord,
    pub rows: Vec<csv::StringRecord>,
}

impl Table {
    pub fn of(output: &Output) -> Table {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&*output.stdout);
        let header = reader.headers().unwrap_or_else(|_| panic!("{}", text(&output.stderr))).clone();
        Table { header, rows: reader.records().map(Result::unwrap).collect() }
    }

    pub fn field(&self, row: usize, name: &str) -> &str {
        let at = self.header.iter().position(|field| field == name);
        &self.rows[row][at.unwrap_or_else(|| panic!("{name} is not in {:?}", self.header))]
    }
}

#[test]
fn rows_are_all_kept() {
    let input = "\u{feff}id,Latitude,LNG,state\n\
                 1,44.9773,-93.2655,kept\n\
                 2, 44.9773 ,-93.2655,\"a \"\"b\"\",\nc\"\n\
                 3,x,-93.2655,\n\
                 4,44.9773\n\
                 5,0,0,,6\n\
                 6,44.9773,-93.2655,,,\n\
                 7,0,0,\n";
    let output = run(&["--summary"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = Table::of(&output);
    let header: Vec<_> = table.header.iter().take(6).collect();
    assert_eq!(header, ["id", "Latitude", "LNG", "state", "platbook_state", "county"]);
    assert_eq!(table.rows.iter().map(|row| &row[0]).collect::<String>(), "1234567");
    for row in [0, 1, 5] {
        let got = ["platbook_state", "county", "cousub", "place", "county_name", "quality", "error"];
        let got = got.map(|name| table.field(row, name));
        assert_eq!(got, ["27", "27053", "2705343000", "2743000", "Hennepin County", "inside", ""]);
    }
    assert_eq!(table.field(1, "state"), "a \"b\",\nc");
    for (row, quality, error) in [
        (2, "invalid", "got \"x\""),
        (3, "invalid", "expected 4 fields as in the header, got 2"),
        (4, "invalid", "expected 4 fields as in the header, got 5; beyond it stand: 6"),
        (6, "outside", "no covered state"),
    ] {
        assert!(table.field(row, "error").contains(error), "{}", table.field(row, "error"));
        assert_eq!((table.field(row, "county"), table.field(row, "quality")), ("", quality));
    }
    assert!(table.rows.iter().all(|row| row.len() == table.header.len()), "no row is ragged");
    let reports: Vec<_> = text(&output.stderr).lines().collect();
    assert!(reports[0].starts_with("platbook: line 5: expected lat"), "{reports:?}");
    assert_eq!(reports[4], "platbook: 7 rows: 3 resolved, 1 outside, 3 bad");
}

/// Rows by place and state, and a file with both: coordinates come first.
#[test]
fn rows_are_located_by_place_and_state() {
    let input = "id,City,State\n\
                 1,Minneapolis,MN\n\
                 2,Hennepin County,Minnesota\n\
                 3,Minneapolls,MN\n\
                 4,Springfield,NJ\n\
                 5,,MN\n\
                 6,Minneapolis,ZZ\n\
                 7,minneapolis city,mn\n";
    let table = Table::of(&run(&["--functions", "recording"], input.as_bytes()));
    for (row, county, place, quality, error) in [
        (0, "27053", "2743000", "exact", ""),
        (1, "27053", "", "exact", ""),
        (2, "", "", "invalid", "the nearest name is Minneapolis"),
        (3, "", "", "invalid", "places of New Jersey are named"),
        (4, "", "", "invalid", "expected the name of a place"),
        (5, "", "", "invalid", "two letters of a state, got \"ZZ\""),
        (6, "27053", "2743000", "exact", ""),
    ] {
        let got = ["county", "place", "quality"].map(|name| table.field(row, name));
        assert_eq!(got, [county, place, quality], "{row}: {}", table.field(row, "error"));
        assert!(table.field(row, "error").contains(error), "{row}: {}", table.field(row, "error"));
        let office = table.field(row, "recording_office");
        assert_eq!(!office.is_empty(), error.is_empty(), "{row}: {office}");
    }
    let both = format!("place,state,lat,lon\nDuluth,MN,{INSIDE}\n");
    let table = Table::of(&run(&["--columns", "county"], both.as_bytes()));
    assert_eq!(table.field(0, "county"), "27053");
}

/// JSON lines keep the types of their values; so do numbers of CSV.
#[test]
fn values_keep_their_types() {
    let lines = "{\"lat\":44.9773,\"lon\":\"-93.2655\",\"id\":7,\"zip\":\"01234\",\"tags\":[1,null]}\n\n\
                 {\"id\":8.50,\"lat\":44.9773,\"lon\":-93.2655,\"more\":{\"a\":1}}\n\
                 not an object\n\
                 {\"lat\":1,\"lat\":2}\n";
    let output = run(&["--to", "jsonl", "--columns", "county,border_m"], lines.as_bytes());
    let rows: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4, "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("\"id\":8.50"), "a number stays as it is written");
    let kept = ["lat", "lon", "id", "zip", "tags"].map(|name| rows[0][name].clone());
    let expected = serde_json::json!([44.9773, "-93.2655", 7, "01234", [1, null]]);
    assert_eq!(serde_json::Value::from(kept.to_vec()), expected);
    assert_eq!((&rows[1]["county"], &rows[1]["zip"]), (&"27053".into(), &serde_json::Value::Null));
    assert_eq!(rows[1]["extra_fields"], serde_json::json!({ "more": { "a": 1 } }));
    for (row, error) in [(2, "got not an object"), (3, "of different members, got {\"lat\":1")] {
        let said = rows[row]["error"].as_str().unwrap();
        assert!(said.contains(error), "{said}");
    }
    let table = Table::of(&run(&["--columns", "county"], lines.as_bytes()));
    assert_eq!(
        (table.field(0, "county"), table.field(0, "lon"), table.field(0, "tags")),
        ("27053", "-93.2655", "[1,null]")
    );
    assert!(table.field(1, "error").contains("CSV has no column for: {\"more\":{\"a\":1}}"));
    let csv = format!("lat,lon,id,zip\n{INSIDE},7,01234\n{INSIDE},,55401\n");
    let output = run(&["--to", "jsonl", "--columns", "county"], csv.as_bytes());
    let first =
        "{\"lat\":44.9773,\"lon\":-93.2655,\"id\":7,\"zip\":\"01234\",\"county\":\"27053\",\"error\":null}";
    let second = "{\"lat\":44.9773,\"lon\":-93.2655,\"id\":null,\"zip\":\"55401\",\"county\":\"27053\",\"error\":null}";
    assert_eq!(text(&output.stdout).lines().collect::<Vec<_>>(), [first, second]);
}

/// Each row has a file, its arguments, the exit code, and the words on stderr or stdout.
#[test]
fn odd_files_are_read_or_refused_by_name() {
    let plain = format!("lat,lon\n{INSIDE}\n");
    let utf16 = |mark: &str| -> Vec<u8> {
        format!("{mark}{plain}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let big_endian: Vec<u8> = plain.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(plain.as_bytes()).unwrap();
    let read = [
        plain.clone().into_bytes(),
        plain.replace('\n', "\r\n").into_bytes(),
        plain.replace('\n', "\r").into_bytes(),
        plain.replace(',', ";").into_bytes(),
        plain.replace(',', "\t").into_bytes(),
        plain.replace(',', "|").into_bytes(),
        format!("\u{feff}\n\r\n \t\n{plain}").into_bytes(),
        format!("\r\r{}", plain.replace('\n', "\r")).into_bytes(),
        format!("{}{plain}", "\n".repeat(300_000)).into_bytes(),
        utf16("\u{feff}"),
        utf16(""),
        big_endian,
        gzip.finish().unwrap(),
        zstd::encode_all(plain.as_bytes(), 3).unwrap(),
    ];
    for file in &read {
        let output = run(&["--columns", "county_name"], file);
        let said = (text(&output.stdout), text(&output.stderr));
        let is_read = output.status.success() && said.0.contains("Hennepin County") && said.1.is_empty();
        assert!(is_read, "{said:?}: {:?}", file.escape_ascii().take(100));
    }
    for (file, args, code, said) in [
        (&b"PK\x03\x04xlsx"[..], &[][..], 2, "a zip archive or a spreadsheet"),
        (b"", &[], 2, "expected a column lat, latitude, y"),
        (b"a\x1b[2Jb,lon\n", &[], 2, "got a\\u{1b}[2Jb,lon"),
        (b"lat,lon\n", &["--lat-column", "lon"], 2, "lon cannot be both"),
        (b"lat,Lat,lon\n1,2,3\n", &[], 2, "expected one column lat, got 2"),
        (b"a,b\n", &[], 2, "or address, or place and state, in the first line, got a,b"),
        (b"address\n1 Main St\n", &[], 2, "expected --layer FILE"),
        (b"lat,lon\n", &["--out", "f.parquet"], 2, "expected csv, jsonl or geojson for an input of text"),
        (b"lat,lon\n", &["--output", "out"], 2, "got out; or name a format with --to"),
        (b"{\"lat\":1,\"lon\"\n", &[], 2, "line 1: expected a JSON object on each line"),
        (b"lat,lon,\"x\n1,2,3\n", &[], 2, "line 1: a quote opens in the header"),
        (b"\n\nlat,lon,\"x\n1,2,3\n", &[], 2, "line 3: a quote opens in the header"),
        (b"\n\n\n", &[], 2, "expected a column lat, latitude, y"),
        (b"\n\nlat,lon\n\nx,1\n", &["--strict"], 1, "line 5: expected lat"),
        (b"lat,lon\n", &["--delimiter", "ab"], 2, "one ASCII character"),
        (b"lat,lon\n", &["--columns", "town"], 2, "got \"town\""),
        (b"lat,lon\n", &["--functions", "police"], 2, "got \"police\""),
        (b"lat,lon\n", &["--output", "/no/such/folder/out.csv"], 1, "cannot write /no/such/folder/out.csv"),
        (b"lat,lon\n1,\"2\n44,-93\n", &[], 1, "line 2: the quote that opens in this line is never closed"),
        (b"lat,lon\n0,0\n", &["--strict"], 1, "line 2: the point is in no covered state"),
    ] {
        let output = run(args, file);
        assert_eq!(output.status.code(), Some(code), "{file:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(said), "{file:?}: {}", text(&output.stderr));
    }
}

/// Files that never end, or whose header or rows exceed a limit. The refusal names the line, the limit and the value.
/// It comes early, even inside a packed file.
#[test]
fn what_is_too_long_is_refused_by_its_line() {
    let header = "lat,lon,note\n";
    let long = format!("{header}{INSIDE},kept\n{INSIDE},{}", "x".repeat(64 << 20));
    let wide = |columns: usize| format!("lat,lon{}\n{INSIDE}\n", ",c".repeat(columns - 2));
    let cells = format!("{header}{INSIDE},kept\n{INSIDE},{}\n", ",".repeat(20_000));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(long.as_bytes()).unwrap();
    let row = "line 3: expected a row of at most 16777216 bytes, got ";
    for (file, code, said, is_kept) in [
        (long.clone().into_bytes(), 1, row, true),
        (gzip.finish().unwrap(), 1, row, true),
        (zstd::encode_all(long.as_bytes(), 1).unwrap(), 1, row, true),
        (cells.into_bytes(), 1, "line 3: expected at most 16384 fields in a row, got more", true),
        (wide(16_385).into_bytes(), 2, "expected at most 16384 columns in the first line, got 16385", false),
        (wide(200_000).into_bytes(), 1, "line 1: expected a row of at most 262144 bytes, got ", false),
        ("x".repeat(1 << 20).into_bytes(), 1, "line 1: expected a row of at most 262144 bytes", false),
    ] {
        let output = run(&["--columns", "county"], &file);
        let stderr = text(&output.stderr);
        assert!(
            output.status.code() == Some(code) && stderr.contains(said),
            "{said}: {} {stderr}",
            output.status
        );
        assert_eq!(text(&output.stdout).contains("kept,27053"), is_kept, "rows before it are written");
    }
    let output = run(&["--columns", "county"], wide(16_384).as_bytes());
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// A header with repeated names still gives each member of a row a name of its own.
#[test]
fn repeated_names_are_distinguished() {
    let input = format!("lat,lon{}\n{INSIDE}{}\n", ",c".repeat(16_000), ",v".repeat(16_000));
    let output = run(&["--to", "jsonl", "--columns", "county"], input.as_bytes());
    let row: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row.len(), 16_004);
    assert_eq!((row["c"].as_str(), row["c_16000"].as_str()), (Some("v"), Some("v")));
}

#[test]
fn an_open_quote_spoils_one_line_alone() {
    let mut input = format!("lat,lon,n\n{INSIDE},\"open\n");
    (0..20_000).for_each(|row| input += &format!("{INSIDE},\"row {row}\"\n"));
    let output = run(&["--summary"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let table = Table::of(&output);
    assert_eq!(table.rows.len(), 20_001);
    assert_eq!((table.field(0, "n"), table.field(0, "county")), ("open\n", ""));
    assert_eq!((table.field(20_000, "n"), table.field(20_000, "county")), ("row 19999", "27053"));
    assert!(text(&output.stderr).ends_with("20001 rows: 20000 resolved, 0 outside, 1 bad\n"));
}

#[test]
fn a_long_field_is_not_repeated() {
    let input = format!("lat,lon\n{},-93\n", "9".repeat(5_000_000));
    let output = run(&["--columns", "county"], input.as_bytes());
    assert!(output.stderr.len() < 500, "{} bytes", output.stderr.len());
    assert!(Table::of(&output).field(0, "error").len() < 500);
}

#[test]
fn every_format_says_the_same() {
    let args = ["--columns", "usps,county,place,place_same_as,place_line_m,uncertain,unknown_layers"];
    let input = format!("id,lat,lon\na,{INSIDE}\n\"b\nc\",{OUTSIDE}\nd,37.5,-94.35,\ne,37.5,-94.35,x\n");
    let csv = run(&args, input.as_bytes());
    let table = Table::of(&csv);
    let lines = run(&[&args[..], &["--to", "jsonl"]].concat(), input.as_bytes());
    let objects: Vec<serde_json::Value> =
        text(&lines.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((table.rows.len(), objects.len()), (4, 4));
    for (row, object) in objects.iter().enumerate() {
        for name in &table.header {
            let value = &object[name];
            let said = value.as_str().map_or_else(|| value.to_string().replace("null", ""), str::to_owned);
            assert_eq!(said, table.field(row, name), "{name}");
        }
    }
    assert_eq!(objects[0]["place_same_as"], "cousub:2705343000");
    assert_eq!(objects[2]["unknown_layers"], "cousub");
    assert_eq!(objects[3]["extra_fields"], serde_json::json!(["x"]));
    let geojson = run(&[&args[..], &["--to", "geojson"]].concat(), input.as_bytes());
    let features: geojson_like::Collection = serde_json::from_slice(&geojson.stdout).unwrap();
    let geometries: Vec<_> = features.features.iter().map(|feature| feature.geometry.clone()).collect();
    let point = |lon, lat| serde_json::json!({ "type": "Point", "coordinates": [lon, lat] });
    let (null, inside) = (serde_json::Value::Null, point(-93.2655, 44.9773));
    assert_eq!(geometries, [inside, null.clone(), point(-94.35, 37.5), null]);
    assert_eq!(features.features[0].properties, objects[0]);
}

mod geojson_like {
    #[derive(serde::Deserialize)]
    pub(super) struct Collection {
        pub(super) features: Vec<Feature>,
    }

    #[derive(serde::Deserialize)]
    pub(super) struct Feature {
        pub(super) geometry: serde_json::Value,
        pub(super) properties: serde_json::Value,
    }
}

#[test]
fn offices_stand_in_columns() {
    let input = format!("lat,lon\n{INSIDE}\n{OUTSIDE}\n{INSIDE}\n");
    let args = ["--columns", "county", "--functions", "recording,assessment"];
    let table = Table::of(&run(&args, input.as_bytes()));
    for row in [0, 2] {
        assert_eq!(table.field(row, "recording_body_id"), "county:27053");
        assert_eq!(table.field(row, "recording_body"), "Hennepin County");
        assert_eq!(table.field(row, "recording_office"), "County Recorder and Registrar of Titles");
        assert_eq!(table.field(row, "assessment_body"), "Minneapolis");
        assert!(table.field(row, "assessment_url").starts_with("https://"));
        assert!(
            table.field(row, "recording_basis").contains("Minnesota"),
            "{}",
            table.field(row, "recording_basis")
        );
    }
    assert_eq!(table.field(1, "recording_office"), "");
}

#[test]
fn a_file_is_written_whole_and_packed_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let input = format!("lat,lon\n{INSIDE}\n");
    for (name, begins) in
        [("a.csv", "lat,lon,county"), ("b.jsonl.gz", "{\"lat\""), ("c.geojson.zst", "{\"type\"")]
    {
        let path = folder.path().join(name);
        let args = ["--columns", "county", "--output", path.to_str().unwrap()];
        let output = run(&args, input.as_bytes());
        assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
        let bytes = std::fs::read(&path).unwrap();
        let mut unpacked = String::new();
        match name.rsplit_once('.').unwrap().1 {
            "gz" => drop(flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut unpacked).unwrap()),
            "zst" => unpacked = String::from_utf8(zstd::decode_all(&*bytes).unwrap()).unwrap(),
            _ => unpacked = String::from_utf8(bytes).unwrap(),
        }
        assert!(unpacked.starts_with(begins) && unpacked.contains("27053"), "{name}: {unpacked}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left beside them");
}

/// Each row of any file comes out, in order, and the output is the same for any number of threads.
#[test]
fn damaged_files_lose_no_row() {
    const PARTS: [&str; 14] = [
        "a",
        "\"",
        ",",
        "\n",
        "\"\"",
        ";",
        "\0",
        "\u{1b}[31m",
        "é",
        "\r\n",
        " ",
        "44.9,-93.2",
        "0",
        "\u{202e}",
    ];
    let mut rng = Rng::with_seed(7);
    for round in 0..300 {
        let rows = rng.usize(1..40);
        let mut input = b"id,lat,lon,note\n".to_vec();
        for row in 0..rows {
            let note: String = (0..rng.usize(0..6)).map(|_| PARTS[rng.usize(..PARTS.len())]).collect();
            // Notes are written as people type them: without quoting and without line ends.
            let note = note.replace(['\n', '\r'], " ");
            input.extend(format!("{row},{INSIDE},{note}").bytes());
            if rng.bool() {
                input.push(rng.u8(0x80..));
            }
            input.push(b'\n');
        }
        let one = run(&["--summary", "--threads", "1"], &input);
        let said = text(&one.stderr).lines().last().unwrap_or_default().to_owned();
        let counted: usize = said.split(' ').nth(1).and_then(|count| count.parse().ok()).unwrap();
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&*one.stdout);
        let ids: Vec<_> = reader.byte_records().map(|row| row.unwrap()[0].to_vec()).collect();
        assert_eq!(ids.len(), counted, "{round}: {said}");
        // A quoted note may swallow the lines after it. The rows that do come out must be in order.
        let numbers: Vec<usize> = ids.iter().filter_map(|id| text(id).parse().ok()).collect();
        assert!(numbers.is_sorted(), "{round}: {numbers:?}");
        assert_eq!(run(&["--threads", "2"], &input).stdout, one.stdout, "{round}");
    }
}

/// The kind of damage that a test adds to a file.
#[derive(Clone, Copy, PartialEq)]
enum Damage {
    None,
    OpenQuote,
    MoreFields,
    FewerFields,
    BadPoint,
}

/// A file as programs write it, with one kind of damage; an open quote may spoil one row.
fn written(rng: &mut Rng, rows: usize, delimiter: u8, damage: Damage) -> Vec<u8> {
    const PARTS: [&str; 12] =
        ["a", "b\"c", "\"", ";", "\t", "|", ",", "\0", "\u{1b}[31m", "é", "\r\n", "\u{202e}"];
    let spoilt = rng.usize(..rows);
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).flexible(true).from_writer(Vec::new());
    writer.write_record(["id", "lat", "lon", "note"]).unwrap();
    for row in 0..rows {
        let mut note: String = (0..rng.usize(0..6)).map(|_| PARTS[rng.usize(..PARTS.len())]).collect();
        if damage == Damage::OpenQuote {
            note.retain(|letter| letter.is_alphabetic());
        }
        let lat = if damage == Damage::BadPoint && row % 3 == 0 { "x" } else { "44.9773" };
        let mut fields = vec![row.to_string(), lat.to_owned(), "-93.2655".to_owned(), note];
        match damage {
            Damage::MoreFields if row % 2 == 1 => fields.push("more".to_owned()),
            Damage::FewerFields if row % 4 == 1 => fields.truncate(3),
            Damage::OpenQuote if row == spoilt => "OPEN".clone_into(&mut fields[3]),
            _ => {}
        }
        writer.write_record(&fields).unwrap();
    }
    let bytes = writer.into_inner().unwrap();
    text(&bytes).replace("OPEN", "\"open").into_bytes()
}

/// Each row of the input is in the output, in order, for every delimiter and every kind of damage.
#[test]
fn each_known_row_comes_out() {
    const DAMAGES: [Damage; 5] =
        [Damage::None, Damage::OpenQuote, Damage::MoreFields, Damage::FewerFields, Damage::BadPoint];
    let mut rng = Rng::with_seed(11);
    for round in 0..300 {
        let (rows, delimiter) = ([1, 2, 5, 40, 400][rng.usize(..5)], b",;\t|"[rng.usize(..4)]);
        let input = written(&mut rng, rows, delimiter, DAMAGES[round % DAMAGES.len()]);
        let output = run(&[], &input);
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(&*output.stdout);
        let ids: Vec<String> = reader.records().map(|row| row.unwrap()[0].to_owned()).collect();
        let expected: Vec<String> = (0..rows).map(|row| row.to_string()).collect();
        assert_eq!(ids, expected, "{round}: {}", text(&input));
        assert!(!output.stderr.contains(&0x1b), "{round}: no code reaches the terminal");
    }
}
