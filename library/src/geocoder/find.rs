//! Finds the places of an address in a file of streets.
//!
//! Each reading of the text is tried with exact names first, then with slips. Every deviation is a [`Guess`] with a
//! cost, and the candidates with the best score are the answer.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use smallvec::SmallVec;

use super::{
    compass::Compass,
    matched::{Guess, Match},
    near::{Group, NearKey},
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

/// Distance within which places count as one, in meters. Chosen, not measured.
const SAME_PLACE_M: f64 = 60.0;
/// Minimum score of a match that is returned, of 100. Chosen, not measured.
const SCORE_MIN: u8 = 70;
/// Maximum number of places that are returned if several fit. Chosen, not measured.
const SEVERAL_MAX: usize = 10;

/// Finds addresses among the streets of one file.
#[derive(Clone, Copy)]
pub struct Geocoder<'a> {
    streets: &'a ArchivedStreets,
}

/// The result of a search for an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Located {
    /// A single place has the best score.
    One(Match),
    /// Several places have the best score; the place of the most usual reading comes first.
    Several(Vec<Match>),
    /// No place fits well enough.
    None(Miss),
}

/// The reason why no place fits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Miss {
    /// The file has no streets of the ZIP code or city.
    NotCovered,
    /// No street in that area has the name or a similar one.
    NoStreet,
    /// The street exists, but not the number.
    NoNumber {
        /// Name of the street as published.
        street: String,
        /// Lowest and highest number of the street's ranges.
        numbers: (u32, u32),
    },
}

/// A street name to look for.
struct WantedName {
    /// Index of the reading that the name belongs to.
    reading: usize,
    name: StreetName,
}

/// A range that contains the house number.
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
    /// A geocoder for these streets.
    pub fn new(streets: &'a ArchivedStreets) -> Geocoder<'a> {
        Geocoder { streets }
    }

    /// Finds the best place of an address.
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
        let wanted = search.exactly(&words);
        // A text with the exact name of a street means that street, even if the street lacks the number. So no
        // similar name is then tried.
        if search.found.is_empty() && search.miss == Miss::NoStreet {
            search.with_slips(&wanted);
        }
        search.choose()
    }
}

/// One search with its candidates so far.
struct Search<'a, 'q> {
    streets: &'a ArchivedStreets,
    address: &'q Address,
    readings: &'q [Reading<'q>],
    found: Vec<Candidate<'a>>,
    /// Best score of an acceptable candidate; 0 before the first.
    best: u8,
    miss: Miss,
}

