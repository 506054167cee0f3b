//! Finds named areas without a row: young cities, land of nations, federal land, and communities.

use std::cmp::Reverse;

use super::{FoundPlaces, Interpretation, MatchedBy, Search, Unlisted, space, words::WORDS_MAX};
use crate::{
    directory::{CommunityRow, CommunityView, Row, YoungCity},
    vocabulary::{Layer, bare_name, key_of, name_key},
};

/// Maximum number of communities of one name whose governments are shown. Chosen, not measured.
const COMMUNITIES_MAX: usize = 5;
/// A community comes before a county of its name if its own county has this many times as many people. The community of
/// Evans in Georgia lies in Columbia County, which has 15 times the people of Evans County. Chosen, not measured.
const TIMES_AS_LARGE: u64 = 10;

impl Search<'_> {
    /// Finds named areas without a row and adds the governments that stand for them. A young city counts if no
    /// government of its state has the name. Land of a nation comes next, then federal land whose name no government
    /// has. Communities count if no government has the name, or if the first place found governs the community:
    /// Harlem is another name of New York.
    pub(super) fn unlisted(
        &self,
        interpretations: &[Interpretation<'_>],
        found: &mut FoundPlaces<'_>,
    ) -> Vec<Unlisted> {
        let state = |row: Row| self.directory.state_of(row);
        let is_alone =
            |city: &YoungCity| found.places.iter().all(|place| state(place.row) != state(city.county));
        if let Some(city) = self.young_city(interpretations).filter(is_alone) {
            found.add(city.county, MatchedBy::Words);
            return vec![Unlisted::YoungCity(city)];
        }
        let is_free = found.places.is_empty();
        let lands = self.lands(interpretations, is_free);
        for county in lands.iter().flat_map(|(_, counties)| counties) {
            found.add(*county, MatchedBy::Words);
        }
        if !lands.is_empty() {
            return lands.into_iter().map(|(land, _)| Unlisted::TribalLand(land)).collect();
        }
        if is_free && let Some((land, counties)) = self.federal_land(interpretations) {
            counties.into_iter().for_each(|county| found.add(county, MatchedBy::Words));
            return vec![Unlisted::FederalLand(land)];
        }
        let Some(first) = found.places.first().map(|place| place.row) else {
            let mut communities = self.communities_by_body(interpretations);
            if communities.is_empty() {
                communities = self.community_in_city(interpretations);
            }
            communities.truncate(COMMUNITIES_MAX);
            communities.iter().for_each(|(_, body)| found.add(*body, MatchedBy::Words));
            return communities.into_iter().map(|(community, _)| community).collect();
        };
        let before = self.communities_before(first, interpretations);
        before.iter().rev().for_each(|(_, body)| found.put_first(*body, MatchedBy::Whole));
        let same = |(_, body): &(Unlisted, Row)| self.directory.is_same(*body, first);
        let of_first = self.communities_by_body(interpretations).into_iter().filter(same);
        before.into_iter().chain(of_first).map(|(community, _)| community).take(COMMUNITIES_MAX).collect()
    }

    /// The communities that are likelier than a county of their name in the same state. Returns them only if the text
    /// lacks the county's legal word.
    pub(super) fn communities_before(
        &self,
        county: Row,
        interpretations: &[Interpretation<'_>],
    ) -> Vec<(Unlisted, Row)> {
        let has_word = interpretations.iter().any(|one| one.without_legal_word().next().is_some());
        if has_word || self.directory.layer(county) != Some(Layer::County) {
            return Vec::new();
        }
        let people = |row: Row| u64::from(self.directory.population_of(row));
        let is_before = |(_, body): &(Unlisted, Row)| {
            let around = self.directory.county_around(*body).unwrap_or(*body);
            let is_there = self.directory.state_of(*body) == self.directory.state_of(county);
            let is_known = people(county) > 0;
            is_there
                && is_known
                && around != county
                && people(around) >= people(county).saturating_mul(TIMES_AS_LARGE)
        };
        self.communities_by_body(interpretations).into_iter().filter(is_before).collect()
    }

    /// The community that a text names beside the city that contains it: "south beach miami", "los angeles sfv".
    fn community_in_city(&self, interpretations: &[Interpretation<'_>]) -> Vec<(Unlisted, Row)> {
        let whole = interpretations.iter().filter(|one| one.county.is_none());
        let splits = whole.filter(|one| one.words.len() <= WORDS_MAX).flat_map(|one| {
            let halves = (1..one.words.len()).map(|at| one.words.split_at(at));
            halves.flat_map(|(a, b)| [(a, b), (b, a)]).map(move |(name, city)| (one.state, name, city))
        });
        let mut named = splits.map(|(state, name, city)| {
            let ranks = self.names.exact(space(state), &key_of(city));
            let cities: Vec<Row> = ranks.iter().filter_map(|rank| self.place(rank)).collect();
            if cities.is_empty() {
                return Vec::new();
            }
            let part = Interpretation { words: name.to_vec(), state, county: None };
            let mut communities = self.communities_by_body(&[part]);
            communities.retain(|(_, body)| cities.iter().any(|city| self.is_in_one_county(*body, *city)));
            communities
        });
        named.find(|communities| !communities.is_empty()).unwrap_or_default()
    }

    fn is_in_one_county(&self, row: Row, other: Row) -> bool {
        let county = |row: Row| self.directory.county_around(row);
        self.directory.is_same(row, other) || county(row).is_some_and(|around| county(other) == Some(around))
    }

    pub(super) fn young_city(&self, interpretations: &[Interpretation<'_>]) -> Option<YoungCity> {
        interpretations.iter().filter(|one| one.county.is_none()).find_map(|one| {
            let bare = one.without_legal_word().map(|(key, _)| key);
            let mut keys = std::iter::once(one.key()).chain(bare);
            keys.find_map(|key| self.directory.young_city_of_key(&key, one.state))
        })
    }

    /// The communities of this name, one for each government that stands for them, the likeliest first.
    pub(super) fn communities_by_body(&self, interpretations: &[Interpretation<'_>]) -> Vec<(Unlisted, Row)> {
        let mut bodies: Vec<(Unlisted, Row)> = Vec::new();
        for row in self.communities(interpretations) {
            let Some(CommunityView { name, body, .. }) = self.directory.community(row) else { continue };
            let is_own = name_key(name) == name_key(self.spoken_name(body));
            if !is_own && bodies.iter().all(|(_, known)| !self.directory.is_same(*known, body)) {
                bodies.push((Unlisted::Community(row), body));
            }
        }
        bodies
    }

    /// The name by which people call a government. A built-up part with this name adds nothing to it. People leave
    /// out the legal word of Puerto Rico's municipios.
    fn spoken_name(&self, body: Row) -> &str {
        let view = self.directory.jurisdiction(body);
        let is_municipio = view.legal_type == Some("municipio");
        let bare = || bare_name(view.kind, view.name, view.legal_type);
        is_municipio.then(bare).flatten().unwrap_or(view.name)
    }

    fn communities(&self, interpretations: &[Interpretation<'_>]) -> Vec<CommunityRow> {
        let whole = interpretations.iter().filter(|interpretation| interpretation.county.is_none());
        // A name beside a job may have lost its article: "the villages fl property appraiser" leaves "villages".
        let keys = whole.flat_map(|one| [(one.key(), one.state), (format!("the{}", one.key()), one.state)]);
        let named = keys.map(|(key, state)| self.directory.communities_named(&key, state));
        let mut named = named.into_iter().find(|rows| !rows.is_empty()).unwrap_or_default();
        // A table marks the communities that most people mean. Otherwise the community in the county with the most
        // people is likeliest, because the population of a community is not known.
        let likelihood = |row: &CommunityRow| {
            let CommunityView { body, known, .. } = self.directory.community(*row)?;
            let around = self.directory.county_around(body).unwrap_or(body);
            Some((known, self.directory.population_of(around)))
        };
        named.sort_by_cached_key(|row| Reverse(likelihood(row)));
        named
    }
}
