//! Looks for an address among streets.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use smallvec::SmallVec;

use super::{
    compass::Compass,
    matched::{Guess, Match},
    near::{Group, Near},
    parse::{Address, HouseNumber},
    place::point_along,
    readings::{Area, Reading, readings},
    street_name::{StreetName, fits_kind},
    street_word::Word,
};
use crate::{
    geometry::distance_m,
    snapshot::{ArchivedStreets, HouseRange, Street},
    vocabulary::StateCode,
};

/// Places that lie so near each other are one, meters.
const SAME_PLACE_M: f64 = 60.0;
/// Below this, nothing is answered.
const SCORE_MIN: u8 = 70;
/// Most places that are given where several fit.
const SEVERAL_MAX: usize = 10;

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

/// A name that is looked for.
struct Sought {
    /// Number of its reading.
    reading: usize,
    name: StreetName,
}

/// A range that the number lies in.
struct Candidate<'a> {
    street: Street<'a>,
    range: HouseRange<'a>,
    number: u32,
    zip: u32,
    reading: usize,
    guesses: Guesses,
}

type Guesses = SmallVec<[Guess; 6]>;

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
        let words = Word::all(&address.street);
        let readings = readings(self.streets, address, &words);
        if readings.is_empty() {
            return Located::None(Miss::NotCovered);
        }
        let mut search = Search {
            streets: self.streets,
            address,
            readings: &readings,
            found: Vec::new(),
            best: 0,
            miss: Miss::NoStreet,
        };
        let sought = search.exactly(&words);
        // A name that is there is meant: no other street is tried where only the number is missing.
        if search.found.is_empty() && search.miss == Miss::NoStreet {
            search.with_slips(&sought);
        }
        search.choose()
    }
}

/// One search, with what it has found so far.
struct Search<'a, 'q> {
    streets: &'a ArchivedStreets,
    address: &'q Address,
    readings: &'q [Reading<'q>],
    found: Vec<Candidate<'a>>,
    /// Best score of what may be answered; 0 before.
    best: u8,
    miss: Miss,
}

