//! Cuts rings into arcs at the vertices where neighbors part, so that each shared border is stored once.

use std::collections::HashMap;

use platbook::{geometry::LonLat, snapshot::write::ArcRef};
use rustc_hash::FxHashMap;

/// Arcs, and the rings of each area as references to them.
#[derive(Debug, Default, PartialEq)]
pub struct Topology {
    /// Vertices of each arc, two or more; a ring without a junction is one closed arc.
    pub arcs: Vec<Vec<LonLat>>,
    /// Rings of each area, in the order given.
    pub areas: Vec<Vec<Vec<ArcRef>>>,
}

impl Topology {
    /// Cuts the closed rings of all areas. No vertex is moved, added or lost.
    pub fn of<'a>(areas: impl Iterator<Item = &'a [Vec<LonLat>]> + Clone) -> Topology {
        let junctions = Junctions::of(areas.clone().flatten());
        let mut arcs = ArcStore::default();
        let rings_of = |rings: &[Vec<LonLat>], arcs: &mut ArcStore| {
            rings.iter().map(|ring| cut(ring, &junctions).map(|arc| arcs.put(arc)).collect()).collect()
        };
        let areas = areas.map(|rings| rings_of(rings, &mut arcs)).collect();
        Topology { arcs: arcs.arcs, areas }
    }

    /// The areas on both sides of each arc, by number, ascending. An area that has an arc twice (once in each
    /// direction) has no border there.
    pub fn sides(&self) -> Vec<Vec<u32>> {
        let mut sides: Vec<Vec<u32>> = vec![Vec::new(); self.arcs.len()];
        for (area, rings) in self.areas.iter().enumerate() {
            for arc in rings.iter().flatten() {
                let sides = &mut sides[arc.arc as usize];
                match sides.iter().position(|known| *known == area as u32) {
                    Some(at) => _ = sides.remove(at),
                    None => sides.push(area as u32),
                }
            }
        }
        sides
    }
}

/// The vertices where rings part: different rings pass them with different neighbors.
pub(super) struct Junctions {
    /// The neighbors with which a vertex was first seen; `None` once other neighbors were seen.
    neighbors: FxHashMap<LonLat, Option<(LonLat, LonLat)>>,
}

impl Junctions {
    pub(super) fn of<'a>(rings: impl Iterator<Item = &'a Vec<LonLat>>) -> Junctions {
        let mut neighbors: FxHashMap<LonLat, Option<(LonLat, LonLat)>> = FxHashMap::default();
        for ring in rings {
            let open = open(ring);
            for at in 0..open.len() {
                let (before, after) = (open[(at + open.len() - 1) % open.len()], open[(at + 1) % open.len()]);
                let pair = (before.min(after), before.max(after));
                let known = neighbors.entry(open[at]).or_insert(Some(pair));
                if *known != Some(pair) {
                    *known = None;
                }
            }
        }
        Junctions { neighbors }
    }

    pub(super) fn has(&self, vertex: LonLat) -> bool {
        self.neighbors.get(&vertex).is_some_and(Option::is_none)
    }
}

/// A ring without its repeated last vertex.
fn open(ring: &[LonLat]) -> &[LonLat] {
    match ring {
        [first, .., last] if first == last => &ring[..ring.len() - 1],
        _ => ring,
    }
}

/// The ring's arcs, from junction to junction. A ring without a junction is one arc from its smallest vertex on.
fn cut<'a>(ring: &'a [LonLat], junctions: &Junctions) -> impl Iterator<Item = Vec<LonLat>> + use<'a> {
    let open = open(ring);
    let mut cuts: Vec<usize> = (0..open.len()).filter(|at| junctions.has(open[*at])).collect();
    // Any start would do; with the smallest vertex, two rings of the same vertices become the same arc.
    if cuts.is_empty() {
        cuts.extend((0..open.len()).min_by_key(|at| open[*at]));
    }
    let count = cuts.len();
    (0..count).map(move |at| {
        let start = cuts[at];
        let next = cuts[(at + 1) % count];
        let length = (next + open.len() - start - 1) % open.len() + 1;
        (0..=length).map(|step| open[(start + step) % open.len()]).collect()
    })
}

