//! Looks for an address among streets.

use std::collections::BTreeSet;

use super::{
    compass::Compass,
    matched::{Guess, Match},
    parse::{Address, HouseNumber},
    place::point_along,
    street_name::StreetName,
    street_types::type_of,
};
use crate::{
    geometry::distance_m,
    snapshot::{ArchivedStreets, HouseRange, Street, letters_of},
    vocabulary::{Spelling, StateCode, name_key},
};

/// Places that lie so near each other are one, metres.
const SAME_PLACE_M: f64 = 60.0;
/// Below this, nothing is answered.
const SCORE_MIN: u8 = 70;
/// Most places that are given where several fit.
const SEVERAL_MAX: usize = 10;
/// Longest name of a city in words, where no comma tells where it begins.
const CITY_WORDS_MAX: usize = 4;

/// The streets of one file.
#[derive(Clone, Copy)]
pub struct Geocoder<'a> {
    streets: &'a ArchivedStreets,
}

/// What became of an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Located {
    /// One place fits best.
    One(Match),
    /// Several fit equally well, the best known first.
    Several(Vec<Match>),
    /// None does.
    None(Miss),
}

/// Why no place fits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Miss {
    /// The file has nothing of the ZIP code or city.
    NotCovered,
    /// No street there has the name, or a name near it.
    NoStreet,
    /// The street is there, but not the number.
    NoNumber {
        /// The street as published.
        street: String,
        /// Least and largest number of its ranges.
        numbers: (u32, u32),
    },
}

/// How a text may be read: so many of its words are the street, the others the city.
struct Reading {
    street: usize,
    /// ZIP codes to look in, each with what must be supposed for it.
    zips: Vec<(u32, Option<Guess>)>,
    city: Option<String>,
}

/// A range that the number lies in.
struct Candidate<'a> {
    street: Street<'a>,
    range: HouseRange<'a>,
    number: u32,
    zip: u32,
    city: Option<String>,
    guesses: Vec<Guess>,
}

impl std::fmt::Debug for Geocoder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Geocoder").field("streets", &self.streets.street_count()).finish()
    }
}

