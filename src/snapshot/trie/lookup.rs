//! From a point to the code of the areas that cover it.

use super::{
    ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, SOUTH, WEST,
    edge::{Vertex, crosses_path},
    leaf::LeafReader,
};
use crate::geometry::LonLat;

/// The cell that a point is in.
enum Cell {
    /// No edges: where its code stands in `values`.
    Plain(u32),
    /// A leaf: its offset, and the point from the leaf's corner.
    Leaf(u32, Vertex),
}

impl ArchivedTrie {
    /// The code of all areas that cover the point.
    #[inline]
    pub fn lookup(&self, point: LonLat) -> u64 {
        match self.cell(point) {
            Cell::Plain(index) => self.value(index),
            Cell::Leaf(offset, at) => {
                let mut crossed = 0;
                let corner = self.cross(offset, at, |label| crossed ^= self.label(label));
                corner ^ crossed
            }
        }
    }

    /// How [`ArchivedTrie::lookup`] comes to its code: the code where its path begins, and the labels of the edges
    /// that the path crosses, each an odd number of times. An area covers the point if it covers the beginning and the
    /// path crosses its border an even number of times, or the reverse: so the areas can be told even where their
    /// codes together look like nothing that is listed.
    pub fn path(&self, point: LonLat) -> (u64, Vec<u32>) {
        match self.cell(point) {
            Cell::Plain(index) => (self.value(index), Vec::new()),
            Cell::Leaf(offset, at) => {
                let mut crossed = Vec::new();
                let corner = self.cross(offset, at, |label| crossed.push(label));
                (corner, crossed)
            }
        }
    }

    #[inline]
    fn cell(&self, point: LonLat) -> Cell {
        let (x, y) = grid_position(point);
        let root = (y >> ROOT_SHIFT) as usize * COLUMNS + (x >> ROOT_SHIFT) as usize;
        let mut entry = self.root.get(root).map_or(0, |entry| entry.to_native());
        let mut shift = ROOT_SHIFT;
        while entry & KIND == NODE {
            let Node { first, fan } = Node::of(entry);
            // Only a wrongly written file cuts a cell into one part, or finer than a step.
            let Some(part_shift) = shift.checked_sub(fan).filter(|_| fan > 0) else { return Cell::Plain(0) };
            shift = part_shift;
            let side = (1 << fan) - 1;
            let child = ((y >> shift & side) << fan | x >> shift & side) as usize;
            entry = self.nodes.get(first + child).map_or(0, |entry| entry.to_native());
        }
        if entry & KIND != LEAF {
            return Cell::Plain(entry & !KIND);
        }
        let cell = (1u32 << shift) - 1;
        Cell::Leaf(entry & !KIND, ((x & cell) as i32, (y & cell) as i32))
    }

    /// Walks from the corner of a leaf to the point. Calls `crossed` with the label of each run that is crossed an odd
    /// number of times; gives the corner's code.
    #[inline]
    fn cross(&self, offset: u32, point: Vertex, mut crossed: impl FnMut(u32)) -> u64 {
        let (mut reader, corner, runs) = LeafReader::at(&self.leaves, offset);
        for _ in 0..runs {
            let run = reader.run();
            let mut odd = false;
            // An edge whose ends lie alike, both up or both down, both west or both not, cannot cross: few do not.
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
        self.value(corner)
    }

    #[inline]
    fn value(&self, index: u32) -> u64 {
        self.values.get(index as usize).map_or(0, |value| value.to_native())
    }

    /// XOR of the codes of the areas on both sides of a label's edges.
    #[inline]
    pub fn label(&self, label: u32) -> u64 {
        self.labels.get(label as usize).map_or(0, |label| label.to_native())
    }
}

/// Steps east and north of the grid's south-west corner.
#[inline]
fn grid_position(point: LonLat) -> (u32, u32) {
    ((i64::from(point.lon()) - WEST) as u32, (i64::from(point.lat()) - SOUTH) as u32)
}
