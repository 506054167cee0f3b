//! Outlines of cities, boroughs and villages that are county subdivisions of their own.
//!
//! The polygon of the place is the legal outline. Precincts named after the place follow Census blocks or the
//! addresses of voters. With the outlines of precincts, some villages would have several times their land, and a
//! village without precincts would have none. Such a village gets the polygon of its place. The outline of the
//! precincts stays if it differs from the place's only by strips along its lines: it then fits the towns beside it.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{geometry::LonLat, vocabulary::Geoid};

use super::{
    known::{Known, KnownPlace, twin},
    names::Names,
    outline::without_rings,
};
use crate::{
    boundaries::divide::{Rings, apart, area, divide},
    curated::PrecinctRules,
    input::Record,
};

/// Maximum share of a place beyond its only county. Such a share is only a difference between two drawings of one
/// line. Chosen, not measured.
const BEYOND_COUNTY_MAX: f64 = 0.05;
/// Maximum surplus and missing land of the precincts, as a share of the place, for which both outlines count as
/// drawings of one line. Chosen, not measured.
const APART_MAX: f64 = 0.1;

/// Gives a subdivision the polygon of the place that is the same government, if the subdivision has no record or the
/// outlines differ.
///
/// If a place lies in several counties, each of its subdivisions gets the part in its own county. Records stay sorted
/// by GEOID.
pub fn use_place_outlines(
    records: &mut Vec<(usize, Record)>,
    names: &Names,
    known: &Known,
    rules: &PrecinctRules,
) {
    let drawn: BTreeMap<Geoid, &Record> = records.iter().map(|(_, record)| (record.geoid, record)).collect();
    let own = outlines(names, known, rules);
    let differs = |town: &Geoid, place: &Rings| {
        let record = drawn.get(town);
        record.is_none_or(|record| share(&apart(&record.rings, place), place) > APART_MAX)
    };
    let wanted = own.into_iter().filter(|(town, (_, place))| differs(town, place));
    let made = wanted.filter_map(|(town, (source, rings))| {
        Some((town, (source, Record { rings, ..without_rings(names.get(town)?) })))
    });
    let made: BTreeMap<Geoid, (usize, Record)> = made.collect();
    records.retain(|(_, record)| !made.contains_key(&record.geoid));
    records.extend(made.into_values());
    records.sort_by_key(|(_, record)| record.geoid);
}

/// The outline of each subdivision that is the same government as a place, with the source of the polygon.
fn outlines(names: &Names, known: &Known, rules: &PrecinctRules) -> BTreeMap<Geoid, (usize, Rings)> {
    let places: BTreeMap<Geoid, &KnownPlace> =
        known.places.iter().map(|place| (place.geoid, place)).collect();
    let counties: BTreeMap<Geoid, &[Vec<LonLat>]> =
        known.counties.iter().map(|county| (county.geoid, county.rings)).collect();
    let mut parts: BTreeMap<Geoid, usize> = BTreeMap::new();
    names.codes().filter_map(twin).for_each(|place| *parts.entry(place).or_default() += 1);
    // In the other states no town has an outline, so a city's would be the only one.
    let mut states: BTreeSet<u8> = known.drawn.iter().map(|town| town.state_fips()).collect();
    states.extend(rules.states.keys());
    let is_open = |town: &Geoid| states.contains(&town.state_fips()) && !known.drawn.contains(town);
    let wanted = names.codes().filter(is_open);
    let outline = |town: Geoid| {
        let place = places.get(&twin(town)?)?;
        let county = counties.get(&town.county()?)?;
        let rings = in_county(place.rings, county, parts.get(&place.geoid) == Some(&1));
        (!rings.is_empty()).then_some((town, (place.source, rings)))
    };
    wanted.filter_map(outline).collect()
}

/// The part of a place in a county. `whole` says that the place lies only in this county. The place's polygon then
/// stays as it is, unless much of it lies in another county.
fn in_county(place: &[Vec<LonLat>], county: &[Vec<LonLat>], whole: bool) -> Rings {
    let (inside, outside) = divide(place, county);
    if whole && share(&outside, place) <= BEYOND_COUNTY_MAX { place.to_vec() } else { inside }
}

fn share(part: &[Vec<LonLat>], of: &[Vec<LonLat>]) -> f64 {
    area(part) as f64 / (area(of) as f64).max(1.0)
}
