//! Whole names.

use super::{FoundPlaces, Interpretation, MatchedBy, Search, space};
use crate::{
    directory::Row,
    vocabulary::{Folded, JurisdictionType, LegalWord},
};

/// Legal words before a name that a few names have as their own: "City of Orange" in New Jersey.
const OWN_PREFIXES: [&str; 3] = ["cityof", "townof", "villageof"];

/// A place that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Named {
    /// Whether it has the name only once a legal word is taken off.
    by_legal_word: bool,
    rank: u32,
    row: Row,
    /// Whether it may be a part of a city: only what lies in a county was asked for.
    is_part: bool,
}

impl Search<'_> {
    /// The places that have the name of some interpretation, the best first.
    pub(super) fn named(&self, interpretations: &[Interpretation<'_>]) -> Vec<Named> {
        let mut named: Vec<Named> =
            interpretations.iter().flat_map(|interpretation| self.whole(interpretation)).collect();
        named.sort_unstable();
        named
    }

    /// The places that have the name of the first interpretation that is one; and of the next, where a state may have been
    /// taken for a legal word. Only counties, cities, towns and townships.
    pub(super) fn named_by_first(&self, interpretations: &[Interpretation<'_>]) -> Vec<Named> {
        let mut all = Vec::new();
        for interpretation in interpretations {
            let mut named = self.whole(interpretation);
            named.retain(|place| self.directory.jurisdiction(place.row).kind != JurisdictionType::District);
            let is_done = !named.is_empty() && !interpretation.may_end_in_state();
            all.extend(named);
            if is_done {
                break;
            }
        }
        all.sort_unstable_by_key(|named| (named.rank, named.row));
        all
    }

    pub(super) fn add_named(&self, named: Vec<Named>, found: &mut FoundPlaces<'_>) {
        for Named { row, is_part, .. } in named {
            if found.is_full() {
                return;
            }
            found.add_as(row, is_part, MatchedBy::Whole);
        }
    }

    /// The places with this name, and those with it once its legal word is taken off: "Peoria city" is Peoria. Beside
    /// the latter an alias does not count: it only happens to end so, as that of Peoria City Township does.
    fn whole(&self, interpretation: &Interpretation<'_>) -> Vec<Named> {
        let mut named = self.list(interpretation, &interpretation.key(), None);
        let before = named.len();
        for (key, word) in interpretation.without_legal_word() {
            named.extend(self.list(interpretation, &key, Some(word)));
        }
        if named.len() > before && before > 0 {
            let words = interpretation.words.join(" ");
            named.retain(|place| place.by_legal_word || self.is_own_name(place.row, &words));
        }
        named
    }

    /// The places whose name has a legal word before this one.
    pub(super) fn prefixed(&self, interpretations: &[Interpretation<'_>]) -> Vec<Named> {
        let prefixed = interpretations
            .iter()
            .flat_map(|interpretation| OWN_PREFIXES.map(|prefix| (interpretation, prefix)));
        prefixed
            .flat_map(|(interpretation, prefix)| {
                self.list(interpretation, &format!("{prefix}{}", interpretation.key()), None)
            })
            .collect()
    }

    fn is_own_name(&self, row: Row, words: &str) -> bool {
        Folded::of(self.directory.name_of(row)).as_str() == words
    }

    fn list(&self, interpretation: &Interpretation<'_>, key: &str, word: Option<LegalWord>) -> Vec<Named> {
        let ranks = self.names.exact(space(interpretation.state), key);
        if ranks.is_empty() {
            return Vec::new();
        }
        let is_asked_for = self.is_asked_for(interpretation, word);
        let named = ranks.iter().filter_map(|rank| {
            let row = self.place(rank)?;
            is_asked_for(row).then_some(Named {
                by_legal_word: word.is_some(),
                rank,
                row,
                is_part: interpretation.county.is_some(),
            })
        });
        named.collect()
    }
}
