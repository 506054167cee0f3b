//! Finds the edges near a point.
//!
//! The search visits the cells around the point, beginning with the point's own cell. It keeps a distance limit for
//! each kind of line. A found edge lowers the limits of its kinds. The search skips a cell beyond the largest limit,
//! and a run if the cell is beyond the limits of all kinds of the run. With [`CellKinds`], it also skips a whole cell
//! in this way, before it fetches the leaves from memory.
//!
//! Skipping is correct because every cell that an edge touches stores this edge. An edge in a skipped cell may have its
//! nearest part outside the cell; a nearer cell then stores the same edge.

use super::{
    ArchivedTrie, COLUMNS, CellKinds, KIND, LEAF, NODE, Node, ROOT_SHIFT, ROWS, SOUTH, VALUE, WEST,
    edge::Vertex,
    leaf::{LeafReader, Run},
};
use crate::geometry::{LonLat, Plane};

/// A chain of edges near a point.
#[derive(Clone, Copy, Debug)]
pub struct NearEdge {
    /// Label of the edges; see [`ArchivedTrie::label`] and [`ArchivedTrie::label_areas`].
    pub label: u32,
    /// The bits of [`crate::snapshot::line_kind`] that the label has and the search includes.
    pub kinds: u8,
    /// Distance from the point in meters.
    pub distance_m: f64,
    /// Meters east and north from the point to the nearest point of the chain.
    pub offset_m: (f64, f64),
}

/// Number of sets of line kinds: [`crate::snapshot::line_kind`] has three bits.
const KIND_SETS: usize = 8;

/// Maximum number of cells that one search visits. The widest search (40 km, in the densest city) needs about a tenth.
/// In a malformed file, cells may contain each other, and a search without a limit would never end.
const CELLS_MAX: u32 = 500_000;

/// The state of a search in progress.
struct Search<'a, F> {
    trie: &'a ArchivedTrie,
    /// The kinds of lines in each cell, if they are computed already.
    cell_kinds: Option<&'a CellKinds>,
    plane: Plane,
    /// The kinds of lines that the search includes.
    kinds: u8,
    /// The limit for each set of kinds: the largest limit of a kind that is in the set and in the search. The set of an
    /// edge's kinds is the index, so no loop is necessary.
    limits: [Limit; KIND_SETS],
    /// Number of cells that may still be visited.
    cells_left: u32,
    visit: F,
}

/// A distance limit in two forms.
#[derive(Clone, Copy, Debug, Default)]
struct Limit {
    /// The square of the limit, in square meters.
    squared: f64,
    /// Half-widths, east and north, of the box around all points within the distance, in 1e-7 degree.
    reach: (i64, i64),
}

impl Limit {
    fn new(plane: &Plane, meters: f64) -> Limit {
        // The limit is slightly larger, so that rounding does not reject an edge at exactly this distance.
        Limit { squared: meters * meters * (1.0 + 1e-12), reach: plane.reach(meters) }
    }

    fn max(self, other: Limit) -> Limit {
        if other.squared > self.squared { other } else { self }
    }
}

/// A cell: its entry, its south-west corner relative to the point, and its size.
#[derive(Clone, Copy)]
struct Cell {
    entry: u32,
    /// The cell's index in `nodes` if [`CellKinds`] should be checked; `None` for the cells that contain the point. The
    /// lookup before has already fetched these cells from memory, but not their kinds, so a check would cost another
    /// fetch.
    place: Option<usize>,
    corner: (i64, i64),
    shift: u32,
}

