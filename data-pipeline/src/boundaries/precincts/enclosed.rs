//! Which precincts without a town have one town all around them?
//!
//! By the law of these states every village and city that is not a subdivision of its own lies inside a town. Where one
//! town lies all around such a place, that is the town. The same goes for any other precinct once every subdivision of
//! its county has been found: there is no other that it could be.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::Geoid;

use super::{
    borders::{Borders, Edge, edges},
    names::Names,
    outcome::{Fate, How, Why},
};
use crate::input::precincts::Precinct;

/// Places what one town encloses.
pub fn place(precincts: &[(usize, Precinct)], names: &Names, borders: &Borders, fates: &mut [Fate]) {
    let open = open(precincts, names, fates);
    let mut seen = BTreeSet::new();
    for start in (0..precincts.len()).filter(|at| open[*at]) {
        if seen.contains(&start) {
            continue;
        }
        let group = group(start, precincts, borders, &open);
        seen.extend(group.iter().copied());
        if let Some(town) = around(&group, precincts, borders, fates) {
            group.into_iter().for_each(|at| fates[at] = Fate::Placed(town, How::Enclosed));
        }
    }
}

/// Of each precinct, whether what lies around may settle it.
fn open(precincts: &[(usize, Precinct)], names: &Names, fates: &[Fate]) -> Vec<bool> {
    let town = |fate: &Fate| match fate {
        Fate::Placed(town, _) => Some(*town),
        Fate::Left(_) => None,
    };
    let found: BTreeSet<Geoid> = fates.iter().filter_map(town).collect();
    let counties: BTreeSet<Geoid> = precincts.iter().map(|(_, precinct)| precinct.county).collect();
    let all_found = |county: &Geoid| names.in_county(*county).all(|town| found.contains(&town.geoid));
    let complete: BTreeSet<Geoid> = counties.into_iter().filter(all_found).collect();
    let is_open = |(precinct, fate): (&(usize, Precinct), &Fate)| match fate {
        Fate::Left(Why::OnlyPlace) => true,
        Fate::Left(Why::NoSuchName | Why::Ambiguous) => complete.contains(&precinct.1.county),
        _ => false,
    };
    precincts.iter().zip(fates).map(is_open).collect()
}

/// The open precincts of one county that hang together with `start`.
fn group(start: usize, precincts: &[(usize, Precinct)], borders: &Borders, open: &[bool]) -> BTreeSet<usize> {
    let county = precincts[start].1.county;
    let (mut found, mut pending) = (BTreeSet::from([start]), vec![start]);
    while let Some(at) = pending.pop() {
        for edge in edges(&precincts[at].1) {
            let next = borders.sides(&edge).filter(|next| open[*next] && precincts[*next].1.county == county);
            pending.extend(next.filter(|next| found.insert(*next)));
        }
    }
    found
}

/// The one town of the county on the other side of every edge of the group, but for edges along another county: no town
/// reaches across. `None` at the edge of the data.
fn around(
    group: &BTreeSet<usize>,
    precincts: &[(usize, Precinct)],
    borders: &Borders,
    fates: &[Fate],
) -> Option<Geoid> {
    let county = precincts[*group.first()?].1.county;
    let mut uses: BTreeMap<Edge, usize> = BTreeMap::new();
    let all = group.iter().flat_map(|at| edges(&precincts[*at].1));
    all.for_each(|edge| *uses.entry(edge).or_default() += 1);
    let mut town = None;
    for (edge, _) in uses.into_iter().filter(|(_, count)| *count == 1) {
        let beyond = borders.sides(&edge).find(|at| !group.contains(at))?;
        match fates[beyond] {
            _ if precincts[beyond].1.county != county => {}
            Fate::Placed(found, _) if town.is_none_or(|town| town == found) => town = Some(found),
            _ => return None,
        }
    }
    town
}
