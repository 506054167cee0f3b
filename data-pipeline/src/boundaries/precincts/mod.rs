//! Assembles towns from election precincts, in states whose town polygons no file has.
//!
//! A precinct lies in one town (or city, borough, village), and its name begins with that town's. Each name is read
//! ([`reading`]) and matched to a subdivision of its county ([`decide`]). The precincts of one town are joined along
//! the lines that they share ([`outline`]).
//!
//! If a name is not enough, the polygon of the city or village of that name may decide ([`places`]). Else a row of a
//! hand-kept table decides (`curated/precincts/`), also for a part of a precinct ([`parts`]). Else the town all
//! around the precinct is taken ([`enclosed`]). A precinct that nothing settles stays without a town: the nearest
//! town is never taken.
//!
//! A city, borough or village that is a subdivision of its own gets the polygon of its place if its precincts differ
//! from that ([`own`]). The place is the better outline. Land that only the precincts have stays without a town.
//!
//! Voting districts follow the town boundaries of the Census, but many in cities are named after wards or only
//! numbered. So a town is assembled from them if the result fits its land and its point, else from election precincts
//! ([`fit`]).
//!
//! Limits: precincts are drawn by election offices, not by surveyors, and show the state of one November. An area
//! made here is only as exact as its precincts, and its source says so.

pub mod borders;
pub mod decide;
pub mod enclosed;
mod fit;
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
    input::{Record, precinct_codes::PrecinctCodes, precincts::Precinct},
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
    /// Precincts and voting districts, each with the position of its source in the manifest.
    pub precincts: Vec<(usize, Precinct)>,
    /// Codes of precincts, each with the state FIPS code of its table.
    pub codes: Vec<(u8, PrecinctCodes)>,
}

/// Towns assembled from precincts.
#[derive(Debug, Default)]
pub struct Towns {
    /// One record for each town, with the source of its precincts or of its place; sorted by GEOID.
    pub records: Vec<(usize, Record)>,
    /// The result for every precinct that was used, in the order of the files. Each part of a cut precinct has its
    /// own result.
    pub outcomes: Vec<Outcome>,
}

/// Places every precinct and joins the precincts of each town. Voting districts of the Census are joined separately
/// from election precincts.
pub fn towns(inputs: Inputs, known: &Known, rules: &PrecinctRules) -> Towns {
    let names = Names::of(known.listed, known, rules);
    let places = Places::of(known, &names);
    let codes = Codes::of(&inputs.codes, known, rules);
    let decider = Decider { names: &names, places: &places, codes: &codes, rules };
    let (districts, precincts) = inputs.precincts.into_iter().partition(|(_, precinct)| precinct.district);
    let [mut towns, others] = [districts, precincts].map(|group| joined(group, &decider));
    towns.records = fit::better(towns.records, others.records, known.listed);
    own::use_place_outlines(&mut towns.records, &names, known, rules);
    towns.outcomes.extend(others.outcomes);
    towns
}

/// Places and joins precincts of one kind.
fn joined(precincts: Vec<(usize, Precinct)>, decider: &Decider) -> Towns {
    let precincts = parts::split_parts(precincts, decider.rules);
    let mut placements: Vec<Placement> =
        precincts.iter().map(|(_, precinct)| decider.placement(precinct)).collect();
    let borders = Borders::of(&precincts);
    enclosed::place(&precincts, decider.names, &borders, &mut placements);
    let records = outline::records(&precincts, decider.names, &placements, &borders);
    let outcomes = precincts.into_iter().zip(placements);
    let outcomes = outcomes
        .map(|((_, precinct), placement)| Outcome { county: precinct.county, name: precinct.name, placement })
        .collect();
    Towns { records, outcomes }
}

#[cfg(test)]
mod tests;