impl ArchivedTrie {
    /// Calls `visit` with the chains of edges within `limit_m` meters of the point, once for each cell that they touch.
    /// `kinds` is a combination of bits of [`crate::snapshot::line_kind`]. `visit` returns a new limit in meters, and
    /// the search may skip edges beyond it. `cell_kinds` makes the search faster and does not change the result.
    pub fn near(
        &self,
        point: LonLat,
        limit_m: f64,
        kinds: u8,
        cell_kinds: Option<&CellKinds>,
        visit: impl FnMut(NearEdge) -> f64,
    ) {
        let plane = Plane::at(point);
        let outer = Limit::new(&plane, limit_m);
        let limits = std::array::from_fn(|set| if kinds & set as u8 != 0 { outer } else { Limit::default() });
        let mut search =
            Search { trie: self, cell_kinds, plane, kinds, limits, cells_left: CELLS_MAX, visit };
        let cells = |at: i32, reach: i64, origin: i64, count: usize| {
            let cell = |value: i64| ((value - origin) >> ROOT_SHIFT).clamp(0, count as i64 - 1);
            cell(i64::from(at) - reach)..=cell(i64::from(at) + reach)
        };
        for row in cells(point.lat(), outer.reach.1, SOUTH, ROWS) {
            for column in cells(point.lon(), outer.reach.0, WEST, COLUMNS) {
                let at = row as usize * COLUMNS + column as usize;
                let entry = self.root.get(at).map_or(0, |entry| entry.to_native());
                let corner = (
                    WEST + (column << ROOT_SHIFT) - i64::from(point.lon()),
                    SOUTH + (row << ROOT_SHIFT) - i64::from(point.lat()),
                );
                search.cell(Cell { entry, place: None, corner, shift: ROOT_SHIFT });
            }
        }
    }

    /// The bits of [`crate::snapshot::line_kind`] of a label; 0 for an unknown label.
    #[inline]
    pub fn label_kinds(&self, label: u32) -> u8 {
        self.label_kinds.get(label as usize).copied().unwrap_or(0)
    }
}

