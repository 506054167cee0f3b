//! Finds names and words with similar spelling. All searches of a query share one budget of work.

use super::{FoundPlaces, Interpretation, MatchedBy, Search, space, words::WORDS_MAX};
use crate::{
    directory::Row,
    snapshot::Space,
    vocabulary::{LegalWord, Spelling, key_of},
};

/// Maximum number of steps of a query's budget that one name or word may take. Chosen, not measured.
const STEPS_AT_ONCE: u32 = 45_000;

/// Number of people below which a place is small. A name that only small places have may be the misspelled name of a
/// large place. Chosen, not measured.
const SMALL: u32 = 5_000;
/// Minimum number of people of such a large place. Chosen, not measured.
const LARGE: u32 = 100_000;

/// A similar name: the number of slips in its spelling, its rank and its key.
type SimilarName = (usize, u32, String);

impl Search<'_> {
    /// Adds places with similar names, those with the fewest slips first.
    pub(super) fn spelled(&self, interpretation: &Interpretation<'_>, found: &mut FoundPlaces<'_>) {
        self.spelled_name(interpretation, &interpretation.words, None, found);
        for (name, word) in LegalWord::splits(&interpretation.words) {
            if found.places.is_empty() {
                self.spelled_name(interpretation, name, Some(word), found);
            }
        }
    }

    /// Adds the large place whose name is similar to one that only small places have: "scotsdale" may be Scottsdale.
    /// Adds nothing if the text has a state, or if the population of a place is not known.
    pub(super) fn large_beside_small(
        &self,
        interpretations: &[Interpretation<'_>],
        found: &mut FoundPlaces<'_>,
    ) {
        let people = |row: Row| self.directory.population_of(row);
        // A single reading without state or county means that the text is only a name.
        let [Interpretation { words, state: None, county: None }] = interpretations else { return };
        let key = key_of(words);
        let is_small = |people: u32| (1..SMALL).contains(&people);
        let are_small = found.places.iter().all(|place| is_small(people(place.row)));
        if found.places.is_empty() || !are_small || Spelling::slips_for(&key) < 2 {
            return;
        }
        let Some(spelling) = Spelling::new(&key, 1) else { return };
        let mut best = None;
        self.similar(Space::Places, &spelling, |_, _, rank| {
            best = Some(best.map_or(rank, |best: u32| best.min(rank)));
        });
        if let Some(row) = best.and_then(|rank| self.place(rank)).filter(|row| people(*row) >= LARGE) {
            found.add(row, MatchedBy::Spelling);
        }
    }

    fn spelled_name(
        &self,
        interpretation: &Interpretation<'_>,
        name: &[&str],
        word: Option<LegalWord>,
        found: &mut FoundPlaces<'_>,
    ) {
        let matches_query = self.matches_query(interpretation, word);
        for (slips, rank, near) in self.similar_names(space(interpretation.state), &key_of(name)) {
            let Some(row) = self.place(rank) else { continue };
            if matches_query(row) && self.is_likely(name.len(), slips, row, &near) {
                found.add_as(row, interpretation.county.is_some(), MatchedBy::Spelling);
            }
            if found.is_full() {
                return;
            }
        }
    }

    /// Whether a similar name is plausible. With two slips, a text of several words must have as many words as the
    /// name: Mary Smith is not Ladysmith.
    fn is_likely(&self, words: usize, slips: usize, row: Row, near: &str) -> bool {
        slips < 2 || words == 1 || self.words_of_name(row, near) == Some(words)
    }

    /// The number of words of the name that has this key; `None` if the row has no such name.
    fn words_of_name(&self, row: Row, key: &str) -> Option<usize> {
        self.directory.names(row).iter().find(|name| name.key() == key).map(|name| name.words().count())
    }

    /// The names with the fewest slips, those with the best rank first.
    fn similar_names(&self, space: Space, key: &str) -> Vec<SimilarName> {
        let mut near: Vec<SimilarName> = Vec::new();
        // One slip is tried first, because a search for two visits more of the index.
        for slips in 1..=Spelling::slips_for(key) {
            let Some(spelling) = Spelling::new(key, slips) else { break };
            self.similar(space, &spelling, |slips, key, rank| near.push((slips, rank, key.to_owned())));
            if !near.is_empty() {
                break;
            }
        }
        near.sort_unstable();
        near
    }

    /// Calls `each` with the number of slips, the key and the rank of each similar name, within the budget of work.
    fn similar(&self, space: Space, spelling: &Spelling, mut each: impl FnMut(usize, &str, u32)) {
        // Takes only a part of the budget, so that the first name cannot use all of it.
        let work = self.spelling.part(STEPS_AT_ONCE);
        self.names.similar(space, spelling, "", &work, |slips, key, list| {
            list.iter().for_each(|rank| each(slips, key, rank));
        });
        self.spelling.take_back(work);
    }

    /// Finds places and resources by words, with misspelled words corrected.
    pub(super) fn spelled_words(
        &self,
        interpretations: &[Interpretation<'_>],
        found: &mut FoundPlaces<'_>,
    ) -> Vec<usize> {
        let mut resources = Vec::new();
        for interpretation in
            interpretations.iter().filter(|interpretation| interpretation.words.len() <= WORDS_MAX)
        {
            if let Some(words) = self.corrected(Space::ResourceWords, &interpretation.words) {
                self.resource_words(
                    Space::ResourceWords,
                    &words_of(&words),
                    interpretation.state,
                    &mut resources,
                );
            }
            if interpretation.county.is_none()
                && let Some(words) = self.corrected(Space::PlaceWords, &interpretation.words)
            {
                let interpretation =
                    Interpretation { words: words_of(&words), state: interpretation.state, county: None };
                self.place_words(&interpretation, found);
            }
        }
        found.places.iter_mut().for_each(|place| place.matched_by = MatchedBy::Spelling);
        resources
    }

    /// The words, each unknown one replaced by the most similar word. `None` if a word has no similar word, or if all
    /// words are known.
    fn corrected(&self, space: Space, words: &[&str]) -> Option<Vec<String>> {
        let mut changed = false;
        let mut right = Vec::with_capacity(words.len());
        for word in words {
            let known = !self.names.exact(space, word).is_empty();
            changed |= !known;
            right.push(if known { (*word).to_owned() } else { self.nearest_word(space, word)? });
        }
        changed.then_some(right)
    }

    /// The most similar word; if several are equally similar, the one with the best rank.
    fn nearest_word(&self, space: Space, word: &str) -> Option<String> {
        let spelling = Spelling::new(word, Spelling::slips_for(word))?;
        let mut nearest: Option<SimilarName> = None;
        self.similar(space, &spelling, |slips, key, rank| {
            if nearest.as_ref().is_none_or(|(best, best_rank, _)| (slips, rank) < (*best, *best_rank)) {
                nearest = Some((slips, rank, key.to_owned()));
            }
        });
        nearest.map(|(_, _, word)| word)
    }
}

fn words_of(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
