//! Finds a point inside an area.

use super::{Bbox, LonLat, ring};

/// Returns a point inside the area: the middle of the widest part of the area's middle latitude. Tries other latitudes
/// if that point is not inside. `None` if no such point is inside, as for an area without extent.
pub fn point_inside(rings: &[Vec<LonLat>]) -> Option<LonLat> {
    let bbox = Bbox::around(rings.iter().flatten().copied())?;
    // Latitudes in sixteenths of the height: the middle, then the quarters, then the eighths.
    let height = i64::from(bbox.max.lat()) - i64::from(bbox.min.lat());
    [8, 4, 12, 2, 6, 10, 14].into_iter().find_map(|sixteenth| {
        let lat = (i64::from(bbox.min.lat()) + height * sixteenth / 16) as i32;
        widest_stretch(rings, lat).filter(|point| ring::area_contains(rings, *point))
    })
}

fn widest_stretch(rings: &[Vec<LonLat>], lat: i32) -> Option<LonLat> {
    let edges = rings
        .iter()
        .flat_map(|ring| ring.windows(2))
        .filter(|edge| (edge[0].lat() <= lat) != (edge[1].lat() <= lat));
    let mut crossings: Vec<i64> = edges.map(|edge| longitude_at(edge[0], edge[1], lat)).collect();
    crossings.sort_unstable();
    let widest = crossings.as_chunks::<2>().0.iter().max_by_key(|[west, east]| east - west)?;
    Some(LonLat::from_units(lat, i64::midpoint(widest[0], widest[1]) as i32))
}

fn longitude_at(a: LonLat, b: LonLat, lat: i32) -> i64 {
    let (run, rise) = (i128::from(b.lon()) - i128::from(a.lon()), i128::from(b.lat()) - i128::from(a.lat()));
    i64::from(a.lon()) + (run * (i128::from(lat) - i128::from(a.lat())) / rise) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_with_a_hole_in_its_middle() {
        let square = |low: i32, high: i32| {
            [(low, low), (high, low), (high, high), (low, high), (low, low)]
                .map(|(lon, lat)| LonLat::from_units(lat, lon))
                .to_vec()
        };
        let rings = [square(0, 100), square(20, 90)];
        let point = point_inside(&rings).unwrap();
        assert!(ring::area_contains(&rings, point), "{point:?}");
        assert_eq!(point_inside(&[]), None);
    }
}
