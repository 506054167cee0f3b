//! From precincts to the outlines of towns.

use std::collections::BTreeMap;

use platbook::{
    geometry::{LonLat, ring},
    vocabulary::{Geoid, split_namelsad},
};

use super::{
    Fate,
    borders::Borders,
    names::{Names, Town},
};
use crate::{
    boundaries::{
        clean::{clean, dissolve},
        divide::{area, union},
    },
    input::{Record, precincts::Precinct},
};

/// Twice the largest area, in square units of 1e-7 degree, of a gap between the precincts of one town that belongs to
/// no precinct: about 40 hectares. The widest of them is 98 m across.
const GAP_DOUBLED: i128 = 2 * 4_000_000_000;
/// Twice the area below which a ring only shows that two precincts do not meet vertex for vertex: 500 square metres.
const SLIVER_DOUBLED: i128 = 2 * 5_000_000;

/// A record for each town that has a precinct, sorted by GEOID.
pub fn records(
    precincts: &[(usize, Precinct)],
    names: &Names,
    fates: &[Fate],
    borders: &Borders,
) -> Vec<(usize, Record)> {
    let mut towns: BTreeMap<Geoid, (usize, Vec<&[LonLat]>)> = BTreeMap::new();
    for ((source, precinct), fate) in precincts.iter().zip(fates) {
        if let Fate::Placed(town, _) = fate {
            let (_, rings) = towns.entry(*town).or_insert((*source, Vec::new()));
            rings.extend(precinct.rings.iter().map(Vec::as_slice));
        }
    }
    let all = towns.into_iter();
    all.filter_map(|(town, (source, rings))| Some((source, record(town, rings, names, borders)?))).collect()
}

fn record(town: Geoid, rings: Vec<&[LonLat]>, names: &Names, borders: &Borders) -> Option<Record> {
    Some(Record { rings: without_gaps(dissolve(rings), borders), ..without_rings(names.get(town)?) })
}

/// The record of a town, but for its outline.
pub fn without_rings(named: &Town) -> Record {
    let mut record = Record::named(named.geoid, named.name.clone(), named.full.clone());
    // "Township 7" of Kansas begins with its legal word.
    let begins = named.full.starts_with("Township ").then_some("45");
    let lsad = split_namelsad(&named.full).map(|(_, legal)| legal.lsad).or(begins);
    record.lsad = lsad.map(str::to_owned);
    record
}

/// Leaves out holes that no precinct fills, up to a size, and rings that enclose next to nothing.
fn without_gaps(outline: Vec<Vec<LonLat>>, borders: &Borders) -> Vec<Vec<LonLat>> {
    // An edge that is too long is reported later, when the record is cleaned with all others.
    let Ok((rings, _)) = clean(outline.clone()) else { return outline };
    let is_border = |ring: &Vec<LonLat>| {
        let area = ring::signed_area_doubled(ring);
        let is_gap = area < 0 && -area < GAP_DOUBLED && borders.is_empty_beyond(ring);
        !is_gap && area.abs() > SLIVER_DOUBLED
    };
    covered_once(rings.into_iter().filter(is_border).collect())
}

/// The outline of precincts that overlap can go around what they share twice, and twice inside would be outside.
fn covered_once(rings: Vec<Vec<LonLat>>) -> Vec<Vec<LonLat>> {
    let joined = union(&rings);
    if area(&joined) == area(&rings) { rings } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(corners: &[(i32, i32)]) -> Vec<LonLat> {
        let closed = corners.iter().chain(corners.first());
        closed.map(|(lon, lat)| LonLat::from_units(*lat, *lon)).collect()
    }

    /// What an outline goes around twice is in, too: the middle of a star that is drawn in one stroke.
    #[test]
    fn what_an_outline_goes_around_twice_is_in() {
        let star = ring(&[(0, 1_000), (588, -809), (-951, 309), (951, 309), (-588, -809)]);
        let outer = ring(&[(-2_000, -2_000), (2_000, -2_000), (2_000, 2_000), (-2_000, 2_000)]);
        let hole = ring(&[(-100, -100), (-100, 100), (100, 100), (100, -100)]);
        let middle = |rings: &[Vec<LonLat>]| {
            rings.iter().filter(|ring| ring::contains(ring, LonLat::from_units(0, 0))).count() % 2 == 1
        };
        for (what, rings, is_in) in [("star", vec![star], true), ("hole", vec![outer, hole], false)] {
            assert!(!middle(&rings), "{what}");
            assert_eq!(middle(&covered_once(rings)), is_in, "{what}");
        }
    }
}
