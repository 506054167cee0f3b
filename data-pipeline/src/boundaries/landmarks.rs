//! Keeps each point that the Census publishes on its side of simplified lines.
//!
//! The Census publishes a point inside each unit, and in a small or narrow unit that may be a few meters from
//! the line. A simpler line could pass on the other side, and the point would then lie in the neighbor.

use platbook::geometry::{LonLat, UNITS_PER_DEGREE, distance_to_segment_m};
use rustc_hash::FxHashMap;

/// Side of a grid cell: a hundredth of a degree, about a kilometer.
const CELL: i32 = UNITS_PER_DEGREE / 100;
/// Search distance around an edge, in units of 1e-7 degree: at least 100 meters up to 72 degrees north. No line is
/// moved farther.
const REACH: i32 = 3 * UNITS_PER_DEGREE / 1000;

/// Points that have to stay on their side of each line, by grid cell.
#[derive(Debug, Default)]
pub struct Landmarks {
    cells: FxHashMap<(i32, i32), Vec<LonLat>>,
}

impl Landmarks {
    /// Indexes the points by grid cell.
    pub fn of(points: impl Iterator<Item = LonLat>) -> Landmarks {
        let mut landmarks = Landmarks::default();
        for point in points {
            landmarks.cells.entry((column(point.lon()), column(point.lat()))).or_default().push(point);
        }
        landmarks
    }

    /// Sets the leeway to 0 meters at both ends of an edge that passes a point more closely than either end may move.
    pub fn hold(&self, arc: &[LonLat], leeway_m: &mut [f64]) {
        let near = |at: &usize| self.is_near(&arc[*at..], leeway_m[*at].max(leeway_m[at + 1]));
        let held: Vec<usize> = (0..arc.len().saturating_sub(1)).filter(near).collect();
        for at in held {
            (leeway_m[at], leeway_m[at + 1]) = (0.0, 0.0);
        }
    }

    /// Whether the edge between the first two vertices passes a point nearer than `meters`.
    fn is_near(&self, edge: &[LonLat], meters: f64) -> bool {
        let span = |a: i32, b: i32| column(a.min(b) - REACH)..=column(a.max(b) + REACH);
        let columns = span(edge[0].lon(), edge[1].lon());
        let cells = columns.flat_map(|x| span(edge[0].lat(), edge[1].lat()).map(move |y| (x, y)));
        let mut points = cells.filter_map(|cell| self.cells.get(&cell)).flatten();
        points.any(|point| distance_to_segment_m(*point, edge[0], edge[1]) < meters)
    }
}

fn column(units: i32) -> i32 {
    units.div_euclid(CELL)
}