impl<'a> Geocoder<'a> {
    /// A geocoder of these streets.
    pub fn new(streets: &'a ArchivedStreets) -> Geocoder<'a> {
        Geocoder { streets }
    }

    /// Looks for an address.
    pub fn locate(&self, address: &Address) -> Located {
        let readings = self.readings(address);
        if readings.iter().all(|reading| reading.zips.is_empty()) {
            return Located::None(Miss::NotCovered);
        }
        let mut search = Search { geocoder: *self, address, found: Vec::new(), miss: Miss::NoStreet };
        readings.iter().for_each(|reading| search.exactly(reading));
        // A name that is there is meant: no other street is tried where only the number is missing.
        if search.found.is_empty() && search.miss == Miss::NoStreet {
            readings.iter().for_each(|reading| search.with_slips(reading));
        }
        search.choose()
    }

    /// The readings of an address: one where a comma tells street and city apart.
    fn readings(&self, address: &Address) -> Vec<Reading> {
        let words = &address.street;
        if let Some(city) = &address.city {
            let zips = self.zips(address, Some(city));
            return vec![Reading { street: words.len(), zips, city: Some(city.join(" ")) }];
        }
        let longest = CITY_WORDS_MAX.min(words.len().saturating_sub(1));
        let mut readings = Vec::new();
        for length in 0..=longest {
            let (street, city) = words.split_at(words.len() - length);
            let city = (!city.is_empty()).then_some(city);
            let mut zips = self.zips(address, city);
            // A city that the file does not know is one only where the street visibly ends before it.
            if city.is_some() && !street.last().is_some_and(|word| ends_street(word)) {
                zips.retain(|(_, guess)| *guess != Some(Guess::CityUnknown));
            }
            if !zips.is_empty() {
                readings.push(Reading {
                    street: street.len(),
                    zips,
                    city: city.map(|words| words.join(" ")),
                });
            }
        }
        readings
    }

    /// The ZIP codes to look in.
    fn zips(&self, address: &Address, city: Option<&[String]>) -> Vec<(u32, Option<Guess>)> {
        let key = city.map(|words| name_key(&words.join(" ")));
        let states: Vec<StateCode> = match address.state {
            Some(state) => vec![state],
            None => StateCode::all().collect(),
        };
        let reached = |key: &String| -> Vec<(u32, bool)> {
            states.iter().flat_map(|state| self.streets.zips_of_city(state.fips(), key)).collect()
        };
        let reached = key.as_ref().map(reached);
        match (address.zip, reached) {
            (Some(zip), _) if self.streets.streets_of(zip).is_empty() => Vec::new(),
            (Some(zip), None) => vec![(zip, None)],
            (Some(zip), Some(reached)) if reached.is_empty() => vec![(zip, Some(Guess::CityUnknown))],
            (Some(zip), Some(reached)) if reached.iter().any(|(other, _)| *other == zip) => vec![(zip, None)],
            (Some(zip), Some(reached)) => {
                let all = reached.into_iter().map(|(other, _)| other).chain([zip]);
                all.map(|zip| (zip, Some(Guess::CityElsewhere))).collect()
            }
            // Without a ZIP code the name of the city must say enough.
            (None, reached) => {
                let only = reached.unwrap_or_default().into_iter().filter(|(_, is_only)| *is_only);
                only.map(|(zip, _)| (zip, None)).collect()
            }
        }
    }
}

fn ends_street(word: &str) -> bool {
    type_of(word).is_some()
        || Compass::parse(word).is_some()
        || word.bytes().any(|byte| byte.is_ascii_digit())
}

/// One search, with what it has found so far.
struct Search<'a, 'q> {
    geocoder: Geocoder<'a>,
    address: &'q Address,
    found: Vec<Candidate<'a>>,
    miss: Miss,
}

impl<'a> Search<'a, '_> {
    /// Streets that have exactly the name.
    fn exactly(&mut self, reading: &Reading) {
        let streets = self.geocoder.streets;
        for name in StreetName::readings(&self.address.street[..reading.street]) {
            for (zip, place) in &reading.zips {
                for key in keys_of(&name.key) {
                    for number in streets.streets_named(*zip, &key) {
                        self.try_street(number, &name, *zip, reading, place.iter().copied().collect());
                    }
                }
            }
        }
    }

    /// Streets whose names are nearly the same.
    fn with_slips(&mut self, reading: &Reading) {
        let streets = self.geocoder.streets;
        for name in StreetName::readings(&self.address.street[..reading.street]) {
            let Some(near) = Near::to(&name.key) else { continue };
            for (zip, place) in &reading.zips {
                for number in streets.streets_of(*zip) {
                    if !near.may_be(streets.letters(number)) {
                        continue;
                    }
                    let Some(street) = streets.street(number) else { continue };
                    if let Some(slips) = near.slips_to(street.key) {
                        let guesses = place.iter().copied().chain([Guess::Spelling(slips)]).collect();
                        self.try_street(number, &name, *zip, reading, guesses);
                    }
                }
            }
        }
    }

    /// Keeps the ranges of a street that the number lies in, if the rest of the name fits.
    fn try_street(
        &mut self,
        number: usize,
        name: &StreetName,
        zip: u32,
        reading: &Reading,
        mut guesses: Vec<Guess>,
    ) {
        let streets = self.geocoder.streets;
        let Some(street) = streets.street(number) else { return };
        let Some(further) = fit(name, &street) else { return };
        guesses.extend(further);
        let ranges: Vec<HouseRange<'a>> =
            streets.ranges(number).filter(|range| self.is_in_state(range.county)).collect();
        let fitting = fitting(&self.address.number, &ranges);
        if fitting.is_empty() {
            self.missed(&street, &ranges);
        }
        for (range, number, guess) in fitting {
            let guesses = guesses.iter().copied().chain(guess).collect();
            let city = reading.city.clone();
            self.found.push(Candidate { street, range, number, zip, city, guesses });
        }
    }

    fn is_in_state(&self, county: u16) -> bool {
        self.address.state.is_none_or(|state| u16::from(state.fips()) == county / 1000)
    }

