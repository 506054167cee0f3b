//! The kinds of lines that each cell holds.
//!
//! The file does not store them. Without them, a search for the nearest county line would open many leaves that have
//! only other lines. Each costs a fetch from memory, which is most of a search's time. This table is therefore made
//! from the file once, during the first requests, and searches use it as soon as it is ready.

use super::{ArchivedTrie, KIND, LEAF, NODE, Node, ROOT_SHIFT, leaf::LeafReader};
use crate::snapshot::line_kind;

/// [`line_kind`]s of all parts of cut cells, in the order of `nodes`.
#[derive(Debug)]
pub struct CellKinds {
    kinds: Box<[u8]>,
}

/// Bit that marks a cell whose kinds were determined.
const KNOWN: u8 = 1 << 7;

impl CellKinds {
    /// Reads all leaves, which takes about 50 ms for the whole country.
    pub fn read(trie: &ArchivedTrie) -> CellKinds {
        let mut table = CellKinds { kinds: vec![0; trie.nodes.len()].into() };
        for entry in trie.root.iter() {
            table.kinds_of(trie, entry.to_native(), ROOT_SHIFT);
        }
        table
    }

    /// The kinds of a part, by its index in `nodes`.
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
        // Only a wrongly written file cuts a cell into one part, or finer than a step.
        let Some(part_shift) = shift.checked_sub(node.fan).filter(|_| node.fan > 0) else { return KNOWN };
        let mut all = KNOWN;
        for at in node.first..node.first + (1 << (2 * node.fan)) {
            let Some(entry) = trie.nodes.get(at).map(|entry| entry.to_native()) else { break };
            // A part belongs to one cell. A wrongly written file may share parts; the mark prevents reading one twice.
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
