//! The length of an answer: full, or short for readers with little room.

/// How much of an answer is written. A member that both lengths have is the same in both, to the byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// All members that the contract has.
    #[default]
    Full,
    /// Only the best page for each job, and none for its further bodies. Pages are half of a full answer, and lists of
    /// pages by topic have them, too.
    Short,
}

impl Detail {
    /// Most pages beside a job, or beside a further body that has a part in it.
    pub(super) fn pages_max(self, is_further: bool) -> usize {
        match (self, is_further) {
            (Detail::Full, _) => usize::MAX,
            (Detail::Short, false) => 1,
            (Detail::Short, true) => 0,
        }
    }
}
