//! Which kinds of lines each cell holds.
//!
//! The file does not say so, and a search for the nearest county line would open many leaves that have only other
//! lines: each costs a fetch from memory, which is most of the time of a search. So this table is made from the file
//! once, beside the first requests, and searches use it as soon as it is there.

use super::{ArchivedTrie, COLUMNS, KIND, LEAF, NODE, Node, ROOT_SHIFT, ROWS, leaf::LeafReader};
use crate::snapshot::line_kind;

/// [`line_kind`]s of all cells: of the root cells, then of the parts of cut cells, as `nodes` has them.
#[derive(Debug)]
pub struct CellKinds {
    kinds: Box<[u8]>,
}

/// The kinds of a cell were found.
const KNOWN: u8 = 1 << 7;

impl CellKinds {
    /// Reads all leaves: some 50 ms for the whole country.
    pub fn of(trie: &ArchivedTrie) -> CellKinds {
        let mut table = CellKinds { kinds: vec![0; ROWS * COLUMNS + trie.nodes.len()].into() };
        for cell in 0..ROWS * COLUMNS {
            let entry = trie.root.get(cell).map_or(0, |entry| entry.to_native());
            table.kinds[cell] = table.kinds_of(trie, entry, ROOT_SHIFT);
        }
        table
    }

    /// The kinds of a root cell, by its place in `root`.
    #[inline]
    pub(super) fn of_root(&self, at: usize) -> u8 {
        self.kinds.get(at).copied().unwrap_or(line_kind::ANY)
    }

    /// The kinds of a part, by its place in `nodes`.
    #[inline]
    pub(super) fn of_part(&self, at: usize) -> u8 {
        self.kinds.get(ROWS * COLUMNS + at).copied().unwrap_or(line_kind::ANY)
    }

    fn kinds_of(&mut self, trie: &ArchivedTrie, entry: u32, shift: u32) -> u8 {
        match entry & KIND {
            LEAF => leaf_kinds(trie, entry & !KIND),
            NODE => self.kinds_of_parts(trie, Node::of(entry), shift),
            _ => KNOWN,
        }
    }

    fn kinds_of_parts(&mut self, trie: &ArchivedTrie, node: Node, shift: u32) -> u8 {
        // Only a wrongly written file cuts a cell into one part, or finer than a step.
        let Some(part_shift) = shift.checked_sub(node.fan).filter(|_| node.fan > 0) else { return KNOWN };
        let mut all = KNOWN;
        for at in node.first..node.first + (1 << (2 * node.fan)) {
            let Some(entry) = trie.nodes.get(at).map(|entry| entry.to_native()) else { break };
            let place = ROWS * COLUMNS + at;
            // Parts belong to one cell; in a wrongly written file, where they may not, none is read twice.
            if self.kinds[place] & KNOWN == 0 {
                self.kinds[place] = KNOWN;
                self.kinds[place] = self.kinds_of(trie, entry, part_shift);
            }
            all |= self.kinds[place];
        }
        all
    }
}

fn leaf_kinds(trie: &ArchivedTrie, offset: u32) -> u8 {
    let (mut reader, _, runs) = LeafReader::at(&trie.leaves, offset);
    (0..runs).fold(KNOWN, |kinds, _| kinds | trie.label_kinds(reader.run().label))
}
