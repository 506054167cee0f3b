//! Places and resources by name.
//!
//! **The ranking.** A state that the whole text names goes first. Then the quality of the match: the whole name, then a
//! name that begins so, then names that have all the words (the last may be unfinished), then names that are spelled
//! nearly so. Within one quality the most people first, then by id. A text may be read in several ways (`reading.rs`);
//! the plainest goes first. Spelling is corrected only where nothing else matches: one slip from 4 letters on, two from
//! 8 on.
//!
//! Names are those of governments and of web resources. There are no people to be found.

mod found;
mod reading;
mod resources;
mod words;

use found::Found;
use reading::{Reading, Text};

use super::{Directory, Row};
use crate::{
    snapshot::{ArchivedNames, Space, Work},
    vocabulary::{JurisdictionId, JurisdictionType, Layer, LegalWord, Spelling, StateCode},
};

/// Steps for names that begin so and names with words: about half a millisecond.
const WALK_STEPS: u32 = 6_000;
/// Steps for spelling: nodes of the transducer.
const SPELLING_STEPS: u32 = 40_000;

/// How a name was matched, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchedBy {
    /// It is the whole name.
    Whole,
    /// The name begins so.
    Start,
    /// All words are in the name.
    Words,
    /// The name is spelled nearly so.
    Spelling,
}

use MatchedBy as Quality;

/// A place that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which.
    pub row: Row,
    /// How.
    pub quality: MatchedBy,
}

/// What matches a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matches {
    /// Places, best first.
    pub places: Vec<Match>,
    /// Numbers of resources, best first.
    pub resources: Vec<usize>,
}

/// What one question works with.
struct Search<'a> {
    directory: &'a Directory,
    names: &'a ArchivedNames,
    limit: usize,
    work: Work,
}

impl Directory {
    /// Places and resources by name, at most `limit` of each, best first. A state of this name goes before all else.
    pub fn search(&self, text: &str, state: Option<StateCode>, limit: usize) -> Matches {
        let text = Text::new(text);
        let mut found = Found::new(self, limit);
        let named = text.state().filter(|named| state.is_none_or(|state| state == *named));
        if let Some(row) = named.and_then(|named| self.state_row(named)) {
            found.add_part(row, Quality::Whole);
        }
        self.search_for(&text, state, found)
    }

    fn search_for(&self, text: &Text, state: Option<StateCode>, mut found: Found<'_>) -> Matches {
        let limit = found.limit();
        let readings = text.readings(state);
        let search = self.searching(limit);
        search.places(text, &readings, &mut found);
        let mut resources = search.resources(&readings);
        if found.places.is_empty() && resources.is_empty() {
            readings.iter().rev().for_each(|reading| search.spelled(reading, &mut found));
            if found.places.is_empty() {
                resources = search.spelled_words(&readings, &mut found);
            }
        }
        Matches { places: found.places, resources }
    }

    /// The counties, cities, towns and townships of a state with exactly this name, the largest first. A legal word
    /// narrows them ("City of Austin"), and so does a county after a comma ("Springfield, Bucks County").
    pub fn places_named(&self, text: &str, state: StateCode) -> Vec<Row> {
        let search = self.searching(usize::MAX);
        let mut found = Found::new(self, usize::MAX);
        for reading in &Text::new(text).readings(Some(state)) {
            search.whole(reading, &mut found);
            found.places.retain(|place| self.jurisdiction(place.row).kind != JurisdictionType::District);
            if !found.places.is_empty() {
                break;
            }
        }
        found.places.into_iter().map(|place| place.row).collect()
    }

    /// The place of a state whose name is spelled most nearly so, or begins so.
    pub fn nearest_name(&self, text: &str, state: StateCode) -> Option<Row> {
        let matches = self.search_for(&Text::new(text), Some(state), Found::new(self, 1));
        let best = matches.places.into_iter().next();
        best.filter(|found| found.quality != Quality::Words).map(|found| found.row)
    }

    fn searching(&self, limit: usize) -> Search<'_> {
        Search { directory: self, names: self.snapshot.names(), limit, work: Work::new(WALK_STEPS) }
    }
}

