//! Resources by name.

use super::{Reading, Search};
use crate::{
    directory::ResourceView,
    snapshot::Space,
    vocabulary::{Folded, StateCode, topic_words},
};

impl Search<'_> {
    /// Whole names, then names that begin so, then names with all the words, then those that have the words when the
    /// names of their governments and their topics are read with their own ("hennepin property tax").
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
        for space in [Space::ResourceWords, Space::ResourceTexts] {
            for reading in readings {
                self.resource_words(space, &reading.words, reading.state, &mut found);
            }
        }
        found
    }

    /// Resources with all the words; the last word may be unfinished.
    pub(super) fn resource_words(
        &self,
        space: Space,
        words: &[&str],
        state: Option<StateCode>,
        found: &mut Vec<usize>,
    ) {
        if found.len() >= self.limit {
            return;
        }
        let begins = |rank: u32, last: &str| {
            let view = self.names.resource(rank).and_then(|number| self.directory.resource(number as usize));
            view.is_some_and(|view| self.resource_has(space, &view, last))
        };
        self.with_words(space, words, begins, |rank| self.take(rank, state, found));
    }

    /// Whether a word of a resource's texts begins so.
    fn resource_has(&self, space: Space, view: &ResourceView<'_>, start: &str) -> bool {
        let has = |text: &Folded| text.words().any(|word| word.starts_with(start));
        has(&Folded::of(view.name))
            || space == Space::ResourceTexts
                && (has(&topic_words(view.topics)) || self.place_has(view.jurisdiction, start))
    }

    /// Whether two resources are one, or one page of a government that has several ids.
    fn is_same_page(&self, a: usize, b: usize) -> bool {
        let views = (self.directory.resource(a), self.directory.resource(b));
        a == b || matches!(views, (Some(a), Some(b)) if a.url == b.url && a.name == b.name)
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
            && !found.iter().any(|known| self.is_same_page(*known, number))
        {
            found.push(number);
        }
        found.len() >= self.limit
    }
}
