//! Finds areas that overlap around a vertex that they share.
//!
//! Lines that cross are found edge by edge (`simplify::crossings`). Two areas can overlap although none of
//! their lines cross: both run through one vertex and leave it on wrong sides. Fitting lines of two files
//! together causes that. So the corners of areas are compared around each vertex where lines part. Seen from
//! there an area is a fan, and the fans of areas that tile the plane lie side by side.

use std::collections::BTreeMap;

use platbook::{geometry::LonLat, snapshot::write::ArcRef};

use super::{codes::Series, topology::Topology};

/// A step from one vertex to another: east and north, in units of 1e-7 degree.
type Step = (i64, i64);

/// The corner of an area at a vertex. The area lies from `first` counter-clockwise to `last`.
#[derive(Clone, Copy, Debug)]
struct Corner {
    area: usize,
    first: Step,
    last: Step,
}

/// Returns pairs of areas of one series, by position, that overlap around a common vertex; ascending.
pub fn overlaps(topology: &Topology, series: &[Series]) -> Vec<(usize, usize)> {
    let mut corners: BTreeMap<(LonLat, Series), Vec<Corner>> = BTreeMap::new();
    let areas = topology.areas.iter().enumerate();
    for (area, ring) in areas.flat_map(|(area, rings)| rings.iter().map(move |ring| (area, ring))) {
        for (at, arc) in ring.iter().enumerate() {
            // Rings turn counter-clockwise. So an area lies left of the arc that leaves the vertex, and right
            // of the way back along the arc before it.
            let before = ring[(at + ring.len() - 1) % ring.len()];
            let (vertex, first) = leaving(topology, *arc);
            let last = leaving(topology, ArcRef { reversed: !before.reversed, ..before }).1;
            corners.entry((vertex, series[area])).or_default().push(Corner { area, first, last });
        }
    }
    let mut found: Vec<(usize, usize)> = corners.values().flat_map(|corners| overlapping(corners)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The vertex where an arc begins, and its first step.
fn leaving(topology: &Topology, arc: ArcRef) -> (LonLat, Step) {
    let vertices = &topology.arcs[arc.arc as usize];
    let (from, to) = match arc.reversed {
        false => (vertices[0], vertices[1]),
        true => (vertices[vertices.len() - 1], vertices[vertices.len() - 2]),
    };
    let step = |a: i32, b: i32| i64::from(b) - i64::from(a);
    (from, (step(from.lon(), to.lon()), step(from.lat(), to.lat())))
}

fn overlapping(corners: &[Corner]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, one) in corners.iter().enumerate() {
        for other in corners[at + 1..].iter().filter(|other| other.area != one.area) {
            if meet(one, other) {
                found.push((one.area.min(other.area), one.area.max(other.area)));
            }
        }
    }
    found
}

/// Whether two fans share more than their rims.
fn meet(one: &Corner, other: &Corner) -> bool {
    let inside = |fan: &Corner, step: Step| {
        turn(fan.first, step) != Turn::None && comes_before(fan.first, step, fan.last)
    };
    let same = |a: Step, b: Step| turn(a, b) == Turn::None;
    // Fans overlap if a rim of one lies strictly inside the other; equal fans have no such rim.
    inside(one, other.first)
        || inside(one, other.last)
        || inside(other, one.first)
        || inside(other, one.last)
        || (same(one.first, other.first) && same(one.last, other.last))
}

/// The turn counter-clockwise from one step to another, in the order of the angle: none, below, at, above 180
/// degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    None,
    Left,
    Back,
    Right,
}

/// Computed in exact integers: floating-point angles could not distinguish rims that nearly coincide.
fn turn(from: Step, to: Step) -> Turn {
    let ahead = i128::from(from.0) * i128::from(to.0) + i128::from(from.1) * i128::from(to.1) > 0;
    match cross(from, to).signum() {
        1 => Turn::Left,
        -1 => Turn::Right,
        _ if ahead => Turn::None,
        _ => Turn::Back,
    }
}

fn cross(a: Step, b: Step) -> i128 {
    i128::from(a.0) * i128::from(b.1) - i128::from(a.1) * i128::from(b.0)
}

/// Whether turning counter-clockwise from a step reaches `step` before `last`.
fn comes_before(from: Step, step: Step, last: Step) -> bool {
    let (one, other) = (turn(from, step), turn(from, last));
    one < other || (one == other && cross(step, last) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundaries::ring_through as ring;

    fn check(rings: &[Vec<LonLat>], series: &[Series], expected: &[(usize, usize)]) {
        let areas: Vec<Vec<Vec<LonLat>>> = rings.iter().map(|ring| vec![ring.clone()]).collect();
        let topology = Topology::of(areas.iter().map(Vec::as_slice));
        assert_eq!(overlaps(&topology, series), expected);
    }

    #[test]
    fn neighbors_lie_side_by_side() {
        let square = |x: i32, y: i32| ring(&[(x, y), (x + 4, y), (x + 4, y + 4), (x, y + 4)]);
        check(&[square(0, 0), square(4, 0), square(0, 4), square(4, 4)], &[0; 4], &[]);
        // An area around others that leaves them a narrow notch.
        let notched = ring(&[(4, 4), (0, 8), (-9, 0), (0, -9), (9, 0), (8, 8)]);
        let notch = ring(&[(4, 4), (8, 8), (0, 8)]);
        check(&[notched, notch], &[0; 2], &[]);
    }

    /// The common border of two areas, drawn twice: each way has its own bend, and both meet at the ends only.
    #[test]
    fn lines_that_leave_a_common_vertex_on_wrong_sides() {
        let west = ring(&[(-90, -90), (0, -90), (5, -40), (0, 0), (-90, 0)]);
        let east = ring(&[(0, -90), (90, -90), (90, 0), (0, 0), (-5, -40)]);
        check(&[west.clone(), east.clone()], &[0; 2], &[(0, 1)]);
        check(&[west.clone(), east], &[0, 1], &[]);
        // There is a gap between the areas and no overlap, if each bend lies on its own side.
        let east = ring(&[(0, -90), (90, -90), (90, 0), (0, 0), (15, -40)]);
        check(&[west, east], &[0; 2], &[]);
    }

    #[test]
    fn the_same_area_twice() {
        let whole = ring(&[(0, 0), (9, 0), (9, 9)]);
        // A third area touches a corner, so lines part at that vertex.
        let other = ring(&[(9, 9), (20, 9), (20, 20)]);
        check(&[whole.clone(), whole, other], &[0; 3], &[(0, 1)]);
    }
}
