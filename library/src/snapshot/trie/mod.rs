//! The overlay cell trie finds the areas of all layers that cover a point, in one descent.
//!
//! Each border is stored once, as edges that carry a **label**: the XOR of the codes of all areas with the edge in
//! their rings. [`super::areas`] defines codes. Along any path, the code of the areas changes by exactly the labels of
//! the edges crossed, in any order.
//!
//! A grid trie divides the globe into root cells of 2^23 steps (0.84 degree). A cell with many edges is cut into 8 x
//! 8, 4 x 4 or 2 x 2 parts until each holds few. A cell without edges *is* its code. A **leaf** stores the code at its
//! south-west corner and the edges that touch it. The path runs from that corner up the west side and then east to the
//! point. The code of a point is the corner's code XOR the labels that the path crosses.
//!
//! Everything is exact: coordinates are integers, and all tests are integer tests. Cell sides lie at half-integers, so
//! no vertex is ever on one. Every point therefore has one answer, border points included (the border rule of
//! [`crate::geometry`]).

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
/// Cells of 2^8 steps (2.8 m) are not cut further, however many edges meet there. Chosen, not measured.
const MIN_SHIFT: u32 = 8;
/// West side of the grid: the first whole root cell beyond -180 degrees.
const WEST: i64 = -(215 << ROOT_SHIFT);
/// South side of the grid: the first whole root cell beyond -90 degrees.
const SOUTH: i64 = -(108 << ROOT_SHIFT);
/// Root cells from west to east: 215 on each side of longitude 0.
const COLUMNS: usize = 430;
/// Root cells from south to north: 108 on each side of the equator.
const ROWS: usize = 216;

/// Mask of the kind of a cell: the two highest bits of its entry. The other bits are an index.
const KIND: u32 = 0b11 << 30;
/// Kind of a cell without edges; the index points into `values`.
const VALUE: u32 = 0;
/// Kind of a cell that is cut further; the other bits are a [`Node`].
const NODE: u32 = 1 << 30;
/// Kind of a cell with edges; the index is an offset into `leaves`.
const LEAF: u32 = 1 << 31;

/// The position and number of the parts of a cut cell.
#[derive(Clone, Copy)]
struct Node {
    /// First of its entries in `nodes`.
    first: usize,
    /// The cell is cut into 2^fan x 2^fan parts.
    fan: u32,
}

impl Node {
    /// Decodes an entry. Parts come in multiples of four, so the two lowest bits are free to hold the fan.
    #[inline(always)]
    fn from_entry(entry: u32) -> Node {
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
    /// The leaves, in the layout of [`leaf`].
    leaves: Vec<u16>,
    /// XOR of the area codes of each label.
    labels: Vec<u64>,
    /// [`super::line_kind`]s of each label, for [`ArchivedTrie::near`].
    label_kinds: Vec<u8>,
    /// First entry of each label in `label_areas`; one more at the end.
    label_starts: Vec<u32>,
    /// The numbers of the areas whose rings have the edges of a label.
    label_areas: Vec<u32>,
}

impl Trie {
    /// The codes of all cells without edges and of all leaf corners.
    pub fn values(&self) -> &[u64] {
        &self.values
    }
}

impl ArchivedTrie {
    /// The numbers of the areas that border on the edges of a label.
    pub fn label_areas(&self, label: u32) -> impl Iterator<Item = u32> {
        let start = |at: usize| self.label_starts.get(at).map_or(0, |start| start.to_native() as usize);
        let areas = start(label as usize)..start(label as usize + 1);
        self.label_areas.get(areas).unwrap_or_default().iter().map(|area| area.to_native())
    }
}
