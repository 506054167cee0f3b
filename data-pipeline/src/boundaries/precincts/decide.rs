//! Which town does a precinct lie in, by its name, its code and the polygons of places?

use platbook::vocabulary::Geoid;

use super::{
    known::twin,
    names::{Codes, Names, Town, words},
    outcome::{Fate, How, Why},
    places::{Places, Points},
    reading::{Reader, Reading},
};
use crate::{
    curated::{Part, PrecinctRules},
    input::precincts::Precinct,
};

/// From this share on a precinct lies in a place: it may have grown since by what was annexed.
const MOSTLY: f64 = 0.5;
/// Up to this share it lies outside: what remains are two drawings of one line.
const HARDLY: f64 = 0.1;
/// From this share on it lies in a place whatever its name.
const WHOLLY: f64 = 0.9;

/// Decides on precincts one by one.
pub struct Decider<'a> {
    /// What there is.
    pub names: &'a Names,
    /// Polygons of places.
    pub places: &'a Places<'a>,
    /// Tables of codes.
    pub codes: &'a Codes,
    /// The rules.
    pub rules: &'a PrecinctRules,
}

impl Decider<'_> {
    /// What becomes of a precinct by itself.
    pub fn fate(&self, precinct: &Precinct) -> Fate {
        if self.names.in_county(precinct.county).next().is_none() {
            return Fate::Left(Why::NoTowns);
        }
        if precinct.numbered {
            return self.by_number(precinct);
        }
        // A part that a row of the table names.
        if let Some(town) = precinct.cousub {
            return Fate::Placed(town, How::Table);
        }
        let Some(state) = self.rules.states.get(&precinct.county.state_fips()) else {
            return Fate::Left(Why::NoSuchName);
        };
        let reader = Reader { names: self.names, rules: self.rules, state, county: precinct.county };
        match (reader.read(&precinct.name), self.by_code(precinct)) {
            (Reading::Unknown(why), _) => Fate::Left(Why::Table(why)),
            (Reading::Town(town, How::Table), _) => Fate::Placed(town.geoid, How::Table),
            (reading, Some(by_code)) => against_code(&reading, by_code),
            (reading, None) => self.by_name(precinct, reading, state.always_towns),
        }
    }

    fn by_number(&self, precinct: &Precinct) -> Fate {
        let rows =
            self.rules.states.get(&precinct.county.state_fips()).into_iter().flat_map(|state| &state.rows);
        let mut rows = rows.filter(|row| row.county == precinct.county && row.part == Part::All);
        let row = rows.find(|row| precinct.name.starts_with(&row.written));
        let by_table = row.and_then(|row| Some((row.town?, How::Table)));
        let by_code = precinct.cousub.map(|cousub| (cousub, How::Code));
        let known = by_table.or(by_code).filter(|(cousub, _)| self.names.get(*cousub).is_some());
        known.map_or(Fate::Left(Why::NoSuchCode), |(cousub, how)| Fate::Placed(cousub, how))
    }

    /// What a table of codes says; `None` where it has no such precinct.
    fn by_code(&self, precinct: &Precinct) -> Option<Fate> {
        let key = words(&precinct.name, self.rules).concat();
        let codes = self.codes.of_precinct(precinct.county, &key);
        let towns: Vec<Geoid> =
            codes.iter().map(|code| code.cousub).filter(|code| self.names.get(*code).is_some()).collect();
        // A place that is a subdivision of another county only is written with a county that it does not lie in.
        let strange =
            codes.iter().any(|code| !towns.contains(&code.cousub) && self.places.is_own(code.place));
        match towns[..] {
            _ if strange => None,
            [] if codes.is_empty() => None,
            [] => Some(Fate::Left(Why::OnlyPlace)),
            [town] => Some(Fate::Placed(town, How::Code)),
            _ => Some(Fate::Left(Why::Joined)),
        }
    }

    fn by_name(&self, precinct: &Precinct, reading: Reading, always_towns: bool) -> Fate {
        let Some(points) = Points::over(&precinct.rings) else { return Fate::Left(Why::NoSuchName) };
        match reading {
            Reading::Town(town, How::Name) => self.bare(precinct, town, &points, always_towns),
            Reading::Town(town, how) => Fate::Placed(town.geoid, how),
            Reading::Several(towns) => self.one_of(&towns, &points),
            Reading::Places(_) | Reading::Nothing => self.by_place(precinct, &points),
            Reading::Joined => Fate::Left(Why::Joined),
            Reading::Unknown(why) => Fate::Left(Why::Table(why)),
        }
    }

    /// A name without a legal word that one town of the county has.
    fn bare(&self, precinct: &Precinct, town: &Town, points: &Points, always_towns: bool) -> Fate {
        let placed = Fate::Placed(town.geoid, How::Name);
        let own = twin(town.geoid).and_then(|twin| self.places.share(points, twin));
        if let Some(share) = own.filter(|_| self.is_own(town.geoid)) {
            return if share <= HARDLY { Fate::Left(Why::AgainstPlace) } else { placed };
        }
        if always_towns {
            return placed;
        }
        let key = words(&town.name, self.rules).concat();
        let namesakes = self.names.places(precinct.county.state_fips(), &key, None);
        let in_namesake = namesakes
            .iter()
            .any(|place| self.places.share(points, *place).is_some_and(|share| share >= MOSTLY));
        match self.largest(precinct, points) {
            _ if in_namesake => Fate::Left(Why::OnlyPlace),
            Some((place, share)) if share >= WHOLLY && self.places.is_own(place) => {
                Fate::Left(Why::AgainstPlace)
            }
            _ => placed,
        }
    }

    /// Of a city and a town of one name, the one that the precinct lies in.
    fn one_of(&self, towns: &[&Town], points: &Points) -> Fate {
        let share = |town: &Town| twin(town.geoid).and_then(|twin| self.places.share(points, twin));
        let (cities, others): (Vec<&Town>, Vec<&Town>) =
            towns.iter().partition(|town| self.is_own(town.geoid));
        let shares: Vec<Option<f64>> = cities.iter().map(|town| share(town)).collect();
        let inside = cities.iter().zip(&shares).find(|(_, share)| share.is_some_and(|share| share >= MOSTLY));
        let outside = shares.iter().all(|share| share.is_some_and(|share| share <= HARDLY));
        match (inside, &others[..]) {
            (Some((city, _)), _) => Fate::Placed(city.geoid, How::NameAndPlace),
            (None, [town]) if outside => Fate::Placed(town.geoid, How::NameAndPlace),
            _ => Fate::Left(Why::Ambiguous),
        }
    }

    /// A name that no town has: the precinct may still lie in a place that has a polygon.
    fn by_place(&self, precinct: &Precinct, points: &Points) -> Fate {
        let Some((place, _)) = self.largest(precinct, points).filter(|(_, share)| *share >= WHOLLY) else {
            return Fate::Left(Why::NoSuchName);
        };
        if !self.places.is_own(place) {
            return Fate::Left(Why::OnlyPlace);
        }
        let same = |town: &&Town| twin(town.geoid) == Some(place);
        let town = self.names.in_county(precinct.county).find(same);
        town.map_or(Fate::Left(Why::NoSuchName), |town| Fate::Placed(town.geoid, How::Place))
    }

    fn largest(&self, precinct: &Precinct, points: &Points) -> Option<(Geoid, f64)> {
        self.places.largest(points, precinct.county.state_fips())
    }

    fn is_own(&self, town: Geoid) -> bool {
        twin(town).is_some_and(|place| self.places.has(place))
    }
}

/// A code stands unless the name says another town. The table takes some townships for the village of the same name;
/// a name with its legal word is surer.
fn against_code(reading: &Reading, by_code: Fate) -> Fate {
    match (reading, &by_code) {
        (Reading::Town(town, _), Fate::Placed(code, _)) if town.geoid != *code => {
            Fate::Left(Why::AgainstCode)
        }
        (Reading::Town(town, how @ How::NameAndType), Fate::Left(Why::OnlyPlace)) => {
            Fate::Placed(town.geoid, *how)
        }
        _ => by_code,
    }
}
