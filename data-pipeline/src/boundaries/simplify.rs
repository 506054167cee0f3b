//! Simplifies lines: drops vertices and keeps the topology.
//!
//! Arcs are simplified, so shared borders stay shared. An arc that would then meet a neighbor is simplified less
//! until it does not. Lines keep more vertices where people live than elsewhere.

use super::{landmarks::Landmarks, settled::Settled};
use platbook::geometry::{LonLat, UNITS_PER_DEGREE, distance_to_segment_m, ring};

/// The limits for simplifying an arc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leeway {
    /// Maximum distance in meters of a dropped vertex from the new line, where people live; 0 keeps the whole arc.
    pub settled_m: f64,
    /// Maximum distance in meters of a dropped vertex from the new line, where few people live.
    pub elsewhere_m: f64,
    /// Series of areas that the arc borders, as bits: arcs that share one must not cross.
    pub tilings: u64,
}

/// The surroundings of lines, which decide where lines keep vertices.
#[derive(Debug, Default)]
pub struct Ground {
    /// The cells where people live.
    pub settled: Settled,
    /// Points that must stay on their side of each line.
    pub landmarks: Landmarks,
}

/// Side of a cell of the grid that crossings are sought in, in units of 1e-7 degree: about 1.5 km. Chosen,
/// not measured.
const CELL: i64 = (UNITS_PER_DEGREE / 75) as i64;
/// Number of times that the leeway is halved before an arc is left as it is. Chosen, not measured.
const HALVINGS_MAX: u32 = 4;

impl Leeway {
    fn is_none(&self) -> bool {
        self.settled_m <= 0.0
    }

    /// Returns how far each vertex may be from the new line, in meters, after the leeway was halved `halvings` times.
    fn of_vertices(&self, arc: &[LonLat], ground: &Ground, halvings: u32) -> Vec<f64> {
        let share = 1.0 / f64::from(1u32 << halvings);
        let meters =
            |vertex: &LonLat| if ground.settled.has(*vertex) { self.settled_m } else { self.elsewhere_m };
        let mut leeway_m: Vec<f64> = arc.iter().map(|vertex| share * meters(vertex)).collect();
        ground.landmarks.hold(arc, &mut leeway_m);
        leeway_m
    }
}

/// Simplifies arcs in place. The ends of arcs stay; a closed arc keeps its first vertex.
pub fn simplify(arcs: &mut [Vec<LonLat>], leeway: &[Leeway], ground: &Ground) {
    let originals = arcs.to_vec();
    let mut halvings = vec![0; arcs.len()];
    let simpler = |at: usize, halvings: u32| {
        let arc: &[LonLat] = &originals[at];
        if leeway[at].is_none() || halvings > HALVINGS_MAX {
            return arc.to_vec();
        }
        simplified(arc, &leeway[at].of_vertices(arc, ground, halvings))
    };
    for (at, arc) in arcs.iter_mut().enumerate() {
        *arc = simpler(at, 0);
    }
    // Each round halves the leeway of arcs that meet others. The loop ends, because an arc past the last halving is
    // the original, which cannot be simplified less.
    loop {
        let mut again = conflicts(arcs, leeway);
        again.retain(|at| arcs[*at].len() < originals[*at].len());
        if again.is_empty() {
            return;
        }
        for at in again {
            halvings[at] += 1;
            arcs[at] = simpler(at, halvings[at]);
        }
    }
}

fn simplified(arc: &[LonLat], leeway_m: &[f64]) -> Vec<LonLat> {
    if arc.len() < 3 {
        return arc.to_vec();
    }
    let mut keep = vec![false; arc.len()];
    let last = arc.len() - 1;
    (keep[0], keep[last]) = (true, true);
    if arc[0] == arc[last] {
        // A closed arc has no chord to measure from, so its farthest vertex is kept as well.
        let far = farthest(arc, (0, last), &vec![1.0; arc.len()]).0;
        keep[far] = true;
        mark(arc, (0, far), leeway_m, &mut keep);
        mark(arc, (far, last), leeway_m, &mut keep);
    } else {
        mark(arc, (0, last), leeway_m, &mut keep);
    }
    let kept: Vec<LonLat> =
        arc.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(vertex, _)| *vertex).collect();
    // A ring without area does not count as a ring, so a small island keeps its vertices.
    let collapsed = arc[0] == arc[last] && ring::signed_area_doubled(&kept) == 0;
    if collapsed { arc.to_vec() } else { kept }
}

