//! Tests readers with good and damaged files, each made by the test itself.

use platbook::vocabulary::{FuncStat, Layer};

use super::{
    made::{Area, Parts, parts, square, zip},
    *,
};

const AREAS: [Area; 2] = [
    ("2743000", "Minneapolis", "25", "A", (-93.375, 44.875)),
    ("2758000", "St. Paul", "25", "A", (-93.125, 44.875)),
];

fn places() -> Parts {
    parts(&AREAS, 7)
}

fn refusal(file: &str, bytes: &[u8]) -> String {
    boundaries(file, bytes, Layer::Place).unwrap_err().to_string()
}

#[test]
fn a_zipped_shapefile_is_read() {
    let records = boundaries("t.zip", &places().zip(), Layer::Place).unwrap();
    let first = &records[0];
    assert_eq!(
        (records.len(), first.geoid.to_string(), first.name.as_str()),
        (2, "place:2743000".to_owned(), "Minneapolis")
    );
    assert_eq!(
        (first.lsad.as_deref(), first.func_stat, first.land_m2),
        (Some("25"), Some(FuncStat::Active), Some(139_700_000))
    );
    assert_eq!((first.namelsad.clone(), first.water_m2), (None, None));
    assert_eq!(first.internal_point.unwrap().to_string(), "44.9632310,-93.2683220");
    let ring: Vec<_> =
        first.rings[0].iter().map(|point| (point.lon_degrees(), point.lat_degrees())).collect();
    assert_eq!(ring, square(AREAS[0].4));
}

#[test]
fn names_are_read_in_the_encoding_of_the_file() {
    let ana = [("3500001", "Doña Ana", "06", "A", (-107.0, 32.0))];
    let utf8 = parts(&ana, 7);
    let mut latin1 = parts(&ana, 7);
    let at = latin1.dbf.windows(2).position(|pair| pair == "ñ".as_bytes()).unwrap();
    latin1.dbf.splice(at..at + 2, [0xf1]);
    latin1.dbf.insert(at + "a Ana".len() + 1, b' ');
    for (mut parts, cpg) in [(utf8, [Some("UTF-8"), None]), (latin1, [Some("ISO-8859-1"), None])] {
        for cpg in cpg {
            parts.cpg = cpg;
            let records = boundaries("t.zip", &parts.zip(), Layer::Place).unwrap();
            assert_eq!(records[0].name, "Doña Ana", "{cpg:?}");
        }
    }
    let mut unknown = places();
    unknown.cpg = Some("KLINGON");
    let message = refusal("t.zip", &unknown.zip());
    assert!(message.contains("t.zip") && message.contains("KLINGON"), "{message}");
}

#[test]
fn a_shape_part_cut_short_is_refused() {
    let whole = places().shp.len();
    // Cuts the file in the header, in a record, between two records, and in the last coordinate.
    for length in [0, 50, 100, 150, 100 + (whole - 100) / 2, whole - 4] {
        let mut parts = places();
        parts.shp.truncate(length);
        let message = refusal("t.zip", &parts.zip());
        assert!(message.contains("t.zip") && message.contains(".shp"), "{length}: {message}");
    }
}

#[test]
fn a_table_part_cut_short_is_refused() {
    for length in [0, 10, 40, 300, places().dbf.len() - 60] {
        let mut parts = places();
        parts.dbf.truncate(length);
        let message = refusal("t.zip", &parts.zip());
        assert!(message.contains("t.zip") && message.contains(".dbf"), "{length}: {message}");
    }
}

#[test]
fn parts_of_different_length_are_refused() {
    for (shp, dbf) in [(&AREAS[..], &AREAS[..1]), (&AREAS[..1], &AREAS[..])] {
        let mut mixed = parts(shp, 7);
        mixed.dbf = parts(dbf, 7).dbf;
        let message = refusal("t.zip", &mixed.zip());
        assert!(message.contains(&format!("got {} shapes and {} rows", shp.len(), dbf.len())), "{message}");
    }
}

#[test]
fn a_missing_part_is_named() {
    let parts = places();
    let message = refusal("t.zip", &zip(&[("t.shp", &parts.shp), ("t.prj", b"")]));
    assert!(message.contains("expected a member that ends in .dbf, got t.shp, t.prj"), "{message}");
    let message = refusal("t.zip", &zip(&[("t.dbf", &parts.dbf)]));
    assert!(message.contains(".shp or .geojson"), "{message}");
    let message = refusal("t.zip", &zip(&[]));
    assert!(message.contains("an empty archive"), "{message}");
}

#[test]
fn what_is_no_zip_is_refused() {
    let mut cut = places().zip();
    cut.truncate(cut.len() / 2);
    let mut flipped = places().zip();
    flipped[60] ^= 0x40;
    for bytes in [b"<html>404</html>".as_slice(), b"", &cut, &flipped] {
        let message = refusal("t.zip", bytes);
        assert!(message.starts_with("t.zip: ") && message.contains("download"), "{message}");
    }
    let message = refusal("t.kml", b"");
    assert!(message.contains("t.kml") && message.contains(".geojson"), "{message}");
}