impl<F: FnMut(NearEdge) -> f64> Search<'_, F> {
    /// The largest limit of the kinds that the search includes.
    #[inline]
    fn outer(&self) -> Limit {
        self.limits[usize::from(self.kinds)]
    }

    fn cell(&mut self, cell: Cell) {
        let Some(left) = self.cells_left.checked_sub(1) else { return };
        self.cells_left = left;
        // The sides of a cell lie half a step beyond its outermost integers. A whole step makes the box slightly too
        // large, which is safe.
        let size = 1i64 << cell.shift;
        let (near, far) =
            ((cell.corner.0 - 1, cell.corner.1 - 1), (cell.corner.0 + size, cell.corner.1 + size));
        let squared = self.plane.squared_to_box(near, far);
        if squared > self.outer().squared || squared > self.limits[usize::from(self.kinds_of(cell))].squared {
            return;
        }
        match cell.entry & KIND {
            LEAF => self.leaf(cell, squared),
            NODE => self.parts(cell),
            _ => {}
        }
    }

    /// Visits the parts of a cell. The part nearest to the point comes first, because its edges lower the limits.
    fn parts(&mut self, cell: Cell) {
        let Node { first, fan } = Node::from_entry(cell.entry);
        let Some(shift) = cell.shift.checked_sub(fan).filter(|_| fan > 0) else { return };
        let last = (1i64 << fan) - 1;
        let at = |from_point: i64, corner: i64| ((from_point - corner) >> shift).clamp(0, last);
        let own = (at(0, cell.corner.0), at(0, cell.corner.1));
        self.part(cell, own, (first, fan, shift), cell.place.is_none());
        let (reach, corner) = (self.outer().reach, cell.corner);
        for row in at(-reach.1, corner.1)..=at(reach.1, corner.1) {
            for column in at(-reach.0, corner.0)..=at(reach.0, corner.0) {
                if (column, row) != own {
                    self.part(cell, (column, row), (first, fan, shift), false);
                }
            }
        }
    }

    /// Visits a part of a cut cell. `is_around` says that the part is the nearest one to the point, in a cell that
    /// contains the point.
    #[inline]
    fn part(
        &mut self,
        cell: Cell,
        (column, row): (i64, i64),
        (first, fan, shift): (usize, u32, u32),
        is_around: bool,
    ) {
        let at = first + (row << fan | column) as usize;
        let entry = self.trie.nodes.get(at).map_or(0, |entry| entry.to_native());
        if entry & KIND != VALUE {
            let corner = (cell.corner.0 + (column << shift), cell.corner.1 + (row << shift));
            self.cell(Cell { entry, place: (!is_around).then_some(at), corner, shift });
        }
    }

    /// The kinds of lines that the search includes and the cell may hold.
    #[inline]
    fn kinds_of(&self, cell: Cell) -> u8 {
        let known = self.cell_kinds.zip(cell.place).map(|(cells, place)| cells.of_part(place));
        known.map_or(self.kinds, |kinds| kinds & self.kinds)
    }

    /// Visits the runs of a leaf. `cell_squared` is the square of the distance from the point to the cell, in square
    /// meters.
    fn leaf(&mut self, cell: Cell, cell_squared: f64) {
        let (mut reader, _, runs) = LeafReader::at(&self.trie.leaves, cell.entry & !KIND);
        for _ in 0..runs {
            let run = reader.run();
            let kinds = self.trie.label_kinds(run.label) & self.kinds;
            let limit = self.limits[usize::from(kinds)];
            // A run that has none of the kinds is skipped as well: the limit of the empty set is 0.
            if kinds == 0 || cell_squared > limit.squared {
                continue;
            }
            if let Some((squared, offset_m)) = self.nearest_of(&run, cell.corner, limit) {
                self.found(NearEdge { label: run.label, kinds, distance_m: squared.sqrt(), offset_m });
            }
        }
    }

    /// The place on a run that is nearest to the point: the square of its distance, and meters east and north from the
    /// point. `None` if the place is beyond the limit.
    #[inline]
    fn nearest_of(&self, run: &Run<'_>, corner: (i64, i64), limit: Limit) -> Option<(f64, (f64, f64))> {
        let from_point = |v: Vertex| (corner.0 + i64::from(v.0), corner.1 + i64::from(v.1));
        let (mut nearest, mut offset_m) = (f64::INFINITY, (0.0, 0.0));
        let mut a = from_point(run.first);
        let mut a_sides = sides_beyond(a, limit.reach);
        run.edges(|_, b| {
            let b = from_point(b);
            let b_sides = sides_beyond(b, limit.reach);
            // An edge with both ends beyond one side of the box cannot come within the limit. This comparison rejects
            // most edges without a division.
            if a_sides & b_sides == 0 {
                let (east, north) = self.plane.to_segment(a, b);
                let squared = east * east + north * north;
                if squared < nearest {
                    (nearest, offset_m) = (squared, (east, north));
                }
            }
            (a, a_sides) = (b, b_sides);
        });
        (nearest <= limit.squared).then_some((nearest, offset_m))
    }

    /// Passes an edge to `visit` and applies the new limit to the edge's kinds.
    fn found(&mut self, edge: NearEdge) {
        let limit = Limit::new(&self.plane, (self.visit)(edge));
        for kind in [1, 2, 4] {
            let known = &mut self.limits[kind];
            if usize::from(edge.kinds) & kind != 0 && limit.squared < known.squared {
                *known = limit;
            }
        }
        // The limit of a larger set is the larger of two limits: the limit of one of its kinds, and that of the others
        // together. The limits of smaller sets are updated first.
        for (set, kind, rest) in [(3, 1, 2), (5, 1, 4), (6, 2, 4), (7, 1, 6)] {
            self.limits[set] = self.limits[kind].max(self.limits[rest]);
        }
    }
}

/// The sides of the box that a position lies beyond, as bits for east, west, north, south. `reach` has the box's
/// half-widths.
#[inline(always)]
fn sides_beyond(at: (i64, i64), reach: (i64, i64)) -> u8 {
    u8::from(at.0 > reach.0)
        | u8::from(at.0 < -reach.0) << 1
        | u8::from(at.1 > reach.1) << 2
        | u8::from(at.1 < -reach.1) << 3
}
