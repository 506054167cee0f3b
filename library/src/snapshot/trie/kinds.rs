//! The kinds of lines that each cell holds.
//!
//! The file does not store them. Without this table, a search for the nearest county line would open many leaves that
//! have only other lines. Each leaf costs a fetch from memory, and fetches take most of a search's time. The table is
//! therefore computed once, during the first requests, and searches use it when it is ready.

use super::{ArchivedTrie, KIND, LEAF, NODE, Node, ROOT_SHIFT, leaf::LeafReader};
use crate::snapshot::line_kind;

/// The bits of [`line_kind`] of all parts of cut cells, in the order of `nodes`.
#[derive(Debug)]
pub struct CellKinds {
    kinds: Box<[u8]>,
}

/// Bit that marks a cell whose kinds are computed.
const KNOWN: u8 = 1 << 7;

impl CellKinds {
    /// Computes the table from all leaves, which takes about 50 ms for the whole country.
    pub fn read(trie: &ArchivedTrie) -> CellKinds {
        let mut table = CellKinds { kinds: vec![0; trie.nodes.len()].into() };
        for entry in trie.root.iter() {
            table.kinds_of(trie, entry.to_native(), ROOT_SHIFT);
        }
        table
    }

    /// The kinds of lines in a part of a cell, by the part's index in `nodes`.
    #[inline]
    pub(super) fn of_part(&self, at: usize) -> u8 {
        self.kinds.get(at).copied().unwrap_or(line_kind::ANY)
    }

    fn kinds_of(&mut self, trie: &ArchivedTrie, entry: u32, shift: u32) -> u8 {
        match entry & KIND {
            LEAF => leaf_kinds(trie, entry & !KIND),
            NODE => self.kinds_of_parts(trie, Node::from_entry(entry), shift),
            _ => KNOWN,
        }
    }

    fn kinds_of_parts(&mut self, trie: &ArchivedTrie, node: Node, shift: u32) -> u8 {
        // Only a malformed file cuts a cell into a single part, or into parts smaller than a step.
        let Some(part_shift) = shift.checked_sub(node.fan).filter(|_| node.fan > 0) else { return KNOWN };
        let mut all = KNOWN;
        for at in node.first..node.first + (1 << (2 * node.fan)) {
            let Some(entry) = trie.nodes.get(at).map(|entry| entry.to_native()) else { break };
            // A part belongs to one cell. In a malformed file, several cells may share a part; the mark prevents
            // reading it twice.
            if self.kinds[at] & KNOWN == 0 {
                self.kinds[at] = KNOWN;
                self.kinds[at] = self.kinds_of(trie, entry, part_shift);
            }
            all |= self.kinds[at];
        }
        all
    }
}

fn leaf_kinds(trie: &ArchivedTrie, offset: u32) -> u8 {
    let (mut reader, _, runs) = LeafReader::at(&trie.leaves, offset);
    (0..runs).fold(KNOWN, |kinds, _| kinds | trie.label_kinds(reader.run().label))
}