    /// Remembers a street that lacks the number.
    fn missed(&mut self, street: &Street<'_>, ranges: &[HouseRange<'_>]) {
        let ends = ranges.iter().flat_map(|range| [range.from, range.to]);
        if let (Some(low), Some(high), Miss::NoStreet) = (ends.clone().min(), ends.max(), &self.miss) {
            self.miss = Miss::NoNumber { street: street.name.to_owned(), numbers: (low, high) };
        }
    }

    /// The best place, or those that are equally good.
    fn choose(mut self) -> Located {
        self.found.retain(|candidate| candidate.score() >= SCORE_MIN);
        let Some(best) = self.found.iter().map(Candidate::score).max() else {
            return Located::None(self.miss);
        };
        let best = self.found.iter().filter(|candidate| candidate.score() == best);
        let mut places: Vec<Match> = Vec::new();
        for candidate in best {
            let Some(place) = self.place(candidate) else { continue };
            if places.iter().all(|other| distance_m(other.point, place.point) > SAME_PLACE_M) {
                places.push(place);
            }
        }
        match places.len() {
            0 => Located::None(self.miss),
            1 => Located::One(places.remove(0)),
            _ => {
                places.truncate(SEVERAL_MAX);
                Located::Several(places)
            }
        }
    }

    fn place(&self, candidate: &Candidate<'_>) -> Option<Match> {
        let HouseRange { from, to, county, right, line, .. } = candidate.range;
        let share = if from == to {
            0.5
        } else {
            (f64::from(candidate.number) - f64::from(from)) / (f64::from(to) - f64::from(from))
        };
        let line = self.geocoder.streets.line(line);
        Some(Match {
            point: point_along(&line, share, right)?,
            address: self.label(candidate),
            county,
            zip: candidate.zip,
            score: candidate.score(),
            range: (from.min(to), from.max(to)),
            guesses: candidate.guesses.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
        })
    }

    /// The address as the file has it; the city as it was given, where the file knows it there.
    fn label(&self, candidate: &Candidate<'_>) -> String {
        let number = self.address.number.text.to_uppercase();
        let mut label = format!("{number} {}", candidate.street.name);
        let is_doubtful =
            candidate.guesses.iter().any(|guess| matches!(guess, Guess::CityUnknown | Guess::CityElsewhere));
        if let Some(city) = candidate.city.as_ref().filter(|_| !is_doubtful) {
            label.push_str(&format!(", {}", capitalised(city)));
        }
        let state = StateCode::from_fips((candidate.range.county / 1000) as u8);
        label.push_str(&format!(", {} {:05}", state.map_or("", StateCode::usps), candidate.zip));
        label
    }
}

impl Candidate<'_> {
    fn score(&self) -> u8 {
        self.guesses.iter().fold(100u8, |score, guess| score.saturating_sub(guess.cost()))
    }
}

fn capitalised(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for char in words.chars() {
        let starts = out.is_empty() || out.ends_with(' ');
        out.push(if starts { char.to_ascii_uppercase() } else { char });
    }
    out
}

/// The keys under which a name may stand: a numbered road whose owner is not said may be a state's, a county's or the
/// nation's, and one whose owner is said may be published without.
fn keys_of(key: &str) -> Vec<String> {
    let digits = key.trim_start_matches(|char: char| char.is_ascii_lowercase());
    let class = &key[..key.len() - digits.len()];
    let mut keys = vec![key.to_owned()];
    if !digits.is_empty() {
        let others: &[&str] = match class {
            "hwy" => &["sr", "us", "cr"],
            "sr" | "us" => &["hwy"],
            _ => &[],
        };
        keys.extend(others.iter().map(|class| format!("{class}{digits}")));
    }
    keys
}

