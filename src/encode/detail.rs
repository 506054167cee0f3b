//! How much of an answer is written.

/// How much of an answer is written. What is written is the same in both, to the byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// All that the contract has.
    #[default]
    Full,
    /// For readers with little room: of the pages beside each job the best alone, and none beside its further bodies.
    /// They are half of a full answer, and lists of pages by topic have them.
    Short,
}

impl Detail {
    /// How many pages stand beside a job, or beside a further body that has a part in it.
    pub(super) fn pages_max(self, is_further: bool) -> usize {
        match (self, is_further) {
            (Detail::Full, _) => usize::MAX,
            (Detail::Short, false) => 1,
            (Detail::Short, true) => 0,
        }
    }
}
