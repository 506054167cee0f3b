use proptest::prelude::*;

use super::*;
use crate::snapshot::{LayerFile, write::LayerContents};

fn file(polygons: &[NewPolygon]) -> LayerFile {
    let polygons = Some(Polygons::pack(MapKind::Flood, &["zone", "note"], polygons).unwrap());
    LayerFile::copy(&LayerContents { polygons, ..LayerContents::default() }.to_bytes().unwrap()).unwrap()
}

fn polygon(zone: &str, rings: Vec<Vec<LonLat>>) -> NewPolygon {
    NewPolygon { values: Some(vec![zone.to_owned(), String::new()]), rings }
}

fn ring(points: &[(i32, i32)]) -> Vec<LonLat> {
    points.iter().chain(points.first()).map(|(lon, lat)| LonLat::from_units(*lat, *lon)).collect()
}

fn square(west: i32, south: i32, side: i32) -> Vec<LonLat> {
    ring(&[(west, south), (west + side, south), (west + side, south + side), (west, south + side)])
}

#[test]
fn polygons_come_back_with_their_attributes() {
    let extent = NewPolygon { values: None, rings: vec![square(-1000, -1000, 3000)] };
    let layer = file(&[
        polygon("AE", vec![square(0, 0, 100), square(20, 20, 10)]),
        polygon("X", vec![square(200, 0, 100)]),
        extent,
    ]);
    let map = layer.polygons().unwrap();
    assert_eq!(
        (map.kind(), map.len(), map.fields().collect::<Vec<_>>()),
        (Some(MapKind::Flood), 3, vec!["zone", "note"])
    );
    let at = |lon, lat| -> Vec<&str> {
        map.at(LonLat::from_units(lat, lon)).into_iter().map(|number| map.value(number, "zone")).collect()
    };
    for (lon, lat, zones) in [
        (50, 50, vec!["AE"]),
        (0, 0, vec!["AE"]),
        (100, 50, vec![]),
        (25, 25, vec![]),
        (250, 50, vec!["X"]),
        (150, 50, vec![]),
        (5000, 50, vec![]),
    ] {
        assert_eq!(at(lon, lat), zones, "{lon} {lat}");
    }
    assert!(map.reaches(LonLat::from_units(50, 150)) && !map.reaches(LonLat::from_units(50, 5000)));
    assert_eq!(map.value(0, "no such field"), "");
}

#[test]
fn lines_near_a_point_are_found_the_nearest_first() {
    let layer =
        file(&[polygon("A", vec![square(0, 0, 10_000)]), polygon("B", vec![square(30_000, 0, 10_000)])]);
    let map = layer.polygons().unwrap();
    // 10,000 units of longitude are 111.2 m at the equator.
    for (lon, within, zones) in [
        (12_000, 50.0, "A"),
        (28_000, 50.0, "B"),
        (20_000, 50.0, ""),
        (21_000, 150.0, "BA"),
        (5_000, 60.0, "A"),
    ] {
        let near = map.near(LonLat::from_units(5_000, lon), within);
        let near: String = near.into_iter().map(|(number, _)| map.value(number, "zone")).collect();
        assert_eq!(near, zones, "{lon}");
    }
    let (_, meters) = map.near(LonLat::from_units(5_000, 12_000), 50.0)[0];
    assert!((meters - 22.24).abs() < 0.1, "{meters}");
}

#[test]
fn an_empty_map_holds_nothing() {
    let layer = file(&[]);
    let map = layer.polygons().unwrap();
    assert!(map.is_empty() && map.at(LonLat::from_units(0, 0)).is_empty());
    assert!(map.near(LonLat::from_units(0, 0), 1000.0).is_empty());
}

#[test]
fn along_the_curve_neighbors_are_near() {
    let mut places: Vec<(u64, u32, u32)> =
        (0..16).flat_map(|x| (0..16).map(move |y| (hilbert(x << 12, y << 12), x, y))).collect();
    places.sort_unstable();
    for pair in places.windows(2) {
        assert_eq!(pair[0].1.abs_diff(pair[1].1) + pair[0].2.abs_diff(pair[1].2), 1, "{pair:?}");
    }
}

/// Rings of up to seventy vertices, which is more than two blocks.
fn rings() -> impl Strategy<Value = Vec<Vec<LonLat>>> {
    let vertex = (-200i32..200, -200i32..200);
    let points = proptest::collection::vec(vertex, 3..70).prop_map(|points| ring(&points));
    proptest::collection::vec(points, 1..3)
}

proptest! {
    #[test]
    fn a_point_is_where_the_rings_say(
        polygons in proptest::collection::vec(rings(), 1..40),
        points in proptest::collection::vec((-210i32..210, -210i32..210), 30),
    ) {
        let new: Vec<NewPolygon> =
            polygons.iter().enumerate().map(|(at, rings)| polygon(&at.to_string(), rings.clone())).collect();
        let layer = file(&new);
        let map = layer.polygons().unwrap();
        for (lon, lat) in points {
            let point = LonLat::from_units(lat, lon);
            let mut found: Vec<usize> =
                map.at(point).into_iter().map(|number| map.value(number, "zone").parse().unwrap()).collect();
            found.sort_unstable();
            let expected: Vec<usize> =
                (0..polygons.len()).filter(|at| ring::area_contains(&polygons[*at], point)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
