//! Resources by name.

use super::{Reading, Search};
use crate::{
    snapshot::Space,
    vocabulary::{Folded, StateCode},
};

impl Search<'_> {
    /// Whole names, then names that begin so, then names with all the words.
    pub(super) fn resources(&self, readings: &[Reading<'_>]) -> Vec<usize> {
        let mut found = Vec::new();
        for reading in readings {
            for rank in self.names.exact(Space::Resources, &reading.key()).iter() {
                if self.take(rank, reading.state, &mut found) || !self.work.step() {
                    break;
                }
            }
        }
        for reading in readings {
            if found.len() >= self.limit {
                return found;
            }
            let mut ranks = self.names.beginning(Space::Resources, &reading.key(), &self.work);
            let _ = ranks.find(|rank| self.take(*rank, reading.state, &mut found));
        }
        for reading in readings {
            self.resource_words(&reading.words, reading.state, &mut found);
        }
        found
    }

    /// Resources with all the words; the last word may be unfinished.
    pub(super) fn resource_words(&self, words: &[&str], state: Option<StateCode>, found: &mut Vec<usize>) {
        if found.len() >= self.limit {
            return;
        }
        let begins = |rank: u32, last: &str| {
            let name = self.names.resource(rank).and_then(|number| self.directory.resource(number as usize));
            name.is_some_and(|view| Folded::of(view.name).words().any(|word| word.starts_with(last)))
        };
        self.with_words(Space::ResourceWords, words, begins, |rank| self.take(rank, state, found));
    }

    /// Adds a resource of the state once. Whether there are enough now.
    fn take(&self, rank: u32, state: Option<StateCode>, found: &mut Vec<usize>) -> bool {
        let number = self.names.resource(rank).map(|number| number as usize);
        let in_state = |number: usize| {
            let body = || self.directory.resource(number).map(|view| view.jurisdiction);
            state.is_none_or(|state| body().and_then(|row| self.directory.state_of(row)) == Some(state))
        };
        if let Some(number) = number.filter(|number| in_state(*number))
            && found.len() < self.limit
            && !found.contains(&number)
        {
            found.push(number);
        }
        found.len() >= self.limit
    }
}
