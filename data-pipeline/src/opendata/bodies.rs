//! Which government a source file speaks of.
//!
//! GEOIDs of the list are often those of another county: a name must agree, or the GEOID does not count.

use std::collections::{BTreeMap, HashMap};

use platbook::{
    snapshot::NewJurisdiction,
    vocabulary::{FuncStat, Geoid, JurisdictionId, Layer, STATES, StateCode},
};

use super::names::{Named, compact, folded, full_name};
use crate::read::openaddresses::OaSource;

/// Counties that took another name or code since the list was begun.
const RENAMED: [(&str, &str); 3] = [
    ("county:46113", "county:46102"), // Shannon: Oglala Lakota
    ("county:02270", "county:02158"), // Wade Hampton: Kusilvak
    ("county:51515", "county:51019"), // Bedford city: Bedford County
];

const SEVERAL: &str = "covers several governments";
const NO_SUCH: &str = "no government of this name in the state today";
const AMBIGUOUS: &str = "several governments of this name in the state";
const CITY_OR_COUNTY: &str = "does not say whether it is of the city or of the county";

/// All governments, by state, layer and name.
pub(super) struct Bodies<'a> {
    rows: &'a [NewJurisdiction],
    by_geoid: HashMap<Geoid, usize>,
    by_name: BTreeMap<(u8, Layer, String), Vec<usize>>,
}

impl<'a> Bodies<'a> {
    pub(super) fn new(rows: &'a [NewJurisdiction]) -> Bodies<'a> {
        let mut bodies = Bodies { rows, by_geoid: HashMap::new(), by_name: BTreeMap::new() };
        for (at, row) in rows.iter().enumerate() {
            if let JurisdictionId::Census(geoid) = row.id {
                bodies.by_geoid.insert(geoid, at);
                let key = (geoid.state_fips(), geoid.layer(), folded(&row.name, row.legal_type.as_deref()));
                bodies.by_name.entry(key).or_default().push(at);
            }
        }
        bodies
    }

    pub(super) fn row(&self, at: usize) -> &'a NewJurisdiction {
        &self.rows[at]
    }

    /// What a host or title may call the government.
    pub(super) fn named(&self, at: usize) -> Named {
        Named::new(&self.rows[at])
    }

    /// The county or place of this name, as it is written in full.
    pub(super) fn full_name(&self, state: u8, layer: Layer, key: &str) -> Option<String> {
        let found = self.governing(state, layer, key);
        let [at] = found[..] else { return None };
        Some(full_name(&self.rows[at]))
    }

    /// The government that a source speaks of, or why there is none.
    pub(super) fn find(&self, source: &OaSource) -> Result<usize, &'static str> {
        let state = state(source.folder()).ok_or("is of no single state")?;
        let geoid = source.geoid.as_deref().and_then(|digits| self.geoid(state, digits));
        let lists_several = |name: &String| name.contains(',') || name.contains(" and ");
        let by_stem = locality_stem(source.stem());
        let borough = source.county.as_ref().is_some_and(|name| name.contains("City and Borough"));
        if source.county.as_ref().is_some_and(lists_several) && !borough {
            return Err(SEVERAL);
        }
        match (&source.locality, by_stem) {
            (None, None) => self.county_or_state(source, state, geoid),
            (locality, stem) => self.locality(source, state, geoid, locality.as_deref(), stem),
        }
    }

    /// The row of a GEOID that lies in the state.
    fn geoid(&self, state: u8, digits: &str) -> Option<usize> {
        let layers = [Layer::State, Layer::County, Layer::Place, Layer::Cousub];
        let layer = layers.into_iter().find(|layer| layer.geoid_digits() == digits.len())?;
        let mut geoid = Geoid::parse(layer, digits).ok()?;
        let text = geoid.to_string();
        if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == text)
            && let Ok(JurisdictionId::Census(new)) = new.parse()
        {
            geoid = new;
        }
        self.by_geoid.get(&geoid).copied().filter(|_| geoid.state_fips() == state)
    }

    fn layer(&self, at: usize) -> Option<Layer> {
        match self.rows[at].id {
            JurisdictionId::Census(geoid) => Some(geoid.layer()),
            _ => None,
        }
    }

    fn key(&self, at: usize) -> String {
        folded(&self.rows[at].name, self.rows[at].legal_type.as_deref())
    }

    /// Whether the county's own code or an old name of it is meant.
    fn agrees(&self, at: usize, names: &[&str]) -> bool {
        let key = self.key(at);
        let renamed = RENAMED.iter().any(|(_, new)| self.rows[at].id.to_string() == *new);
        renamed || names.iter().any(|name| folded(name, None) == key || compact(name) == key)
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
        if let Some(at) = geoid.filter(|at| self.layer(*at) == Some(Layer::County)) {
            let stem = source.stem().replace(['_', '-'], " ");
            if self.agrees(at, &[county]) && (self.agrees(at, &[&stem]) || !self.exists(state, &stem)) {
                return Ok(at);
            }
        }
        let key = folded(county, None);
        let found = self.by_name.get(&(state, Layer::County, key)).map_or(&[][..], Vec::as_slice);
        let counties: Vec<usize> = found.iter().copied().filter(|at| !self.is_city(*at)).collect();
        match if counties.is_empty() { found } else { &counties[..] } {
            [at] => Ok(*at),
            [] => Err(NO_SUCH),
            _ => Err(AMBIGUOUS),
        }
    }

    fn exists(&self, state: u8, county: &str) -> bool {
        self.by_name.contains_key(&(state, Layer::County, folded(county, None)))
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
        if let Some(at) = geoid.filter(|at| self.agrees(*at, &names)) {
            let city_file = stem.is_some();
            match self.layer(at) {
                Some(Layer::County) if self.is_city(at) => return Ok(at),
                // A county without a city of its name, or a city that is the county.
                Some(Layer::County) if !city_file => {
                    let same = source.county.as_deref().is_some_and(|county| self.agrees(at, &[county]));
                    let city = !self.local(state, locality.unwrap_or_default()).is_empty();
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
        for name in names {
            match self.local(state, name)[..] {
                [at] => return Ok(at),
                [] => {}
                _ => return Err(AMBIGUOUS),
            }
        }
        Err(NO_SUCH)
    }

    /// Places of the name; where there is none, towns and townships; where there is none, counties that are cities.
    fn local(&self, state: u8, name: &str) -> Vec<usize> {
        let key = folded(name, None);
        for layer in [Layer::Place, Layer::Cousub] {
            let found = self.governing(state, layer, &key);
            if !found.is_empty() {
                return found;
            }
        }
        let mut cities = self.governing(state, Layer::County, &key);
        cities.retain(|at| self.is_city(*at));
        cities
    }

    fn governing(&self, state: u8, layer: Layer, key: &str) -> Vec<usize> {
        let found = self.by_name.get(&(state, layer, key.to_owned()));
        let governs = |at: &&usize| self.rows[**at].func_stat.governs();
        found.map_or_else(Vec::new, |found| found.iter().filter(governs).copied().collect())
    }
}

/// FIPS code of a state's folder.
pub(super) fn state(folder: &str) -> Option<u8> {
    let row = STATES.iter().find(|(_, usps, _)| usps.eq_ignore_ascii_case(folder))?;
    StateCode::from_fips(row.0).map(StateCode::fips)
}

/// The place in a file name such as `city_of_bend`.
fn locality_stem(stem: &str) -> Option<String> {
    let plain = stem.replace('-', "_");
    let name = ["city_of_", "town_of_", "village_of_"].iter().find_map(|kind| plain.strip_prefix(kind))?;
    Some(name.replace('_', " "))
}