impl<'a> Search<'a> {
    /// Whole names, then names that begin so, then names with all the words.
    fn places(&self, text: &Text, readings: &[Reading<'_>], found: &mut Found<'_>) {
        readings.iter().for_each(|reading| self.whole(reading, found));
        for reading in readings.iter().filter(|reading| reading.county.is_none()) {
            self.beginning(reading, found);
        }
        if let (Some(key), Some(plainest)) = (text.as_written(), readings.first()) {
            self.begin(plainest, &key, None, found);
        }
        for reading in readings.iter().filter(|reading| reading.county.is_none()) {
            self.place_words(reading, found);
        }
    }

    fn whole(&self, reading: &Reading<'_>, found: &mut Found<'_>) {
        let before = found.places.len();
        self.list(reading, &reading.key(), None, found);
        if found.places.len() == before
            && let Some((key, word)) = reading.without_legal_word()
        {
            self.list(reading, &key, Some(word), found);
        }
    }

    fn list(&self, reading: &Reading<'_>, key: &str, word: Option<LegalWord>, found: &mut Found<'_>) {
        let counties = reading.county.as_ref().map(|county| self.counties(reading.state, county));
        for rank in self.names.exact(space(reading.state), key).iter() {
            if found.is_full() {
                return;
            }
            let Some(row) = self.place(rank) else { continue };
            let in_county = counties.as_ref().is_none_or(|counties| self.lies_in(row, counties));
            if in_county && word.is_none_or(|word| self.fits(row, word)) {
                self.add(reading, row, Quality::Whole, found);
            }
        }
    }

    /// Adds a place; where a county was asked for, only what lies in it.
    fn add(&self, reading: &Reading<'_>, row: Row, quality: Quality, found: &mut Found<'_>) {
        if reading.county.is_some() { found.add_part(row, quality) } else { found.add(row, quality) }
    }

    fn beginning(&self, reading: &Reading<'_>, found: &mut Found<'_>) {
        let before = found.places.len();
        self.begin(reading, &reading.key(), None, found);
        if found.places.len() == before
            && let Some((key, word)) = reading.without_legal_word()
        {
            self.begin(reading, &key, Some(word), found);
        }
    }

    fn begin(&self, reading: &Reading<'_>, key: &str, word: Option<LegalWord>, found: &mut Found<'_>) {
        if found.is_full() {
            return;
        }
        for rank in self.names.beginning(space(reading.state), key, &self.work) {
            let row = self.place(rank).filter(|row| word.is_none_or(|word| self.fits(*row, word)));
            row.into_iter().for_each(|row| found.add(row, Quality::Start));
            if found.is_full() {
                return;
            }
        }
    }

    /// Names that are spelled nearly so, the fewest slips first.
    fn spelled(&self, reading: &Reading<'_>, found: &mut Found<'_>) {
        self.spelled_key(reading, &reading.key(), None, found);
        if found.places.is_empty()
            && let Some((key, word)) = reading.without_legal_word()
        {
            self.spelled_key(reading, &key, Some(word), found);
        }
    }

    fn spelled_key(&self, reading: &Reading<'_>, key: &str, word: Option<LegalWord>, found: &mut Found<'_>) {
        let counties = reading.county.as_ref().map(|county| self.counties(reading.state, county));
        for (_, rank) in self.nearly(space(reading.state), key) {
            let Some(row) = self.place(rank) else { continue };
            let in_county = counties.as_ref().is_none_or(|counties| self.lies_in(row, counties));
            if in_county && word.is_none_or(|word| self.fits(row, word)) {
                self.add(reading, row, Quality::Spelling, found);
            }
            if found.is_full() {
                return;
            }
        }
    }

    /// Slips and ranks of the names that are spelled nearly so: those with the fewest slips only.
    fn nearly(&self, space: Space, key: &str) -> Vec<(usize, u32)> {
        let mut near: Vec<(usize, u32)> = Vec::new();
        for slips in 1..=Spelling::slips_for(key) {
            let Some(spelling) = Spelling::new(key, slips) else { break };
            let work = Work::new(SPELLING_STEPS);
            self.names.similar(space, &spelling, "", &work, |slips, _, list| {
                near.extend(list.iter().map(|rank| (slips, rank)));
            });
            if !near.is_empty() {
                break;
            }
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// The word that is spelled most nearly so; of several the one of the best rank.
    fn nearest_word(&self, space: Space, word: &str) -> Option<String> {
        let mut nearest: Option<(usize, u32, String)> = None;
        let spelling = Spelling::new(word, Spelling::slips_for(word))?;
        self.names.similar(space, &spelling, "", &Work::new(SPELLING_STEPS), |slips, key, list| {
            let best = (slips, list.get(0).unwrap_or(u32::MAX), key.to_owned());
            if nearest.as_ref().is_none_or(|known| best < *known) {
                nearest = Some(best);
            }
        });
        nearest.map(|(_, _, word)| word)
    }

    fn place(&self, rank: u32) -> Option<Row> {
        self.names.place(rank).map(Row)
    }

    fn fits(&self, row: Row, word: LegalWord) -> bool {
        let view = self.directory.jurisdiction(row);
        match view.kind {
            JurisdictionType::Layer(layer) => word.fits(layer, view.legal_type),
            JurisdictionType::Country | JurisdictionType::District => false,
        }
    }

    /// The counties of a name.
    fn counties(&self, state: Option<StateCode>, key: &str) -> Vec<Row> {
        let rows = self.names.exact(space(state), key).iter().filter_map(|rank| self.place(rank));
        rows.filter(|row| self.directory.jurisdiction(*row).kind == JurisdictionType::Layer(Layer::County))
            .collect()
    }

    /// Whether a place or county subdivision lies in one of the counties.
    fn lies_in(&self, row: Row, counties: &[Row]) -> bool {
        self.directory.county_around(row).is_some_and(|county| county != row && counties.contains(&county))
    }
}

impl Directory {
    /// The county of a county, county subdivision or place, where it is known.
    pub fn county_around(&self, row: Row) -> Option<Row> {
        match self.jurisdiction(row).id {
            JurisdictionId::Census(geoid) if geoid.layer() == Layer::Place => {
                self.chain_of_place(row).map(|chain| chain.county)
            }
            JurisdictionId::Census(geoid) => self.row_of(geoid.county()?),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        }
    }
}

fn space(state: Option<StateCode>) -> Space {
    state.map_or(Space::Places, Space::PlacesOf)
}
