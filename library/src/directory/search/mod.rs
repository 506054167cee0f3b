//! Finds places and resources by name.
//!
//! **The ranking.** A state that the whole text names comes first. Then the quality of the match decides: a whole
//! name, the start of a name, all words in any order, a similar spelling. The last of the words may be unfinished.
//! Places of one quality are ordered by population, then by the population of their county, then by id. The
//! population of townships is not known. A county that is named without its legal word, however, follows the city of
//! that name (`whole.rs`).
//!
//! A text may have several readings (`interpretation.rs`). The whole names of all readings are ranked together; for
//! other qualities the plainest reading comes first. Spelling is corrected only if nothing else matches: one slip from
//! 4 letters on, two from 8 on. If only small places have the whole name, a large place with a similar name follows
//! them.
//!
//! A jurisdiction id or an OCD id finds its jurisdiction. Names are those of governments and web resources; people
//! cannot be searched for.

mod by_id;
mod federal;
mod found;
mod idle_words;
mod interpretation;
mod job_pages;
mod job_words;
mod jobs;
mod nations;
mod parts;
mod relief_words;
mod resources;
mod sentence;
mod several;
mod spanish;
mod spelled;
mod tasks;
mod unlisted;
mod whole;
mod words;

pub(super) use federal::FederalNames;
use found::FoundPlaces;
use interpretation::{Interpretation, Text, stated, unusual};
pub(super) use nations::NamedLands;
use parts::Evidence;
pub use sentence::{PlaceInSentence, state_in_sentence};
pub use tasks::Tasks;
use tasks::{Piece, pieces_of};
use whole::Named;

use super::{CommunityRow, Directory, FederalLandRow, Row, TribalLandRow, YoungCity};
use crate::{
    snapshot::{ArchivedNames, Space, Work},
    vocabulary::{JurisdictionId, Layer, LegalWord, Spelling, StateCode, Topic, TopicSet},
};

/// Steps for prefixes and words in one query: about half a millisecond.
const WALK_STEPS: u32 = 6_000;
/// Steps for similar spelling in one query: half a millisecond.
const SPELLING_STEPS: u32 = 60_000;

/// Number of places from which the nearest name is chosen. A single one might be a county with more people than the
/// city of its name, and the city is preferred. Chosen, not measured.
const NEAREST_OF: usize = 8;

/// Maximum number of places of a name whose offices are shown. The reader has to choose a place first if more places
/// share the name. Chosen, not measured.
pub const FEW_PLACES_MAX: usize = 3;

/// How a name was matched, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchedBy {
    /// The text is the whole name.
    Whole,
    /// The name begins with the text.
    Start,
    /// The name has all words of the text.
    Words,
    /// The name is spelled similarly.
    Spelling,
}

/// A place that matches a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The jurisdiction that matches.
    pub row: Row,
    /// The quality of the match.
    pub matched_by: MatchedBy,
}

/// The results of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matches {
    /// Places that match, best first.
    pub places: Vec<Match>,
    /// Numbers of resources, best first.
    pub resources: Vec<usize>,
    /// Named areas without a row of their own; the governments that stand for them are among the places.
    pub unlisted: Vec<Unlisted>,
    /// The topics of the tasks that the pages are for, the most certain first; empty if the text was read as a name.
    pub topics: Vec<Topic>,
    /// Further places that the text names; the other fields hold nothing for them.
    pub others: Vec<OtherPlace>,
    /// Whether the text names several places, and a part of the text was not found.
    pub has_more: bool,
    /// Whether the text asks about each of the places, such as "Bend or Redmond".
    pub are_alternatives: bool,
    /// Whether only a part of the text names the places.
    pub is_part: bool,
}

/// A place that a text names beside the one that was searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherPlace {
    /// The best place with the name in the text.
    pub row: Row,
    /// The topics of the tasks at this place; empty without a task.
    pub topics: TopicSet,
}

/// A named area without a row, represented by a government around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// A community without a government.
    Community(CommunityRow),
    /// A city that began after its limits were drawn.
    YoungCity(YoungCity),
    /// Land of an American Indian nation.
    TribalLand(TribalLandRow),
    /// Federal land, such as a base or a national park.
    FederalLand(FederalLandRow),
}

impl Matches {
    /// Whether the search found nothing.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.resources.is_empty() && self.unlisted.is_empty()
    }
}

