//! Finds the government of a source file.
//!
//! The list's GEOIDs are often those of another county, so a GEOID counts only if a name agrees.

use std::collections::{BTreeMap, HashMap};

use platbook::{
    snapshot::write::NewJurisdiction,
    vocabulary::{FuncStat, Geoid, JurisdictionId, Layer, STATES, StateCode},
};

use super::names::{Named, compact, folded, full_name, kind};
use crate::{curated::PublishedLists, input::openaddresses::OaSource};

// Reasons why a source has no government. Reports show them, and snapshots count by them.
const SEVERAL: &str = "covers several governments";
const NO_SUCH: &str = "no government of this name in the state today";
const AMBIGUOUS: &str = "several governments of this name in the state";
const CONTRADICTS: &str = "its file name and its content name different counties";
const CITY_OR_COUNTY: &str = "does not say whether it is of the city or of the county";

/// All governments, by GEOID, and by state, layer and name.
pub(super) struct Bodies<'a> {
    rows: &'a [NewJurisdiction],
    lists: &'a PublishedLists,
    by_geoid: HashMap<Geoid, usize>,
    by_name: BTreeMap<(u8, Layer, String), Vec<usize>>,
}

impl<'a> Bodies<'a> {
    pub(super) fn new(rows: &'a [NewJurisdiction], lists: &'a PublishedLists) -> Bodies<'a> {
        let mut bodies = Bodies { rows, lists, by_geoid: HashMap::new(), by_name: BTreeMap::new() };
        for (at, row) in rows.iter().enumerate() {
            if let JurisdictionId::Census(geoid) = row.id {
                bodies.by_geoid.insert(geoid, at);
                let key = (geoid.state_fips(), geoid.layer(), folded(&row.name));
                bodies.by_name.entry(key).or_default().push(at);
            }
        }
        bodies
    }

    pub(super) fn row(&self, at: usize) -> &'a NewJurisdiction {
        &self.rows[at]
    }

    /// The spellings by which hosts and titles may name the government.
    pub(super) fn named(&self, at: usize) -> Named {
        Named::new(&self.rows[at])
    }

    /// The full name of the county or place with this folded name; `None` unless exactly one governs.
    pub(super) fn full_name(&self, state: u8, layer: Layer, key: &str) -> Option<String> {
        let found = self.governing(state, layer, key);
        let [at] = found[..] else { return None };
        Some(full_name(&self.rows[at]))
    }

    /// The government of a source, or the reason why it has none.
    pub(super) fn find(&self, source: &OaSource) -> Result<usize, &'static str> {
        let state = state(source.folder()).ok_or("is of no single state")?;
        let geoid = source.geoid.as_deref().and_then(|digits| self.geoid(state, digits));
        match (&source.locality, locality_stem(source.stem())) {
            (None, None) => self.county_or_state(source, state, geoid),
            (locality, stem) => self.locality(source, state, geoid, locality.as_deref(), stem),
        }
    }

    /// The row of a GEOID, if it lies in the state.
    fn geoid(&self, state: u8, digits: &str) -> Option<usize> {
        let layers = [Layer::State, Layer::County, Layer::Place, Layer::Cousub];
        let layer = layers.into_iter().find(|layer| layer.geoid_digits() == digits.len())?;
        let mut geoid = Geoid::parse(layer, digits).ok()?;
        if let Some((_, new)) = self.lists.renamed_counties.iter().find(|(old, _)| *old == geoid) {
            geoid = *new;
        }
        if geoid.state_fips() != state {
            return None;
        }
        // The list gives New England towns seven digits, like places.
        let town = || {
            let digits = geoid.fp5().filter(|_| geoid.layer() == Layer::Place && self.has_towns(state))?;
            let is_town = |id: &&Geoid| {
                id.layer() == Layer::Cousub && id.state_fips() == state && id.fp5() == Some(digits)
            };
            let mut towns = self.by_geoid.keys().filter(is_town);
            let town = towns.next()?;
            towns.next().is_none().then(|| self.by_geoid[town])
        };
        self.by_geoid.get(&geoid).copied().or_else(town)
    }

    fn has_towns(&self, state: u8) -> bool {
        self.lists.town_states.iter().any(|known| known.fips() == state)
    }

    fn layer(&self, at: usize) -> Option<Layer> {
        match self.rows[at].id {
            JurisdictionId::Census(geoid) => Some(geoid.layer()),
            _ => None,
        }
    }

    fn key(&self, at: usize) -> String {
        folded(&self.rows[at].name)
    }

    /// Returns one number for all ids of a government: their smallest row.
    pub(super) fn same(&self, at: usize) -> usize {
        let others = self.rows[at].same_as.iter().filter_map(|id| match id {
            JurisdictionId::Census(geoid) => self.by_geoid.get(geoid).copied(),
            _ => None,
        });
        others.fold(at, usize::min)
    }

    /// The city that a host's label names, with or without the usual words around it; `None` for short names.
    pub(super) fn city_of_label(&self, state: u8, label: &str) -> Option<usize> {
        let usps = StateCode::from_fips(state).map_or("", StateCode::usps).to_lowercase();
        let label = compact(label);
        let bare = ["cityof", "townof", "villageof"].iter().find_map(|word| label.strip_prefix(word));
        let mut names = vec![label.as_str()];
        names.extend(bare);
        for end in [usps.as_str(), "gov", "city"] {
            let shorter: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(end)).collect();
            names.extend(shorter);
        }
        let long = names.into_iter().filter(|name| name.len() > 4);
        long.flat_map(|name| self.governing(state, Layer::Place, name)).next()
    }

    fn agrees(&self, at: usize, names: &[&str]) -> bool {
        let key = self.key(at);
        names.iter().any(|name| folded(name) == key)
    }

    fn is_city(&self, at: usize) -> bool {
        self.rows[at].legal_type.as_deref() == Some("city")
    }

    fn county_or_state(
        &self,
        source: &OaSource,
        state: u8,
        geoid: Option<usize>,
    ) -> Result<usize, &'static str> {
        let Some(county) = source.county.as_deref().or(source.census_name.as_deref()) else {
            let whole = source.stem() == "statewide";
            return self
                .by_geoid
                .iter()
                .find(|(id, _)| whole && id.layer() == Layer::State && id.state_fips() == state)
                .map(|(_, at)| *at)
                .ok_or(SEVERAL);
        };
        if county.contains(',') || (county.contains(" and ") && !self.exists(state, county)) {
            return Err(SEVERAL);
        }
        if let Some(at) = geoid.filter(|at| self.is_renamed(*at, source)) {
            return Ok(at);
        }
        let stem = source.stem().replace(['_', '-'], " ");
        let census = source.census_name.as_deref().unwrap_or_default();
        let name =
            [county, &stem, census].into_iter().find(|name| self.exists(state, name)).ok_or(NO_SUCH)?;
        if self.exists(state, &stem) && folded(&stem) != folded(name) {
            return Err(CONTRADICTS);
        }
        let found = &self.by_name[&(state, Layer::County, folded(name))];
        if let Some(at) = geoid.filter(|at| found.contains(at)) {
            return Ok(at);
        }
        let counties: Vec<usize> = found.iter().copied().filter(|at| !self.is_city(*at)).collect();
        match if counties.is_empty() { found } else { &counties[..] } {
            [at] => Ok(*at),
            _ => Err(AMBIGUOUS),
        }
    }

    /// Whether the source has the old code of a county that was renamed.
    fn is_renamed(&self, at: usize, source: &OaSource) -> bool {
        let today = &self.rows[at].id;
        let code = source.geoid.as_deref().unwrap_or_default();
        let mut renamed = self.lists.renamed_counties.iter();
        renamed.any(|(old, new)| *today == JurisdictionId::Census(*new) && old.digits().ends_with(code))
    }

    fn exists(&self, state: u8, county: &str) -> bool {
        self.by_name.contains_key(&(state, Layer::County, folded(county)))
    }

    fn locality(
        &self,
        source: &OaSource,
        state: u8,
        geoid: Option<usize>,
        locality: Option<&str>,
        stem: Option<String>,
    ) -> Result<usize, &'static str> {
        let census = source.census_name.as_deref();
        let names: Vec<&str> = [locality, stem.as_deref(), census].into_iter().flatten().collect();
        if let (Some(locality), Some(stem)) = (locality, &stem)
            && compact(stem) != compact(locality)
            && compact(stem).contains(&compact(locality))
            && self.local(source, state, stem).is_empty()
        {
            return Err(SEVERAL);
        }
        let own: Vec<&str> = [locality, stem.as_deref()].into_iter().flatten().collect();
        let meant = |at: &usize| {
            let names = if self.layer(*at) == Some(Layer::County) { &own } else { &names };
            self.agrees(*at, names)
        };
        if let Some(at) = geoid.filter(meant) {
            let city_file = stem.is_some();
            match self.layer(at) {
                Some(Layer::County) if self.is_city(at) => return Ok(at),
                // A county without a city of its name, or a city that is also the county.
                Some(Layer::County) if !city_file => {
                    let same = source.county.as_deref().is_some_and(|county| self.agrees(at, &[county]));
                    let city = !self.local(source, state, locality.unwrap_or_default()).is_empty();
                    if same || !city {
                        return Ok(at);
                    }
                    return Err(CITY_OR_COUNTY);
                }
                Some(Layer::County) | None => {}
                Some(_) if self.rows[at].func_stat != FuncStat::Fictitious => return Ok(at),
                Some(_) => {}
            }
        }
        if source.geoid.as_deref().is_some_and(|digits| digits.len() == 2)
            && let Some(at) = geoid
        {
            return Ok(at);
        }
        let with_city = names.iter().map(|name| format!("{name} City")).collect::<Vec<_>>();
        for name in names.into_iter().chain(with_city.iter().map(String::as_str)) {
            match self.local(source, state, name)[..] {
                [at] => return Ok(at),
                [] => {}
                _ => return Err(AMBIGUOUS),
            }
        }
        Err(NO_SUCH)
    }

    /// The governments of the name: places; else towns and townships; else counties that are cities.
    ///
    /// A place and a town of the same name are both returned, unless the source says which kind is meant.
    fn local(&self, source: &OaSource, state: u8, name: &str) -> Vec<usize> {
        let key = folded(name);
        let wanted = [Some(name), source.census_name.as_deref()].into_iter().flatten().find_map(kind);
        let fits = |at: &usize| {
            let word = self.rows[*at].legal_type.as_deref();
            wanted.is_none_or(|wanted| word == Some(wanted))
        };
        let mut places = self.governing(state, Layer::Place, &key);
        let mut towns = self.governing(state, Layer::Cousub, &key);
        if wanted.is_some() && places.iter().chain(&towns).any(fits) {
            places.retain(fits);
            towns.retain(fits);
        } else if wanted == Some("township") {
            places.clear();
        }
        if let Some(county) = source.county.as_deref().filter(|_| towns.len() > 1) {
            let county = self.by_name.get(&(state, Layer::County, folded(county)));
            towns.retain(|at| {
                self.county_of(*at).is_some_and(|of| county.is_some_and(|found| found.contains(&of)))
            });
        }
        let is_small =
            |at: &usize| matches!(self.rows[*at].legal_type.as_deref(), Some("borough" | "village"));
        let is_town = |at: &usize| self.rows[*at].legal_type.as_deref() == Some("town");
        if places.iter().any(is_small) && towns.iter().any(is_town) {
            places.append(&mut towns);
            return places;
        }
        let mut cities = self.governing(state, Layer::County, &key);
        cities.retain(|at| self.is_city(*at));
        [places, towns, cities].into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn county_of(&self, at: usize) -> Option<usize> {
        match self.rows[at].id {
            JurisdictionId::Census(geoid) => self.by_geoid.get(&geoid.county()?).copied(),
            _ => None,
        }
    }

    fn governing(&self, state: u8, layer: Layer, key: &str) -> Vec<usize> {
        let found = self.by_name.get(&(state, layer, key.to_owned()));
        let governs = |at: &&usize| self.rows[**at].func_stat.governs();
        found.map_or_else(Vec::new, |found| found.iter().filter(governs).copied().collect())
    }
}

/// FIPS code of a state's folder; `None` for another folder.
pub(super) fn state(folder: &str) -> Option<u8> {
    let row = STATES.iter().find(|(_, usps, _)| usps.eq_ignore_ascii_case(folder))?;
    StateCode::from_fips(row.0).map(StateCode::fips)
}

/// The place in a file name such as `city_of_bend`; `None` for other names.
fn locality_stem(stem: &str) -> Option<String> {
    let plain = stem.replace('-', "_");
    let name = ["city_of_", "town_of_", "village_of_"].iter().find_map(|kind| plain.strip_prefix(kind))?;
    Some(name.trim_end_matches(|char: char| char.is_ascii_digit()).replace('_', " "))
}
