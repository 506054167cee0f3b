//! Tests files of Parquet and Arrow: they have the same rows as text, in their order, in bounded groups.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Arc,
};

use arrow_array::{
    Array, ArrayRef, BinaryArray, Float32Array, Float64Array, Int64Array, RecordBatch, RecordBatchReader,
    StringArray, cast::AsArray as _,
};
use arrow_ipc::{
    reader::FileReader,
    writer::{FileWriter, StreamWriter},
};
use arrow_schema::{DataType, Field, Metadata, Schema};
use parquet::arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder};

use crate::batch;

/// Columns of the output that are compared, of each type.
const CHOSEN: [&str; 4] =
    ["--columns", "county,place_name,quality,border_m,uncertain", "--functions", "recording"];

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_platbook")).arg("resolve").args(args).env_clear().output().unwrap()
}

fn resolve(input: &Path, output: &Path, args: &[&str]) -> Output {
    let paths = ["--in", input.to_str().unwrap(), "--out", output.to_str().unwrap()];
    run(&[&paths[..], args].concat())
}

/// A row in the middle of Minneapolis.
pub fn one_point() -> RecordBatch {
    let column = |value: f64| -> ArrayRef { Arc::new(Float64Array::from(vec![value])) };
    table(vec![("lat", column(44.9773)), ("lon", column(-93.2655))])
}

pub fn write_parquet(path: &Path, batch: &RecordBatch) {
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// Returns the rows of a file as one batch, and the sizes of its batches or row groups.
fn read(path: &Path) -> (RecordBatch, Vec<i64>) {
    let file = File::open(path).unwrap();
    let (reader, sizes, schema): (Box<dyn RecordBatchReader>, Vec<i64>, _) =
        if path.extension().unwrap() == "parquet" {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
            let sizes = builder.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
            // The reader's own schema has no metadata.
            let schema = builder.schema().clone();
            (Box::new(builder.with_batch_size(1 << 20).build().unwrap()), sizes, schema)
        } else {
            let reader = FileReader::try_new(file, None).unwrap();
            let schema = reader.schema();
            (Box::new(reader), Vec::new(), schema)
        };
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    let rows = batches.iter().map(RecordBatch::num_rows).sum::<usize>();
    let column =
        |at: usize| -> Vec<ArrayRef> { batches.iter().map(|batch| batch.column(at).clone()).collect() };
    let columns = (0..schema.fields().len()).map(|at| joined(&column(at), schema.field(at).data_type()));
    let batch = RecordBatch::try_new_with_options(
        schema.clone(),
        columns.collect(),
        &arrow_array::RecordBatchOptions::new().with_row_count(Some(rows)),
    );
    (batch.unwrap(), sizes)
}

/// Returns the rows of a file, each cell as a text of CSV.
pub fn rows_of(path: &Path) -> Vec<Vec<String>> {
    let (batch, _) = read(path);
    let columns: Vec<Vec<String>> =
        batch.schema().fields().iter().map(|field| texts(&batch, field.name())).collect();
    (0..batch.num_rows()).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect()
}

/// Joins the arrays of a column. Knows only the types that occur in these tests.
fn joined(arrays: &[ArrayRef], data_type: &DataType) -> ArrayRef {
    match data_type {
        DataType::Utf8 => {
            Arc::new(arrays.iter().flat_map(|array| array.as_string::<i32>().iter()).collect::<StringArray>())
        }
        DataType::Binary => {
            Arc::new(arrays.iter().flat_map(|array| array.as_binary::<i32>().iter()).collect::<BinaryArray>())
        }
        DataType::Boolean => Arc::new(
            arrays.iter().flat_map(|array| array.as_boolean().iter()).collect::<arrow_array::BooleanArray>(),
        ),
        DataType::Float64 => Arc::new(numbers::<arrow_array::types::Float64Type>(arrays)),
        DataType::Float32 => Arc::new(numbers::<arrow_array::types::Float32Type>(arrays)),
        DataType::Int64 => Arc::new(numbers::<arrow_array::types::Int64Type>(arrays)),
        other => panic!("these tests have no column of {other}"),
    }
}

fn numbers<T: arrow_array::ArrowPrimitiveType>(arrays: &[ArrayRef]) -> arrow_array::PrimitiveArray<T> {
    arrays.iter().flat_map(|array| array.as_primitive::<T>().iter()).collect()
}

/// The cells of a column as texts of CSV.
fn texts(batch: &RecordBatch, name: &str) -> Vec<String> {
    let array = batch.column_by_name(name).unwrap_or_else(|| panic!("{name} is not in {:?}", batch.schema()));
    let some = |text: Option<String>| text.unwrap_or_default();
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().map(|text| some(text.map(str::to_owned))).collect(),
        DataType::Boolean => {
            array.as_boolean().iter().map(|truth| some(truth.map(|truth| truth.to_string()))).collect()
        }
        DataType::Float64 => {
            let meters = array.as_primitive::<arrow_array::types::Float64Type>().iter();
            meters.map(|meters| some(meters.map(|meters| format!("{meters:.1}")))).collect()
        }
        other => panic!("these tests have no column of {other}"),
    }
}

