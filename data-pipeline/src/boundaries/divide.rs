//! Set operations on areas: the land that two areas share, the land that only one has, and their union.
//!
//! A thin layer over `i_overlay`, whose integer arithmetic is exact. It knows coordinates only, no governments.

use i_overlay::{
    core::{
        fill_rule::FillRule,
        overlay::{IntOverlayOptions, Overlay},
        overlay_rule::OverlayRule,
        solver::Solver,
    },
    i_float::int::point::IntPoint,
};
use platbook::geometry::{Bbox, LonLat, UNITS_PER_DEGREE, ring};

/// Meters of a step of 1e-7 degree along a meridian: the Earth's equatorial radius, 6,378,137 m (WGS 84).
const STEP_M: f64 = 0.011_131_949;

/// Rings of an area; the area is the set of points in an odd number of them.
pub type Rings = Vec<Vec<LonLat>>;

/// Returns the part of an area that another area shares, and the rest. Every vertex stays, and both parts have the
/// same vertices along the line between them.
pub fn divide(area: &[Vec<LonLat>], by: &[Vec<LonLat>]) -> (Rings, Rings) {
    let part = |rule| overlay(area, by, rule, FillRule::EvenOdd);
    (part(OverlayRule::Intersect), part(OverlayRule::Difference))
}

/// Returns the points that lie in one of two areas and not in the other.
pub fn apart(area: &[Vec<LonLat>], other: &[Vec<LonLat>]) -> Rings {
    overlay(area, other, OverlayRule::Xor, FillRule::EvenOdd)
}

/// Joins several areas, given as rings that are turned as `clean` turns them.
pub fn union(rings: &[Vec<LonLat>]) -> Rings {
    overlay(rings, &[], OverlayRule::Subject, FillRule::NonZero)
}

/// Area of closed rings in square units of 1e-7 degree; holes and outer rings are found by even-odd.
pub fn area(rings: &[Vec<LonLat>]) -> i128 {
    let simple = overlay(rings, &[], OverlayRule::Subject, FillRule::EvenOdd);
    simple.iter().map(|ring| ring::signed_area_doubled(ring)).sum::<i128>().abs() / 2
}

/// Area of closed rings in square kilometers. A degree of longitude counts as wide as at their middle latitude.
pub fn km2(rings: &[Vec<LonLat>]) -> f64 {
    let Some(bbox) = Bbox::around(rings.iter().flatten().copied()) else { return 0.0 };
    let middle = LonLat::from_units(bbox.min.lat().midpoint(bbox.max.lat()), bbox.min.lon());
    let east = STEP_M * middle.lat_degrees().to_radians().cos();
    area(rings) as f64 * east * STEP_M / 1e6
}

fn overlay(subject: &[Vec<LonLat>], clip: &[Vec<LonLat>], rule: OverlayRule, fill: FillRule) -> Rings {
    let options = IntOverlayOptions::keep_all_points();
    let turn = Turn::of(subject.iter().chain(clip));
    let (subject, clip) = (turn.contours(subject), turn.contours(clip));
    let mut overlay = Overlay::with_contours_custom(&subject, &clip, options, Solver::default());
    let shapes = overlay.overlay(rule, fill);
    shapes.into_iter().flatten().map(|contour| turn.closed(contour)).collect()
}

/// Half of the way around the Earth, in units of 1e-7 degree.
const HALF_CIRCLE: i32 = 180 * UNITS_PER_DEGREE;

/// Whether longitudes are counted from the 180th meridian: an area on both sides of it is otherwise too wide
/// for the integers of the overlay.
#[derive(Clone, Copy)]
struct Turn(bool);

impl Turn {
    fn of<'r>(rings: impl Iterator<Item = &'r Vec<LonLat>>) -> Turn {
        let (mut west, mut east) = (i32::MAX, i32::MIN);
        for vertex in rings.flatten() {
            west = west.min(vertex.lon());
            east = east.max(vertex.lon());
        }
        Turn(i64::from(east) - i64::from(west) > i64::from(HALF_CIRCLE))
    }

    fn contours(self, rings: &[Vec<LonLat>]) -> Vec<Vec<IntPoint>> {
        let lon = |lon: i32| match self.0 {
            false => lon,
            true if lon > 0 => lon - HALF_CIRCLE,
            true => lon + HALF_CIRCLE,
        };
        let point = |vertex: &LonLat| IntPoint::new(lon(vertex.lon()), vertex.lat());
        rings.iter().map(|ring| ring.iter().map(point).collect()).collect()
    }

    fn closed(self, contour: Vec<IntPoint>) -> Vec<LonLat> {
        let lon = |lon: i32| match self.0 {
            false => lon,
            true if lon < 0 => lon + HALF_CIRCLE,
            true => lon - HALF_CIRCLE,
        };
        let first = contour.first().copied();
        contour.into_iter().chain(first).map(|point| LonLat::from_units(point.y, lon(point.x))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(west: i32, south: i32, side: i32) -> Vec<LonLat> {
        let (east, north) = (west + side, south + side);
        let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)];
        corners.into_iter().map(|(lon, lat)| LonLat::from_units(lat, lon)).collect()
    }

    /// The Aleutians lie on both sides of the 180th meridian.
    #[test]
    fn what_reaches_across_the_180th_meridian_fits() {
        let islands = vec![
            square(1_750_000_000, 510_000_000, 10_000_000),
            square(-1_790_000_000, 510_000_000, 10_000_000),
        ];
        let joined = union(&islands.iter().chain(&islands).cloned().collect::<Vec<_>>());
        assert_eq!(joined.len(), 2);
        let east =
            joined.iter().filter(|ring| ring.iter().all(|vertex| vertex.lon() >= 1_750_000_000)).count();
        assert_eq!(east, 1, "{joined:?}");
    }

    #[test]
    fn the_two_parts_make_up_the_whole_and_share_their_line() {
        let whole = vec![square(-1_479_000_000, 610_000_000, 40_000_000)];
        let region = vec![square(-1_469_000_000, 600_000_000, 60_000_000)];
        let (inside, rest) = divide(&whole, &region);
        assert_eq!((area(&inside), area(&rest)), (30_000_000 * 40_000_000, 10_000_000 * 40_000_000));
        let on_line = |part: &Rings| {
            let mut found: Vec<LonLat> =
                part.iter().flatten().copied().filter(|at| at.lon() == -1_469_000_000).collect();
            found.sort();
            found.dedup();
            found
        };
        assert_eq!(on_line(&inside), on_line(&rest));
        assert_eq!(on_line(&inside).len(), 2);
    }

    #[test]
    fn a_union_counts_an_overlap_once() {
        let both = union(&[square(0, 0, 100), square(50, 0, 100)]);
        assert_eq!(area(&both), 150 * 100);
    }

    #[test]
    fn what_is_apart_lies_in_one_alone() {
        assert_eq!(area(&apart(&[square(0, 0, 100)], &[square(50, 0, 100)])), 100 * 100);
        assert_eq!(area(&apart(&[square(0, 0, 100)], &[square(0, 0, 100)])), 0);
    }

    #[test]
    fn a_hole_counts_as_outside() {
        assert_eq!(area(&[square(0, 0, 100), square(10, 10, 50)]), 100 * 100 - 50 * 50);
        let (inside, rest) = divide(&[square(0, 0, 100)], &[square(200, 0, 10)]);
        assert_eq!((area(&inside), area(&rest)), (0, 10_000));
    }
}
