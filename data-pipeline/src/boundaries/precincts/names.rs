//! Towns of each county and places of each state, by folded name.

use std::collections::BTreeMap;

use platbook::vocabulary::{Folded, Geoid, Layer, StateCode};

use super::known::Known;
use crate::{
    curated::PrecinctRules,
    input::{gazetteer::Listed, precinct_codes::PrecinctCodes},
};

/// A county subdivision that a precinct can lie in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Town {
    /// GEOID of the subdivision.
    pub geoid: Geoid,
    /// Name without the legal word.
    pub name: String,
    /// Legal word, lower case; "township" for a charter township, as precincts write it.
    pub word: String,
    /// Name with the legal word.
    pub full: String,
}

/// Legal words of subdivisions that are governments.
const GOVERNING: [&str; 7] =
    ["town", "township", "charter township", "city", "village", "borough", "municipality"];

/// A place of some name, with its legal word if it has one.
type PlaceOfName = (Geoid, Option<&'static str>);

/// The towns of each county and the places of each state, by the key of their name.
#[derive(Debug, Default)]
pub struct Names {
    towns: BTreeMap<Geoid, Vec<(String, Town)>>,
    places: BTreeMap<(u8, String), Vec<PlaceOfName>>,
}

/// The words of a name: folded, each short form written out by the rules.
pub fn words(text: &str, rules: &PrecinctRules) -> Vec<String> {
    // An apostrophe does not split a word: precincts write Land O'Lakes as LAND O LAKES or LAND OLAKES. Keys have no
    // spaces, so both agree.
    Folded::of(text).words().map(|word| rules.long(word).to_owned()).collect()
}

impl Names {
    /// Indexes the subdivisions and the places by their names.
    pub fn of(listed: &[Listed], known: &Known, rules: &PrecinctRules) -> Names {
        let mut names = Names::default();
        for row in listed.iter().filter(|row| row.geoid.layer() == Layer::Cousub) {
            let Some((county, (name, word))) = row.geoid.county().zip(row.name_and_word()) else { continue };
            // Other words are those of Census subdivisions without a government: "precinct", "unorganized territory".
            if !GOVERNING.contains(&word) {
                continue;
            }
            let legal = word.strip_prefix("charter ").unwrap_or(word).to_owned();
            let town = Town { geoid: row.geoid, name: name.to_owned(), word: legal, full: row.name.clone() };
            names.towns.entry(county).or_default().push((words(name, rules).concat(), town));
        }
        for place in &known.places {
            let key = (place.geoid.state_fips(), words(place.name, rules).concat());
            names.places.entry(key).or_default().push((place.geoid, place.word));
        }
        names
    }

    /// The GEOIDs of all towns.
    pub fn codes(&self) -> impl Iterator<Item = Geoid> {
        self.towns.values().flatten().map(|(_, town)| town.geoid)
    }

    /// The towns of a county; empty for a county without towns.
    pub fn in_county(&self, county: Geoid) -> impl Iterator<Item = &Town> {
        self.towns.get(&county).into_iter().flatten().map(|(_, town)| town)
    }

    /// A town by GEOID; `None` if it is not a government's subdivision.
    pub fn get(&self, geoid: Geoid) -> Option<&Town> {
        self.in_county(geoid.county()?).find(|town| town.geoid == geoid)
    }

    /// The towns of a county whose folded name is `key`; more than one if a city and a town share the name.
    pub fn towns(&self, county: Geoid, key: &str) -> Vec<&Town> {
        let all = self.towns.get(&county).into_iter().flatten();
        all.filter(|(known, _)| known == key).map(|(_, town)| town).collect()
    }

    /// The places of a state whose folded name is `key` and, if given, whose legal word is `word`.
    pub fn places(&self, state: u8, key: &str, word: Option<&str>) -> Vec<Geoid> {
        let all = self.places.get(&(state, key.to_owned())).into_iter().flatten();
        all.filter(|(_, of)| word.is_none() || *of == word).map(|(geoid, _)| *geoid).collect()
    }
}

/// Codes of precincts by county and name, from the tables of states.
#[derive(Debug, Default)]
pub struct Codes {
    rows: BTreeMap<(Geoid, String), Vec<u32>>,
}

impl Codes {
    /// Indexes the rows by county and name. Leaves out a name that a county has twice with different codes: nothing
    /// says which precinct is meant.
    pub fn of(rows: &[(u8, PrecinctCodes)], known: &Known, rules: &PrecinctRules) -> Codes {
        let key = |text: &str| words(text, rules).concat();
        let counties: BTreeMap<(u8, String), Geoid> = known
            .counties
            .iter()
            .map(|county| ((county.geoid.state_fips(), key(county.name)), county.geoid))
            .collect();
        let mut found: BTreeMap<(Geoid, String), Vec<u32>> = BTreeMap::new();
        let mut twice = Vec::new();
        for (state, row) in rows {
            let Some(county) = counties.get(&(*state, key(&row.county))) else { continue };
            let at = (*county, key(row.name.trim_start_matches("PRECINCT ")));
            if found.insert(at.clone(), row.codes.clone()).is_some_and(|other| other != row.codes) {
                twice.push(at);
            }
        }
        twice.iter().for_each(|at| _ = found.remove(at));
        Codes { rows: found }
    }

    /// The subdivisions and places that the table lists for a precinct; empty if the table does not list the
    /// precinct.
    pub fn of_precinct(&self, county: Geoid, key: &str) -> Vec<Code> {
        let codes = self.rows.get(&(county, key.to_owned())).into_iter().flatten();
        codes.filter_map(|code| Code::of(county, *code)).collect()
    }
}

/// A five-digit code of a county: the code of a subdivision, of a place, or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The county's subdivision with these digits, whether or not it exists.
    pub cousub: Geoid,
    /// The state's place with these digits, whether or not it exists.
    pub place: Geoid,
}

impl Code {
    fn of(county: Geoid, code: u32) -> Option<Code> {
        let state = StateCode::from_fips(county.state_fips())?.fips();
        let cousub = Geoid::parse(Layer::Cousub, &format!("{}{code:05}", county.digits())).ok()?;
        Some(Code { cousub, place: Geoid::parse(Layer::Place, &format!("{state:02}{code:05}")).ok()? })
    }
}
