use std::sync::Arc;

use arrow_array::{
    Array as _, BinaryArray, Float32Array, Float64Array, Int32Array, StringArray, cast::AsArray as _,
    types::Int32Type,
};

use super::*;
use crate::{answers::Answers, testing};

fn table() -> Arc<Table> {
    let columns = ["county_name", "place", "quality", "border_m", "uncertain", "unknown_layers"];
    let columns = Column::chosen(Some(&columns), Some(&["zoning"])).unwrap();
    Arc::new(Table::new(Arc::new(Answers::new(testing::directory())), columns))
}

fn texts(batch: &RecordBatch, name: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(name).unwrap();
    let plain = |array: &StringArray, row| array.is_valid(row).then(|| array.value(row).to_owned());
    match column.data_type() {
        DataType::Utf8 => (0..column.len()).map(|row| plain(column.as_string(), row)).collect(),
        _ => {
            let column = column.as_dictionary::<Int32Type>();
            column.keys().iter().map(|key| plain(column.values().as_string(), key? as usize)).collect()
        }
    }
}

/// Makes the rows in both encodings, and twice, so that the second batch uses stored texts.
#[test]
fn batches_hold_what_rows_say() {
    let table = table();
    let rows = [(45.025, -93.95), (f64::NAN, 0.0), (0.0, 0.0), (45.025, -93.95), (45.045, -93.905)];
    let mut both = Vec::new();
    for encoding in [Encoding::Plain, Encoding::Dictionary] {
        let mut batches = Batches::new(&table, encoding);
        batches.batch(rows[4..].iter().copied().map(Location::of_degrees)).unwrap();
        let batch = batches.batch(rows.into_iter().map(Location::of_degrees)).unwrap();
        assert_eq!((batch.num_rows(), batch.schema()), (rows.len(), batches.schema()));
        let quality = texts(&batch, "quality");
        let expected = ["inside", "invalid", "outside", "inside"].map(|word| Some(word.to_owned()));
        assert_eq!(quality[..4], expected);
        let county = Some("Adams County".to_owned());
        assert_eq!(texts(&batch, "county_name")[..4], [county.clone(), None, None, county]);
        assert!(texts(&batch, "zoning_basis")[0].as_ref().is_some_and(|basis| basis.len() > 10));
        assert!(texts(&batch, "error")[1].as_ref().is_some_and(|error| error.contains("NaN")), "{batch:?}");
        assert_eq!(batch.column_by_name("uncertain").unwrap().null_count(), 2);
        let all: Vec<_> = table
            .columns()
            .iter()
            .filter(|column| column.cell_type() == CellType::Text)
            .map(|column| texts(&batch, &column.name()))
            .collect();
        both.push(all);
    }
    assert_eq!(both[0], both[1]);
    let empty = Batches::new(&table, Encoding::Plain).batch(std::iter::empty()).unwrap();
    assert_eq!(empty.num_rows(), 0);
    let schema = schema(&table, Encoding::Plain);
    assert_eq!(schema.metadata["platbook.snapshot_id"], table.directory().snapshot_id());
    assert_eq!(schema.field_with_name("border_m").unwrap().metadata()["unit"], "m");
    assert!(!schema.field_with_name("quality").unwrap().is_nullable());
}

#[test]
fn numbers_of_all_types_are_degrees() {
    let lon = Coordinates::new(&Int32Array::from(vec![Some(-93), None, Some(7)]), "lon").unwrap();
    let lat = Coordinates::new(&Float32Array::from(vec![45.5, 45.5, f32::INFINITY]), "lat").unwrap();
    let points = Points::LatLon(lat, lon);
    let expected = Location::of_degrees((45.5, -93.0));
    assert_eq!(points.location(0), expected);
    assert_eq!(points.location(1), Location::Invalid("lon is null".into()));
    assert!(matches!(points.location(2), Location::Invalid(why) if why.contains("inf")));
    assert_eq!(points.locations(1..3).count(), 2);
    let error = Coordinates::new(&StringArray::from(vec!["45"]), "lat").unwrap_err().to_string();
    assert!(error.contains("lat: expected a column of numbers, got Utf8"), "{error}");
    let slice = Float64Array::from(vec![1.0, 45.5]).slice(1, 1);
    let sliced = Points::LatLon(
        Coordinates::new(&slice, "lat").unwrap(),
        Coordinates::new(&Int32Array::from(vec![-93]), "lon").unwrap(),
    );
    assert_eq!(sliced.location(0), expected);
}