/// The state that a name ends in, and whether the state is the whole text: "Travis County, TX", "Austin TX 78701",
/// "Texas". `None` without a state. Without a comma only a code in capitals counts: "Lake Washington" lies in several
/// states.
pub fn state_in_name(text: &str) -> Option<(StateCode, bool)> {
    let read = Text::new(text);
    let whole = read.state().map(|state| (state, true));
    whole.or_else(|| read.state_at_end(text).map(|state| (state, false)))
}

/// The state of one query: its limits and the work that it may still do.
struct Search<'a> {
    directory: &'a Directory,
    names: &'a ArchivedNames,
    limit: usize,
    work: Work,
    spelling: Work,
}

impl Directory {
    /// Finds places and resources by name, at most `limit` of each, best first. A state with this name comes first.
    pub fn search(&self, text: &str, state: Option<StateCode>, limit: usize) -> Matches {
        let mut found = FoundPlaces::new(self, limit);
        if let Some(row) = self.row_of_written_id(text.trim()) {
            let row = Some(row).filter(|row| state.is_none_or(|state| self.state_of(*row) == Some(state)));
            row.into_iter().for_each(|row| found.add_part(row, MatchedBy::Whole));
            return Matches { places: found.places, ..Matches::default() };
        }
        let read = Text::new(text);
        self.add_state(read.state(), state, MatchedBy::Whole, &mut found);
        let matches = self.search_for(&read, state, found);
        // A reading as a name has priority: a text is split into job and place only if it is not a name.
        let is_name = matches.places.first().is_some_and(|place| place.matched_by < MatchedBy::Spelling);
        let job = if is_name { None } else { self.searching(limit).job_at_a_place(text, state) };
        match job {
            Some(job) => job.with_named(self, &matches.resources, limit),
            None if matches.is_empty() => self.in_part_of(text, &read, state, limit),
            None => matches,
        }
    }

    /// The first of several places that a text names. Otherwise the county or town among other words, recognized by
    /// its legal word.
    fn in_part_of(&self, text: &str, read: &Text, state: Option<StateCode>, limit: usize) -> Matches {
        let (search, mut found) = (self.searching(limit), FoundPlaces::new(self, limit));
        if let Some(several) = search.several(&pieces_of(text), state, 2, true) {
            several.first.into_iter().for_each(|row| found.add_part(row, MatchedBy::Words));
            let (others, has_more) = (several.others, several.has_more);
            return Matches { places: found.places, others, has_more, ..Matches::default() };
        }
        let state = state.or_else(|| stated(&read.interpretations(None)));
        search.add_named(search.named_in_part(&read.words(), state, Evidence::LegalWord), &mut found);
        found.places.iter_mut().for_each(|place| place.matched_by = MatchedBy::Words);
        Matches { is_part: !found.places.is_empty(), places: found.places, ..Matches::default() }
    }

    fn add_state(
        &self,
        named: Option<StateCode>,
        wanted: Option<StateCode>,
        matched_by: MatchedBy,
        found: &mut FoundPlaces<'_>,
    ) {
        let named = named.filter(|named| wanted.is_none_or(|wanted| wanted == *named));
        if let Some(row) = named.and_then(|named| self.state_row(named)) {
            found.add_part(row, matched_by);
        }
    }

    /// The matches of a text as a name. Corrections are tried one by one, each only if nothing has been found yet.
    fn search_for(&self, text: &Text, state: Option<StateCode>, mut found: FoundPlaces<'_>) -> Matches {
        let limit = found.limit();
        let interpretations = text.interpretations(state);
        let search = self.searching(limit);
        let unlisted = search.places(text, &interpretations, &mut found);
        let mut resources = search.resources(&interpretations);
        if found.places.is_empty() && resources.is_empty() {
            self.add_state(text.misspelled_state(), state, MatchedBy::Spelling, &mut found);
            interpretations
                .iter()
                .rev()
                .for_each(|interpretation| search.spelled(interpretation, &mut found));
            if found.places.is_empty() {
                resources = search.spelled_words(&interpretations, &mut found);
            }
            if found.places.is_empty() && resources.is_empty() {
                resources = search.resources_in_short(&interpretations);
            }
            if found.places.is_empty()
                && resources.is_empty()
                && let Some(text) = text.with_corrected_state()
            {
                let mut matches = self.search_for(&text, state, found);
                matches.places.iter_mut().for_each(|place| place.matched_by = MatchedBy::Spelling);
                return matches;
            }
        }
        search.drop_elsewhere(&interpretations, &unlisted, &mut found);
        search.put_near_cities_first(&mut found.places, &interpretations);
        Matches { places: found.places, resources, unlisted, ..Matches::default() }
    }

