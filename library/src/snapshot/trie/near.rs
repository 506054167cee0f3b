//! Edges near a point.
//!
//! The search walks the cells around the point, the point's own first, and keeps for each kind of line how far edges
//! of that kind still count. A found edge lowers the limit of its kinds; a cell farther away than the farthest limit
//! is passed over, and so is, within a cell, a run whose kinds all have a lower limit than the cell's distance.
//! Where [`CellKinds`] are at hand, a whole cell is passed over in the same way, before its leaves are fetched from memory.
//! That is right because each edge stands in *every* cell that it touches: if the part of it that is nearest to
//! the point lies outside this cell, another cell has the same edge and is nearer.

use super::{
    ArchivedTrie, COLUMNS, CellKinds, KIND, LEAF, NODE, Node, ROOT_SHIFT, ROWS, SOUTH, VALUE, WEST,
    edge::Vertex,
    leaf::{LeafReader, Run},
};
use crate::geometry::{LonLat, Plane};

/// A chain of edges near a point.
#[derive(Clone, Copy, Debug)]
pub struct NearEdge {
    /// Its label: see [`ArchivedTrie::label`] and [`ArchivedTrie::label_areas`].
    pub label: u32,
    /// Those of its [`crate::snapshot::line_kind`]s that were sought.
    pub kinds: u8,
    /// Metres from the point.
    pub distance_m: f64,
    /// Metres east and north from the point to the nearest place on it.
    pub offset_m: (f64, f64),
}

/// Kinds of [`crate::snapshot::line_kind`] are sets of three bits.
const KIND_SETS: usize = 8;

/// Cells that one search looks at. The widest one (40 km, in the densest city) needs about a tenth; a wrongly
/// written file, whose cells contain each other, would keep it busy for ever.
const CELLS_MAX: u32 = 500_000;

/// What is sought, and around what.
struct Search<'a, F> {
    trie: &'a ArchivedTrie,
    /// Where it is made: which kinds each cell holds.
    cell_kinds: Option<&'a CellKinds>,
    plane: Plane,
    /// The kinds sought.
    kinds: u8,
    /// For each set of kinds, how far edges still count that are of any kind in it: the farthest limit of the kinds
    /// that are both in the set and sought. So an edge is looked up by its own kinds, without a loop.
    limits: [Limit; KIND_SETS],
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
    /// Its place in `nodes`, where its kinds are to be asked for. Not for the cells around the point, which the lookup
    /// before has fetched from memory already: their kinds it has not.
    place: Option<usize>,
    corner: (i64, i64),
    shift: u32,
}

impl ArchivedTrie {
    /// Calls `visit` with chains of edges of one of the `kinds` ([`crate::snapshot::line_kind`]) that come within
    /// `limit_m` metres of the point, once for each cell that they touch. `visit` gives the new limit: what it
    /// has found need not be looked for farther out. With `cell_kinds` it finds the same, sooner.
    pub fn near(
        &self,
        point: LonLat,
        limit_m: f64,
        kinds: u8,
        cell_kinds: Option<&CellKinds>,
        visit: impl FnMut(NearEdge) -> f64,
    ) {
        let plane = Plane::at(point);
        let outer = Limit::of(&plane, limit_m);
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

    /// [`crate::snapshot::line_kind`]s of a label.
    #[inline]
    pub fn label_kinds(&self, label: u32) -> u8 {
        self.label_kinds.get(label as usize).copied().unwrap_or(0)
    }
}

impl<F: FnMut(NearEdge) -> f64> Search<'_, F> {
    /// The farthest limit of all kinds that are sought.
    #[inline]
    fn outer(&self) -> Limit {
        self.limits[usize::from(self.kinds)]
    }

    fn cell(&mut self, cell: Cell) {
        let Some(left) = self.cells_left.checked_sub(1) else { return };
        self.cells_left = left;
        // The sides lie half a step outside: a whole step makes the box never too small.
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

    /// The part that the point is in, or is nearest to, goes first: what it holds narrows the search.
    fn parts(&mut self, cell: Cell) {
        let Node { first, fan } = Node::of(cell.entry);
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

    /// A part of a cut cell. `is_around` says that the point is in it, or in no part of the cell at all.
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

    /// The kinds sought that a cell may hold.
    #[inline]
    fn kinds_of(&self, cell: Cell) -> u8 {
        let known = self.cell_kinds.zip(cell.place).map(|(cells, place)| cells.of_part(place));
        known.map_or(self.kinds, |kinds| kinds & self.kinds)
    }

    /// Looks at the runs of a leaf. `cell_squared` is how near the cell comes, in square metres.
    fn leaf(&mut self, cell: Cell, cell_squared: f64) {
        let (mut reader, _, runs) = LeafReader::at(&self.trie.leaves, cell.entry & !KIND);
        for _ in 0..runs {
            let run = reader.run();
            let kinds = self.trie.label_kinds(run.label) & self.kinds;
            let limit = self.limits[usize::from(kinds)];
            // Also passes over the kinds that are not sought: the limit of no kind is nothing.
            if kinds == 0 || cell_squared > limit.squared {
                continue;
            }
            if let Some((squared, offset_m)) = self.nearest_of(&run, cell.corner, limit) {
                self.found(NearEdge { label: run.label, kinds, distance_m: squared.sqrt(), offset_m });
            }
        }
    }

    /// The nearest place on a run, if it is within the limit: its distance squared, and metres east and north.
    #[inline]
    fn nearest_of(&self, run: &Run<'_>, corner: (i64, i64), limit: Limit) -> Option<(f64, (f64, f64))> {
        let from_point = |v: Vertex| (corner.0 + i64::from(v.0), corner.1 + i64::from(v.1));
        let (mut nearest, mut offset_m) = (f64::INFINITY, (0.0, 0.0));
        let mut a = from_point(run.first);
        let mut a_sides = sides_beyond(a, limit.reach);
        run.edges(|_, b| {
            let b = from_point(b);
            let b_sides = sides_beyond(b, limit.reach);
            // Both ends beyond one side of the box around all that counts: most edges are, and need no division.
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
        let limit = Limit::of(&self.plane, (self.visit)(edge));
        for kind in [1, 2, 4] {
            let known = &mut self.limits[kind];
            if usize::from(edge.kinds) & kind != 0 && limit.squared < known.squared {
                *known = limit;
            }
        }
        // Each set of several kinds from one of its kinds and the rest; a set of fewer kinds is ready before.
        for (set, kind, rest) in [(3, 1, 2), (5, 1, 4), (6, 2, 4), (7, 1, 6)] {
            self.limits[set] = self.limits[kind].max(self.limits[rest]);
        }
    }
}

/// The sides of the box of these half-widths that the place lies beyond: a bit each for east, west, north, south.
#[inline(always)]
fn sides_beyond(at: (i64, i64), reach: (i64, i64)) -> u8 {
    u8::from(at.0 > reach.0)
        | u8::from(at.0 < -reach.0) << 1
        | u8::from(at.1 > reach.1) << 2
        | u8::from(at.1 < -reach.1) << 3
}
