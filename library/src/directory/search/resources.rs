//! Finds resources by name.

use super::{Interpretation, Search};
use crate::{
    directory::Row,
    snapshot::Space,
    vocabulary::{Folded, StateCode},
};

/// Words that are ignored if no page has all the words of a text: many pages of a county do not say "county".
const LIGHT_WORDS: [&str; 12] =
    ["and", "borough", "city", "county", "for", "in", "of", "official", "parish", "the", "town", "township"];

impl Search<'_> {
    /// The resources that have all words except the light ones.
    pub(super) fn resources_in_short(&self, interpretations: &[Interpretation<'_>]) -> Vec<usize> {
        let mut found = Vec::new();
        for interpretation in interpretations {
            let weighty = interpretation.words.iter().copied().filter(|word| !LIGHT_WORDS.contains(word));
            let words: Vec<&str> = weighty.collect();
            if words.len() > 1 && words.len() < interpretation.words.len() {
                self.resource_words(Space::ResourceTexts, &words, interpretation.state, &mut found);
            }
        }
        found
    }

    /// Whole names, then prefixes, then names with all the words. Then follow resources that have all the words in
    /// their names, topics and the names of their governments ("hennepin property tax").
    pub(super) fn resources(&self, interpretations: &[Interpretation<'_>]) -> Vec<usize> {
        let mut found = Vec::new();
        // Readings with a county lack the words after a comma, so they are left out: "Kyle, Pine Ridge" is not a page
        // of Kyle, Texas.
        let whole = || interpretations.iter().filter(|interpretation| interpretation.county.is_none());
        for interpretation in whole() {
            for rank in self.names.exact(Space::Resources, &interpretation.key()).iter() {
                // Each rank takes a step, so that a name shared by very many pages cannot exceed the budget.
                if self.take(rank, interpretation.state, &mut found) || !self.work.step() {
                    break;
                }
            }
        }
        for interpretation in whole() {
            if found.len() >= self.limit {
                return found;
            }
            let mut ranks = self.names.beginning(Space::Resources, &interpretation.key(), &self.work);
            let _ = ranks.find(|rank| self.take(*rank, interpretation.state, &mut found));
        }
        // Own names come first: a word of the government or topic is the weaker match.
        for space in [Space::ResourceWords, Space::ResourceTexts] {
            for interpretation in whole() {
                self.resource_words(space, &interpretation.words, interpretation.state, &mut found);
            }
        }
        found
    }

    /// Adds resources with all the words; the last word may be unfinished.
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
        // Folding all texts of many resources takes too long. Their words must match as they are.
        let begins = |rank: u32, last: &str| {
            let view = self.names.resource(rank).and_then(|number| self.directory.resource(number as usize));
            space == Space::ResourceWords
                && view.is_some_and(|view| Folded::of(view.name).words().any(|word| word.starts_with(last)))
        };
        self.with_words(space, words, begins, |rank| self.take(rank, state, found));
    }

    /// Adds a resource of the state if it is not listed yet. Returns whether the limit is reached.
    fn take(&self, rank: u32, state: Option<StateCode>, found: &mut Vec<usize>) -> bool {
        let number = self.names.resource(rank).map(|number| number as usize);
        let in_state = |number: usize| {
            state.is_none_or(|state| self.directory.state_of(self.body(number)) == Some(state))
        };
        if let Some(number) = number.filter(|number| in_state(*number))
            && found.len() < self.limit
            && !found.contains(&number)
            && !found.iter().any(|known| self.is_same_page(*known, number))
        {
            found.push(number);
        }
        found.len() >= self.limit
    }

    /// Whether two resources are the same page of a government that has several ids.
    fn is_same_page(&self, a: usize, b: usize) -> bool {
        // A city with several ids may list one page under each of them.
        let government = |number: usize| {
            let body = self.body(number);
            self.directory.own_city(body).unwrap_or(body)
        };
        let view = |number: usize| self.directory.resource(number).map(|view| (view.url, view.name));
        self.body(a) != self.body(b) && government(a) == government(b) && view(a) == view(b)
    }

    fn body(&self, number: usize) -> Row {
        let records = self.directory.snapshot().records();
        Row::new(records.resources().get(number).map_or(0, |row| row.jurisdiction()))
    }
}
