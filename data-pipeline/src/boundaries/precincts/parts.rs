//! Cuts off parts of precincts that lie in a different town from the rest.
//!
//! Rows of the tables name such a part by a point inside it or by the boundary of the town.

use platbook::geometry::{LonLat, UNITS_PER_DEGREE, distance_m, ring};

use super::names::words;
use crate::{
    boundaries::divide::{Rings, divide},
    curated::{Part, PrecinctRow, PrecinctRules, StatePrecincts},
    input::precincts::Precinct,
};

/// Minimum width of a part, in meters. A narrower strip along a line is a difference between two drawings of that
/// line. Chosen, not measured.
const STRIP_M: f64 = 200.0;
/// Legal words of places that lie in no town, or are towns of their own.
const PLACES: [&str; 3] = ["city", "village", "borough"];

/// Makes a separate precinct, with its town, of each part that a row names. Other precincts stay as they are.
pub fn split_parts(precincts: Vec<(usize, Precinct)>, rules: &PrecinctRules) -> Vec<(usize, Precinct)> {
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
    let mut of_county = of_county.filter(move |row| row.county == county && row.part != Part::All).peekable();
    // Hardly any county has such a row, so most names need not be split into words.
    let all = of_county.peek().map(|_| words(&precinct.name, rules)).unwrap_or_default();
    let of_place = state.is_some_and(|state| is_of_place(&all, state));
    of_county.filter(move |row| match row.written.as_str() {
        "" => !of_place,
        written => all.starts_with(&words(written, rules)),
    })
}

/// Whether a name says that the precinct is a part of a city or village.
fn is_of_place(name: &[String], state: &StatePrecincts) -> bool {
    name.iter().filter_map(|word| state.words.get(word)).any(|word| PLACES.contains(&word.as_str()))
}

/// Takes the part that the row names out of the precinct; `None` if the precinct does not have that part.
fn part(precinct: &mut Precinct, row: &PrecinctRow) -> Option<Precinct> {
    let (rings, rest) = match &row.part {
        Part::All => return None,
        Part::Around(point) => around(&precinct.rings, *point)?,
        Part::Within(line) => along(&precinct.rings, std::slice::from_ref(line))?,
    };
    precinct.rings = rest;
    Some(Precinct { cousub: row.town, rings, ..precinct.clone() })
}

/// The outer ring around a point with all rings inside it, and the other rings; `None` if no ring holds the
/// point.
fn around(rings: &[Vec<LonLat>], point: LonLat) -> Option<(Rings, Rings)> {
    let outer = rings.iter().find(|ring| ring::contains(ring, point))?;
    let is_held = |ring: &Vec<LonLat>| ring == outer || ring.iter().all(|at| ring::contains(outer, *at));
    Some(rings.iter().cloned().partition(is_held))
}

/// Divides rings into the part within the boundary of a town and the rest; `None` if only strips lie within it.
///
/// Strips along the boundary stay with the part that they border: they show that one line was drawn twice.
pub fn along(rings: &[Vec<LonLat>], lines: &[Vec<LonLat>]) -> Option<(Rings, Rings)> {
    let (inside, outside) = divide(rings, lines);
    let (inside, strips_in) = without_strips(inside);
    let (outside, strips_out) = without_strips(outside);
    match (inside.is_empty(), outside.is_empty()) {
        (true, _) => None,
        (false, true) => Some((rings.to_vec(), Rings::new())),
        (false, false) => Some(([inside, strips_out].concat(), [outside, strips_in].concat())),
    }
}

/// Divides rings into those to keep and narrow outer rings. Holes are kept; they turn in the direction opposite to
/// outer rings.
fn without_strips(rings: Rings) -> (Rings, Rings) {
    let area = |ring: &[LonLat]| ring::signed_area_doubled(ring);
    let turn = rings.iter().map(|ring| area(ring)).max_by_key(|area| area.abs()).unwrap_or_default().signum();
    rings.into_iter().partition(|ring| area(ring).signum() != turn || mean_width_m(ring) > STRIP_M)
}

/// Mean width, in meters, of a strip with the area and the perimeter of the ring.
fn mean_width_m(ring: &[LonLat]) -> f64 {
    let Some(first) = ring.first() else { return 0.0 };
    let east = LonLat::from_units(first.lat(), first.lon() + UNITS_PER_DEGREE / 100);
    let north = LonLat::from_units(first.lat() + UNITS_PER_DEGREE / 100, first.lon());
    let unit =
        distance_m(*first, east) * distance_m(*first, north) / f64::from(UNITS_PER_DEGREE / 100).powi(2);
    let length: f64 = ring.windows(2).map(|edge| distance_m(edge[0], edge[1])).sum();
    // The perimeter runs along both sides of the strip and the area is doubled, so the two factors of two
    // cancel.
    ring::signed_area_doubled(ring).abs() as f64 * unit / length.max(1.0)
}
