//! Finds the precincts on both sides of an edge.

use platbook::geometry::LonLat;
use rustc_hash::FxHashMap;

use crate::input::precincts::Precinct;

/// An edge between two vertices, the smaller vertex first, so that both directions are equal.
pub type Edge = (LonLat, LonLat);

/// Every edge with the positions of the precincts that have it.
pub struct Borders {
    sides: FxHashMap<Edge, Vec<u32>>,
}

impl Borders {
    /// Indexes the edges of all precincts.
    pub fn of(precincts: &[(usize, Precinct)]) -> Borders {
        let mut sides: FxHashMap<Edge, Vec<u32>> = FxHashMap::default();
        for (at, (_, precinct)) in precincts.iter().enumerate() {
            for edge in edges(precinct) {
                sides.entry(edge).or_default().push(at as u32);
            }
        }
        Borders { sides }
    }

    /// The positions of the precincts that have the edge; empty where none has it.
    pub fn sides(&self, edge: &Edge) -> impl Iterator<Item = usize> {
        self.sides.get(edge).into_iter().flatten().map(|at| *at as usize)
    }

    /// Whether each edge of a ring belongs to one precinct at most: no other precinct lies on the far side.
    pub fn is_empty_beyond(&self, ring: &[LonLat]) -> bool {
        ring.windows(2).all(|edge| self.sides(&key(edge)).nth(1).is_none())
    }
}

/// The edges of all rings of a precinct; an edge that two of its rings share comes twice.
pub fn edges(precinct: &Precinct) -> impl Iterator<Item = Edge> {
    let edges = precinct.rings.iter().flat_map(|ring| ring.windows(2));
    edges.filter(|edge| edge[0] != edge[1]).map(key)
}

fn key(edge: &[LonLat]) -> Edge {
    (edge[0].min(edge[1]), edge[0].max(edge[1]))
}
