//! Who performs each function, found out when it is asked for.

use std::{
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use super::{
    Answers,
    assignments::{Assignments, Territory},
};

/// The assignments of a territory, made when they are first asked for: the JSON of most answers for points is at hand without.
#[derive(Clone)]
pub struct Assigned<'a> {
    answers: &'a Answers,
    territory: Territory,
    made: OnceLock<Arc<Assignments>>,
}

impl<'a> Assigned<'a> {
    pub(super) fn in_territory(answers: &'a Answers, territory: Territory) -> Assigned<'a> {
        Assigned { answers, territory, made: OnceLock::new() }
    }

    /// Where.
    pub fn territory(&self) -> Territory {
        self.territory
    }
}

impl Deref for Assigned<'_> {
    type Target = Assignments;

    fn deref(&self) -> &Assignments {
        self.made.get_or_init(|| self.answers.assignments(self.territory))
    }
}

impl fmt::Debug for Assigned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Assigned").field(&self.territory).finish()
    }
}