    /// The counties, cities, towns and townships of a state with exactly this name, the largest first. A legal word
    /// narrows them ("City of Austin"), and a county after a comma does, too ("Springfield, Bucks County").
    pub fn places_named(&self, text: &str, state: StateCode) -> Vec<Row> {
        let search = self.searching(usize::MAX);
        let mut found = FoundPlaces::new(self, usize::MAX);
        let text = Text::new(text);
        let interpretations = text.interpretations(Some(state));
        let mut named = search.named_by_first(&interpretations);
        if named.is_empty() {
            named = search.named_by_first(&unusual(&interpretations));
        }
        if named.is_empty() {
            named = search.prefixed(&interpretations);
        }
        search.add_named(named, &mut found);
        found.places.into_iter().map(|place| place.row).collect()
    }

    /// The named areas without a row in the state, each with the government that represents it. They are a young
    /// city, or else federal land with each of its counties, or else one community for each government.
    pub fn unlisted_named(&self, text: &str, state: StateCode) -> Vec<(Unlisted, Row)> {
        let text = Text::new(text);
        let (interpretations, search) = (text.interpretations(Some(state)), self.searching(1));
        if let Some(city) = search.young_city(&interpretations) {
            return vec![(Unlisted::YoungCity(city), city.county)];
        }
        match search.federal_land(&interpretations) {
            Some((land, counties)) => {
                counties.into_iter().map(|county| (Unlisted::FederalLand(land), county)).collect()
            }
            None => search.communities_by_body(&interpretations),
        }
    }

    /// The community of a name that is likelier than the county of this name, with the government that represents it.
    /// In Georgia, Evans is a community of Columbia County; Evans County is small and far from this community.
    pub fn community_before_county(
        &self,
        text: &str,
        state: StateCode,
        county: Row,
    ) -> Option<(Unlisted, Row)> {
        let text = Text::new(text);
        let interpretations = text.interpretations(Some(state));
        let mut communities = self.searching(1).communities_before(county, &interpretations);
        if communities.is_empty() { None } else { Some(communities.swap_remove(0)) }
    }

    /// The only place in the state whose name is spelled like the text. A missing last letter counts as a slip.
    /// `None` if several places match, or if one matches in a better way.
    pub fn only_name_near(&self, text: &str, state: StateCode) -> Option<Row> {
        let text = Text::new(text);
        let matches = self.search_for(&text, Some(state), FoundPlaces::new(self, 2));
        match matches.places[..] {
            [Match { row, matched_by: MatchedBy::Spelling }] => Some(row),
            [_, Match { matched_by: MatchedBy::Start, .. }] => None,
            [Match { row, matched_by: MatchedBy::Start }, ..] => {
                let key = text.interpretations(Some(state)).first()?.key();
                self.lacks_last_letter(row, &key).then_some(row)
            }
            _ => None,
        }
    }

    /// Whether a key is a name of the place without its last letter, and long enough for this to be a slip of the
    /// spelling.
    fn lacks_last_letter(&self, row: Row, key: &str) -> bool {
        let is_without = |name: &str| name.strip_prefix(key).is_some_and(|rest| rest.chars().count() == 1);
        Spelling::slips_for(key) > 0 && self.names(row).iter().any(|name| is_without(&name.key()))
    }

    /// The place of a state whose name is spelled most similarly, or begins with the text.
    pub fn nearest_name(&self, text: &str, state: StateCode) -> Option<Row> {
        let matches = self.search_for(&Text::new(text), Some(state), FoundPlaces::new(self, NEAREST_OF));
        let best = matches.places.into_iter().next();
        best.filter(|found| found.matched_by != MatchedBy::Words).map(|found| found.row)
    }

    fn searching(&self, limit: usize) -> Search<'_> {
        Search {
            directory: self,
            names: self.snapshot.names(),
            limit,
            work: Work::new(WALK_STEPS),
            spelling: Work::new(SPELLING_STEPS),
        }
    }
}

