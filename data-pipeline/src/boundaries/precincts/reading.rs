//! Reads the name of a precinct.
//!
//! Examples are `EVERETT BORO`, `SUAMICO VLG 1 TO 4`, `Dayton Township Voting District`, `FRANKLIN 3`. The
//! name of a town comes first, then often its legal word, then a number or mark of the precinct within the
//! town.

use platbook::vocabulary::Geoid;

use super::{
    names::{Names, Town, words},
    outcome::How,
};

use crate::curated::{Part, PrecinctRow, PrecinctRules, StatePrecincts};

/// Compass words that may stand before the name of a town, as in "North Center" of Kansas.
const COMPASS: [&str; 9] =
    ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest", "central"];

/// The result of reading a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading<'a> {
    /// One town, and how certain the match is.
    Town(&'a Town, How),
    /// Several towns of the county with this name.
    Several(Vec<&'a Town>),
    /// Places of this name; no town has the name.
    Places(Vec<Geoid>),
    /// Two or more towns, joined in one precinct.
    Joined,
    /// The table has a row for the name: the precinct cannot be placed, for this reason.
    Unknown(String),
    /// A name that neither a town nor a place has.
    Nothing,
}

/// Reads the names of precincts of one county.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// Towns and places by name.
    pub names: &'a Names,
    /// The rules of all states.
    pub rules: &'a PrecinctRules,
    /// The rules of the county's state.
    pub state: &'a StatePrecincts,
    /// GEOID of the county.
    pub county: Geoid,
}

impl<'a> Reader<'a> {
    /// Reads the name of one precinct.
    pub fn read(&self, name: &str) -> Reading<'a> {
        let all = words(name, self.rules);
        if let Some(row) = self.row(&all) {
            let town = row.town.and_then(|town| self.names.get(town));
            return town
                .map_or_else(|| Reading::Unknown(row.why.clone()), |town| Reading::Town(town, How::Table));
        }
        let parts: Vec<Vec<String>> = name
            .split(['/', '&'])
            .map(|part| words(part, self.rules))
            .filter(|part| !part.is_empty())
            .collect();
        if parts.len() > 1 { self.joined(&parts) } else { self.single(&all) }
    }

    /// The row with the most words that the name begins with; a longer row is an exception to a shorter one.
    fn row(&self, all: &[String]) -> Option<&'a PrecinctRow> {
        let written = |row: &PrecinctRow| words(&row.written, self.rules);
        let rows = self.state.rows.iter().filter(|row| row.county == self.county && row.part == Part::All);
        rows.filter(|row| all.starts_with(&written(row))).max_by_key(|row| written(row).len())
    }

    fn single(&self, all: &[String]) -> Reading<'a> {
        let mut reading = self.town(all);
        let compass = || all.len() > 1 && COMPASS.contains(&all[0].as_str());
        if reading == Reading::Nothing && self.state.compass && compass() {
            reading = self.town(&all[1..]);
        }
        if reading == Reading::Nothing { self.place(all) } else { reading }
    }

    /// The town that the words begin with. Longer names are tried first: "Red Cedar" must not be read as
    /// "Red".
    fn town(&self, all: &[String]) -> Reading<'a> {
        for length in (1..=all.len()).rev() {
            let key = all[..length].concat();
            let towns = self.names.towns(self.county, &key);
            if towns.is_empty() {
                continue;
            }
            // The rest must be a legal word or a mark of a part; any other word makes the whole the name of another
            // town.
            let rest = &all[length..];
            if let Some((word, _)) = self.legal_word(rest) {
                return self.typed(&towns, word, &key);
            }
            if rest.iter().all(|word| self.rules.is_part(word)) {
                return one(towns, How::Name);
            }
        }
        Reading::Nothing
    }

    /// The towns with this legal word, or else the places with that word. "LYNN VLG" is not the town of
    /// Lynn.
    fn typed(&self, towns: &[&'a Town], word: &str, key: &str) -> Reading<'a> {
        let fit: Vec<&Town> = towns.iter().copied().filter(|town| town.word == word).collect();
        if !fit.is_empty() {
            return one(fit, How::NameAndType);
        }
        let places = self.names.places(self.county.state_fips(), key, Some(word));
        if places.is_empty() { Reading::Nothing } else { Reading::Places(places) }
    }

    /// The places that the words begin with; longer names are tried first.
    fn place(&self, all: &[String]) -> Reading<'a> {
        for length in (1..=all.len()).rev() {
            let rest = &all[length..];
            let word = self.legal_word(rest);
            let places = self.names.places(
                self.county.state_fips(),
                &all[..length].concat(),
                word.map(|(word, _)| word),
            );
            let reads = word.is_some() || rest.iter().all(|word| self.rules.is_part(word));
            if !places.is_empty() && reads {
                return Reading::Places(places);
            }
        }
        Reading::Nothing
    }

    /// The legal word of one or two words that `rest` begins with, and how many words it takes.
    fn legal_word(&self, rest: &[String]) -> Option<(&'a str, usize)> {
        (1..=rest.len().min(2)).rev().find_map(|length| {
            let word = self.state.words.get(&rest[..length].join(" "))?;
            Some((word.as_str(), length))
        })
    }

    /// Reads a name of several parts: one town with its own parts and places inside it, or several towns.
    fn joined(&self, parts: &[Vec<String>]) -> Reading<'a> {
        let readings: Vec<Reading> = parts.iter().map(|part| self.single(part)).collect();
        let mut towns: Vec<(&Town, How)> = readings.iter().filter_map(town_of).collect();
        towns.dedup_by_key(|(town, _)| town.geoid);
        let unread = parts.iter().zip(&readings).any(|(part, reading)| match reading {
            Reading::Nothing => !self.is_part(part),
            Reading::Several(_) | Reading::Unknown(_) => true,
            _ => false,
        });
        let places: Vec<Geoid> = readings.iter().flat_map(places_of).collect();
        match towns[..] {
            [] if !unread && !places.is_empty() => Reading::Places(places),
            // A first part with name and legal word names the town; the other parts are then its wards or hamlets.
            [(town, How::NameAndType)] if matches!(readings[0], Reading::Town(..)) => {
                Reading::Town(town, How::NameAndType)
            }
            [(town, how)] if !unread => Reading::Town(town, how),
            [_, _, ..] => Reading::Joined,
            _ => Reading::Nothing,
        }
    }

    /// Whether the words only name a part of a town: "EAST", "B", "VIL".
    fn is_part(&self, part: &[String]) -> bool {
        part.iter().all(|word| self.rules.is_part(word) || self.state.words.contains_key(word))
    }
}

fn one(mut towns: Vec<&Town>, how: How) -> Reading<'_> {
    match towns.len() {
        1 => Reading::Town(towns.remove(0), how),
        _ => Reading::Several(towns),
    }
}

fn town_of<'a>(reading: &Reading<'a>) -> Option<(&'a Town, How)> {
    match reading {
        Reading::Town(town, how) => Some((town, *how)),
        _ => None,
    }
}

fn places_of(reading: &Reading) -> Vec<Geoid> {
    match reading {
        Reading::Places(places) => places.clone(),
        _ => Vec::new(),
    }
}
