//! Points close to every edge, on both of its sides. Every area has such points, even the smallest.

use super::{ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, SOUTH, WEST, leaf::LeafReader};
use crate::geometry::LonLat;

/// Distance of the points from the middle of an edge, in 1e-7 degree. It is less than half a meter, but more than the
/// rounding error of the middle.
const STEPS_BESIDE: i64 = 4;

/// A traversal of all leaves.
struct Walk<'t, V> {
    trie: &'t ArchivedTrie,
    /// Number of cell parts that may still be read. It ends a loop in a malformed file, where parts may belong to
    /// several cells.
    parts_left: usize,
    visit: V,
}

impl ArchivedTrie {
    /// Calls `visit` with a point on each side of each edge, once for each cell that has the edge.
    pub fn beside_edges(&self, visit: impl FnMut(LonLat)) {
        let mut walk = Walk { trie: self, parts_left: self.nodes.len(), visit };
        for (at, entry) in self.root.iter().enumerate() {
            let corner = ((at % COLUMNS) as i64, (at / COLUMNS) as i64);
            walk.cell(entry.to_native(), (corner.0 << ROOT_SHIFT, corner.1 << ROOT_SHIFT), ROOT_SHIFT);
        }
    }
}

impl<V: FnMut(LonLat)> Walk<'_, V> {
    /// Visits a cell. `corner` is its south-west corner, in steps from the grid's corner.
    fn cell(&mut self, entry: u32, corner: (i64, i64), shift: u32) {
        match entry & KIND {
            LEAF => self.leaf(entry & !KIND, corner),
            NODE => self.parts(Node::from_entry(entry), corner, shift),
            _ => {}
        }
    }

    fn parts(&mut self, node: Node, corner: (i64, i64), shift: u32) {
        // Only a malformed file cuts a cell into a single part, or into parts smaller than a step.
        let Some(shift) = shift.checked_sub(node.fan).filter(|_| node.fan > 0) else { return };
        for part in 0..1_usize << (2 * node.fan) {
            let entry = self.trie.nodes.get(node.first + part).map(|entry| entry.to_native());
            let (Some(entry), Some(left)) = (entry, self.parts_left.checked_sub(1)) else { return };
            self.parts_left = left;
            let (row, column) = ((part >> node.fan) as i64, (part & ((1 << node.fan) - 1)) as i64);
            self.cell(entry, (corner.0 + (column << shift), corner.1 + (row << shift)), shift);
        }
    }

    fn leaf(&mut self, offset: u32, corner: (i64, i64)) {
        let (mut reader, _, runs) = LeafReader::at(&self.trie.leaves, offset);
        for _ in 0..runs {
            reader.run().edges(|a, b| {
                let (a, b) = ((i64::from(a.0), i64::from(a.1)), (i64::from(b.0), i64::from(b.1)));
                let middle = (corner.0 + (a.0 + b.0) / 2, corner.1 + (a.1 + b.1) / 2);
                // The points lie north and south of an edge that is nearer to horizontal, and east and west of any
                // other edge.
                let is_flat = (b.0 - a.0).abs() >= (b.1 - a.1).abs();
                let aside = if is_flat { (0, STEPS_BESIDE) } else { (STEPS_BESIDE, 0) };
                for side in [-1, 1] {
                    let (lon, lat) = (WEST + middle.0 + side * aside.0, SOUTH + middle.1 + side * aside.1);
                    (self.visit)(LonLat::from_units(lat as i32, lon as i32));
                }
            });
        }
    }
}