/// What must be supposed for a name to be this street, whose key fits; `None` where it is another street.
fn fit(name: &StreetName, street: &Street<'_>) -> Option<Vec<Guess>> {
    let mut guesses = Vec::new();
    match (name.kind, street.kind) {
        (Some(_), "") => guesses.push(Guess::TypeDropped),
        (Some(kind), other) if kind != other => return None,
        (None, kind) if !kind.is_empty() => guesses.push(Guess::TypeAdded),
        _ => {}
    }
    guesses.extend(name.kind_was_mended.then_some(Guess::TypeSpelling));
    let said = [Compass::number(name.before), Compass::number(name.after)];
    let published = [street.before, street.after];
    let lacking = |points: [u8; 2], others: [u8; 2]| {
        points.into_iter().filter(|point| *point != 0 && !others.contains(point)).count()
    };
    match (lacking(said, published), lacking(published, said)) {
        (0, 0) if said != published => guesses.push(Guess::CompassMoved),
        (0, 0) => {}
        (0, count) => guesses.extend(std::iter::repeat_n(Guess::CompassAdded, count)),
        (count, 0) => guesses.extend(std::iter::repeat_n(Guess::CompassDropped, count)),
        _ => return None,
    }
    Some(guesses)
}

/// The ranges that a number lies in: those of its side, or else of the other.
fn fitting<'a>(number: &HouseNumber, ranges: &[HouseRange<'a>]) -> Vec<(HouseRange<'a>, u32, Option<Guess>)> {
    let within = |prefix: &str, number: u32| -> Vec<HouseRange<'a>> {
        let fits = |range: &&HouseRange<'a>| {
            range.prefix == prefix && (range.from.min(range.to)..=range.from.max(range.to)).contains(&number)
        };
        ranges.iter().filter(fits).copied().collect()
    };
    let as_guess = |found: Vec<HouseRange<'a>>, number: u32, guess: Option<Guess>| {
        found.into_iter().map(|range| (range, number, guess)).collect::<Vec<_>>()
    };
    let (mut found, mut number, mut guess) = (within(&number.prefix, number.number), number, None);
    let first;
    if found.is_empty()
        && let Some(only) = number.first
    {
        first = HouseNumber { number: only, prefix: String::new(), first: None, text: number.text.clone() };
        (found, number, guess) = (within("", only), &first, Some(Guess::FirstNumber));
    }
    let same_side =
        |range: &&HouseRange<'a>| range.from % 2 != range.to % 2 || range.from % 2 == number.number % 2;
    let own: Vec<HouseRange<'a>> = found.iter().filter(same_side).copied().collect();
    if own.is_empty() {
        return as_guess(found, number.number, guess.or(Some(Guess::OtherSide)));
    }
    as_guess(own, number.number, guess)
}

/// Which keys are nearly a given one.
struct Near {
    spelling: Spelling,
    letters: u32,
    slips: u32,
    digits: String,
    /// The first two letters, which a short name must keep.
    start: Option<[u8; 2]>,
}

impl Near {
    /// `None` where the key is too short for slips, or that of a numbered road, whose class is no slip of another.
    fn to(key: &str) -> Option<Near> {
        let letters = key.trim_end_matches(|char: char| char.is_ascii_digit());
        if letters.len() < key.len() && letters.len() <= 4 {
            return None;
        }
        let slips = Spelling::slips_for(key);
        let spelling = Spelling::new(key, slips).filter(|_| slips > 0)?;
        let bytes = key.as_bytes();
        let start = (bytes.len() <= 5).then(|| [bytes[0], bytes[1]]);
        Some(Near { spelling, letters: letters_of(key), slips: slips as u32, digits: digits_of(key), start })
    }

    /// Whether a key with these letters may be near: each slip changes two at most.
    #[inline]
    fn may_be(&self, letters: u32) -> bool {
        (self.letters ^ letters).count_ones() <= 2 * self.slips
    }

    /// How many slips away a key is. Digits are never slips: 1st St is not 2nd St.
    fn slips_to(&self, key: &str) -> Option<u8> {
        let slips = self.spelling.slips_to(key)?;
        let keeps_start = self.start.is_none_or(|start| {
            key.starts_with(start[0] as char) || key.as_bytes().get(..2) == Some(&[start[1], start[0]])
        });
        (keeps_start && digits_of(key) == self.digits).then_some(slips as u8)
    }
}

fn digits_of(key: &str) -> String {
    key.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests;
