//! Vertices that mean the same point, written with different rounding: made equal.
//!
//! Election precincts follow the lines of the Census, but their file rounds coordinates in its own way. A vertex within a
//! meter and a half of one of the Census is that one.

use platbook::geometry::LonLat;
use rustc_hash::FxHashMap;

/// Side of the cells, in units of 1e-7 degree: about 1.7 m. Vertices are sought in a cell and those around it, and taken
/// when they are no farther than this in each direction.
const CELL: i32 = 16;

/// Vertices by cell; of several in one cell the smallest.
#[derive(Default)]
pub struct Snap {
    cells: FxHashMap<(i32, i32), LonLat>,
}

impl Snap {
    /// Files the vertices.
    pub fn of<'a>(vertices: impl Iterator<Item = &'a LonLat>) -> Snap {
        let mut cells = FxHashMap::default();
        for vertex in vertices {
            let known = cells.entry(cell(*vertex)).or_insert(*vertex);
            *known = (*known).min(*vertex);
        }
        Snap { cells }
    }

    /// The vertex that stands for this one: itself where none is near.
    pub fn to(&self, vertex: LonLat) -> LonLat {
        let (x, y) = cell(vertex);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        let near =
            around.filter_map(|cell| self.cells.get(&cell)).filter(|known| far(vertex, **known) <= CELL);
        near.min_by_key(|known| (far(vertex, **known), **known)).copied().unwrap_or(vertex)
    }
}

fn cell(vertex: LonLat) -> (i32, i32) {
    (vertex.lon().div_euclid(CELL), vertex.lat().div_euclid(CELL))
}

/// The larger of the two differences.
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