impl<'a> Search<'a, '_> {
    /// Whether a candidate with these guesses may still reach the best score.
    fn may_win(&self, guesses: impl IntoIterator<Item = Guess>) -> bool {
        score(guesses) >= self.best
    }

    /// Tries the streets that have exactly the name. Returns the names that were tried. These are the names of all
    /// readings if nothing is found.
    fn exactly(&mut self, words: &[Word<'_>]) -> Vec<WantedName> {
        let (streets, readings) = (self.streets, self.readings);
        let mut all = Vec::new();
        for (number, reading) in readings.iter().enumerate() {
            // Guesses only lower a score, so a reading that starts below the best one cannot win.
            if !reading.areas.iter().any(|area| self.may_win(area.guess)) {
                continue;
            }
            for name in StreetName::readings(&words[..reading.street]) {
                let wanted = WantedName { reading: number, name };
                for area in &reading.areas {
                    let corrected = wanted.name.kind_was_corrected.then_some(Guess::TypeSpelling);
                    if !self.may_win(area.guess.into_iter().chain(corrected)) {
                        continue;
                    }
                    for key in keys_of(&wanted.name.key) {
                        for street in streets.streets_named(&area.streets, &key) {
                            self.try_street(street, &wanted, area, None);
                        }
                    }
                }
                all.push(wanted);
            }
        }
        all
    }

    /// Tries streets with similar names. Walks the streets of each ZIP code once for all names.
    fn with_slips(&mut self, wanted: &[WantedName]) {
        let readings = self.readings;
        let nears: Vec<Option<NearKey<'_>>> = wanted.iter().map(|wanted| NearKey::to(&wanted.name)).collect();
        let nears = || nears.iter().enumerate().filter_map(|(number, near)| Some((number, near.as_ref()?)));
        let areas = |number: usize| readings[wanted[number].reading].areas.iter();
        let walked: BTreeMap<u32, &Area> =
            readings.iter().flat_map(|reading| &reading.areas).map(|area| (area.zip, area)).collect();
        // Readings share most ZIP codes; the map has each of them once.
        let mut hits = Vec::new();
        for (zip, area) in walked {
            let is_wanted = |number: &usize| areas(*number).any(|area| area.zip == zip);
            let group = Group::new(nears().filter(|(number, _)| is_wanted(number)).collect());
            group.walk(self.streets, area.streets.clone(), |number, street, slips| {
                let places = areas(number).enumerate().filter(|(_, area)| area.zip == zip);
                hits.extend(places.map(|(place, _)| (number, place, street, slips)));
            });
        }
        // Of equally good places, the first found is kept. So the hits are sorted, and the most usual reading comes
        // first.
        hits.sort_unstable();
        for (number, place, street, slips) in hits {
            let wanted = &wanted[number];
            self.try_street(street, wanted, &readings[wanted.reading].areas[place], Some(slips));
        }
    }

    /// Adds the ranges of a street that contain the number, if the rest of the name fits.
    fn try_street(&mut self, number: usize, wanted: &WantedName, area: &Area, slips: Option<u8>) {
        let streets = self.streets;
        let Some(street) = streets.street(number) else { return };
        let mut guesses: Guesses = area.guess.into_iter().chain(slips.map(Guess::Spelling)).collect();
        let fits = fit(&wanted.name, &street, &mut guesses);
        if !fits || !self.may_win(guesses.iter().copied()) {
            return;
        }
        let ranges = streets.ranges(number).filter(|range| self.is_in_state(range.county));
        let ranges: SmallVec<[HouseRange<'a>; 8]> = ranges.collect();
        let fitting = Fitting::among(&self.address.number, &ranges);
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
                reading: wanted.reading,
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

    /// Whether a county lies in the state that the text names. The first digits of its FIPS code are the state's.
    fn is_in_state(&self, county: u16) -> bool {
        self.address.state.is_none_or(|state| u16::from(state.fips()) == county / 1000)
    }

    /// Records the street as missed if it is the first with the name but without the number.
    fn missed(&mut self, street: &Street<'_>, ranges: &[HouseRange<'_>]) {
        let ends = ranges.iter().flat_map(|range| [range.from, range.to]);
        if let (Some(low), Some(high), Miss::NoStreet) = (ends.clone().min(), ends.max(), &self.miss) {
            self.miss = Miss::NoNumber { street: street.name.to_owned(), numbers: (low, high) };
        }
    }

    /// Returns the best place, or all places that are equally good.
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

    /// The point of a candidate, in proportion to the ends of its range. A range of one number is placed in the
    /// middle.
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

    /// The address as the file has it. The city is the one in the text if the file knows it in this ZIP code.
    fn label(&self, candidate: &Candidate<'_>) -> String {
        let number = self.address.number.text.to_uppercase();
        let mut label = format!("{number} {}", candidate.street.name);
        let is_doubtful =
            candidate.guesses.iter().any(|guess| matches!(guess, Guess::CityUnknown | Guess::CityElsewhere));
        let city = self.readings[candidate.reading].city;
        if !city.is_empty() && !is_doubtful {
            label.push_str(&format!(", {}", capitalized(&city.join(" "))));
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

/// The score of a match: 100, minus the cost of each guess.
fn score(guesses: impl IntoIterator<Item = Guess>) -> u8 {
    guesses.into_iter().fold(100, |score: u8, guess| score.saturating_sub(guess.cost()))
}

fn capitalized(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for char in words.chars() {
        let starts = out.is_empty() || out.ends_with(' ');
        out.push(if starts { char.to_ascii_uppercase() } else { char });
    }
    out
}

/// The keys under which a road may be stored. A text without a class may mean a state, county or US road. The file
/// may have a state or US road without its class.
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

/// Whether a street that has a name's key also fits the name's type and compass points. Adds the guesses that this
/// fit requires.
fn fit(name: &StreetName, street: &Street<'_>, guesses: &mut Guesses) -> bool {
    if !fits_kind(name.kind, street.kind) {
        return false;
    }
    match (name.kind, street.kind) {
        (Some(_), "") => guesses.push(Guess::TypeDropped),
        (None, kind) if !kind.is_empty() => guesses.push(Guess::TypeAdded),
        _ => {}
    }
    guesses.extend(name.kind_was_corrected.then_some(Guess::TypeSpelling));
    let said = [Compass::number(name.before), Compass::number(name.after)];
    let published = [street.before, street.after];
    let lacking = |points: [u8; 2], others: [u8; 2]| {
        points.into_iter().filter(|point| *point != 0 && !others.contains(point)).count()
    };
    // Either the text or the street may have points that the other lacks, but not both: N Church St is not S Church
    // St.
    match (lacking(said, published), lacking(published, said)) {
        (0, 0) if said != published => guesses.push(Guess::CompassMoved),
        (0, 0) => {}
        (0, count) => guesses.extend(std::iter::repeat_n(Guess::CompassAdded, count)),
        (count, 0) => guesses.extend(std::iter::repeat_n(Guess::CompassDropped, count)),
        _ => return false,
    }
    true
}

/// The ranges that contain a number: those on its side of the street, or else those on the other side.
struct Fitting<'a> {
    ranges: SmallVec<[HouseRange<'a>; 4]>,
    number: u32,
    guess: Option<Guess>,
}

impl<'a> Fitting<'a> {
    fn among(house: &HouseNumber, ranges: &[HouseRange<'a>]) -> Fitting<'a> {
        // The prefix must be equal: P57 and 57 are different houses. The first of two hyphenated numbers fits only in
        // ranges without a prefix.
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
        // A range with an even and an odd end has numbers of both kinds.
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
