//! Precincts of several parts that lie in several towns: rows of the tables name a part by a point in it.

use platbook::geometry::{LonLat, ring};

use super::names::words;
use crate::{
    curated::{PrecinctRow, PrecinctRules},
    input::precincts::Precinct,
};

/// Makes a precinct of its own, with its town, of each part that a row names. The others stay as they are.
pub fn apart(precincts: Vec<(usize, Precinct)>, rules: &PrecinctRules) -> Vec<(usize, Precinct)> {
    let cut = |(source, mut precinct): (usize, Precinct)| {
        let mut parts: Vec<(usize, Precinct)> =
            rows(&precinct, rules).filter_map(|row| Some((source, part(&mut precinct, row)?))).collect();
        if !precinct.rings.is_empty() {
            parts.push((source, precinct));
        }
        parts
    };
    precincts.into_iter().flat_map(cut).collect()
}

/// The rows that name a part of the precinct.
fn rows<'a>(
    precinct: &Precinct,
    rules: &'a PrecinctRules,
) -> impl Iterator<Item = &'a PrecinctRow> + use<'a> {
    let (county, state) = (precinct.county, rules.states.get(&precinct.county.state_fips()));
    let of_county = state.into_iter().flat_map(|state| &state.rows);
    let mut of_county = of_county.filter(move |row| row.county == county && row.around.is_some()).peekable();
    // Hardly any county has such a row: most names need not be read.
    let all = of_county.peek().map(|_| words(&precinct.name, rules)).unwrap_or_default();
    of_county.filter(move |row| all.starts_with(&words(&row.written, rules)))
}

/// Takes the part that the row names out of the precinct: its outer ring and what that holds.
fn part(precinct: &mut Precinct, row: &PrecinctRow) -> Option<Precinct> {
    let point = row.around?;
    let outer = precinct.rings.iter().find(|ring| ring::contains(ring, point))?.clone();
    let is_held = |ring: &Vec<LonLat>| *ring == outer || ring.iter().all(|at| ring::contains(&outer, *at));
    let (rings, rest) = std::mem::take(&mut precinct.rings).into_iter().partition(is_held);
    precinct.rings = rest;
    Some(Precinct { cousub: row.town, rings, ..precinct.clone() })
}
