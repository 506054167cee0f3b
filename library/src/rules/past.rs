//! Cases of a state's rules that held until a day, for answers about earlier days.

use serde::{Deserialize, Serialize};

use super::Case;
use crate::vocabulary::{Date, Function, StateCode};

/// A case that held until a day. Until then it came before all cases that hold today.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastCase {
    /// The function of the case.
    pub function: Function,
    /// The first day on which the case did not hold anymore, in digits such as 20250107.
    pub until: u32,
    /// The case, with its source by the state's own list.
    pub case: Case,
}

/// The past cases of a state, in the order of their days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastCases {
    /// The state that the cases belong to.
    pub state: StateCode,
    /// The cases; those that ended first come first.
    pub cases: Vec<PastCase>,
}

impl PastCases {
    /// The number of cases that held on a day and do not hold today. They are the last ones, see
    /// [`PastCases::held`].
    pub fn count_on(&self, date: Date) -> u16 {
        let ended = self.cases.partition_point(|past| past.until <= date.number());
        u16::try_from(self.cases.len() - ended).unwrap_or(u16::MAX)
    }

    /// The last `count` cases.
    pub fn held(&self, count: u16) -> &[PastCase] {
        &self.cases[self.cases.len().saturating_sub(usize::from(count))..]
    }
}
