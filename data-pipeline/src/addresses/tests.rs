//! Tests that edges of an invented county become streets.

use platbook::{
    geocoder::{Geocoder, Located, parse},
    snapshot::{
        LayerFile, Snapshot,
        write::{LayerContents, Streets},
    },
    testing,
};

use super::*;

mod measure;

/// An `addrfeat` file of a county of the test data, as GeoJSON with the attributes of the shapefile.
fn file() -> (String, Vec<u8>) {
    let edge = |name: &str, [lf, lt, rf, rt]: [&str; 4], zip: &str, lon: f64| {
        format!(
            r#"{{"type":"Feature","properties":{{"FULLNAME":"{name}","LFROMHN":"{lf}","LTOHN":"{lt}","RFROMHN":"{rf}",
            "RTOHN":"{rt}","ZIPL":"{zip}","ZIPR":"{zip}"}},
            "geometry":{{"type":"LineString","coordinates":[[{lon},45.02],[{lon},45.03]]}}}}"#
        )
    };
    let edges = [
        edge("N Oak St", ["101", "199", "100", "198"], "55001", -93.95),
        edge("N Oak St", ["101", "199", "", ""], "55001", -93.95),
        edge("", ["1", "9", "2", "8"], "55001", -93.94),
        edge("Elm Ave", ["1", "9", "P2", "8"], "55001", -93.93),
        edge("Ash Ln", ["1", "9", "", ""], "", -93.92),
    ];
    let text = format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, edges.join(","));
    ("tl_2021_27001_addrfeat.geojson".to_owned(), text.into_bytes())
}

#[test]
fn sides_become_ranges_or_are_counted() {
    let gathered = gather(&[file()], &testing::directory()).unwrap();
    let counted = |result| gathered.results.get(&result).copied().unwrap_or_default();
    let results =
        [SideResult::Kept, SideResult::Repeated, SideResult::NoName, SideResult::NoZip, SideResult::Numbers]
            .map(counted);
    assert_eq!(results, [3, 1, 2, 1, 1]);
    let streets: Vec<(&str, usize)> = gathered
        .streets
        .streets
        .iter()
        .map(|(street, ranges)| (street.name.as_str(), ranges.len()))
        .collect();
    assert_eq!(streets, [("Elm Ave", 1), ("N Oak St", 2)]);
}

#[test]
fn what_was_gathered_is_found() {
    let gathered = gather(&[file()], &testing::directory()).unwrap();
    let streets = Some(Streets::pack(&gathered.streets).unwrap());
    let bytes = LayerContents { streets, ..LayerContents::default() }.to_bytes().unwrap();
    let layer = LayerFile::copy(&bytes).unwrap();
    let located =
        Geocoder::new(layer.streets().unwrap()).locate(&parse("150 n. oak street, mn 55001").unwrap());
    let Located::One(place) = located else { panic!("one place, not {located:?}") };
    assert_eq!((place.address.as_str(), place.county, place.score), ("150 N Oak St, MN 55001", 27_001, 100));
}

#[test]
fn a_file_that_does_not_tell_its_county_is_refused() {
    let (_, bytes) = file();
    let error =
        gather(&[("edges.geojson".to_owned(), bytes)], &testing::directory()).unwrap_err().to_string();
    assert!(error.contains("tl_2021_30059_addrfeat.zip"), "{error}");
}