impl<'a> Search<'a, '_> {
    /// Whether something for which this must be supposed may still be as good as the best.
    fn may_win(&self, guesses: impl IntoIterator<Item = Guess>) -> bool {
        score(guesses) >= self.best
    }

    /// Streets that have exactly the name. Gives all names that it looked for: those of all readings, where nothing is found.
    fn exactly(&mut self, words: &[Word<'_>]) -> Vec<Sought> {
        let (streets, readings) = (self.streets, self.readings);
        let mut all = Vec::new();
        for (number, reading) in readings.iter().enumerate() {
            if !reading.areas.iter().any(|area| self.may_win(area.guess)) {
                continue;
            }
            for name in StreetName::readings(&words[..reading.street]) {
                let sought = Sought { reading: number, name };
                for area in &reading.areas {
                    let mended = sought.name.kind_was_mended.then_some(Guess::TypeSpelling);
                    if !self.may_win(area.guess.into_iter().chain(mended)) {
                        continue;
                    }
                    for key in keys_of(&sought.name.key) {
                        for street in streets.streets_named(&area.streets, &key) {
                            self.try_street(street, &sought, area, None);
                        }
                    }
                }
                all.push(sought);
            }
        }
        all
    }

    /// Streets whose names are nearly the same: each ZIP code is walked once for all names.
    fn with_slips(&mut self, sought: &[Sought]) {
        let readings = self.readings;
        let nears: Vec<Option<Near<'_>>> = sought.iter().map(|sought| Near::to(&sought.name)).collect();
        let nears = || nears.iter().enumerate().filter_map(|(number, near)| Some((number, near.as_ref()?)));
        let areas = |number: usize| readings[sought[number].reading].areas.iter();
        let walked: BTreeMap<u32, &Area> =
            readings.iter().flat_map(|reading| &reading.areas).map(|area| (area.zip, area)).collect();
        let mut hits = Vec::new();
        for (zip, area) in walked {
            let looked_for = |number: &usize| areas(*number).any(|area| area.zip == zip);
            let group = Group::of(nears().filter(|(number, _)| looked_for(number)).collect());
            group.walk(self.streets, area.streets.clone(), |number, street, slips| {
                let places = areas(number).enumerate().filter(|(_, area)| area.zip == zip);
                hits.extend(places.map(|(place, _)| (number, place, street, slips)));
            });
        }
        // Of places that are equally good the first is answered: that of the most usual reading.
        hits.sort_unstable();
        for (number, place, street, slips) in hits {
            let sought = &sought[number];
            self.try_street(street, sought, &readings[sought.reading].areas[place], Some(slips));
        }
    }

    /// Keeps the ranges of a street that the number lies in, if the rest of the name fits.
    fn try_street(&mut self, number: usize, sought: &Sought, area: &Area, slips: Option<u8>) {
        let streets = self.streets;
        let Some(street) = streets.street(number) else { return };
        let mut guesses: Guesses = area.guess.into_iter().chain(slips.map(Guess::Spelling)).collect();
        let fits = fit(&sought.name, &street, &mut guesses);
        if !fits || !self.may_win(guesses.iter().copied()) {
            return;
        }
        let ranges = streets.ranges(number).filter(|range| self.is_in_state(range.county));
        let ranges: SmallVec<[HouseRange<'a>; 8]> = ranges.collect();
        let fitting = Fitting::of(&self.address.number, &ranges);
        if fitting.ranges.is_empty() {
            self.missed(&street, &ranges);
        }
        guesses.extend(fitting.guess);
        for range in fitting.ranges {
            self.keep(Candidate {
                street,
                range,
                number: fitting.number,
                zip: area.zip,
                reading: sought.reading,
                guesses: guesses.clone(),
            });
        }
    }

    fn keep(&mut self, candidate: Candidate<'a>) {
        let score = candidate.score();
        if score >= SCORE_MIN {
            self.best = self.best.max(score);
        }
        self.found.push(candidate);
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
    fn choose(self) -> Located {
        if self.best == 0 {
            return Located::None(self.miss);
        }
        let best = self.found.iter().filter(|candidate| candidate.score() == self.best);
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
        let line = self.streets.line(line);
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
        let city = self.readings[candidate.reading].city;
        if !city.is_empty() && !is_doubtful {
            label.push_str(&format!(", {}", capitalised(&city.join(" "))));
        }
        let state = StateCode::from_fips((candidate.range.county / 1000) as u8);
        label.push_str(&format!(", {} {:05}", state.map_or("", StateCode::usps), candidate.zip));
        label
    }
}

impl Candidate<'_> {
    fn score(&self) -> u8 {
        score(self.guesses.iter().copied())
    }
}

/// 100, less for each guess.
fn score(guesses: impl IntoIterator<Item = Guess>) -> u8 {
    guesses.into_iter().fold(100, |score: u8, guess| score.saturating_sub(guess.cost()))
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
fn keys_of(key: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let digits = key.trim_start_matches(|char: char| char.is_ascii_lowercase());
    let others: &[&str] = match &key[..key.len() - digits.len()] {
        _ if digits.is_empty() => &[],
        "hwy" => &["sr", "us", "cr"],
        "sr" | "us" => &["hwy"],
        _ => &[],
    };
    let others = others.iter().map(move |class| Cow::Owned(format!("{class}{digits}")));
    std::iter::once(Cow::Borrowed(key)).chain(others)
}

/// Whether a name can be this street, whose key fits. Adds what must be supposed for it.
fn fit(name: &StreetName, street: &Street<'_>, guesses: &mut Guesses) -> bool {
    if !fits_kind(name.kind, street.kind) {
        return false;
    }
    match (name.kind, street.kind) {
        (Some(_), "") => guesses.push(Guess::TypeDropped),
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
        _ => return false,
    }
    true
}

/// The ranges that a number lies in: those of its side, or else of the other.
struct Fitting<'a> {
    ranges: SmallVec<[HouseRange<'a>; 4]>,
    number: u32,
    guess: Option<Guess>,
}

impl<'a> Fitting<'a> {
    fn of(house: &HouseNumber, ranges: &[HouseRange<'a>]) -> Fitting<'a> {
        let within = |prefix: &str, number: u32, guess: Option<Guess>| {
            let fits = |range: &&HouseRange<'a>| {
                range.prefix == prefix
                    && (range.from.min(range.to)..=range.from.max(range.to)).contains(&number)
            };
            Fitting { ranges: ranges.iter().filter(fits).copied().collect(), number, guess }
        };
        let mut fitting = within(&house.prefix, house.number, None);
        if let (true, Some(first)) = (fitting.ranges.is_empty(), house.first) {
            fitting = within("", first, Some(Guess::FirstNumber));
        }
        let number = fitting.number;
        let same_side =
            |range: &HouseRange<'a>| range.from % 2 != range.to % 2 || range.from % 2 == number % 2;
        if fitting.ranges.iter().any(same_side) {
            fitting.ranges.retain(|range| same_side(range));
        } else {
            fitting.guess = fitting.guess.or(Some(Guess::OtherSide));
        }
        fitting
    }
}

#[cfg(test)]
mod tests;
