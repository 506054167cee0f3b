//! Edges near a point.

use super::{
    ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, ROWS, SOUTH, VALUE, WEST, edge::Vertex,
    leaf::LeafReader,
};
use crate::geometry::{LonLat, Plane};

/// A chain of edges near a point.
#[derive(Clone, Copy, Debug)]
pub struct NearEdge {
    /// Its label: see [`ArchivedTrie::label`] and [`ArchivedTrie::label_areas`].
    pub label: u32,
    /// Metres from the point.
    pub distance_m: f64,
    /// Metres east and north from the point to the nearest place on it.
    pub offset_m: (f64, f64),
}

/// What is sought, and around what.
struct Search<'a, F> {
    trie: &'a ArchivedTrie,
    plane: Plane,
    kinds: u8,
    /// Square metres: what is farther is passed over.
    limit: f64,
    /// Half-widths of the box around all that is not, 1e-7 degrees.
    reach: (i64, i64),
    visit: F,
}

/// A cell: its entry, corner relative to the point, and size.
#[derive(Clone, Copy)]
struct Cell {
    entry: u32,
    corner: (i64, i64),
    shift: u32,
}

impl ArchivedTrie {
    /// Calls `visit` with chains of edges of one of the `kinds` ([`crate::snapshot::line_kind`]) that come within
    /// `limit_m` metres of the point, once for each cell that they touch. `visit` gives the new limit: what it
    /// has found need not be looked for farther out.
    pub fn near(&self, point: LonLat, limit_m: f64, kinds: u8, visit: impl FnMut(NearEdge) -> f64) {
        let plane = Plane::at(point);
        let reach = plane.reach(limit_m);
        let mut search = Search { trie: self, plane, kinds, limit: limit_m * limit_m, reach, visit };
        let cells = |at: i32, reach: i64, origin: i64, count: usize| {
            let cell = |value: i64| ((value - origin) >> ROOT_SHIFT).clamp(0, count as i64 - 1);
            cell(i64::from(at) - reach)..=cell(i64::from(at) + reach)
        };
        for row in cells(point.lat, reach.1, SOUTH, ROWS) {
            for column in cells(point.lon, reach.0, WEST, COLUMNS) {
                let entry = self
                    .root
                    .get(row as usize * COLUMNS + column as usize)
                    .map_or(0, |entry| entry.to_native());
                let corner = (
                    WEST + (column << ROOT_SHIFT) - i64::from(point.lon),
                    SOUTH + (row << ROOT_SHIFT) - i64::from(point.lat),
                );
                search.cell(Cell { entry, corner, shift: ROOT_SHIFT });
            }
        }
    }

    /// [`crate::snapshot::line_kind`]s of a label.
    #[inline]
    pub fn label_kinds(&self, label: u32) -> u8 {
        self.label_kinds.get(label as usize).copied().unwrap_or(0)
    }
}

impl<F: FnMut(NearEdge) -> f64> Search<'_, F> {
    fn cell(&mut self, cell: Cell) {
        let size = 1i64 << cell.shift;
        let far = (cell.corner.0 + size, cell.corner.1 + size);
        if self.plane.squared_to_box(cell.corner, far) > self.limit {
            return;
        }
        match cell.entry & KIND {
            LEAF => self.leaf(cell),
            NODE => self.parts(cell),
            _ => {}
        }
    }

    /// The part that the point is in, or is nearest to, goes first: what it holds narrows the search.
    fn parts(&mut self, cell: Cell) {
        let Node { first, fan } = Node::of(cell.entry);
        let Some(shift) = cell.shift.checked_sub(fan).filter(|_| fan > 0) else { return };
        let last = (1i64 << fan) - 1;
        let at = |from_point: i64, corner: i64| ((from_point - corner) >> shift).clamp(0, last);
        let own = (at(0, cell.corner.0), at(0, cell.corner.1));
        self.part(cell, own, (first, fan, shift));
        let (reach, corner) = (self.reach, cell.corner);
        for row in at(-reach.1, corner.1)..=at(reach.1, corner.1) {
            for column in at(-reach.0, corner.0)..=at(reach.0, corner.0) {
                if (column, row) != own {
                    self.part(cell, (column, row), (first, fan, shift));
                }
            }
        }
    }

    #[inline]
    fn part(&mut self, cell: Cell, (column, row): (i64, i64), (first, fan, shift): (usize, u32, u32)) {
        let entry =
            self.trie.nodes.get(first + (row << fan | column) as usize).map_or(0, |entry| entry.to_native());
        if entry & KIND != VALUE {
            let corner = (cell.corner.0 + (column << shift), cell.corner.1 + (row << shift));
            self.cell(Cell { entry, corner, shift });
        }
    }

    fn leaf(&mut self, cell: Cell) {
        let (mut reader, _, runs) = LeafReader::at(&self.trie.leaves, cell.entry & !KIND);
        let from_point = |v: Vertex| (cell.corner.0 + i64::from(v.0), cell.corner.1 + i64::from(v.1));
        for _ in 0..runs {
            let run = reader.run();
            if self.trie.label_kinds(run.label) & self.kinds == 0 {
                continue;
            }
            let (mut nearest, mut offset_m) = (f64::INFINITY, (0.0, 0.0));
            run.edges(|a, b| {
                let (a, b) = (from_point(a), from_point(b));
                if !self.is_beyond(a, b) {
                    let (east, north) = self.plane.to_segment(a, b);
                    let squared = east * east + north * north;
                    if squared < nearest {
                        (nearest, offset_m) = (squared, (east, north));
                    }
                }
            });
            if nearest <= self.limit {
                self.found(NearEdge { label: run.label, distance_m: nearest.sqrt(), offset_m });
            }
        }
    }

    /// Whether the edge lies wholly on one side of the box: most do, and need no division.
    #[inline(always)]
    fn is_beyond(&self, a: (i64, i64), b: (i64, i64)) -> bool {
        let beyond = |a: i64, b: i64, reach: i64| (a > reach) & (b > reach) | (a < -reach) & (b < -reach);
        beyond(a.0, b.0, self.reach.0) | beyond(a.1, b.1, self.reach.1)
    }

    fn found(&mut self, edge: NearEdge) {
        let limit_m = (self.visit)(edge);
        // A touch more, so that rounding does not pass over an equally near edge.
        self.limit = self.limit.min(limit_m * limit_m * (1.0 + 1e-12));
        self.reach = self.plane.reach(self.limit.sqrt());
    }
}
