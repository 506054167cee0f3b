//! From precincts to the outlines of towns.

use std::collections::BTreeMap;

use platbook::{
    geometry::{LonLat, ring},
    vocabulary::{Geoid, split_namelsad},
};

use super::{Fate, borders::Borders, names::Names, own::OwnOutlines};
use crate::{
    boundaries::{
        clean::{clean, dissolve},
        divide::{Rings, union},
    },
    input::{Record, precincts::Precinct},
};

/// Twice the largest area, in square units of 1e-7 degree, of a gap between the precincts of one town that belongs to
/// no precinct: about 40 hectares. The widest of them is 98 m across.
const GAP_DOUBLED: i128 = 2 * 4_000_000_000;
/// Twice the area below which a ring only shows that two precincts do not meet vertex for vertex: 500 square metres.
pub(super) const SLIVER_DOUBLED: i128 = 2 * 5_000_000;

/// What the outlines of towns are made from.
pub struct Outlines<'a> {
    /// What there is.
    pub names: &'a Names,
    /// The edges of all precincts.
    pub borders: &'a Borders,
    /// Outlines of subdivisions that are places.
    pub own: &'a OwnOutlines,
    /// What falls to towns beside those, by town.
    pub beyond: &'a BTreeMap<Geoid, Rings>,
}

impl Outlines<'_> {
    /// A record for each town that has a precinct, or is a place with a polygon; sorted by GEOID.
    pub fn records(&self, precincts: &[(usize, Precinct)], fates: &[Fate]) -> Vec<(usize, Record)> {
        let mut towns: BTreeMap<Geoid, (usize, Vec<&[LonLat]>)> = BTreeMap::new();
        for ((source, precinct), fate) in precincts.iter().zip(fates) {
            if let Fate::Placed(town, _) = fate {
                let (_, rings) = towns.entry(*town).or_insert((*source, Vec::new()));
                rings.extend(precinct.rings.iter().map(Vec::as_slice));
            }
        }
        let drawn = towns.into_iter().filter(|(town, _)| !self.own.contains_key(town));
        let drawn = drawn.map(|(town, (source, rings))| (town, (source, self.outline(town, rings))));
        let own = self.own.iter().map(|(town, (source, rings))| (*town, (*source, rings.clone())));
        let all: BTreeMap<Geoid, (usize, Rings)> = drawn.chain(own).collect();
        let record = |(town, (source, rings))| Some((source, self.record(town, rings)?));
        all.into_iter().filter_map(record).collect()
    }

    /// Joins precincts, and what falls to their town besides.
    fn outline(&self, town: Geoid, rings: Vec<&[LonLat]>) -> Rings {
        let mut outline = without_gaps(dissolve(rings), self.borders);
        if let Some(beyond) = self.beyond.get(&town) {
            outline.extend(beyond.iter().cloned());
            outline = union(&outline);
        }
        outline
    }

    fn record(&self, town: Geoid, rings: Rings) -> Option<Record> {
        let named = self.names.get(town)?;
        let mut record = Record::named(town, named.name.clone(), named.full.clone());
        // "Township 7" of Kansas begins with its legal word.
        let begins = named.full.starts_with("Township ").then_some("45");
        let lsad = split_namelsad(&named.full).map(|(_, legal)| legal.lsad).or(begins);
        record.lsad = lsad.map(str::to_owned);
        record.rings = rings;
        Some(record)
    }
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
    rings.into_iter().filter(is_border).collect()
}
