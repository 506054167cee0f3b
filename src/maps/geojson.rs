//! Outlines as GeoJSON (RFC 7946).

use serde_json::{Value, json};

use crate::{
    directory::{Directory, Row},
    geometry::{Bbox, LonLat, ring},
};

/// A ring with its box.
struct Ring {
    points: Vec<LonLat>,
    bbox: Bbox,
}

/// The outline of a jurisdiction as a GeoJSON feature with these properties; `None` where no outline is at hand. Rings
/// run as the standard wants: outer ones counter-clockwise, holes clockwise, each hole with the ring around it.
pub fn geojson(directory: &Directory, row: Row, properties: Value) -> Option<Value> {
    let rings: Vec<Ring> = directory.rings(row).into_iter().filter_map(Ring::of).collect();
    let bbox = rings.iter().map(|ring| ring.bbox).reduce(Bbox::union)?;
    let polygons: Vec<Value> =
        polygons(rings).iter().map(|rings| rings.iter().map(coordinates).collect()).collect();
    let degrees =
        [bbox.min.lon_degrees(), bbox.min.lat_degrees(), bbox.max.lon_degrees(), bbox.max.lat_degrees()];
    Some(json!({
        "type": "Feature",
        "id": directory.id_of(row).to_string(),
        "bbox": degrees,
        "properties": properties,
        "geometry": { "type": "MultiPolygon", "coordinates": polygons },
    }))
}

impl Ring {
    fn of(points: Vec<LonLat>) -> Option<Ring> {
        let bbox = Bbox::around(points.iter().copied())?;
        (points.len() > 3).then_some(Ring { points, bbox })
    }

    /// Whether this ring lies around another. Rings of one area may touch, but not cross: so one vertex of the other
    /// that is no vertex of this ring tells.
    fn is_around(&self, other: &Ring) -> bool {
        let boxes_fit = self.bbox.contains(other.bbox.min) && self.bbox.contains(other.bbox.max);
        let free = || other.points.iter().find(|point| !self.points.contains(point));
        boxes_fit && free().is_some_and(|point| ring::contains(&self.points, *point))
    }

    /// The same ring, counter-clockwise or clockwise.
    fn turned(mut self, counter_clockwise: bool) -> Ring {
        if (ring::signed_area_doubled(&self.points) > 0) != counter_clockwise {
            self.points.reverse();
        }
        self
    }
}

/// Outer rings, each followed by its holes.
fn polygons(rings: Vec<Ring>) -> Vec<Vec<Ring>> {
    let around: Vec<Vec<usize>> = rings
        .iter()
        .enumerate()
        .map(|(at, ring)| {
            let others = rings.iter().enumerate().filter(|(other, _)| *other != at);
            others.filter(|(_, other)| other.is_around(ring)).map(|(other, _)| other).collect()
        })
        .collect();
    let is_hole = |at: usize| around[at].len() % 2 == 1;
    // The ring around a hole is the innermost: it has the most rings around itself.
    let outer_of = |at: usize| around[at].iter().copied().max_by_key(|other| around[*other].len());
    let mut places = vec![usize::MAX; rings.len()];
    let mut polygons: Vec<Vec<Ring>> = Vec::new();
    let (mut outer, mut holes) = (Vec::new(), Vec::new());
    for (at, ring) in rings.into_iter().enumerate() {
        if is_hole(at) { holes.push((at, ring)) } else { outer.push((at, ring)) }
    }
    for (at, ring) in outer {
        places[at] = polygons.len();
        polygons.push(vec![ring.turned(true)]);
    }
    for (at, ring) in holes {
        if let Some(polygon) = outer_of(at).and_then(|outer| polygons.get_mut(places[outer])) {
            polygon.push(ring.turned(false));
        }
    }
    polygons
}

fn coordinates(ring: &Ring) -> Value {
    ring.points.iter().map(|point| json!([point.lon_degrees(), point.lat_degrees()])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(low: i32, high: i32) -> Ring {
        let corners = [(low, low), (high, low), (high, high), (low, high), (low, low)];
        Ring::of(corners.map(|(lon, lat)| LonLat::from_units(lat, lon)).to_vec()).unwrap()
    }

    #[test]
    fn holes_stand_with_the_ring_around_them() {
        // A square with a hole, an island in the hole, and another square beside it.
        let far = Ring::of(square(300, 400).points).unwrap();
        let found = polygons(vec![square(20, 80), square(40, 60), far, square(0, 100)]);
        let shape: Vec<Vec<(i32, bool)>> = found
            .iter()
            .map(|polygon| {
                let turn = |ring: &Ring| ring::signed_area_doubled(&ring.points) > 0;
                polygon.iter().map(|ring| (ring.bbox.min.lon(), turn(ring))).collect()
            })
            .collect();
        assert_eq!(shape, [vec![(40, true)], vec![(300, true)], vec![(0, true), (20, false)]]);
    }

    #[test]
    fn a_feature_has_a_box_and_closed_rings() {
        let directory = crate::testing::directory();
        let row = directory.found(&"place:2740000".parse().unwrap()).unwrap();
        let feature = geojson(&directory, row, json!({ "name": "Rivertown" })).unwrap();
        assert_eq!(feature["id"], "place:2740000");
        assert_eq!(feature["bbox"], json!([-93.92, 45.03, -93.88, 45.07]));
        let ring = feature["geometry"]["coordinates"][0][0].as_array().unwrap();
        assert_eq!(ring.first(), ring.last());
    }
}
