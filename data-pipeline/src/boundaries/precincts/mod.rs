//! Where do towns lie, in states whose town polygons are not at hand? Their election precincts tell.
//!
//! A precinct lies in one town (or city, borough, village), and its name begins with that town's. So each precinct is
//! read ([`reading`]), matched to a county subdivision of its county ([`decide`]), and the precincts of one town are
//! joined along the lines that they share ([`outline`]). What a name leaves open is settled by the polygon of the city
//! or village of the same name ([`places`]), by a row of a hand-kept table (`curated/precincts/`), also of one part of a
//! precinct ([`parts`]), or by what lies all around it
//! ([`enclosed`]). A precinct that still can not be placed stays without a town: the nearest is never taken.
//!
//! A city, borough or village that is a subdivision of its own has the polygon of its place where its precincts differ from
//! that ([`own`]), which is the better outline. What they have beyond stays without a town.
//!
//! The catch: precincts are drawn by election offices, not by surveyors, and they show one November. Each area made
//! here is as good as its precincts, and its source says so.

use std::collections::BTreeSet;

use platbook::vocabulary::Geoid;

pub mod borders;
pub mod decide;
pub mod enclosed;
mod known;
pub mod names;
pub mod outcome;
pub mod outline;
pub mod own;
pub mod parts;
pub mod places;
pub mod reading;

use crate::{
    curated::PrecinctRules,
    input::{Record, precinct_codes::PrecinctCodes, precincts::Precinct, subdivisions::Subdivision},
};
use borders::Borders;
use decide::Decider;
pub use known::{Known, KnownCounty, KnownPlace};
use names::{Codes, Names};
pub use outcome::{Fate, How, Outcome, Why, summary};
use places::Places;

/// What towns are made from.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Precincts and voting districts, each with the source that it comes from.
    pub precincts: Vec<(usize, Precinct)>,
    /// The county subdivisions that there are.
    pub subdivisions: Vec<Subdivision>,
    /// Codes of precincts, with the state of their table.
    pub codes: Vec<(u8, PrecinctCodes)>,
}

/// The towns put together from precincts.
#[derive(Debug, Default)]
pub struct Towns {
    /// One record a town, with the source of its precincts or of its place; sorted by GEOID.
    pub records: Vec<(usize, Record)>,
    /// What became of every precinct, in the order of the files.
    pub outcomes: Vec<Outcome>,
}

/// Places every precinct and joins those of each town.
pub fn towns(inputs: Inputs, known: &Known, rules: &PrecinctRules) -> Towns {
    let names = Names::of(&inputs.subdivisions, known, rules);
    let places = Places::of(known, &names);
    let codes = Codes::of(&inputs.codes, known, rules);
    let precincts = parts::apart(wanted(inputs.precincts), rules);
    let decider = Decider { names: &names, places: &places, codes: &codes, rules };
    let mut fates: Vec<Fate> = precincts.iter().map(|(_, precinct)| decider.fate(precinct)).collect();
    let borders = Borders::of(&precincts);
    enclosed::place(&precincts, &names, &borders, &mut fates);
    let mut records = outline::records(&precincts, &names, &fates, &borders);
    own::put_in_place(&mut records, &names, known, rules);
    let outcomes = precincts.into_iter().zip(fates);
    let outcomes = outcomes
        .map(|((_, precinct), fate)| Outcome { county: precinct.county, name: precinct.name, fate })
        .collect();
    Towns { records, outcomes }
}

/// All numbered districts, and the named precincts of counties that have no numbered district with the code of a town. The
/// numbers are those of the Census, whose districts follow the legal lines of towns; where few people live, named precincts
/// were put together from the addresses of voters, and some have a fifth or ten times the land of their town.
fn wanted(precincts: Vec<(usize, Precinct)>) -> Vec<(usize, Precinct)> {
    let coded: BTreeSet<Geoid> = precincts
        .iter()
        .filter(|(_, precinct)| precinct.numbered && precinct.cousub.is_some())
        .map(|(_, precinct)| precinct.county)
        .collect();
    let keep = |(_, precinct): &(usize, Precinct)| precinct.numbered == coded.contains(&precinct.county);
    precincts.into_iter().filter(keep).collect()
}

#[cfg(test)]
mod tests;
