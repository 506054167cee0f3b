//! Whether any edge is near a point: a quick test before [`super::near`] searches for the nearest edge.
//!
//! Most points have no line within its uncertainty, a few hundred meters. Comparing integers with a window around the
//! point takes a tenth of the time of a distance search.

use super::{
    ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, ROWS, SOUTH, WEST, edge::Vertex,
    leaf::LeafReader,
};
use crate::geometry::LonLat;

/// Maximum number of cells to visit before the answer is `true`. Chosen, not measured; visiting more would take as long
/// as a search.
const CELLS_MAX: u32 = 256;

/// A window around the point, in steps from the south-west corner of the grid or of a cell.
#[derive(Clone, Copy)]
struct Window {
    west: i64,
    south: i64,
    east: i64,
    north: i64,
}

impl Window {
    /// Converts the window to be relative to another corner. `(x, y)` is the position of that corner.
    #[inline]
    fn from(self, (x, y): (i64, i64)) -> Window {
        Window { west: self.west - x, south: self.south - y, east: self.east - x, north: self.north - y }
    }

    /// The sides of the window that a vertex lies beyond, one bit each.
    #[inline(always)]
    fn sides_beyond(self, (x, y): Vertex) -> u8 {
        let (x, y) = (i64::from(x), i64::from(y));
        u8::from(x > self.east)
            | u8::from(x < self.west) << 1
            | u8::from(y > self.north) << 2
            | u8::from(y < self.south) << 3
    }
}

impl ArchivedTrie {
    /// Whether an edge of one of the `kinds` ([`crate::snapshot::line_kind`]) may reach into the window around the
    /// point. `reach` has the window's half-widths, east and north, in 1e-7 degree. `false` is certain; `true` means
    /// "perhaps".
    pub fn may_be_near(&self, point: LonLat, reach: (i64, i64), kinds: u8) -> bool {
        let (x, y) = (i64::from(point.lon()) - WEST, i64::from(point.lat()) - SOUTH);
        let window = Window { west: x - reach.0, south: y - reach.1, east: x + reach.0, north: y + reach.1 };
        let cell = |at: i64, count: usize| (at >> ROOT_SHIFT).clamp(0, count as i64 - 1);
        let mut cells_left = CELLS_MAX;
        (cell(window.south, ROWS)..=cell(window.north, ROWS)).any(|row| {
            (cell(window.west, COLUMNS)..=cell(window.east, COLUMNS)).any(|column| {
                let entry = self.root.get(row as usize * COLUMNS + column as usize);
                let window = window.from((column << ROOT_SHIFT, row << ROOT_SHIFT));
                self.has_edge_in(
                    entry.map_or(0, |entry| entry.to_native()),
                    ROOT_SHIFT,
                    window,
                    kinds,
                    &mut cells_left,
                )
            })
        })
    }

    fn has_edge_in(&self, entry: u32, shift: u32, window: Window, kinds: u8, cells_left: &mut u32) -> bool {
        match entry & KIND {
            LEAF => self.leaf_has_edge_in(entry & !KIND, window, kinds),
            NODE => self.parts_have_edge_in(Node::from_entry(entry), shift, window, kinds, cells_left),
            _ => false,
        }
    }

    fn parts_have_edge_in(
        &self,
        Node { first, fan }: Node,
        shift: u32,
        window: Window,
        kinds: u8,
        cells_left: &mut u32,
    ) -> bool {
        // Only a malformed file cuts a cell into a single part, or into parts smaller than a step.
        let Some(shift) = shift.checked_sub(fan).filter(|_| fan > 0) else { return true };
        let part = |at: i64| (at >> shift).clamp(0, (1 << fan) - 1);
        (part(window.south)..=part(window.north)).any(|row| {
            (part(window.west)..=part(window.east)).any(|column| {
                // After too many cells, the answer is `true`, which is always allowed.
                let Some(left) = cells_left.checked_sub(1) else { return true };
                *cells_left = left;
                let entry = self.nodes.get(first + (row << fan | column) as usize);
                let window = window.from((column << shift, row << shift));
                self.has_edge_in(entry.map_or(0, |entry| entry.to_native()), shift, window, kinds, cells_left)
            })
        })
    }

    fn leaf_has_edge_in(&self, offset: u32, window: Window, kinds: u8) -> bool {
        let (mut reader, _, runs) = LeafReader::at(&self.leaves, offset);
        (0..runs).any(|_| {
            let run = reader.run();
            if self.label_kinds(run.label) & kinds == 0 {
                return false;
            }
            let mut from = window.sides_beyond(run.first);
            let mut is_in = false;
            run.edges(|_, to| {
                let to = window.sides_beyond(to);
                // An edge with both ends beyond one side does not enter the window.
                is_in |= from & to == 0;
                from = to;
            });
            is_in
        })
    }
}