/// Points over the country and its surroundings. Some rows have no valid point.
fn points(count: usize) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
    let mut random = fastrand::Rng::with_seed(11);
    let mut lat = Vec::with_capacity(count);
    let mut lon = Vec::with_capacity(count);
    for row in 0..count {
        lat.push(match row % 1_000 {
            0 => None,
            1 => Some(f64::NAN),
            2 => Some(f64::NEG_INFINITY),
            3 => Some(91.0),
            _ => Some(24.0 + 26.0 * random.f64()),
        });
        lon.push(Some(-125.0 + 58.0 * random.f64()));
    }
    (lat, lon)
}

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn columns_get_the_rows_of_text() {
    let folder = tempfile::tempdir().unwrap();
    // More than one group of rows, so that threads take turns.
    let count = 140_000;
    let (lat, lon) = points(count);
    let ids: Vec<i64> = (0..count as i64).collect();
    let batch = table(vec![
        ("id", Arc::new(Int64Array::from(ids.clone()))),
        ("lat", Arc::new(Float64Array::from(lat.clone()))),
        ("lon", Arc::new(Float64Array::from(lon.clone()))),
    ]);
    let input = folder.path().join("points.parquet");
    write_parquet(&input, &batch);
    let text = |number: &Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let mut csv = String::from("id,lat,lon\n");
    for ((id, lat), lon) in ids.iter().zip(&lat).zip(&lon) {
        csv += &format!("{id},{},{}\n", text(lat), text(lon));
    }
    let expected = batch::Table::of(&batch::run(&CHOSEN, csv.as_bytes()));
    let names = "county place_name quality border_m uncertain recording_office recording_basis";
    let mut first: Option<Vec<u8>> = None;
    for (name, threads, compression) in
        [("one.parquet", "1", "zstd"), ("many.parquet", "8", "zstd"), ("a.arrow", "2", "none")]
    {
        let output = folder.path().join(name);
        let args = [&CHOSEN[..], &["--threads", threads, "--compression", compression, "--summary"]].concat();
        let done = resolve(&input, &output, &args);
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success() && said.contains("140000 rows: "), "{said}");
        assert!(said.starts_with("platbook: row 1: lat is null\nplatbook: row 2: "), "{said}");
        let (got, sizes) = read(&output);
        assert_eq!(got.num_rows(), count);
        assert!(sizes.iter().all(|rows| *rows <= 1 << 17), "{sizes:?}");
        assert_eq!(got["id"].as_primitive::<arrow_array::types::Int64Type>().values(), &ids[..]);
        for name in names.split(' ') {
            let expected = (0..count).map(|row| expected.field(row, name));
            assert!(texts(&got, name).iter().map(String::as_str).eq(expected), "{name}");
        }
        let snapshot = got.schema().metadata().get("platbook.snapshot_id").map(|id| id.len());
        assert!(snapshot.is_some_and(|length| length > 8));
        if name.ends_with("parquet") {
            let bytes = fs::read(&output).unwrap();
            assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "threads do not change the bytes");
        }
    }
}

/// A point as WKB.
fn wkb(lat: f64, lon: f64) -> Vec<u8> {
    [&[1, 1, 0, 0, 0][..], &lon.to_le_bytes(), &lat.to_le_bytes()].concat()
}

/// Columns of a file, its GeoParquet metadata and options, then the expected county of the first row or words of the
/// error.
type Case = (
    Vec<(&'static str, ArrayRef)>,
    Option<String>,
    &'static [&'static str],
    Result<&'static str, &'static str>,
);

