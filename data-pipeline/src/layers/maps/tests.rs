//! Tests maps of invented files. Also compares published maps with an independent engine if `PLATBOOK_DATA` names
//! their files.

use std::{io::Write as _, path::Path};

use geo::{Contains, Coord, LineString, Polygon};
use platbook::{
    geometry::Bbox,
    map_files::Ground,
    snapshot::{LayerFile, write::LayerContents},
    testing,
};

use super::*;

fn collection(features: &str) -> (String, Vec<u8>) {
    (
        "map.geojson".to_owned(),
        format!(r#"{{"type":"FeatureCollection","features":[{features}]}}"#).into_bytes(),
    )
}

const ZONE: &str = r#"{"type":"Feature","properties":{"FLD_ZONE":"AE","SFHA_TF":"T","static_bfe":812.5,"other":"x"},
    "geometry":{"type":"Polygon","coordinates":[[[-93,45],[-92,45],[-92,46],[-93,46]]]}}"#;

fn layer(map: Map) -> LayerFile {
    LayerFile::copy(
        &LayerContents { polygons: Some(map.section), ..LayerContents::default() }.to_bytes().unwrap(),
    )
    .unwrap()
}

#[test]
fn polygons_keep_the_attributes_that_are_used() {
    let line = r#"{"type":"Feature","properties":{"fld_zone":"X"},"geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}"#;
    let built = map(MapKind::Flood, &[collection(&format!("{ZONE},{line}"))], Vec::new()).unwrap();
    assert_eq!((built.polygons, built.vertices, built.empty), (1, 5, 0));
    let layer = layer(built);
    let polygons = layer.polygons().unwrap();
    let here = polygons.at(LonLat::from_lat_lon(45.5, -92.5).unwrap());
    let value = |field| polygons.value(here[0], field);
    assert_eq!(
        (value("fld_zone"), value("static_bfe"), value("zone_subty"), value("other")),
        ("AE", "812.5", "", "")
    );
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let error = map(MapKind::Wetlands, &[collection(ZONE)], Vec::new()).unwrap_err().to_string();
    assert!(error.contains("wetlands polygons with the attribute attribute, got fld_zone"), "{error}");
}

/// Lines stay open and areas are closed; what maps do not show is left out.
#[test]
fn the_ground_has_roads_and_water() {
    let line = |code: &str, name: &str| {
        format!(
            r#"{{"type":"Feature","properties":{{"MTFCC":"{code}","FULLNAME":"{name}"}},"geometry":{{"type":"LineString","coordinates":[[-93,45],[-93,45],[-92,46]]}}}}"#
        )
    };
    let lake = r#"{"type":"Feature","properties":{"MTFCC":"H2030","FULLNAME":"Lake Nokomis"},
        "geometry":{"type":"Polygon","coordinates":[[[-93,45],[-92,45],[-92,46],[-93,46]]]}}"#;
    let features = [
        line("S1200", "State Hwy 37"),
        line("S1400", ""),
        line("P0001", ""),
        line("P0002", ""),
        lake.to_owned(),
    ];
    let built = map(MapKind::Ground, &[collection(&features.join(","))], Vec::new()).unwrap();
    assert_eq!((built.polygons, built.vertices, built.empty), (3, 2 + 2 + 5, 0));
    let (ground, others) = Ground::split(vec![layer(built)]);
    assert!(others.is_empty() && !ground.is_empty());
    let around = |lat: f64, lon: f64| {
        let corner = |by: f64| LonLat::from_lat_lon(lat + by, lon + by).unwrap();
        Bbox { min: corner(-0.1), max: corner(0.1) }
    };
    let of = |bbox, least| {
        ground.meeting(bbox, least).into_iter().map(|shape| (shape.class, shape.name)).collect::<Vec<_>>()
    };
    let named = |class, name: &str| (class, name.to_owned());
    let water = [named(GroundClass::Lake, "Lake Nokomis"), named(GroundClass::River, "")];
    assert_eq!(of(around(45.5, -92.5), GroundClass::Highway), water);
    let road = [named(GroundClass::Road, "State Hwy 37")];
    assert_eq!(of(around(45.5, -92.5), GroundClass::Street), [&water[..], &road].concat());
    assert_eq!(of(around(47.5, -92.5), GroundClass::Street), []);
}