#[test]
fn points_of_wkb_are_read_in_each_form() {
    let numbers = |order: fn(f64) -> [u8; 8]| [order(-93.0), order(45.5), order(7.0)].concat();
    let little = |kind: u32, more: &[u8]| [&[1][..], &kind.to_le_bytes(), more].concat();
    let (low, high) = (numbers(f64::to_le_bytes), numbers(f64::to_be_bytes));
    let point = Location::of_degrees((45.5, -93.0));
    let invalid = |why: &'static str| Location::Invalid(why.into());
    for (wkb, expected) in [
        (little(1, &low[..16]), point.clone()),
        ([&[0, 0, 0, 0, 1][..], &high[..16]].concat(), point.clone()),
        (little(1001, &low), point.clone()),
        (little(0x8000_0001, &low), point.clone()),
        (little(0x2000_0001, &[&[0xe6, 0x10, 0, 0][..], &low[..16]].concat()), point),
        (little(3, &low), invalid("expected a point, got a geometry of WKB type 3")),
        (little(1, &low[..15]), invalid("expected a point of 21 bytes of WKB or more, got 20")),
        (Vec::new(), invalid("expected a point of 21 bytes of WKB or more, got 0")),
    ] {
        let array: ArrayRef = Arc::new(BinaryArray::from(vec![Some(&wkb[..]), None]));
        let points = Points::of_wkb(&array).unwrap();
        assert_eq!(points.location(0), expected, "{wkb:?}");
        assert_eq!(points.location(1), invalid("the geometry is null"));
    }
    let nan = little(1, &[f64::NAN.to_le_bytes(), f64::NAN.to_le_bytes()].concat());
    let array: ArrayRef = Arc::new(BinaryArray::from(vec![&nan[..]]));
    assert!(matches!(Points::of_wkb(&array).unwrap().location(0), Location::Invalid(_)), "an empty point");
}

/// Batches made on several threads equal the parts of one large batch. Each added row stands beside the input row
/// that it belongs to.
#[test]
fn rows_stand_beside_their_own_columns() {
    let table = table();
    let rows = 2 * BATCH_ROWS + 7;
    let lat = Float64Array::from_iter_values((0..rows).map(|row| 45.0 + (row % 1_000) as f64 / 10_000.0));
    let lon = Float64Array::from_iter_values((0..rows).map(|row| -94.0 + (row % 997) as f64 / 5_000.0));
    let coordinates = |array: &Float64Array, name| Coordinates::new(array, name).unwrap();
    let points = Points::LatLon(coordinates(&lat, "lat"), coordinates(&lon, "lon"));
    let batches = batches_of(&table, &points, Encoding::Plain, 3).unwrap();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [BATCH_ROWS, BATCH_ROWS, 7]);
    let one = Batches::new(&table, Encoding::Plain).batch(points.locations(0..rows)).unwrap();
    for (number, batch) in batches.iter().enumerate() {
        assert_eq!(*batch, one.slice(number * BATCH_ROWS, batch.num_rows()));
    }
    let names = vec!["y".to_owned(), "x".to_owned()];
    let fields = [("y", DataType::Float64), ("x", DataType::Float64), ("Error", DataType::Int32)];
    let fields: Vec<Field> = fields.into_iter().map(|(name, kind)| Field::new(name, kind, true)).collect();
    let ids = Int32Array::from_iter_values(0..rows as i32);
    let input = RecordBatch::try_new(
        Arc::new(Schema::new(fields)),
        vec![Arc::new(lat), Arc::new(lon), Arc::new(ids)],
    )
    .unwrap();
    let mut appender = Appender::new(&input.schema(), &table, Encoding::Plain, &names).unwrap();
    let both = appender.append(&input.slice(3, 40)).unwrap();
    assert_eq!(both.schema(), appender.schema());
    assert_eq!(both.num_columns(), 3 + table.columns().len());
    assert_eq!(both.column_by_name("quality").unwrap(), &one.column_by_name("quality").unwrap().slice(3, 40));
    assert!(both.column_by_name("platbook_error").is_some(), "a name that is taken gets a prefix");
    let missing = vec!["lat".to_owned(), "x".to_owned()];
    let error = Appender::new(&input.schema(), &table, Encoding::Plain, &missing).err().unwrap();
    assert!(error.to_string().contains("expected a column lat, got y, x, Error"), "{error}");
}

/// Points far apart are resolved along the curve, points in order as they come; both give each row its own cells.
#[test]
fn rows_keep_their_order() {
    let far: Vec<_> = (0..200).map(|row| (44.9 + f64::from(row * 37 % 200) * 0.3, -93.95)).collect();
    let near: Vec<_> = (0..200).map(|row| (44.9 + f64::from(row) * 0.001, -93.95)).collect();
    let table = table();
    let mut alone = Batches::new(&table, Encoding::Plain);
    for points in [far, near] {
        let mut all = Batches::new(&table, Encoding::Plain);
        let batch = all.batch(points.iter().copied().map(Location::of_degrees)).unwrap();
        for (row, point) in points.iter().enumerate() {
            let expected = alone.batch([Location::of_degrees(*point)].into_iter()).unwrap();
            assert_eq!(batch.slice(row, 1), expected, "row {row}");
        }
    }
}