/// Arcs by their vertices, each stored in the smaller of its two directions.
#[derive(Default)]
struct ArcStore {
    arcs: Vec<Vec<LonLat>>,
    /// Numbers of arcs by length, both ends and a middle vertex; few arcs share such a key.
    known: HashMap<(usize, LonLat, LonLat, LonLat), Vec<u32>, rustc_hash::FxBuildHasher>,
}

impl ArcStore {
    fn put(&mut self, mut arc: Vec<LonLat>) -> ArcRef {
        // The smaller direction is stored, so that neighbors that run along a border in opposite directions
        // share it.
        let reversed = arc.iter().rev().lt(arc.iter());
        if reversed {
            arc.reverse();
        }
        let key = (arc.len(), arc[0], arc[arc.len() - 1], arc[arc.len() / 2]);
        let known = self.known.entry(key).or_default();
        if let Some(number) = known.iter().find(|number| self.arcs[**number as usize] == arc) {
            return ArcRef { arc: *number, reversed };
        }
        let number = self.arcs.len() as u32;
        known.push(number);
        self.arcs.push(arc);
        ArcRef { arc: number, reversed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundaries::ring_through as ring;

    fn rebuilt(topology: &Topology, area: usize) -> Vec<Vec<LonLat>> {
        let whole = |arcs: &Vec<ArcRef>| {
            let mut points: Vec<LonLat> = Vec::new();
            for arc in arcs {
                let mut vertices = topology.arcs[arc.arc as usize].clone();
                if arc.reversed {
                    vertices.reverse();
                }
                points.extend(vertices.into_iter().skip(usize::from(!points.is_empty())));
            }
            points
        };
        topology.areas[area].iter().map(whole).collect()
    }

    /// Whether two closed rings are the same, wherever they start.
    fn same_ring(a: &[LonLat], b: &[LonLat]) -> bool {
        let (a, b) = (open(a), open(b));
        a.len() == b.len()
            && (0..a.len()).any(|shift| (0..a.len()).all(|at| a[(at + shift) % a.len()] == b[at]))
    }

    fn check(areas: &[Vec<Vec<LonLat>>], arcs: usize) -> Topology {
        let topology = Topology::of(areas.iter().map(Vec::as_slice));
        assert_eq!(topology.arcs.len(), arcs);
        for (at, rings) in areas.iter().enumerate() {
            for (old, new) in rings.iter().zip(rebuilt(&topology, at)) {
                assert!(same_ring(old, &new), "area {at}: {old:?} became {new:?}");
            }
        }
        topology
    }

    #[test]
    fn neighbors_share_their_border() {
        let west = vec![ring(&[(0, 0), (5, 0), (5, 5), (5, 9), (0, 9)])];
        let east = vec![ring(&[(5, 0), (9, 0), (9, 9), (5, 9), (5, 5)])];
        let topology = check(&[west, east], 3);
        let mut sides = topology.sides();
        sides.sort();
        assert_eq!(sides, [vec![0], vec![0, 1], vec![1]]);
    }

    #[test]
    fn an_island_in_a_hole_is_one_closed_arc() {
        let outer = vec![ring(&[(0, 0), (9, 0), (9, 9), (0, 9)]), ring(&[(2, 2), (2, 4), (4, 4), (4, 2)])];
        let inner = vec![ring(&[(4, 4), (2, 4), (2, 2), (4, 2)])];
        assert_eq!(check(&[outer, inner], 2).sides(), [vec![0], vec![0, 1]]);
    }

    #[test]
    fn four_squares_meet_in_a_point() {
        let square = |x: i32, y: i32| vec![ring(&[(x, y), (x + 4, y), (x + 4, y + 4), (x, y + 4)])];
        check(&[square(0, 0), square(4, 0), square(0, 4), square(4, 4)], 8);
    }

    #[test]
    fn a_ring_that_touches_itself_keeps_its_shape() {
        check(&[vec![ring(&[(0, 0), (4, 0), (2, 2), (4, 4), (0, 4), (2, 2)])]], 2);
    }
}
