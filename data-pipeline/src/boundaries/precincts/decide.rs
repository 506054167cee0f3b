//! Decides which town a precinct lies in, from its name, its code and the polygons of places.
//!
//! The first that applies decides: a number with a code, a row of the table, or a table of codes checked against the
//! name. After these come the name alone and the polygons of places. This module looks at one precinct at a time;
//! `enclosed` looks at the precincts around it.

use platbook::vocabulary::Geoid;

use super::{
    known::twin,
    names::{Codes, Names, Town, words},
    outcome::{How, Placement, Why},
    places::{Places, Points},
    reading::{Reader, Reading},
};
use crate::{
    curated::{Part, PrecinctRules},
    input::precincts::Precinct,
};

/// A precinct counts as inside a place if at least this share of its points is inside: the place may have annexed
/// land since. Chosen, not measured.
const MOSTLY: f64 = 0.5;
/// A precinct counts as outside if at most this share of its points is inside: two drawings of one line differ
/// that much. Chosen, not measured.
const HARDLY: f64 = 0.1;
/// A precinct counts as inside, whatever its name, if at least this share of its points is inside. Chosen, not
/// measured.
const WHOLLY: f64 = 0.9;

/// Decides on precincts one by one.
pub struct Decider<'a> {
    /// Towns of each county and places of each state, by name.
    pub names: &'a Names,
    /// Polygons of incorporated places.
    pub places: &'a Places<'a>,
    /// Codes of precincts, from the tables of states.
    pub codes: &'a Codes,
    /// The rules for names of precincts in each state, with the hand-kept rows.
    pub rules: &'a PrecinctRules,
}