#[test]
fn a_map_says_how_far_it_reaches() {
    let directory = testing::directory();
    let rings = extent(&directory, &"county:27001".parse().unwrap()).unwrap();
    let layer = layer(map(MapKind::Flood, &[collection(ZONE)], rings).unwrap());
    let polygons = layer.polygons().unwrap();
    assert!(polygons.reaches(testing::point(5.0, 5.0)) && !polygons.reaches(testing::point(15.0, 5.0)));
    let error = extent(&directory, &"county:27999".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("no polygon"), "{error}");
}

/// The chosen files of a survey area, zipped as their publisher zips them.
fn soils(data: &Path) -> (String, Vec<u8>) {
    let packed = std::fs::File::open(data.join("directory/offline_layers/usda_ssurgo_AR017.tar.gz")).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed));
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        if entry.header().entry_type().is_file() {
            let name = entry.path().unwrap().to_string_lossy().into_owned();
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::copy(&mut entry, &mut zip).unwrap();
        }
    }
    zip.flush().unwrap();
    ("soil_AR017.zip".to_owned(), zip.finish().unwrap().into_inner())
}

/// The polygons of the file as the independent engine has them: even-odd rings, in steps of 1e-7 degree.
fn reference(shapes: &[shapes::RawShape]) -> Vec<Vec<Polygon<f64>>> {
    let ring = |points: &Vec<LonLat>| -> LineString<f64> {
        points.iter().map(|point| Coord { x: f64::from(point.lon()), y: f64::from(point.lat()) }).collect()
    };
    shapes
        .iter()
        .map(|shape| shape.parts.iter().map(|part| Polygon::new(ring(part), Vec::new())).collect())
        .collect()
}

#[test]
#[ignore = "reads the real files; set PLATBOOK_DATA and run with --ignored"]
fn published_maps_against_another_engine() {
    let data = std::env::var("PLATBOOK_DATA").expect("PLATBOOK_DATA names the directory of published files");
    let data = Path::new(&data);
    let offline = |name: &str| {
        (name.to_owned(), std::fs::read(data.join("directory/offline_layers").join(name)).unwrap())
    };
    for (kind, file) in [
        (MapKind::Flood, offline("cambridge_ma_FEMA_FloodPlains500Year.geojson")),
        (MapKind::Flood, offline("cambridge_ma_FEMA_FloodPlains100Year.geojson")),
        (MapKind::Wetlands, offline("fws_nwi_DC_shapefile_wetlands.zip")),
        (MapKind::Soils, soils(data)),
    ] {
        let (word, fields) = wanted(kind);
        let source = shapes::read(&file.0, &file.1, word).unwrap();
        let areas = reference(&source);
        let built = map(kind, std::slice::from_ref(&file), Vec::new()).unwrap();
        let (count, vertices) = (built.polygons, built.vertices);
        let layer = layer(built);
        let polygons = layer.polygons().unwrap();
        let bbox =
            Bbox::around(source.iter().flat_map(|shape| shape.parts.iter().flatten().copied())).unwrap();
        let bytes: usize = layer.sizes().iter().map(|(_, size)| size).sum();
        let (mut covered, mut took) = (0, std::time::Duration::ZERO);
        for number in 0..10_000u32 {
            // Two irrational steps fill the box evenly (R2 sequence).
            let share = |step: f64| (0.5 + step * f64::from(number)).fract();
            let at =
                |low: i32, high: i32, share: f64| low + ((f64::from(high) - f64::from(low)) * share) as i32;
            let point = LonLat::from_units(
                at(bbox.min.lat(), bbox.max.lat(), share(0.569_840_290_998_053_3)),
                at(bbox.min.lon(), bbox.max.lon(), share(0.754_877_666_246_692_7)),
            );
            let here = Coord { x: f64::from(point.lon()), y: f64::from(point.lat()) };
            let inside =
                |rings: &Vec<Polygon<f64>>| rings.iter().filter(|ring| ring.contains(&here)).count() % 2 == 1;
            let key = fields[0];
            let mut expected: Vec<&str> = areas
                .iter()
                .zip(&source)
                .filter(|(rings, _)| inside(rings))
                .map(|(_, shape)| shape.get(key).unwrap_or_default())
                .collect();
            let started = std::time::Instant::now();
            let found = polygons.at(point);
            took += started.elapsed();
            let mut found: Vec<&str> = found.into_iter().map(|number| polygons.value(number, key)).collect();
            found.sort_unstable();
            expected.sort_unstable();
            covered += usize::from(!expected.is_empty());
            assert_eq!(found, expected, "{} at {point}", file.0);
        }
        println!(
            "{}: {count} polygons, {vertices} vertices, {bytes} bytes; {covered} of 10000 points covered, {:?} each",
            file.0,
            took / 10_000
        );
    }
}
