//! Cities, boroughs and villages that are subdivisions of their own: where do they lie, and whose is the rest of their
//! precincts?
//!
//! The polygon of the place is what the law has drawn; a precinct named after it follows Census blocks, or the addresses of
//! voters, and may reach far beyond. In these states land beyond such a place lies in a town (or in another such place).
//! So each part of a precinct that lies beyond goes to the town that it borders on, where that is one alone.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    geometry::{LonLat, ring},
    vocabulary::Geoid,
};

use super::{Fate, Known, KnownPlace, borders::Borders, names::Names, outline::SLIVER_DOUBLED, twin};
use crate::{
    boundaries::{
        clean::{clean, dissolve},
        divide::{Rings, area, divide, pieces_outside},
    },
    input::precincts::Precinct,
};

/// Up to this share of a place lies beyond the only county that it is listed for because two files draw one line.
const BEYOND_COUNTY_MAX: f64 = 0.05;

/// Outlines of subdivisions that are places, each with its source.
pub type OwnOutlines = BTreeMap<Geoid, (usize, Rings)>;

/// The outline of each subdivision that is one with a place: its polygon, and of one in several counties the part in the
/// subdivision's county.
pub fn outlines(names: &Names, known: &Known) -> OwnOutlines {
    let places: BTreeMap<Geoid, &KnownPlace> =
        known.places.iter().map(|place| (place.geoid, place)).collect();
    let counties: BTreeMap<Geoid, &[Vec<LonLat>]> =
        known.counties.iter().map(|county| (county.geoid, county.rings)).collect();
    let mut parts: BTreeMap<Geoid, usize> = BTreeMap::new();
    names.codes().filter_map(twin).for_each(|place| *parts.entry(place).or_default() += 1);
    let wanted = names.codes().filter(|town| !known.drawn.contains(town));
    let outline = |town: Geoid| {
        let place = places.get(&twin(town)?)?;
        let county = counties.get(&town.county()?)?;
        let rings = in_county(place.rings, county, parts.get(&place.geoid) == Some(&1));
        (!rings.is_empty()).then_some((town, (place.source, rings)))
    };
    wanted.filter_map(outline).collect()
}

/// The part of a place in a county. One that is `whole` in it is left as drawn, unless much of it lies elsewhere.
fn in_county(place: &[Vec<LonLat>], county: &[Vec<LonLat>], whole: bool) -> Rings {
    let (inside, outside) = divide(place, county);
    let beyond = area(&outside) as f64 / (area(place) as f64).max(1.0);
    if whole && beyond <= BEYOND_COUNTY_MAX { place.to_vec() } else { inside }
}

/// By town, what precincts of such a place beside it have beyond the place.
pub fn beyond(
    precincts: &[(usize, Precinct)],
    fates: &[Fate],
    own: &OwnOutlines,
    borders: &Borders,
) -> BTreeMap<Geoid, Rings> {
    let mut drawn: BTreeMap<Geoid, Vec<&[LonLat]>> = BTreeMap::new();
    for ((_, precinct), fate) in precincts.iter().zip(fates) {
        if let Fate::Placed(town, _) = fate
            && own.contains_key(town)
        {
            drawn.entry(*town).or_default().extend(precinct.rings.iter().map(Vec::as_slice));
        }
    }
    let mut found: BTreeMap<Geoid, Rings> = BTreeMap::new();
    for (place, rings) in drawn {
        for piece in pieces_outside(&dissolve(rings), &own[&place].1) {
            if let Some((town, piece)) = beside(place, piece, fates, borders) {
                found.entry(town).or_default().extend(piece);
            }
        }
    }
    found.retain(|town, _| !own.contains_key(town));
    found
}

/// The one town of the county that a piece beyond a place borders on, with the cleaned piece.
fn beside(place: Geoid, piece: Rings, fates: &[Fate], borders: &Borders) -> Option<(Geoid, Rings)> {
    let (piece, _) = clean(piece).ok()?;
    if piece.iter().map(|ring| ring::signed_area_doubled(ring)).sum::<i128>() <= SLIVER_DOUBLED {
        return None;
    }
    let edges = piece.iter().flat_map(|ring| ring.windows(2));
    let around: BTreeSet<Option<Geoid>> = edges
        .flat_map(|edge| borders.beyond(edge))
        .map(|at| match &fates[at] {
            Fate::Placed(town, _) => Some(*town),
            Fate::Left(_) => None,
        })
        // The place's own precincts lie on one side, and no town reaches into another county.
        .filter(|town| town.is_none_or(|town| town != place && town.county() == place.county()))
        .collect();
    match around.into_iter().collect::<Vec<_>>()[..] {
        [Some(town)] => Some((town, piece)),
        _ => None,
    }
}
