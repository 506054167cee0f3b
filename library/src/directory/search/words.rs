//! Finds names that have all the words of a text, in any order.

use super::{FoundPlaces, Interpretation, MatchedBy, Search};
use crate::{
    directory::Row,
    snapshot::{RankList, Space},
    vocabulary::{Folded, StateCode},
};

/// Maximum number of words to search for. No name has more.
pub(super) const WORDS_MAX: usize = 12;
/// Maximum number of words that complete the last word of the text. The lists of all of them are searched if there
/// are no more. Chosen, not measured.
const LISTS_MAX: usize = 24;
/// Maximum number of names that are compared with the last word instead, if there are more than [`LISTS_MAX`]
/// lists. Chosen, not measured.
const COMPARED_MAX: usize = 200;

impl Search<'_> {
    /// Adds places with all the words; the last word may be unfinished.
    pub(super) fn place_words(&self, interpretation: &Interpretation<'_>, found: &mut FoundPlaces<'_>) {
        if found.is_full() {
            return;
        }
        let in_state =
            |row: Row| interpretation.state.is_none_or(|state| self.directory.state_of(row) == Some(state));
        let begins = |rank: u32, last: &str| {
            self.place(rank).is_some_and(|row| in_state(row) && self.place_has(row, last))
        };
        self.with_words(Space::PlaceWords, &interpretation.words, begins, |rank| {
            let row = self.place(rank).filter(|row| in_state(*row));
            row.into_iter().for_each(|row| found.add(row, MatchedBy::Words));
            found.is_full()
        });
    }

    /// Whether a word of a place's names begins with this text.
    fn place_has(&self, row: Row, start: &str) -> bool {
        let legal_type = Folded::of(self.directory.jurisdiction(row).legal_type.unwrap_or_default());
        self.directory
            .names(row)
            .iter()
            .chain([&legal_type])
            .any(|name| name.words().any(|word| word.starts_with(start)))
    }

    /// Calls `take` with each rank that has all the words, the best first, until `take` returns `true`. Then come
    /// ranks with all words but the last, and a word that begins with the last. `begins` tests for such a word if
    /// more than [`LISTS_MAX`] words begin so.
    pub(super) fn with_words(
        &self,
        space: Space,
        words: &[&str],
        begins: impl Fn(u32, &str) -> bool,
        mut take: impl FnMut(u32) -> bool,
    ) {
        let [first @ .., last] = words else { return };
        if words.len() > WORDS_MAX {
            return;
        }
        if first.is_empty() {
            let _ = self.names.beginning(space, last, &self.work).find(|rank| take(*rank));
            return;
        }
        let lists = |words: &[&str]| words.iter().map(|word| self.names.exact(space, word)).collect();
        if self.in_all(lists(words), |_| true, &mut take) {
            return;
        }
        // A state code is not the start of another word: "alleghany county pa" does not mean "parcels".
        if last.parse::<StateCode>().is_ok() {
            return;
        }
        let unfinished = self.names.lists_beginning(space, last, LISTS_MAX);
        if unfinished.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let mut compared = 0;
        let begins = |rank: u32| match &unfinished {
            Some(lists) => lists.iter().any(|list| list.has(rank)),
            None => {
                compared += 1;
                compared <= COMPARED_MAX && begins(rank, last)
            }
        };
        let _ = self.in_all(lists(first), begins, &mut take);
    }

    /// Calls `take` with each rank that is in all lists and passes the test, the best first. Returns whether `take`
    /// returned `true`, which ends the search.
    fn in_all(
        &self,
        mut lists: Vec<RankList<'_>>,
        mut test: impl FnMut(u32) -> bool,
        take: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        // The shortest list limits the work; its ranks are looked up in the others by bisection.
        lists.sort_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else { return false };
        let ranks = shortest.iter().take_while(|_| self.work.step());
        ranks.filter(|rank| others.iter().all(|list| list.has(*rank))).any(|rank| test(rank) && take(rank))
    }
}
