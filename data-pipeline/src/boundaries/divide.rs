//! Areas as sets of points: what two of them share, and what one has alone.

use i_overlay::{
    core::{
        fill_rule::FillRule,
        overlay::{IntOverlayOptions, Overlay},
        overlay_rule::OverlayRule,
        solver::Solver,
    },
    i_float::int::point::IntPoint,
};
use platbook::geometry::{LonLat, ring};

/// Rings of an area; the area is what lies in an odd number of them.
pub type Rings = Vec<Vec<LonLat>>;

/// What an area shares with another, and the rest of it. Every vertex stays, and both parts have the same ones along
/// the line between them.
pub fn divide(area: &[Vec<LonLat>], by: &[Vec<LonLat>]) -> (Rings, Rings) {
    let part = |rule| overlay(area, by, rule, FillRule::EvenOdd);
    (part(OverlayRule::Intersect), part(OverlayRule::Difference))
}

/// What lies in one of two areas and not in the other.
pub fn apart(area: &[Vec<LonLat>], other: &[Vec<LonLat>]) -> Rings {
    overlay(area, other, OverlayRule::Xor, FillRule::EvenOdd)
}

/// What lies in any of several areas, given as rings that are turned as `clean` turns them.
pub fn union(rings: &[Vec<LonLat>]) -> Rings {
    overlay(rings, &[], OverlayRule::Subject, FillRule::NonZero)
}

/// Area of closed rings in square units of 1e-7 degree, holes told from outer rings by even-odd.
pub fn area(rings: &[Vec<LonLat>]) -> i128 {
    let simple = overlay(rings, &[], OverlayRule::Subject, FillRule::EvenOdd);
    simple.iter().map(|ring| ring::signed_area_doubled(ring)).sum::<i128>().abs() / 2
}

fn overlay(subject: &[Vec<LonLat>], clip: &[Vec<LonLat>], rule: OverlayRule, fill: FillRule) -> Rings {
    let options = IntOverlayOptions::keep_all_points();
    let (subject, clip) = (contours(subject), contours(clip));
    let mut overlay = Overlay::with_contours_custom(&subject, &clip, options, Solver::default());
    let shapes = overlay.overlay(rule, fill);
    shapes.into_iter().flatten().map(closed).collect()
}

fn contours(rings: &[Vec<LonLat>]) -> Vec<Vec<IntPoint>> {
    let point = |vertex: &LonLat| IntPoint::new(vertex.lon(), vertex.lat());
    rings.iter().map(|ring| ring.iter().map(point).collect()).collect()
}

fn closed(contour: Vec<IntPoint>) -> Vec<LonLat> {
    let first = contour.first().copied();
    contour.into_iter().chain(first).map(|point| LonLat::from_units(point.y, point.x)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(west: i32, south: i32, side: i32) -> Vec<LonLat> {
        let (east, north) = (west + side, south + side);
        let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)];
        corners.into_iter().map(|(lon, lat)| LonLat::from_units(lat, lon)).collect()
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
