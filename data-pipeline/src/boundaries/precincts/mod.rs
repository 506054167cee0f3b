//! Assembles towns from election precincts, in states whose town polygons no file has.
//!
//! A precinct lies in one town (or city, borough, village), and its name begins with that town's. Each name
//! is read ([`reading`]) and matched to a subdivision of its county ([`decide`]). The precincts of one town
//! are joined along the lines that they share ([`outline`]).
//!
//! If a name is not enough, the polygon of the city or village of the same name may settle it ([`places`]).
//! Else a row of a hand-kept table does (`curated/precincts/`), also for a part of a precinct ([`parts`]), or
//! the town all around it ([`enclosed`]). A precinct that nothing settles stays without a town: the nearest
//! town is never taken.
//!
//! A city, borough or village that is a subdivision of its own gets the polygon of its place where its
//! precincts differ from that ([`own`]). The place is the better outline. Land that only the precincts have
//! stays without a town.
//!
//! Limits: precincts are drawn by election offices, not by surveyors, and show one November. An area made
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
pub use outcome::{How, Outcome, Placement, Why, summary};
use places::Places;

/// The files that towns are made from.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Precincts and voting districts, each with its place in the manifest's sources.
    pub precincts: Vec<(usize, Precinct)>,
    /// County subdivisions as the Census lists them, with and without a government.
    pub subdivisions: Vec<Subdivision>,
    /// Codes of precincts, each with the state FIPS code of its table.
    pub codes: Vec<(u8, PrecinctCodes)>,
}

/// Towns assembled from precincts.
#[derive(Debug, Default)]
pub struct Towns {
    /// One record for each town, with the source of its precincts or of its place; sorted by GEOID.
    pub records: Vec<(usize, Record)>,
    /// The result for every precinct that was used, in the order of the files; parts of a cut precinct count
    /// singly.
    pub outcomes: Vec<Outcome>,
}

/// Places every precinct and joins the precincts of each town.
pub fn towns(inputs: Inputs, known: &Known, rules: &PrecinctRules) -> Towns {
    let names = Names::of(&inputs.subdivisions, known, rules);
    let places = Places::of(known, &names);
    let codes = Codes::of(&inputs.codes, known, rules);
    let precincts = parts::split_parts(wanted(inputs.precincts), rules);
    let decider = Decider { names: &names, places: &places, codes: &codes, rules };
    let mut placements: Vec<Placement> =
        precincts.iter().map(|(_, precinct)| decider.placement(precinct)).collect();
    let borders = Borders::of(&precincts);
    enclosed::place(&precincts, &names, &borders, &mut placements);
    let mut records = outline::records(&precincts, &names, &placements, &borders);
    own::use_place_outlines(&mut records, &names, known, rules);
    let outcomes = precincts.into_iter().zip(placements);
    let outcomes = outcomes
        .map(|((_, precinct), placement)| Outcome { county: precinct.county, name: precinct.name, placement })
        .collect();
    Towns { records, outcomes }
}

/// Keeps all numbered districts, and the named precincts of counties without a numbered district that has the
/// code of a town.
///
/// The numbers are those of the Census, whose districts follow the legal lines of towns. Named precincts were
/// assembled from the addresses of voters where few people live. Some have a fifth of their town's land,
/// others ten times as much.
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
