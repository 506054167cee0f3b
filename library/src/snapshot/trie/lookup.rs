//! Finds the code of the areas that cover a point.

use smallvec::SmallVec;

use super::{
    ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, SOUTH, VALUE, WEST,
    edge::{Vertex, crosses_path},
    leaf::LeafReader,
};
use crate::geometry::LonLat;

/// The labels that a path crosses. There are rarely more than a few, so the inline array avoids an allocation.
pub type Labels = SmallVec<[u32; 8]>;

/// Number of points that descend in parallel: while one waits for memory, the others proceed. Chosen, not measured.
const SIDE_BY_SIDE: usize = 16;

/// The descent of a point: the current entry, the size of its cell, and the point's position in the grid.
#[derive(Clone, Copy, Default)]
struct Walk {
    entry: u32,
    shift: u32,
    x: u32,
    y: u32,
}

/// The smallest cell that contains a point.
enum Cell {
    /// A cell without edges, with the index of its code in `values`.
    Plain(u32),
    /// A leaf, with its offset in `leaves` and the point relative to the leaf's corner.
    Leaf(u32, Vertex),
}

/// A leaf whose first words were read.
struct OpenLeaf<'a> {
    /// The reader, positioned at the first run.
    reader: LeafReader<'a>,
    runs: u16,
    /// The code at the leaf's corner.
    corner: u64,
    /// The point relative to the leaf's corner.
    point: Vertex,
}

impl Walk {
    /// The cell that the descent has reached.
    #[inline]
    fn cell(self) -> Cell {
        if self.entry & KIND != LEAF {
            return Cell::Plain(self.entry & !KIND);
        }
        let side = (1u32 << self.shift) - 1;
        Cell::Leaf(self.entry & !KIND, ((self.x & side) as i32, (self.y & side) as i32))
    }
}

impl OpenLeaf<'_> {
    /// The code of the point: the corner's code, XOR the label of each border that the path crosses.
    #[inline]
    fn code(self, trie: &ArchivedTrie) -> u64 {
        let mut code = self.corner;
        self.cross(|label| code ^= trie.label(label));
        code
    }

    /// Follows the path from the corner to the point. Calls `crossed` with the label of each run that the path crosses
    /// an odd number of times.
    #[inline]
    fn cross(mut self, mut crossed: impl FnMut(u32)) {
        let point = self.point;
        for _ in 0..self.runs {
            let run = self.reader.run();
            let mut odd = false;
            // An edge crosses only if its ends differ: one above and one below the point, or one west of the cell and
            // one not. This comparison rejects nearly all edges.
            let side = |v: Vertex| (v.1 <= point.1, v.0 < 0);
            let mut from_side = side(run.first);
            run.edges(|a, b| {
                let to_side = side(b);
                if from_side != to_side {
                    odd ^= crosses_path(a, b, point);
                    from_side = to_side;
                }
            });
            if odd {
                crossed(run.label);
            }
        }
    }
}

impl ArchivedTrie {
    /// The code of all areas that cover the point; 0 if none does.
    #[inline]
    pub fn lookup(&self, point: LonLat) -> u64 {
        match self.cell(point) {
            Cell::Plain(index) => self.value(index),
            Cell::Leaf(offset, at) => self.open(offset, at).code(self),
        }
    }

    /// Returns the code at the start of the path to the point, and the labels that the path crosses an odd number of
    /// times. [`ArchivedTrie::lookup`] computes its code from these.
    ///
    /// An area covers the point if it covers the start and the path crosses its border an even number of times. An area
    /// that does not cover the start covers the point if the number is odd. This identifies the areas even if the XOR
    /// of their codes is not a listed overlap.
    pub fn path(&self, point: LonLat) -> (u64, Labels) {
        match self.cell(point) {
            Cell::Plain(index) => (self.value(index), Labels::new()),
            Cell::Leaf(offset, at) => {
                let leaf = self.open(offset, at);
                let (corner, mut crossed) = (leaf.corner, Labels::new());
                leaf.cross(|label| crossed.push(label));
                (corner, crossed)
            }
        }
    }