impl Decider<'_> {
    /// Returns the town of a precinct or the reason why it has none, without regard to other precincts.
    pub fn placement(&self, precinct: &Precinct) -> Placement {
        if self.names.in_county(precinct.county).next().is_none() {
            return Placement::Left(Why::NoTowns);
        }
        if precinct.numbered {
            return self.by_number(precinct);
        }
        // A row of the table has already given this part of a precinct its town, in `parts`.
        if let Some(town) = precinct.cousub {
            return Placement::Placed(town, How::Table);
        }
        let Some(state) = self.rules.states.get(&precinct.county.state_fips()) else {
            return Placement::Left(Why::NoSuchName);
        };
        let reader = Reader { names: self.names, rules: self.rules, state, county: precinct.county };
        match (reader.read(&precinct.name), self.by_code(precinct)) {
            (Reading::Unknown(why), _) => Placement::Left(Why::Table(why)),
            (Reading::Town(town, How::Table), _) => Placement::Placed(town.geoid, How::Table),
            (reading, Some(by_code)) => against_code(&reading, by_code),
            (reading, None) => self.by_name(precinct, reading, state.always_towns),
        }
    }

    /// Places a numbered district. A row of the table wins over the code in the number: some numbers hold a
    /// code that no town of the county has.
    fn by_number(&self, precinct: &Precinct) -> Placement {
        let rows =
            self.rules.states.get(&precinct.county.state_fips()).into_iter().flat_map(|state| &state.rows);
        let mut rows = rows.filter(|row| row.county == precinct.county && row.part == Part::All);
        let row = rows.find(|row| precinct.name.starts_with(&row.written));
        let by_table = row.and_then(|row| Some((row.town?, How::Table)));
        let by_code = precinct.cousub.map(|cousub| (cousub, How::Code));
        let known = by_table.or(by_code).filter(|(cousub, _)| self.names.get(*cousub).is_some());
        known.map_or(Placement::Left(Why::NoSuchCode), |(cousub, how)| Placement::Placed(cousub, how))
    }

    /// The town by a table of codes; `None` if no table has the precinct, or if one of its codes belongs to another
    /// county.
    fn by_code(&self, precinct: &Precinct) -> Option<Placement> {
        let key = words(&precinct.name, self.rules).concat();
        let codes = self.codes.of_precinct(precinct.county, &key);
        let towns: Vec<Geoid> =
            codes.iter().map(|code| code.cousub).filter(|code| self.names.get(*code).is_some()).collect();
        // Some tables list a precinct under a wrong county. Its code then belongs to a place that is a subdivision,
        // but not of this county.
        let strange =
            codes.iter().any(|code| !towns.contains(&code.cousub) && self.places.is_own(code.place));
        match towns[..] {
            _ if strange => None,
            [] if codes.is_empty() => None,
            [] => Some(Placement::Left(Why::OnlyPlace)),
            [town] => Some(Placement::Placed(town, How::Code)),
            _ => Some(Placement::Left(Why::Joined)),
        }
    }

    fn by_name(&self, precinct: &Precinct, reading: Reading, always_towns: bool) -> Placement {
        let Some(points) = Points::over(&precinct.rings) else { return Placement::Left(Why::NoSuchName) };
        match reading {
            Reading::Town(town, How::Name) => self.bare(precinct, town, &points, always_towns),
            Reading::Town(town, how) => Placement::Placed(town.geoid, how),
            Reading::Several(towns) => self.one_of(&towns, &points),
            Reading::Places(_) | Reading::Nothing => self.by_place(precinct, &points),
            Reading::Joined => Placement::Left(Why::Joined),
            Reading::Unknown(why) => Placement::Left(Why::Table(why)),
        }
    }

    /// Decides on a name without a legal word that exactly one town of the county has.
    fn bare(&self, precinct: &Precinct, town: &Town, points: &Points, always_towns: bool) -> Placement {
        // The polygon of a city decides: a precinct outside of it has the city's name by chance.
        let placed = Placement::Placed(town.geoid, How::Name);
        let own = twin(town.geoid).and_then(|twin| self.places.share(points, twin));
        if let Some(share) = own.filter(|_| self.is_own(town.geoid)) {
            return if share <= HARDLY { Placement::Left(Why::AgainstPlace) } else { placed };
        }
        if always_towns {
            return placed;
        }
        // The name may be that of a village inside another town, or the precinct may lie in a city of another
        // name. In states where a bare name always means the town (`always_towns`) neither needs a check.
        let key = words(&town.name, self.rules).concat();
        let namesakes = self.names.places(precinct.county.state_fips(), &key, None);
        let in_namesake = namesakes
            .iter()
            .any(|place| self.places.share(points, *place).is_some_and(|share| share >= MOSTLY));
        match self.largest(precinct, points) {
            _ if in_namesake => Placement::Left(Why::OnlyPlace),
            Some((place, share)) if share >= WHOLLY && self.places.is_own(place) => {
                Placement::Left(Why::AgainstPlace)
            }
            _ => placed,
        }
    }

    /// Of a city and a town of one name, returns the one that the precinct lies in. `Ambiguous` if the share of the
    /// precinct in the city is between [`HARDLY`] and [`MOSTLY`].
    fn one_of(&self, towns: &[&Town], points: &Points) -> Placement {
        let share = |town: &Town| twin(town.geoid).and_then(|twin| self.places.share(points, twin));
        let (cities, others): (Vec<&Town>, Vec<&Town>) =
            towns.iter().partition(|town| self.is_own(town.geoid));
        let shares: Vec<Option<f64>> = cities.iter().map(|town| share(town)).collect();
        let inside = cities.iter().zip(&shares).find(|(_, share)| share.is_some_and(|share| share >= MOSTLY));
        let outside = shares.iter().all(|share| share.is_some_and(|share| share <= HARDLY));
        match (inside, &others[..]) {
            (Some((city, _)), _) => Placement::Placed(city.geoid, How::NameAndPlace),
            (None, [town]) if outside => Placement::Placed(town.geoid, How::NameAndPlace),
            _ => Placement::Left(Why::Ambiguous),
        }
    }

    /// Handles a name that no town has: the precinct may still lie in a place that has a polygon.
    fn by_place(&self, precinct: &Precinct, points: &Points) -> Placement {
        let Some((place, _)) = self.largest(precinct, points).filter(|(_, share)| *share >= WHOLLY) else {
            return Placement::Left(Why::NoSuchName);
        };
        if !self.places.is_own(place) {
            return Placement::Left(Why::OnlyPlace);
        }
        let same = |town: &&Town| twin(town.geoid) == Some(place);
        let town = self.names.in_county(precinct.county).find(same);
        town.map_or(Placement::Left(Why::NoSuchName), |town| Placement::Placed(town.geoid, How::Place))
    }

    fn largest(&self, precinct: &Precinct, points: &Points) -> Option<(Geoid, f64)> {
        self.places.largest(points, precinct.county.state_fips())
    }

    fn is_own(&self, town: Geoid) -> bool {
        twin(town).is_some_and(|place| self.places.has(place))
    }
}

/// Keeps the code's town unless the name says another town. The table lists some townships under the village of the
/// same name. So a name with its legal word wins over a code that only leads to a place.
fn against_code(reading: &Reading, by_code: Placement) -> Placement {
    match (reading, &by_code) {
        (Reading::Town(town, _), Placement::Placed(code, _)) if town.geoid != *code => {
            Placement::Left(Why::AgainstCode)
        }
        (Reading::Town(town, how @ How::NameAndType), Placement::Left(Why::OnlyPlace)) => {
            Placement::Placed(town.geoid, *how)
        }
        _ => by_code,
    }
}
