//! Lists the readings of a text: the end of its street, the start of its city, and the ZIP codes to search.

use std::ops::Range;

use super::{matched::Guess, parse::Address, street_word::Word};
use crate::{
    snapshot::ArchivedStreets,
    vocabulary::{StateCode, name_key},
};

/// Maximum number of words of a city's name, if no comma marks its start. Chosen, not measured.
const CITY_WORDS_MAX: usize = 4;

/// A division of the words: the first `street` words are the street, the others the city.
pub(super) struct Reading<'q> {
    pub(super) street: usize,
    /// Folded words of the city; empty without one.
    pub(super) city: &'q [String],
    /// The ZIP codes to search.
    pub(super) areas: Vec<Area>,
}

/// The streets of a ZIP code, as an area to search.
#[derive(Clone, Debug)]
pub(super) struct Area {
    pub(super) zip: u32,
    pub(super) streets: Range<usize>,
    /// The deviation from the text that a search in this area assumes.
    pub(super) guess: Option<Guess>,
}

/// The readings of an address. There is only one if a comma separates street and city, and none if the file does not
/// cover the area.
pub(super) fn readings<'q>(
    streets: &ArchivedStreets,
    address: &'q Address,
    words: &[Word<'_>],
) -> Vec<Reading<'q>> {
    let Some(finder) = Finder::new(streets, address) else { return Vec::new() };
    let mut readings = Vec::new();
    if let Some(city) = &address.city {
        let areas = finder.areas(Some(&name_key(&city.join(" "))));
        readings.push(Reading { street: words.len(), city, areas });
    } else {
        let longest = CITY_WORDS_MAX.min(words.len().saturating_sub(1));
        let ends = &address.street[words.len() - longest..];
        let keys: Vec<String> = ends.iter().map(|word| name_key(word)).collect();
        for length in 0..=longest {
            let key = (length > 0).then(|| keys[longest - length..].concat());
            let mut areas = finder.areas(key.as_deref());
            let (street, city) = address.street.split_at(words.len() - length);
            // An unknown city is accepted only if the words show where the street ends.
            if length > 0 && !words[..street.len()].last().is_some_and(ends_street) {
                areas.retain(|area| area.guess != Some(Guess::CityUnknown));
            }
            readings.push(Reading { street: street.len(), city, areas });
        }
    }
    readings.retain(|reading| !reading.areas.is_empty());
    readings
}

fn ends_street(word: &Word<'_>) -> bool {
    word.kind.is_some() || word.compass.is_some() || word.text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Finds the areas that the end of an address names. Reads the ZIP code and state once for all readings.
struct Finder<'a> {
    streets: &'a ArchivedStreets,
    /// The ZIP code in the text, if it has one.
    named: Option<Area>,
    /// FIPS codes of the states whose cities may be meant.
    states: Vec<u8>,
}

impl<'a> Finder<'a> {
    /// Returns `None` if the text has a ZIP code without streets in the file.
    fn new(streets: &'a ArchivedStreets, address: &Address) -> Option<Finder<'a>> {
        let states = match address.state {
            Some(state) => vec![state.fips()],
            None => streets.states_of_cities().filter(|fips| StateCode::from_fips(*fips).is_some()).collect(),
        };
        let finder = Finder { streets, named: None, states };
        let named = address.zip.map(|zip| finder.area(zip, None));
        let is_covered = named.as_ref().is_none_or(|area| !area.streets.is_empty());
        is_covered.then_some(Finder { named, ..finder })
    }

    fn area(&self, zip: u32, guess: Option<Guess>) -> Area {
        Area { zip, streets: self.streets.streets_of(zip), guess }
    }

    /// The ZIP codes to search if the city has this key; `None` searches without a city.
    fn areas(&self, city: Option<&str>) -> Vec<Area> {
        let reached = |key: &str| -> Vec<(u32, bool)> {
            self.states.iter().flat_map(|state| self.streets.zips_of_city(*state, key)).collect()
        };
        let reached = city.map(reached);
        match (&self.named, reached) {
            (Some(named), None) => vec![named.clone()],
            (Some(named), Some(reached)) if reached.is_empty() => {
                vec![Area { guess: Some(Guess::CityUnknown), ..named.clone() }]
            }
            (Some(named), Some(reached)) if reached.iter().any(|(zip, _)| *zip == named.zip) => {
                vec![named.clone()]
            }
            (Some(named), Some(reached)) => {
                let all = reached.into_iter().map(|(zip, _)| zip).chain([named.zip]);
                all.map(|zip| self.area(zip, Some(Guess::CityElsewhere))).collect()
            }
            // Without a ZIP code the city's name must be unique in the state.
            (None, reached) => {
                let only = reached.unwrap_or_default().into_iter().filter(|(_, is_only)| *is_only);
                only.map(|(zip, _)| self.area(zip, None)).collect()
            }
        }
    }
}
