//! The overlay cell trie: which areas of all layers cover a point, in one walk.
//!
//! Each border is stored once, as edges that carry a **label**: the XOR of the codes of all areas that have
//! the edge in their rings (see [`super::areas`] for codes). Walking from one point to another, the code of
//! the areas underfoot changes by exactly the labels of the edges crossed, in any order.
//!
//! A grid trie divides the globe: root cells of 2^23 steps (0.84 degree), each cut 8 x 8, 4 x 4 or 2 x 2 by how
//! many edges it has, until a cell holds few. A cell without edges *is* its code. A **leaf** stores the code at its south-west corner and the
//! edges that touch it; the code of a point is that code XOR the labels of the edges that the path corner ->
//! up the west side -> east to the point crosses.
//!
//! Everything is exact: coordinates are integers, cell sides lie at half-integers so that no vertex is ever on
//! one, and all tests are integer tests. So every point has one answer, border points included (the border
//! rule of [`crate::geometry`]).

mod beside;
mod build;
mod edge;
mod kinds;
mod leaf;
mod lookup;
mod near;
#[cfg(test)]
mod tests;
mod window;

pub use build::{LabelSet, Line, TrieBuilder};
pub use kinds::CellKinds;
pub use lookup::Labels;
pub use near::NearEdge;

use rkyv::{Archive, Serialize};

/// Cell side of the root grid: 2^23 steps, 0.84 degree.
const ROOT_SHIFT: u32 = 23;
/// Cells of 2^8 steps (2.8 m) are not cut further, however many edges meet there.
const MIN_SHIFT: u32 = 8;
/// West side of the grid, a whole number of root cells beyond -180 degrees.
const WEST: i64 = -(215 << ROOT_SHIFT);
/// South side of the grid, beyond -90 degrees.
const SOUTH: i64 = -(108 << ROOT_SHIFT);
const COLUMNS: usize = 430;
const ROWS: usize = 216;

/// The kind of a cell is in the two highest bits of its entry, an index in the others.
const KIND: u32 = 0b11 << 30;
/// No edges: an index into `values`.
const VALUE: u32 = 0;
/// Cut further: a [`Node`].
const NODE: u32 = 1 << 30;
/// Edges: an offset into `leaves`.
const LEAF: u32 = 1 << 31;

/// Where the parts of a cut cell stand, and how many there are.
#[derive(Clone, Copy)]
struct Node {
    /// First of its entries in `nodes`.
    first: usize,
    /// The cell is cut into 2^fan x 2^fan parts.
    fan: u32,
}

impl Node {
    /// Entries come in fours; the two lowest bits are the fan.
    #[inline(always)]
    fn of(entry: u32) -> Node {
        Node { first: (entry & !KIND & !3) as usize, fan: entry & 3 }
    }

    fn entry(self) -> u32 {
        NODE | self.first as u32 | self.fan
    }
}

/// The trie as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Trie {
    /// Entries of the root cells, row by row from the south-west.
    root: Vec<u32>,
    /// Entries of cut cells, 4, 16 or 64 each, row by row.
    nodes: Vec<u32>,
    /// Codes of cells without edges and of leaf corners.
    values: Vec<u64>,
    /// The leaves, see [`leaf`].
    leaves: Vec<u16>,
    /// XOR of the area codes of each label.
    labels: Vec<u64>,
    /// [`super::line_kind`]s of each label, for [`ArchivedTrie::near`].
    label_kinds: Vec<u8>,
    /// First entry of each label in `label_areas`; one more at the end.
    label_starts: Vec<u32>,
    /// The areas (by number) whose rings have the edges of a label.
    label_areas: Vec<u32>,
}

impl Trie {
    /// Every code that a cell without edges or a leaf corner has.
    pub fn values(&self) -> &[u64] {
        &self.values
    }
}

impl ArchivedTrie {
    /// The areas, by number, that border on the edges of a label.
    pub fn label_areas(&self, label: u32) -> impl Iterator<Item = u32> {
        let start = |at: usize| self.label_starts.get(at).map_or(0, |start| start.to_native() as usize);
        let areas = start(label as usize)..start(label as usize + 1);
        self.label_areas.get(areas).unwrap_or_default().iter().map(|area| area.to_native())
    }
}