#[test]
fn a_wrong_geoid_names_record_and_field() {
    for (geoid, expected) in [
        ("27430", "7 digits"),
        ("27430000", "7 digits"),
        ("MN43000", "7 digits"),
        ("0343000", "state FIPS"),
        ("", "7 digits"),
    ] {
        let areas = [AREAS[0], (geoid, "St. Paul", "25", "A", (-93.125, 44.875))];
        let message = refusal("t.zip", &parts(&areas, 10).zip());
        assert!(message.contains("t.zip: record 2: field GEOID") && message.contains(expected), "{message}");
    }
    let areas = [("2743000", "Minneapolis", "25", "Q", (-93.0, 45.0))];
    let message = refusal("t.zip", &parts(&areas, 7).zip());
    assert!(message.contains("record 1: field FUNCSTAT") && message.contains("\"Q\""), "{message}");
}

#[test]
fn a_projected_shapefile_is_refused() {
    let areas = [("2743000", "Minneapolis", "25", "A", (475_000.0, 4_980_000.0))];
    let message = refusal("t.zip", &parts(&areas, 7).zip());
    assert!(message.contains("record 1") && message.contains("projected"), "{message}");
}

fn feature(properties: &str, geometry: &str) -> String {
    format!(
        r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","properties":{properties},"geometry":{geometry}}}]}}"#
    )
}

const PROPERTIES: &str = r#"{"GEOID":"2743000","NAME":"Minneapolis","NAMELSAD":"Minneapolis city","ALAND":139700000,"CLASSFP":null}"#;
const POLYGON: &str = r#"{"type":"Polygon","coordinates":[[[-93,44],[-92,44],[-92,45],[-93,44]]]}"#;

#[test]
fn geojson_is_read_plain_and_zipped() {
    let text = feature(PROPERTIES, POLYGON);
    let plain = boundaries("t.geojson", text.as_bytes(), Layer::Place).unwrap();
    assert_eq!(
        (plain[0].name.as_str(), plain[0].namelsad.as_deref()),
        ("Minneapolis", Some("Minneapolis city"))
    );
    assert_eq!(
        (plain[0].land_m2, plain[0].classfp.clone(), plain[0].rings[0].len()),
        (Some(139_700_000), None, 4)
    );
    let zipped = zip(&[("t.geojson", text.as_bytes())]);
    assert_eq!(boundaries("t.geojson.zip", &zipped, Layer::Place).unwrap(), plain);
    let several = r#"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]],[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]}"#;
    let records = boundaries("t.json", feature(PROPERTIES, several).as_bytes(), Layer::Place).unwrap();
    assert_eq!(records[0].rings.len(), 3);
}

#[test]
fn other_json_is_refused() {
    for (text, got) in [
        (r#"{"type":"Feature","properties":{},"geometry":null}"#, "a single Feature"),
        (POLYGON, "a bare geometry"),
        (r#"{"type":"Topology","objects":{}}"#, "Topology"),
        ("[]", ""),
        ("", ""),
        (&feature(PROPERTIES, POLYGON)[..100], ""),
    ] {
        let message = refusal("t.geojson", text.as_bytes());
        assert!(
            message.contains("t.geojson: expected a GeoJSON FeatureCollection") && message.contains(got),
            "{message}"
        );
    }
}

#[test]
fn other_geometry_is_refused() {
    for (geometry, got) in [
        (r#"{"type":"Point","coordinates":[1,1]}"#, "Point"),
        (r#"{"type":"LineString","coordinates":[[1,1],[2,2]]}"#, "LineString"),
        ("null", "no geometry"),
    ] {
        let message = refusal("t.geojson", feature(PROPERTIES, geometry).as_bytes());
        assert!(message.contains("record 1: expected a polygon") && message.contains(got), "{message}");
    }
}

#[test]
fn coordinates_off_the_globe_are_refused() {
    for position in ["[-193,44]", "[-93,94]", "[1e300,44]"] {
        let text = feature(PROPERTIES, POLYGON).replace("[-92,45]", position);
        let message = refusal("t.geojson", text.as_bytes());
        assert!(message.contains("t.geojson: record 1") && message.contains("projected"), "{message}");
    }
    // JSON has no such number, so the file breaks off there.
    for position in ["[NaN,44]", "[1e999,44]", "[null,44]"] {
        let text = feature(PROPERTIES, POLYGON).replace("[-92,45]", position);
        assert!(
            refusal("t.geojson", text.as_bytes()).contains("expected a GeoJSON FeatureCollection"),
            "{position}"
        );
    }
    let short = feature(PROPERTIES, POLYGON).replace("[-92,45]", "[44]");
    assert!(refusal("t.geojson", short.as_bytes()).contains("record 1: expected a polygon"));
    let mut nan = parts(&AREAS[..1], 7);
    let last = nan.shp.len() - 8;
    nan.shp[last..].copy_from_slice(&f64::NAN.to_le_bytes());
    assert!(refusal("t.zip", &nan.zip()).contains("record 1"), "a shapefile can hold one");
}

#[test]
fn a_damaged_property_names_its_field() {
    for (from, to, field) in [
        ("139700000", "-5", "ALAND"),
        ("139700000", "1.5", "ALAND"),
        (r#""NAME":"Minneapolis","#, "", "NAME"),
        (r#""2743000""#, "2743000.5", "GEOID"),
        (r#""CLASSFP":null"#, r#""FUNCSTAT":"AA""#, "FUNCSTAT"),
        (r#""CLASSFP":null"#, r#""INTPTLAT":"north","INTPTLON":"-93""#, "INTPTLON"),
    ] {
        let message = refusal("t.geojson", feature(&PROPERTIES.replace(from, to), POLYGON).as_bytes());
        assert!(message.contains("t.geojson: record 1: field"), "{message}");
        assert!(message.contains(field) || message.contains("INTPTLAT"), "{message}");
    }
}
