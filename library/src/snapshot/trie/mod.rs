//! The trie finds the areas of all layers that cover a point, in one descent.
//!
//! Each border is stored once, as edges with a **label**: the XOR of the codes of all areas that have the edge in their
//! rings. [`super::areas`] defines codes. Along any path, the code of the covering areas changes by the labels of the
//! crossed edges, in any order.
//!
//! Coordinates are integers, in steps of 1e-7 degree. A grid divides the globe into root cells of 2^23 steps (0.84
//! degree). A cell with many edges is cut into 8 x 8, 4 x 4 or 2 x 2 parts, until each part holds few edges. All points
//! of a cell without edges have one code, and the cell's entry stands for this code. A cell with few edges is a
//! **leaf**: it stores the code at its south-west corner, and the edges that touch it. The path runs from the corner up
//! the west side and then east to the point. The code of a point is the corner's code, XOR the labels of the edges that
//! the path crosses.
//!
//! All tests are exact integer tests. The sides of cells lie at half-integers, so no vertex is ever on a side. Every
//! point therefore has exactly one answer, also a point on a border (see the border rule in [`crate::geometry`]).

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

/// The side of a root cell is 2^23 steps, 0.84 degree.
const ROOT_SHIFT: u32 = 23;
/// Cells of 2^8 steps (2.8 m) are not cut further, even if they have many edges. Chosen, not measured.
const MIN_SHIFT: u32 = 8;
/// West side of the grid: the first boundary of root cells that is at or beyond -180 degrees.
const WEST: i64 = -(215 << ROOT_SHIFT);
/// South side of the grid: the first boundary of root cells that is at or beyond -90 degrees.
const SOUTH: i64 = -(108 << ROOT_SHIFT);
/// Number of root cells from west to east: 215 on each side of longitude 0.
const COLUMNS: usize = 430;
/// Number of root cells from south to north: 108 on each side of the equator.
const ROWS: usize = 216;

/// Mask of the bits that say what kind of cell an entry is: the two highest. The other bits are an index.
const KIND: u32 = 0b11 << 30;
/// Kind of a cell without edges; the index points into `values`.
const VALUE: u32 = 0;
/// Kind of a cell that is cut into parts; the other bits are a [`Node`].
const NODE: u32 = 1 << 30;
/// Kind of a leaf, a cell with edges; the index is an offset into `leaves`.
const LEAF: u32 = 1 << 31;

/// The first part of a cut cell, and the number of its parts.
#[derive(Clone, Copy)]
struct Node {
    /// Index of the first part's entry in `nodes`.
    first: usize,
    /// The cell is cut into 2^fan x 2^fan parts.
    fan: u32,
}

impl Node {
    /// Decodes an entry. Numbers of parts are multiples of four, so the two lowest bits of `first` are free and hold
    /// `fan`.
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
    /// Entries of the parts of cut cells: 4, 16 or 64 entries for each cut cell, row by row.
    nodes: Vec<u32>,
    /// Codes of cells without edges and of leaf corners.
    values: Vec<u64>,
    /// The leaves, in the format of [`leaf`].
    leaves: Vec<u16>,
    /// For each label, the XOR of the codes of its areas.
    labels: Vec<u64>,
    /// For each label, its bits of [`super::line_kind`], which [`ArchivedTrie::near`] compares.
    label_kinds: Vec<u8>,
    /// First entry of each label in `label_areas`, and at the end the number of all entries.
    label_starts: Vec<u32>,
    /// For each label, the numbers of the areas that have its edges in their rings.
    label_areas: Vec<u32>,
}

impl Trie {
    /// The codes of all cells without edges and of all leaf corners.
    pub fn values(&self) -> &[u64] {
        &self.values
    }
}

impl ArchivedTrie {
    /// The numbers of the areas that have the edges of a label in their rings.
    pub fn label_areas(&self, label: u32) -> impl Iterator<Item = u32> {
        let start = |at: usize| self.label_starts.get(at).map_or(0, |start| start.to_native() as usize);
        let areas = start(label as usize)..start(label as usize + 1);
        self.label_areas.get(areas).unwrap_or_default().iter().map(|area| area.to_native())
    }
}
