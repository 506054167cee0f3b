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

/// Bits of [`crate::snapshot::line_kind`].
const KINDS: usize = 3;

/// Cells that one search looks at. The widest one (40 km, in the densest city) needs about a tenth; a wrongly
/// written file, whose cells contain each other, would keep it busy for ever.
const CELLS_MAX: u32 = 500_000;

/// What is sought, and around what.
struct Search<'a, F> {
    trie: &'a ArchivedTrie,
    plane: Plane,
    kinds: u8,
    /// For each bit of `kinds`, how far edges of that kind still count.
    limits: [Limit; KINDS],
    /// The farthest of them: cells beyond are passed over.
    outer: Limit,
    /// Cells that may still be looked at.
    cells_left: u32,
    visit: F,
}

/// A distance.
#[derive(Clone, Copy, Debug, Default)]
struct Limit {
    /// Square metres.
    squared: f64,
    /// Half-widths of the box around all that is nearer, 1e-7 degrees.
    reach: (i64, i64),
}

impl Limit {
    fn of(plane: &Plane, metres: f64) -> Limit {
        // A touch more, so that rounding does not pass over an equally near edge.
        Limit { squared: metres * metres * (1.0 + 1e-12), reach: plane.reach(metres) }
    }

    fn max(self, other: Limit) -> Limit {
        if other.squared > self.squared { other } else { self }
    }
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
        let outer = Limit::of(&plane, limit_m);
        let limits = std::array::from_fn(|bit| if kinds & 1 << bit != 0 { outer } else { Limit::default() });
        let mut search = Search { trie: self, plane, kinds, limits, outer, cells_left: CELLS_MAX, visit };
        let reach = outer.reach;
        let cells = |at: i32, reach: i64, origin: i64, count: usize| {
            let cell = |value: i64| ((value - origin) >> ROOT_SHIFT).clamp(0, count as i64 - 1);
            cell(i64::from(at) - reach)..=cell(i64::from(at) + reach)
        };
        for row in cells(point.lat(), reach.1, SOUTH, ROWS) {
            for column in cells(point.lon(), reach.0, WEST, COLUMNS) {
                let entry = self
                    .root
                    .get(row as usize * COLUMNS + column as usize)
                    .map_or(0, |entry| entry.to_native());
                let corner = (
                    WEST + (column << ROOT_SHIFT) - i64::from(point.lon()),
                    SOUTH + (row << ROOT_SHIFT) - i64::from(point.lat()),
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
        let Some(left) = self.cells_left.checked_sub(1) else { return };
        self.cells_left = left;
        let size = 1i64 << cell.shift;
        let far = (cell.corner.0 + size, cell.corner.1 + size);
        if self.plane.squared_to_box(cell.corner, far) > self.outer.squared {
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
        let (reach, corner) = (self.outer.reach, cell.corner);
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
            let kinds = self.trie.label_kinds(run.label) & self.kinds;
            if kinds == 0 {
                continue;
            }
            let limit = self.limit(kinds);
            let (mut nearest, mut offset_m) = (f64::INFINITY, (0.0, 0.0));
            run.edges(|a, b| {
                let (a, b) = (from_point(a), from_point(b));
                if !is_beyond(a, b, limit.reach) {
                    let (east, north) = self.plane.to_segment(a, b);
                    let squared = east * east + north * north;
                    if squared < nearest {
                        (nearest, offset_m) = (squared, (east, north));
                    }
                }
            });
            if nearest <= limit.squared {
                self.found(kinds, NearEdge { label: run.label, distance_m: nearest.sqrt(), offset_m });
            }
        }
    }

    /// The farthest limit of these kinds.
    #[inline]
    fn limit(&self, kinds: u8) -> Limit {
        let of_kinds = (0..KINDS).filter(|bit| kinds & 1 << bit != 0);
        of_kinds.fold(Limit::default(), |limit, bit| limit.max(self.limits[bit]))
    }

    fn found(&mut self, kinds: u8, edge: NearEdge) {
        let limit = Limit::of(&self.plane, (self.visit)(edge));
        for bit in (0..KINDS).filter(|bit| kinds & 1 << bit != 0) {
            if limit.squared < self.limits[bit].squared {
                self.limits[bit] = limit;
            }
        }
        self.outer = self.limit(self.kinds);
    }
}

/// Whether the edge lies wholly on one side of the box: most do, and need no division.
#[inline(always)]
fn is_beyond(a: (i64, i64), b: (i64, i64), reach: (i64, i64)) -> bool {
    let beyond = |a: i64, b: i64, reach: i64| (a > reach) & (b > reach) | (a < -reach) & (b < -reach);
    beyond(a.0, b.0, reach.0) | beyond(a.1, b.1, reach.1)
}
