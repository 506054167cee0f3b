//! The length of an answer: full, or short for readers with a small context.

/// The length of an answer. Members that occur in both lengths have the same bytes in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// All members that the contract has.
    #[default]
    Full,
    /// Only the best page for each job, and no pages for further bodies. Pages make up half of a full answer, and
    /// lists of pages by topic contain them as well.
    Short,
}

impl Detail {
    /// Returns the maximum number of pages for a job, or for a further body that takes part in the job.
    pub(super) fn pages_max(self, is_further: bool) -> usize {
        match (self, is_further) {
            (Detail::Full, _) => usize::MAX,
            (Detail::Short, false) => 1,
            (Detail::Short, true) => 0,
        }
    }
}