    /// Looks up many points at once, up to the end of the shorter slice; each code is that of [`ArchivedTrie::lookup`].
    /// For points far apart, which miss the processor's caches, this takes half the time of single lookups.
    pub fn lookup_all(&self, points: &[LonLat], codes: &mut [u64]) {
        for (points, codes) in points.chunks(SIDE_BY_SIDE).zip(codes.chunks_mut(SIDE_BY_SIDE)) {
            self.lookup_side_by_side(points, codes);
        }
    }

    /// Moves all points down together, one level at a time. Reads for different points are independent, so the
    /// processor overlaps them.
    fn lookup_side_by_side(&self, points: &[LonLat], codes: &mut [u64]) {
        let mut walks = [Walk::default(); SIDE_BY_SIDE];
        let walks = &mut walks[..points.len()];
        walks.iter_mut().zip(points).for_each(|(walk, point)| *walk = self.begin(*point));
        while walks.iter_mut().fold(false, |goes_on, walk| self.step(walk) | goes_on) {}
        // First read the codes of cells without edges, and the first words of leaves.
        let mut leaves: [Option<OpenLeaf<'_>>; SIDE_BY_SIDE] = [const { None }; SIDE_BY_SIDE];
        for ((walk, leaf), code) in walks.iter().zip(&mut leaves).zip(&mut *codes) {
            match walk.cell() {
                Cell::Plain(index) => *code = self.value(index),
                Cell::Leaf(offset, at) => *leaf = Some(self.open(offset, at)),
            }
        }
        for (leaf, code) in leaves.into_iter().zip(codes) {
            if let Some(leaf) = leaf {
                *code = leaf.code(self);
            }
        }
    }

    #[inline]
    fn cell(&self, point: LonLat) -> Cell {
        let mut walk = self.begin(point);
        while self.step(&mut walk) {}
        walk.cell()
    }

    #[inline]
    fn begin(&self, point: LonLat) -> Walk {
        let (x, y) = grid_position(point);
        let root = (y >> ROOT_SHIFT) as usize * COLUMNS + (x >> ROOT_SHIFT) as usize;
        Walk { entry: self.root.get(root).map_or(0, |entry| entry.to_native()), shift: ROOT_SHIFT, x, y }
    }

    /// Descends into the part of the cell that contains the point; `false` if the cell has no parts.
    #[inline]
    fn step(&self, walk: &mut Walk) -> bool {
        if walk.entry & KIND != NODE {
            return false;
        }
        let Node { first, fan } = Node::from_entry(walk.entry);
        // Only a malformed file cuts a cell into a single part, or into parts smaller than a step.
        let Some(shift) = walk.shift.checked_sub(fan).filter(|_| fan > 0) else {
            walk.entry = VALUE;
            return false;
        };
        let side = (1 << fan) - 1;
        let child = ((walk.y >> shift & side) << fan | walk.x >> shift & side) as usize;
        walk.shift = shift;
        walk.entry = self.nodes.get(first + child).map_or(VALUE, |entry| entry.to_native());
        true
    }

    /// Reads the first words of a leaf; the point is relative to the leaf's corner.
    #[inline]
    fn open(&self, offset: u32, point: Vertex) -> OpenLeaf<'_> {
        let (reader, corner, runs) = LeafReader::at(&self.leaves, offset);
        OpenLeaf { reader, runs, corner: self.value(corner), point }
    }

    #[inline]
    fn value(&self, index: u32) -> u64 {
        self.values.get(index as usize).map_or(0, |value| value.to_native())
    }

    /// For a label, the XOR of the codes of all areas that have its edges in their rings; 0 for an unknown label.
    #[inline]
    pub fn label(&self, label: u32) -> u64 {
        self.labels.get(label as usize).map_or(0, |label| label.to_native())
    }
}

/// Position of a point in steps east and north of the grid's south-west corner.
#[inline]
fn grid_position(point: LonLat) -> (u32, u32) {
    ((i64::from(point.lon()) - WEST) as u32, (i64::from(point.lat()) - SOUTH) as u32)
}
