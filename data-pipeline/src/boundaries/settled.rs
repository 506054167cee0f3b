//! Finds where people live: in and around places, and in densely populated counties.
//!
//! Lines keep more vertices there (see `simplify`). The answer is per grid cell, not per line.

use platbook::geometry::{Bbox, LonLat, UNITS_PER_DEGREE};
use rustc_hash::FxHashSet;

/// Side of a grid cell: a hundredth of a degree, about a kilometer.
const CELL: i32 = UNITS_PER_DEGREE / 100;

/// The grid cells in which people live.
#[derive(Debug, Default)]
pub struct Settled {
    cells: FxHashSet<(i32, i32)>,
}

impl Settled {
    /// Marks all cells that an area lies in, and those around its lines. Each item is the closed rings of one
    /// area.
    pub fn of<'a>(areas: impl Iterator<Item = &'a [Vec<LonLat>]>) -> Settled {
        let mut settled = Settled::default();
        for rings in areas {
            for ring in rings {
                let edges = ring.windows(2).map(|edge| (cell(edge[0]), cell(edge[1]), edge));
                let mut last = None;
                for (from, to, edge) in edges {
                    // Most edges lie in the cell of the edge before, which is already marked.
                    if last != Some(from) || from != to {
                        settled.add_edge(edge);
                    }
                    last = Some(to);
                }
            }
            settled.add_inside(rings);
        }
        settled
    }

    /// Whether people live in the point's cell.
    pub fn has(&self, point: LonLat) -> bool {
        self.cells.contains(&cell(point))
    }

    /// Marks the cells of an edge's box and those next to them.
    fn add_edge(&mut self, edge: &[LonLat]) {
        let (a, b) = (cell(edge[0]), cell(edge[1]));
        // A long edge is halved until its box is small: the box of a diagonal would cover cells far from it.
        if (a.0 - b.0).abs().max((a.1 - b.1).abs()) > 1 {
            let mean = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) / 2) as i32;
            let middle =
                LonLat::from_units(mean(edge[0].lat(), edge[1].lat()), mean(edge[0].lon(), edge[1].lon()));
            self.add_edge(&[edge[0], middle]);
            return self.add_edge(&[middle, edge[1]]);
        }
        for x in a.0.min(b.0) - 1..=a.0.max(b.0) + 1 {
            self.cells.extend((a.1.min(b.1) - 1..=a.1.max(b.1) + 1).map(|y| (x, y)));
        }
    }

    /// Marks the cells whose middles lie inside, row by row, by even-odd crossings.
    fn add_inside(&mut self, rings: &[Vec<LonLat>]) {
        let Some(bbox) = Bbox::around(rings.iter().flatten().copied()) else { return };
        for y in cell(bbox.min).1..=cell(bbox.max).1 {
            let lat = f64::from(y * CELL) + f64::from(CELL) / 2.0;
            let mut crossings: Vec<f64> = rings
                .iter()
                .flat_map(|ring| ring.windows(2))
                .filter_map(|edge| longitude_at(edge, lat))
                .collect();
            crossings.sort_by(f64::total_cmp);
            for span in crossings.chunks_exact(2) {
                let column = |lon: f64| (lon / f64::from(CELL)).floor() as i32;
                self.cells.extend((column(span[0])..=column(span[1])).map(|x| (x, y)));
            }
        }
    }
}

/// The longitude, in units of 1e-7 degree, at which an edge crosses a parallel; `None` where it does not.
fn longitude_at(edge: &[LonLat], lat: f64) -> Option<f64> {
    let (y0, y1) = (f64::from(edge[0].lat()), f64::from(edge[1].lat()));
    let (x0, x1) = (f64::from(edge[0].lon()), f64::from(edge[1].lon()));
    ((y0 > lat) != (y1 > lat)).then(|| x0 + (lat - y0) / (y1 - y0) * (x1 - x0))
}

fn cell(point: LonLat) -> (i32, i32) {
    (point.lon().div_euclid(CELL), point.lat().div_euclid(CELL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_and_a_kilometer_around_it_are_settled() {
        let at = |x: i32, y: i32| LonLat::from_units(y * CELL + CELL / 2, x * CELL + CELL / 2);
        let (a, b) = (0, 20);
        let rings = [vec![at(a, a), at(b, a), at(b, b), at(a, b), at(a, a)]];
        let settled = Settled::of([rings.as_slice()].into_iter());
        for (x, y, expected) in
            [(10, 10, true), (0, 10, true), (21, 10, true), (-1, -1, true), (22, 10, false), (10, -2, false)]
        {
            assert_eq!(settled.has(at(x, y)), expected, "{x} {y}");
        }
    }
}
