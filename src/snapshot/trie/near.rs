//! Edges near a point.

use super::{ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, ROWS, SOUTH, WEST, leaf::LeafReader};
use crate::geometry::{Bbox, LonLat, distance_to_segment_m, metres_to_units};

/// An edge near a point.
#[derive(Clone, Copy, Debug)]
pub struct NearEdge {
    /// Its label: see [`ArchivedTrie::label`] and [`ArchivedTrie::label_areas`].
    pub label: u32,
    /// Metres from the point.
    pub distance_m: f64,
}

/// What is sought, and around what.
struct Search<'a, F> {
    trie: &'a ArchivedTrie,
    point: LonLat,
    bbox: Bbox,
    kinds: u8,
    visit: F,
}

impl ArchivedTrie {
    /// Calls `visit` with every chain of edges of one of the `kinds` ([`crate::snapshot::line_kind`]) that comes
    /// within `radius_m` metres of the point or a little further, once for each cell that it touches.
    pub fn near(&self, point: LonLat, radius_m: f64, kinds: u8, visit: impl FnMut(NearEdge)) {
        let (dx, dy) = metres_to_units(point, radius_m);
        let clamp = |value: i64, limit: i64| value.clamp(-limit, limit) as i32;
        let corner = |sign: i64| LonLat {
            lon: clamp(i64::from(point.lon) + sign * dx, 1_800_000_000),
            lat: clamp(i64::from(point.lat) + sign * dy, 900_000_000),
        };
        let bbox = Bbox { min: corner(-1), max: corner(1) };
        let mut search = Search { trie: self, point, bbox, kinds, visit };
        let cell = |value: i32, origin: i64| ((i64::from(value) - origin) >> ROOT_SHIFT) as usize;
        for row in cell(bbox.min.lat, SOUTH)..=cell(bbox.max.lat, SOUTH).min(ROWS - 1) {
            for column in cell(bbox.min.lon, WEST)..=cell(bbox.max.lon, WEST).min(COLUMNS - 1) {
                let entry = self.root.get(row * COLUMNS + column).map_or(0, |entry| entry.to_native());
                let corner = (WEST + ((column as i64) << ROOT_SHIFT), SOUTH + ((row as i64) << ROOT_SHIFT));
                search.cell(entry, corner, ROOT_SHIFT);
            }
        }
    }
}

impl ArchivedTrie {
    /// [`crate::snapshot::line_kind`]s of a label.
    #[inline]
    pub fn label_kinds(&self, label: u32) -> u8 {
        self.label_kinds.get(label as usize).copied().unwrap_or(0)
    }
}

impl<F: FnMut(NearEdge)> Search<'_, F> {
    fn cell(&mut self, entry: u32, corner: (i64, i64), shift: u32) {
        let size = 1i64 << shift;
        let misses = |low: i64, min: i32, max: i32| low + size <= i64::from(min) || low > i64::from(max);
        if misses(corner.0, self.bbox.min.lon, self.bbox.max.lon)
            || misses(corner.1, self.bbox.min.lat, self.bbox.max.lat)
        {
            return;
        }
        match entry & KIND {
            LEAF => self.leaf(entry & !KIND, corner),
            NODE => self.parts(Node::of(entry), corner, shift),
            _ => {}
        }
    }

    fn parts(&mut self, node: Node, corner: (i64, i64), shift: u32) {
        let Some(part_shift) = shift.checked_sub(node.fan).filter(|_| node.fan > 0) else { return };
        let side = 1i64 << node.fan;
        for part in 0..side * side {
            let entry = self.trie.nodes.get(node.first + part as usize).map_or(0, |entry| entry.to_native());
            if entry & KIND != super::VALUE {
                let (column, row) = (part & (side - 1), part >> node.fan);
                self.cell(
                    entry,
                    (corner.0 + (column << part_shift), corner.1 + (row << part_shift)),
                    part_shift,
                );
            }
        }
    }

    fn leaf(&mut self, offset: u32, corner: (i64, i64)) {
        let (mut reader, _, runs) = LeafReader::at(&self.trie.leaves, offset);
        let absolute = |v: (i32, i32)| LonLat {
            lon: (corner.0 + i64::from(v.0)) as i32,
            lat: (corner.1 + i64::from(v.1)) as i32,
        };
        for _ in 0..runs {
            let run = reader.run();
            if self.trie.label_kinds(run.label) & self.kinds == 0 {
                continue;
            }
            let mut distance_m = f64::INFINITY;
            run.edges(|a, b| {
                distance_m = distance_m.min(distance_to_segment_m(self.point, absolute(a), absolute(b)));
            });
            (self.visit)(NearEdge { label: run.label, distance_m });
        }
    }
}
