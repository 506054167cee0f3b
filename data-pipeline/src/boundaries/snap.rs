//! Makes vertices equal that stand for one point but were rounded differently.
//!
//! Election precincts follow the lines of the Census, but their file rounds coordinates in its own way. A vertex
//! within about 0.18 m of a Census vertex is moved to that vertex.

use platbook::geometry::LonLat;
use rustc_hash::FxHashMap;

/// Side of a grid cell, in units of 1e-7 degree: about 0.18 m of latitude. A vertex moves at most this far in
/// each direction. Chosen, not measured.
const CELL: i32 = 16;

/// The smallest vertex in each grid cell, so that the order of files does not matter.
#[derive(Default)]
pub struct Snap {
    cells: FxHashMap<(i32, i32), LonLat>,
}

impl Snap {
    /// Indexes the vertices by grid cell.
    pub fn of<'a>(vertices: impl Iterator<Item = &'a LonLat>) -> Snap {
        let mut cells = FxHashMap::default();
        for vertex in vertices {
            let known = cells.entry(cell(*vertex)).or_insert(*vertex);
            *known = (*known).min(*vertex);
        }
        Snap { cells }
    }

    /// The nearest known vertex within reach; the vertex itself if there is no such vertex.
    pub fn to(&self, vertex: LonLat) -> LonLat {
        let (x, y) = cell(vertex);
        // A vertex within one cell's width can only be in the same cell or one of the eight around it.
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        let near =
            around.filter_map(|cell| self.cells.get(&cell)).filter(|known| far(vertex, **known) <= CELL);
        near.min_by_key(|known| (far(vertex, **known), **known)).copied().unwrap_or(vertex)
    }
}

fn cell(vertex: LonLat) -> (i32, i32) {
    (vertex.lon().div_euclid(CELL), vertex.lat().div_euclid(CELL))
}

/// The larger of the differences in longitude and latitude, in units of 1e-7 degree.
fn far(one: LonLat, other: LonLat) -> i32 {
    (one.lon() - other.lon()).abs().max((one.lat() - other.lat()).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_vertex_within_reach_is_taken() {
        let at = |lon: i32, lat: i32| LonLat::from_units(lat, lon);
        let known = [at(1_000, 1_000), at(1_020, 1_000), at(-5, 0)];
        let snap = Snap::of(known.iter());
        for (vertex, expected) in [
            (at(1_000, 1_000), at(1_000, 1_000)),
            (at(1_007, 1_002), at(1_000, 1_000)),
            (at(1_012, 1_002), at(1_020, 1_000)),
            (at(1_000, 1_017), at(1_000, 1_017)),
            (at(2, 0), at(-5, 0)),
        ] {
            assert_eq!(snap.to(vertex), expected);
        }
    }
}
