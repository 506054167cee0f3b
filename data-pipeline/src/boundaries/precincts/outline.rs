//! Joins the precincts of each town into its outline.

use std::collections::BTreeMap;

use platbook::{
    geometry::{LonLat, distance_m, distance_to_segment_m, ring},
    vocabulary::{Geoid, split_namelsad},
};

use super::{
    borders::Borders,
    names::{Names, Town},
    outcome::Placement,
};
use crate::{
    boundaries::{
        clean::{clean, dissolve},
        divide::{area, union},
    },
    input::{Record, precincts::Precinct},
};

/// Twice the area, in square units of 1e-7 degree, up to which a gap between the precincts of one town is
/// filled.
///
/// About 40 hectares. Such a gap belongs to no precinct; the widest of them is 98 m across.
const GAP_DOUBLED: i128 = 2 * 4_000_000_000;
/// Minimum length of both sides of a needle, in meters. Chosen, not measured.
const NEEDLE_M: f64 = 20.0;
/// Maximum distance in meters from the end of a needle's shorter side to its longer side. Chosen, not measured.
const NEEDLE_WIDTH_M: f64 = 1.0;
/// Points of a closed ring with three corners; the first point counts twice.
const TRIANGLE: usize = 4;
/// Twice the area, in square units of 1e-7 degree, up to which a ring is dropped: 500 square meters. Such a
/// ring only shows that two precincts do not meet vertex for vertex. Chosen, not measured.
const SLIVER_DOUBLED: i128 = 2 * 5_000_000;

/// Returns a record for each town that has a precinct, sorted by GEOID.
pub fn records(
    precincts: &[(usize, Precinct)],
    names: &Names,
    placements: &[Placement],
    borders: &Borders,
) -> Vec<(usize, Record)> {
    let mut towns: BTreeMap<Geoid, (usize, Vec<&[LonLat]>)> = BTreeMap::new();
    for ((source, precinct), placement) in precincts.iter().zip(placements) {
        if let Placement::Placed(town, _) = placement {
            let (_, rings) = towns.entry(*town).or_insert((*source, Vec::new()));
            rings.extend(precinct.rings.iter().map(Vec::as_slice));
        }
    }
    let all = towns.into_iter();
    all.filter_map(|(town, (source, rings))| Some((source, record(town, rings, names, borders)?))).collect()
}

fn record(town: Geoid, rings: Vec<&[LonLat]>, names: &Names, borders: &Borders) -> Option<Record> {
    let mut rings = without_gaps(dissolve(rings), borders);
    rings.iter_mut().for_each(drop_needles);
    Some(Record { rings, ..without_rings(names.get(town)?) })
}

/// The record of a town without its outline.
pub fn without_rings(named: &Town) -> Record {
    let mut record = Record::named(named.geoid, named.name.clone(), named.full.clone());
    // "Township 7" of Kansas begins with its legal word, which `split_namelsad` seeks at the end.
    let begins = named.full.starts_with("Township ").then_some("45");
    let lsad = split_namelsad(&named.full).map(|(_, legal)| legal.lsad).or(begins);
    record.lsad = lsad.map(str::to_owned);
    record
}

/// Leaves out small holes that no precinct fills, and rings that enclose next to nothing.
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

/// Removes needles, where a line goes out and comes back nearly on itself. Needles arise if a town's line cuts a
/// precinct nearly along its border. The two sides of a needle may cross on the coordinate grid, and the land between
/// them would then be enclosed twice.
fn drop_needles(ring: &mut Vec<LonLat>) {
    // A triangle without its tip is not a ring.
    if ring.len() <= TRIANGLE {
        return;
    }
    let mut kept: Vec<LonLat> = Vec::with_capacity(ring.len());
    for &point in ring.iter() {
        while let [.., one, tip] = kept[..]
            && is_needle(one, tip, point)
        {
            kept.pop();
        }
        kept.push(point);
    }
    *ring = kept;
}

/// Whether both edges at the tip are long, and the end of the shorter edge lies next to the longer one.
fn is_needle(one: LonLat, tip: LonLat, other: LonLat) -> bool {
    let [to_one, to_other] = [one, other].map(|end| distance_m(tip, end));
    let (shorter, end, far) = if to_one < to_other { (to_one, one, other) } else { (to_other, other, one) };
    shorter > NEEDLE_M && distance_to_segment_m(end, tip, far) < NEEDLE_WIDTH_M
}

/// Makes land that overlapping precincts enclose twice count as inside: by even-odd it would be outside.
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

    #[test]
    fn needles_are_taken_away() {
        let square = ring(&[(0, 0), (100_000, 0), (100_000, 100_000), (0, 100_000)]);
        let mut with_needle = ring(&[
            (0, 0),
            (100_000, 0),
            (100_000, 100_000),
            (50_000, 100_000),
            (50_030, 40_000),
            (50_001, 99_998),
            (0, 100_000),
        ]);
        let mut with_notch = ring(&[
            (0, 0),
            (100_000, 0),
            (100_000, 100_000),
            (50_000, 100_000),
            (50_030, 40_000),
            (49_000, 100_000),
            (0, 100_000),
        ]);
        let notch = with_notch.clone();
        drop_needles(&mut with_needle);
        drop_needles(&mut with_notch);
        assert!((area(&[with_needle]) - area(&[square])).abs() < 1_000_000);
        assert_eq!(with_notch, notch, "11 m wide at its mouth");
    }

    /// An outline drawn in one stroke may go around its middle twice, like a star: the middle is inside.
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
