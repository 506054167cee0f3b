//! Finds whole names, and orders cities and counties that share a name.

use super::{FoundPlaces, Interpretation, Match, MatchedBy, Search, space};
use crate::{
    directory::Row,
    vocabulary::{Folded, JurisdictionType, Layer, LegalWord, bare_name},
};

/// Legal words, as keys, that are a part of a few names: "City of Orange" in New Jersey.
const OWN_PREFIXES: [&str; 3] = ["cityof", "townof", "villageof"];

/// A city comes before the county of its name if it has at least this fraction (one in n) of the county's people. This
/// holds for texts without a state. Chosen, not measured.
const CITY_SHARE_MIN: u64 = 10;

/// The `share` for [`Search::put_cities_first`]. With a state in the text, any city comes before its county.
fn city_share(interpretations: &[Interpretation<'_>]) -> u64 {
    let in_state = interpretations.iter().any(|interpretation| interpretation.state.is_some());
    if in_state { u64::MAX } else { CITY_SHARE_MIN }
}

/// A place with a matching name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Named {
    /// Whether the name matches only after a legal word was removed.
    by_legal_word: bool,
    rank: u32,
    row: Row,
    /// Whether only a part of a city may be meant, because the text names a county.
    is_part: bool,
}

impl Search<'_> {
    /// The places that have the name of any reading, the best first.
    pub(super) fn named(&self, interpretations: &[Interpretation<'_>]) -> Vec<Named> {
        let mut named: Vec<Named> =
            interpretations.iter().flat_map(|interpretation| self.whole(interpretation)).collect();
        named.sort_unstable();
        self.put_cities_first(&mut named, city_share(interpretations), |place| {
            (place.row, place.by_legal_word)
        });
        named
    }

    /// Applies [`Search::put_cities_first`] to places whose name begins with the text or is spelled similarly.
    pub(super) fn put_near_cities_first(&self, places: &mut [Match], interpretations: &[Interpretation<'_>]) {
        let is_near = |place: &Match| matches!(place.matched_by, MatchedBy::Start | MatchedBy::Spelling);
        for alike in places.chunk_by_mut(|a, b| a.matched_by == b.matched_by) {
            if alike.first().is_some_and(is_near) {
                self.put_cities_first(alike, city_share(interpretations), |place| (place.row, false));
            }
        }
    }

    /// Moves a city before the county of its name: "dallas tx" is the city, though Dallas County has more people. The
    /// text must have the county's name without its legal word. At least one in `share` of the county's people must
    /// live in the city. `describe` returns the row of a place, and whether the text has its legal word.
    fn put_cities_first<T>(&self, places: &mut [T], share: u64, describe: impl Fn(&T) -> (Row, bool)) {
        let layer = |place: &T| self.directory.layer(describe(place).0);
        for at in 0..places.len() {
            let (row, has_legal_word) = describe(&places[at]);
            if has_legal_word || layer(&places[at]) != Some(Layer::County) {
                continue;
            }
            let county = self.directory.jurisdiction(row);
            let is_its_city = |place: &T| {
                if layer(place) != Some(Layer::Place) {
                    return false;
                }
                let city = self.directory.jurisdiction(describe(place).0);
                city.state == county.state
                    && u64::from(city.population).saturating_mul(share) >= u64::from(county.population)
                    && bare_name(county.kind, county.name, county.legal_type) == Some(city.name)
            };
            if let Some(further) = places[at + 1..].iter().position(is_its_city) {
                places[at..=at + 1 + further].rotate_right(1);
            }
        }
    }

    /// The places with the name of the first reading that has a place. The next reading is included if a state may
    /// have been taken for a legal word. Only counties, cities, towns and townships count.
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

    /// The places with this name, and those with this name without its legal word: "Peoria city" is Peoria. Aliases
    /// of towns and cities do not count if places of the second kind exist. An alias of Peoria City Township is
    /// "Peoria city" only by chance.
    fn whole(&self, interpretation: &Interpretation<'_>) -> Vec<Named> {
        let mut named = self.list(interpretation, &interpretation.key(), None);
        let by_word = interpretation.without_legal_word();
        let by_word: Vec<Named> =
            by_word.flat_map(|(key, word)| self.list(interpretation, &key, Some(word))).collect();
        if !by_word.is_empty() {
            let words = interpretation.words.join(" ");
            // "Dade County" is another name of Miami-Dade County as a whole.
            let is_county = |row: Row| self.directory.layer(row) == Some(Layer::County);
            named.retain(|place| is_county(place.row) || self.is_own_name(place.row, &words));
        }
        named.extend(by_word);
        named
    }

    /// Whether the name of a township contains its legal word: "shelby township" means Shelby Charter Township as
    /// well as Shelby Township.
    fn has_word_in_name(&self, row: Row) -> bool {
        if self.directory.layer(row) != Some(Layer::Cousub) {
            return false;
        }
        let view = self.directory.jurisdiction(row);
        bare_name(view.kind, view.name, view.legal_type).is_some()
    }

    /// The places whose name is this name with a legal word before it.
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
        let name = self.directory.name_of(row);
        // Most names are plain and can be compared without folding.
        name.eq_ignore_ascii_case(words) || Folded::of(name).as_str() == words
    }

    fn list(&self, interpretation: &Interpretation<'_>, key: &str, word: Option<LegalWord>) -> Vec<Named> {
        let ranks = self.names.exact(space(interpretation.state), key);
        if ranks.is_empty() {
            return Vec::new();
        }
        let matches_query = self.matches_query(interpretation, word);
        let named = ranks.iter().filter_map(|rank| {
            let row = self.place(rank)?;
            matches_query(row).then_some(Named {
                by_legal_word: word.is_some() && !self.has_word_in_name(row),
                rank,
                row,
                is_part: interpretation.county.is_some(),
            })
        });
        named.collect()
    }
}