/// Metadata of GeoParquet, with the EPSG code of a reference system.
fn geo(code: Option<u32>) -> Option<String> {
    let crs = code.map_or(String::new(), |code| {
        format!(r#", "crs": {{"id": {{"authority": "EPSG", "code": {code}}}}}"#)
    });
    let columns = format!(r#"{{"geometry": {{"encoding": "WKB"{crs}}}}}"#);
    Some(format!(r#"{{"version": "1.1.0", "primary_column": "geometry", "columns": {columns}}}"#))
}

/// Files of two points: one in Minneapolis, one north of Toronto.
fn cases() -> Vec<Case> {
    let wkb: ArrayRef = Arc::new(BinaryArray::from_iter_values([wkb(44.9773, -93.2655), wkb(45.5, -79.0)]));
    let lat: ArrayRef = Arc::new(Float64Array::from(vec![44.9773, 45.5]));
    let lon: ArrayRef = Arc::new(Float64Array::from(vec![-93.2655, -79.0]));
    let single: ArrayRef = Arc::new(Float32Array::from(vec![44.9773, 45.5]));
    let one = |name, array: &ArrayRef| vec![(name, array.clone())];
    let two = |names: [&'static str; 2], arrays: [&ArrayRef; 2]| {
        vec![(names[0], arrays[0].clone()), (names[1], arrays[1].clone())]
    };
    let twice = [one("LAT", &lat), two(["lat", "lon"], [&lat, &lon])].concat();
    let found = Ok("27053");
    vec![
        (two(["LATITUDE", "lng"], [&single, &lon]), None, &[], found),
        (two(["a", "b"], [&lat, &lon]), None, &["--lat-column", "a", "--lon-column", "b"], found),
        (one("point", &wkb), None, &["--geometry-column", "point"], found),
        (one("geometry", &wkb), geo(None), &[], found),
        (one("geometry", &wkb), geo(Some(4269)), &[], found),
        (one("geometry", &wkb), geo(Some(3857)), &[], Err("got EPSG:3857; convert it first")),
        (one("a", &lat), None, &[], Err("expected columns lat and lon, or points as WKB, got a;")),
        (twice, None, &[], Err("expected one column LAT, got 2")),
        (two(["lat", "lon"], [&wkb, &lon]), None, &[], Err("lat: expected a column of numbers, got Binary")),
        (one("x", &lat), None, &["--geometry-column", "x"], Err("expected a column of WKB, which is binary")),
        (one("x", &lat), None, &["--geometry-column", "y"], Err("expected a column y, got x")),
        (one("x", &lat), None, &["--address-column", "x"], Err("--address-column is for files of text")),
        (two(["lat", "lon"], [&lat, &lon]), None, &["--to", "csv"], Err("got a text format")),
    ]
}

/// Writes a batch as Parquet, as an Arrow file and as an Arrow stream.
fn written(folder: &Path, batch: &RecordBatch) -> [PathBuf; 3] {
    let paths = ["in.parquet", "in.arrow", "in.arrows"].map(|name| folder.join(name));
    let [_, file, stream] = paths.each_ref().map(|path| File::create(path).unwrap());
    write_parquet(&paths[0], batch);
    let mut writer = FileWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    let mut writer = StreamWriter::try_new(stream, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    paths
}

#[test]
fn points_stand_in_columns_of_each_kind() {
    let folder = tempfile::tempdir().unwrap();
    for (columns, geo, args, expected) in cases() {
        let bare = table(columns);
        let metadata: Metadata = geo.map(|geo| ("geo", geo)).into_iter().collect();
        let fields: Vec<Field> = bare.schema().fields().iter().map(|field| Field::clone(field)).collect();
        let schema = Arc::new(Schema::new(fields).with_metadata(metadata));
        let batch = RecordBatch::try_new(schema, bare.columns().to_vec()).unwrap();
        for input in written(folder.path(), &batch) {
            let output = folder.path().join("out.parquet");
            let done = resolve(&input, &output, &[&["--columns", "county"], args].concat());
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            match expected {
                Ok(county) => {
                    assert!(done.status.success(), "{}: {said}", input.display());
                    assert_eq!(texts(&read(&output).0, "county"), [county, ""]);
                }
                Err(words) => assert!(!done.status.success() && said.contains(words), "{said}"),
            }
        }
    }
}

#[test]
fn empty_and_damaged_files_are_files() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output, damaged] =
        ["in.parquet", "out.parquet", "damaged.parquet"].map(|name| folder.path().join(name));
    let column = |values: Vec<f64>| -> ArrayRef { Arc::new(Float64Array::from(values)) };
    write_parquet(&input, &table(vec![("lat", column(vec![])), ("lon", column(vec![]))]));
    assert!(resolve(&input, &output, &["--columns", "county"]).status.success());
    let (rows, groups) = read(&output);
    assert_eq!((rows.num_rows(), rows.num_columns(), groups), (0, 4, vec![]));
    // Changes every 97th byte of a small file. The file is read or refused with a message, and the output exists only
    // if it is complete.
    let many: Vec<f64> = (0..50).map(|row| 44.9 + f64::from(row) / 1_000.0).collect();
    write_parquet(&input, &table(vec![("lat", column(many)), ("lon", column(vec![-93.26; 50]))]));
    let whole = fs::read(&input).unwrap();
    let mut refused = 0;
    for at in (4..whole.len()).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        fs::write(&damaged, &bytes).unwrap();
        fs::remove_file(&output).ok();
        let done = resolve(&damaged, &output, &["--columns", "county"]);
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.code().is_some_and(|code| code < 3), "{at}: {:?} {said}", done.status);
        assert!(!said.contains("panicked"), "{at}: {said}");
        assert_eq!(done.status.success(), output.exists(), "{at}: {said}");
        refused += usize::from(!done.status.success());
    }
    assert!(refused > 2, "{refused} refused");
    fs::write(&damaged, &whole[..whole.len() / 2]).unwrap();
    let done = resolve(&damaged, &output, &[]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("cannot read "), "{done:?}");
}