/// Marks the vertices to keep between two kept ones (Douglas-Peucker).
// Uses a stack instead of recursion: a coast has hundreds of thousands of vertices.
fn mark(arc: &[LonLat], range: (usize, usize), leeway_m: &[f64], keep: &mut [bool]) {
    let mut ranges = vec![range];
    while let Some((first, last)) = ranges.pop() {
        let (far, excess) = farthest(arc, (first, last), leeway_m);
        if excess > 1.0 {
            keep[far] = true;
            ranges.extend([(first, far), (far, last)]);
        }
    }
}

/// Returns the vertex between two others whose distance from their chord is largest in relation to its leeway, and
/// that ratio.
fn farthest(arc: &[LonLat], (first, last): (usize, usize), leeway_m: &[f64]) -> (usize, f64) {
    let mut best = (first, 0.0);
    for at in first + 1..last {
        let excess = distance_to_segment_m(arc[at], arc[first], arc[last]) / leeway_m[at];
        if excess > best.1 {
            best = (at, excess);
        }
    }
    best
}

/// An edge of an arc, listed for one grid cell that the edge's box covers.
struct Filed {
    cell: (i64, i64),
    arc: u32,
    a: LonLat,
    b: LonLat,
}

/// Arcs that meet another arc of the same series, or themselves, other than in a common vertex; ascending.
fn conflicts(arcs: &[Vec<LonLat>], leeway: &[Leeway]) -> Vec<usize> {
    let at_stake = leeway.iter().filter(|arc| !arc.is_none()).fold(0, |all, arc| all | arc.tilings);
    let mut found: Vec<usize> =
        crossings(arcs, leeway, at_stake).into_iter().flat_map(|(one, other)| [one, other]).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Pairs of arcs of one of these series that meet other than in a common vertex; ascending.
pub fn crossings(arcs: &[Vec<LonLat>], leeway: &[Leeway], tilings: u64) -> Vec<(usize, usize)> {
    let mut filed = file(arcs, leeway, tilings);
    filed.sort_unstable_by_key(|edge| edge.cell);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for cell in filed.chunk_by(|a, b| a.cell == b.cell) {
        for (at, one) in cell.iter().enumerate() {
            for other in &cell[at + 1..] {
                let (a, b) = (one.arc as usize, other.arc as usize);
                if leeway[a].tilings & leeway[b].tilings != 0 && meet((one.a, one.b), (other.a, other.b)) {
                    found.push((a.min(b), a.max(b)));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Lists the edges of arcs that border one of these series, under each grid cell that their boxes cover.
fn file(arcs: &[Vec<LonLat>], leeway: &[Leeway], tilings: u64) -> Vec<Filed> {
    let mut filed = Vec::new();
    for (number, arc) in arcs.iter().enumerate().filter(|(at, _)| leeway[*at].tilings & tilings != 0) {
        for edge in arc.windows(2) {
            let cells =
                |a: i32, b: i32| i64::from(a.min(b)).div_euclid(CELL)..=i64::from(a.max(b)).div_euclid(CELL);
            for x in cells(edge[0].lon(), edge[1].lon()) {
                for y in cells(edge[0].lat(), edge[1].lat()) {
                    filed.push(Filed { cell: (x, y), arc: number as u32, a: edge[0], b: edge[1] });
                }
            }
        }
    }
    filed
}

/// Whether two edges share a point that is not a vertex of both, or are the same edge.
fn meet(one: (LonLat, LonLat), other: (LonLat, LonLat)) -> bool {
    let apart = |a: (i32, i32), b: (i32, i32)| a.0.max(a.1) < b.0.min(b.1) || b.0.max(b.1) < a.0.min(a.1);
    if apart((one.0.lon(), one.1.lon()), (other.0.lon(), other.1.lon()))
        || apart((one.0.lat(), one.1.lat()), (other.0.lat(), other.1.lat()))
    {
        return false;
    }
    let sides = |edge: (LonLat, LonLat), of: (LonLat, LonLat)| {
        (ring::side(edge.0, edge.1, of.0).signum(), ring::side(edge.0, edge.1, of.1).signum())
    };
    let (s, t) = (sides(one, other), sides(other, one));
    let shared = [one.0, one.1].iter().filter(|vertex| [other.0, other.1].contains(vertex)).count();
    match shared {
        0 => s.0 * s.1 <= 0 && t.0 * t.1 <= 0,
        // Edges may meet in a common vertex, unless one lies along the other.
        1 => s == (0, 0) && along(one, other),
        _ => true,
    }
}

/// Whether two edges on one straight line run in the same direction from their one common vertex.
fn along(one: (LonLat, LonLat), other: (LonLat, LonLat)) -> bool {
    let (common, end) = if one.0 == other.0 || one.0 == other.1 { one } else { (one.1, one.0) };
    let other_end = if other.0 == common { other.1 } else { other.0 };
    let way = |to: LonLat| ((to.lon() - common.lon()).signum(), (to.lat() - common.lat()).signum());
    way(end) == way(other_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lon: i32, lat: i32) -> LonLat {
        LonLat::from_units(lat, lon)
    }

    const ALL: u64 = 1;

    fn even(meters: f64, tilings: u64) -> Leeway {
        Leeway { settled_m: meters, elsewhere_m: meters, tilings }
    }

    #[test]
    fn lines_keep_more_where_people_live() {
        // A zigzag of 20 m; its western half lies in a place.
        let arc: Vec<LonLat> = (0..100).map(|x| at(x * 10_000, if x % 2 == 0 { 0 } else { 1_800 })).collect();
        let place = vec![at(0, -5_000), at(400_000, -5_000), at(400_000, 5_000), at(0, 5_000), at(0, -5_000)];
        let mut arcs = vec![arc];
        let leeway = Leeway { settled_m: 5.0, elsewhere_m: 50.0, tilings: ALL };
        let settled = Settled::of([[place].as_slice()].into_iter());
        simplify(&mut arcs, &[leeway], &Ground { settled, ..Ground::default() });
        let west = arcs[0].iter().filter(|vertex| vertex.lon() <= 400_000).count();
        assert!(west >= 40 && arcs[0].len() < 75, "{west} of {}", arcs[0].len());
    }

    #[test]
    fn no_vertex_is_farther_from_the_new_line_than_the_tolerance() {
        let arc: Vec<LonLat> = (0..500)
            .map(|x| at(x * 1000, (f64::from(x) / 20.0).sin().mul_add(20_000.0, 0.0) as i32))
            .collect();
        let mut arcs = vec![arc.clone()];
        simplify(&mut arcs, &[even(20.0, ALL)], &Ground::default());
        assert!(arcs[0].len() < 200, "{}", arcs[0].len());
        for vertex in &arc {
            let nearest = arcs[0]
                .windows(2)
                .map(|edge| distance_to_segment_m(*vertex, edge[0], edge[1]))
                .fold(f64::INFINITY, f64::min);
            assert!(nearest <= 20.0, "{vertex:?} is {nearest} m away");
        }
    }

    #[test]
    fn a_line_that_would_cross_its_neighbor_keeps_its_bend() {
        // The bend of the first arc goes around a vertex of the second.
        let bend = vec![at(0, 0), at(5_000, 900), at(10_000, 0)];
        let spike = vec![at(3_000, -5_000), at(5_000, 500), at(7_000, -5_000)];
        let mut arcs = vec![bend.clone(), spike.clone()];
        simplify(&mut arcs, &[even(50.0, ALL), even(0.0, ALL)], &Ground::default());
        assert_eq!(arcs, [bend.clone(), spike.clone()]);
        // Arcs that share no series may cross.
        let mut arcs = vec![bend, spike];
        simplify(&mut arcs, &[even(50.0, ALL), even(0.0, 2)], &Ground::default());
        assert_eq!(arcs[0].len(), 2);
    }

    #[test]
    fn a_published_point_stays_on_its_side_of_the_line() {
        // The bend is 10 m high; a line moved by 50 m would run straight.
        let bend = [at(0, 0), at(5_000, 900), at(10_000, 0)];
        let check = |point: (i32, i32), vertices: usize| {
            let landmarks = Landmarks::of([at(point.0, point.1)].into_iter());
            let mut arcs = vec![bend.to_vec()];
            simplify(&mut arcs, &[even(50.0, ALL)], &Ground { landmarks, ..Ground::default() });
            assert_eq!(arcs[0].len(), vertices, "{point:?}");
        };
        check((5_000, 450), 3);
        check((2_000, 1_000), 3);
        check((5_000, 9_000), 2);
        check((5_000, -90_000), 2);
    }

    #[test]
    fn a_small_island_does_not_collapse() {
        let island = vec![at(0, 0), at(100, 0), at(100, 100), at(0, 0)];
        let mut arcs = vec![island.clone()];
        simplify(&mut arcs, &[even(500.0, ALL)], &Ground::default());
        assert_eq!(arcs[0], island);
    }

    #[test]
    fn two_arcs_between_the_same_ends_do_not_become_one_line() {
        let north = vec![at(0, 0), at(500, 40), at(1_000, 0)];
        let south = vec![at(0, 0), at(500, -40), at(1_000, 0)];
        let mut arcs = vec![north.clone(), south.clone()];
        simplify(&mut arcs, &[even(50.0, ALL); 2], &Ground::default());
        assert_eq!(arcs, [north, south]);
    }
}
