//! Finds the edges near a point.
//!
//! The search visits the cells around the point, the point's own first, and keeps a distance limit for each kind of
//! line. A found edge lowers the limit of its kinds. A cell beyond the farthest limit is skipped, and so is a run
//! whose kinds all have a limit below the cell's distance. If [`CellKinds`] are ready, a whole cell is skipped in the
//! same way before its leaves are fetched from memory.
//!
//! Skipping is correct because *every* cell that an edge touches stores it. If the nearest part of an edge lies
//! outside this cell, a nearer cell has the same edge.

use super::{
    ArchivedTrie, COLUMNS, CellKinds, KIND, LEAF, NODE, Node, ROOT_SHIFT, ROWS, SOUTH, VALUE, WEST,
    edge::Vertex,
    leaf::{LeafReader, Run},
};
use crate::geometry::{LonLat, Plane};

/// A chain of edges near a point.
#[derive(Clone, Copy, Debug)]
pub struct NearEdge {
    /// Its label; see [`ArchivedTrie::label`] and [`ArchivedTrie::label_areas`].
    pub label: u32,
    /// Those of its [`crate::snapshot::line_kind`]s that were searched for.
    pub kinds: u8,
    /// Distance from the point in meters.
    pub distance_m: f64,
    /// Meters east and north from the point to the nearest place on the line.
    pub offset_m: (f64, f64),
}

/// Number of sets of [`crate::snapshot::line_kind`]s, which are three bits.
const KIND_SETS: usize = 8;

/// Cells that one search may visit. The widest search (40 km, in the densest city) needs about a tenth. A wrongly
/// written file, whose cells contain each other, would otherwise never end.
const CELLS_MAX: u32 = 500_000;

/// A search in progress.
struct Search<'a, F> {
    trie: &'a ArchivedTrie,
    /// The kinds of lines in each cell, once they are known.
    cell_kinds: Option<&'a CellKinds>,
    plane: Plane,
    /// The kinds searched for.
    kinds: u8,
    /// For each set of kinds, the farthest limit of the kinds that are both in the set and searched for. An edge is
    /// looked up by its own set of kinds, without a loop.
    limits: [Limit; KIND_SETS],
    /// Cells that may still be visited.
    cells_left: u32,
    visit: F,
}

/// A distance limit in two forms.
#[derive(Clone, Copy, Debug, Default)]
struct Limit {
    /// The square of the distance, in square meters.
    squared: f64,
    /// Half-widths of the box around all nearer points, in 1e-7 degree.
    reach: (i64, i64),
}

impl Limit {
    fn new(plane: &Plane, meters: f64) -> Limit {
        // Slightly larger, so that rounding does not skip an equally near edge.
        Limit { squared: meters * meters * (1.0 + 1e-12), reach: plane.reach(meters) }
    }

    fn max(self, other: Limit) -> Limit {
        if other.squared > self.squared { other } else { self }
    }
}

/// A cell: its entry, its corner relative to the point, and its size.
#[derive(Clone, Copy)]
struct Cell {
    entry: u32,
    /// Its index in `nodes`, if its kinds are to be checked. `None` for the cells around the point. The lookup before
    /// has already fetched those from memory, but not their kinds, so checking would cost a fetch.
    place: Option<usize>,
    corner: (i64, i64),
    shift: u32,
}

impl ArchivedTrie {
    /// Calls `visit` with chains of edges of one of the `kinds` ([`crate::snapshot::line_kind`]) within `limit_m`
    /// meters of the point, once for each cell that they touch. `visit` returns the new limit in meters, beyond which
    /// nothing needs to be found. With `cell_kinds` the result is the same, sooner.
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

    /// [`crate::snapshot::line_kind`]s of a label; 0 for an unknown label.
    #[inline]
    pub fn label_kinds(&self, label: u32) -> u8 {
        self.label_kinds.get(label as usize).copied().unwrap_or(0)
    }
}

impl<F: FnMut(NearEdge) -> f64> Search<'_, F> {
    /// The farthest limit of all kinds that are searched for.
    #[inline]
    fn outer(&self) -> Limit {
        self.limits[usize::from(self.kinds)]
    }

    fn cell(&mut self, cell: Cell) {
        let Some(left) = self.cells_left.checked_sub(1) else { return };
        self.cells_left = left;
        // The sides lie half a step outside the integers; a whole step makes the box slightly too large.
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

    /// Visits the parts of a cell, the nearest to the point first: its edges narrow the search.
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

    /// Visits a part of a cut cell. `is_around` marks the part nearest to the point, of a cell that is itself around
    /// the point.
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

    /// The kinds searched for that a cell may hold.
    #[inline]
    fn kinds_of(&self, cell: Cell) -> u8 {
        let known = self.cell_kinds.zip(cell.place).map(|(cells, place)| cells.of_part(place));
        known.map_or(self.kinds, |kinds| kinds & self.kinds)
    }

    /// Visits the runs of a leaf. `cell_squared` is the squared distance of the cell in square meters.
    fn leaf(&mut self, cell: Cell, cell_squared: f64) {
        let (mut reader, _, runs) = LeafReader::at(&self.trie.leaves, cell.entry & !KIND);
        for _ in 0..runs {
            let run = reader.run();
            let kinds = self.trie.label_kinds(run.label) & self.kinds;
            let limit = self.limits[usize::from(kinds)];
            // A run of other kinds is skipped as well: the limit of the empty set is 0.
            if kinds == 0 || cell_squared > limit.squared {
                continue;
            }
            if let Some((squared, offset_m)) = self.nearest_of(&run, cell.corner, limit) {
                self.found(NearEdge { label: run.label, kinds, distance_m: squared.sqrt(), offset_m });
            }
        }
    }

    /// The nearest place on a run: its squared distance, and meters east and north. `None` if it is beyond the limit.
    #[inline]
    fn nearest_of(&self, run: &Run<'_>, corner: (i64, i64), limit: Limit) -> Option<(f64, (f64, f64))> {
        let from_point = |v: Vertex| (corner.0 + i64::from(v.0), corner.1 + i64::from(v.1));
        let (mut nearest, mut offset_m) = (f64::INFINITY, (0.0, 0.0));
        let mut a = from_point(run.first);
        let mut a_sides = sides_beyond(a, limit.reach);
        run.edges(|_, b| {
            let b = from_point(b);
            let b_sides = sides_beyond(b, limit.reach);
            // Both ends beyond one side of the box cannot come within the limit. Most edges are rejected so, without a
            // division.
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

    /// Reports an edge and takes the new limit for its kinds.
    fn found(&mut self, edge: NearEdge) {
        let limit = Limit::new(&self.plane, (self.visit)(edge));
        for kind in [1, 2, 4] {
            let known = &mut self.limits[kind];
            if usize::from(edge.kinds) & kind != 0 && limit.squared < known.squared {
                *known = limit;
            }
        }
        // The limit of each larger set is the larger of one kind's and the rest's; smaller sets come first.
        for (set, kind, rest) in [(3, 1, 2), (5, 1, 4), (6, 2, 4), (7, 1, 6)] {
            self.limits[set] = self.limits[kind].max(self.limits[rest]);
        }
    }
}

/// The sides of a box of these half-widths that a place lies beyond, as bits for east, west, north, south.
#[inline(always)]
fn sides_beyond(at: (i64, i64), reach: (i64, i64)) -> u8 {
    u8::from(at.0 > reach.0)
        | u8::from(at.0 < -reach.0) << 1
        | u8::from(at.1 > reach.1) << 2
        | u8::from(at.1 < -reach.1) << 3
}
