//! From a point to the code of the areas that cover it.

use super::{
    ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, SOUTH, WEST,
    edge::{Vertex, crosses_path},
    leaf::LeafReader,
};
use crate::geometry::LonLat;

impl ArchivedTrie {
    /// The code of all areas that cover the point.
    #[inline]
    pub fn lookup(&self, point: LonLat) -> u64 {
        let (x, y) = grid_position(point);
        let root = (y >> ROOT_SHIFT) as usize * COLUMNS + (x >> ROOT_SHIFT) as usize;
        let mut entry = self.root.get(root).map_or(0, |entry| entry.to_native());
        let mut shift = ROOT_SHIFT;
        while entry & KIND == NODE {
            let Node { first, fan } = Node::of(entry);
            // Only a wrongly written file cuts a cell into one part, or finer than a step.
            let Some(part_shift) = shift.checked_sub(fan).filter(|_| fan > 0) else { return 0 };
            shift = part_shift;
            let side = (1 << fan) - 1;
            let child = ((y >> shift & side) << fan | x >> shift & side) as usize;
            entry = self.nodes.get(first + child).map_or(0, |entry| entry.to_native());
        }
        if entry & KIND != LEAF {
            return self.value(entry & !KIND);
        }
        let cell = (1u32 << shift) - 1;
        self.lookup_in_leaf(entry & !KIND, ((x & cell) as i32, (y & cell) as i32))
    }

    #[inline]
    fn lookup_in_leaf(&self, offset: u32, point: Vertex) -> u64 {
        let (mut reader, corner, runs) = LeafReader::at(&self.leaves, offset);
        let mut code = self.value(corner);
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
                code ^= self.label(run.label);
            }
        }
        code
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
