//! Places a house number along the line of its street.

use crate::geometry::{LonLat, Plane, distance_m};

/// Assumed distance of a house from the middle of the street, in meters. Chosen, not measured.
const SIDE_M: f64 = 10.0;

/// The point at a share of the line's length, moved [`SIDE_M`] to the right or left. Share 0 is the first vertex, and
/// share 1 the last. `None` for a line without vertices.
pub fn point_along(line: &[LonLat], share: f64, right: bool) -> Option<LonLat> {
    let (first, last) = (*line.first()?, *line.last()?);
    let lengths: Vec<f64> = line.windows(2).map(|edge| distance_m(edge[0], edge[1])).collect();
    let mut left_m = lengths.iter().sum::<f64>() * share.clamp(0.0, 1.0);
    for (edge, length) in line.windows(2).zip(&lengths) {
        if left_m <= *length && *length > 0.0 {
            return Some(beside(edge[0], edge[1], left_m / length, right));
        }
        left_m -= length;
    }
    // Rounding may leave a remainder after the last edge, and a line may have no length at all.
    let before = line.iter().rev().find(|point| **point != last).copied().unwrap_or(first);
    Some(beside(before, last, 1.0, right))
}

/// The point at a share of the edge, moved to the right or left.
fn beside(a: LonLat, b: LonLat, share: f64, right: bool) -> LonLat {
    let plane = Plane::at(a);
    let units = (i64::from(b.lon()) - i64::from(a.lon()), i64::from(b.lat()) - i64::from(a.lat()));
    let (east, north) = plane.to_segment(units, units);
    let length = east.hypot(north);
    if length == 0.0 {
        return a;
    }
    let side = if right { SIDE_M / length } else { -SIDE_M / length };
    plane.moved(a, (east * share + north * side, north * share - east * side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_line_are_points_beside_it() {
        let at = |lat, lon| LonLat::from_lat_lon(lat, lon).unwrap();
        // 1,112 m north, then 1,112 m west.
        let west = 0.01 / 36.21f64.to_radians().cos();
        let line = [at(36.2, -76.4), at(36.21, -76.4), at(36.21, -76.4 - west)];
        for (share, right, place, east_m, north_m) in [
            (0.0, true, line[0], 10.0, 0.0),
            (0.0, false, line[0], -10.0, 0.0),
            (0.25, true, at(36.205, -76.4), 10.0, 0.0),
            (0.75, true, at(36.21, -76.4 - west / 2.0), 0.0, 10.0),
            (0.75, false, at(36.21, -76.4 - west / 2.0), 0.0, -10.0),
            (1.0, true, line[2], 0.0, 10.0),
            (7.0, true, line[2], 0.0, 10.0),
        ] {
            let expected = Plane::at(place).moved(place, (east_m, north_m));
            let found = point_along(&line, share, right).unwrap();
            assert!(distance_m(found, expected) < 0.5, "{share} {right}: {found} {expected}");
        }
        assert_eq!(point_along(&[], 0.5, true), None);
        assert_eq!(point_along(&line[..1], 0.5, true), Some(line[0]));
        assert_eq!(point_along(&[line[0], line[0]], 0.5, true), Some(line[0]));
    }
}