impl<'a> Search<'a> {
    /// Adds whole names, then governments for named areas without a row, then prefixes, then names with all the words.
    fn places(
        &self,
        text: &Text,
        interpretations: &[Interpretation<'_>],
        found: &mut FoundPlaces<'_>,
    ) -> Vec<Unlisted> {
        let named = self.named(interpretations);
        let named = if named.is_empty() { self.named(&unusual(interpretations)) } else { named };
        self.add_named(named, found);
        self.large_beside_small(interpretations, found);
        let unlisted = self.unlisted(interpretations, found);
        for interpretation in interpretations.iter().filter(|interpretation| interpretation.county.is_none())
        {
            self.beginning(interpretation, found);
        }
        if let (Some(key), Some(plainest)) = (text.as_written(), interpretations.first()) {
            self.begin(plainest, &key, None, found);
        }
        for interpretation in interpretations.iter().filter(|interpretation| interpretation.county.is_none())
        {
            self.place_words(interpretation, found);
        }
        unlisted
    }

    /// Drops places of other states if the text names a state and matches only a part of their names, or a similar
    /// spelling. Places whose name begins with the text stay, after the places of the state: "bath co" may become
    /// "bath county". The government of a community also stays: "west la" is in Los Angeles, and no place of
    /// Louisiana has that name.
    fn drop_elsewhere(
        &self,
        interpretations: &[Interpretation<'_>],
        unlisted: &[Unlisted],
        found: &mut FoundPlaces<'_>,
    ) {
        let Some(state) = stated(interpretations) else { return };
        let stands = |place: &Match| {
            unlisted.iter().any(|unlisted| match unlisted {
                Unlisted::Community(row) => {
                    self.directory.community(*row).is_some_and(|community| community.body == place.row)
                }
                Unlisted::YoungCity(_) | Unlisted::TribalLand(_) | Unlisted::FederalLand(_) => false,
            })
        };
        let is_there = |place: &Match| self.directory.state_of(place.row) == Some(state);
        found.places.retain(|place| place.matched_by <= MatchedBy::Start || is_there(place) || stands(place));
        found.places.sort_by_key(|place| place.matched_by == MatchedBy::Start && !is_there(place));
    }

    /// Adds places whose name begins with the text, or else with the text without its legal word.
    fn beginning(&self, interpretation: &Interpretation<'_>, found: &mut FoundPlaces<'_>) {
        let before = found.places.len();
        self.begin(interpretation, &interpretation.key(), None, found);
        for (key, word) in interpretation.without_legal_word() {
            if found.places.len() > before {
                return;
            }
            self.begin(interpretation, &key, Some(word), found);
        }
    }

    fn begin(
        &self,
        interpretation: &Interpretation<'_>,
        key: &str,
        word: Option<LegalWord>,
        found: &mut FoundPlaces<'_>,
    ) {
        if found.is_full() {
            return;
        }
        for rank in self.names.beginning(space(interpretation.state), key, &self.work) {
            let row = self.place(rank).filter(|row| word.is_none_or(|word| self.fits(*row, word)));
            row.into_iter().for_each(|row| found.add(row, MatchedBy::Start));
            if found.is_full() {
                return;
            }
        }
    }

    /// The places of exactly this name, by the first way of reading that finds a place. The name may have its state
    /// or county in an unusual place, or lack a legal word before it.
    fn named_in_any_way(&self, interpretations: &[Interpretation<'_>]) -> Vec<Named> {
        let mut named = self.named(interpretations);
        if named.is_empty() {
            named = self.named(&unusual(interpretations));
        }
        if named.is_empty() {
            named = self.prefixed(interpretations);
        }
        named
    }

    fn place(&self, rank: u32) -> Option<Row> {
        self.names.place(rank).map(Row::new)
    }

    fn fits(&self, row: Row, word: LegalWord) -> bool {
        self.directory.layer(row).is_some_and(|layer| word.fits(layer, self.directory.legal_type_of(row)))
    }

    /// Returns a test for rows: whether a place lies in the reading's county, if it has one, and fits the legal word.
    fn matches_query(
        &self,
        interpretation: &Interpretation<'_>,
        word: Option<LegalWord>,
    ) -> impl Fn(Row) -> bool {
        let counties =
            interpretation.county.as_ref().map(|county| self.counties(interpretation.state, county));
        move |row| {
            counties.as_ref().is_none_or(|counties| self.lies_in(row, counties))
                && word.is_none_or(|word| self.fits(row, word))
        }
    }

    /// The counties with this name.
    fn counties(&self, state: Option<StateCode>, key: &str) -> Vec<Row> {
        let rows = self.names.exact(space(state), key).iter().filter_map(|rank| self.place(rank));
        rows.filter(|row| self.directory.layer(*row) == Some(Layer::County)).collect()
    }

    /// Whether a place or county subdivision lies in one of the counties.
    fn lies_in(&self, row: Row, counties: &[Row]) -> bool {
        self.directory.county_around(row).is_some_and(|county| county != row && counties.contains(&county))
    }
}

impl Directory {
    /// The county of a county, county subdivision or place; `None` for other rows or if it is not known.
    pub fn county_around(&self, row: Row) -> Option<Row> {
        match self.id_of(row) {
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
