//! Assigns precincts that one town encloses to that town.
//!
//! In the states whose towns are made of precincts, every village and city that is not a subdivision lies inside a
//! town. Such a place is in the town that lies all around it. The same holds for any other precinct once every
//! subdivision of its county has been found: no other town is left.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::Geoid;

use super::{
    borders::{Borders, Edge, edges},
    names::Names,
    outcome::{How, Placement, Why},
};
use crate::input::precincts::Precinct;

/// Places each group of open precincts that one town encloses.
pub fn place(
    precincts: &[(usize, Precinct)],
    names: &Names,
    borders: &Borders,
    placements: &mut [Placement],
) {
    let open = open(precincts, names, placements);
    let mut seen = BTreeSet::new();
    for start in (0..precincts.len()).filter(|at| open[*at]) {
        if seen.contains(&start) {
            continue;
        }
        let group = group(start, precincts, borders, &open);
        seen.extend(group.iter().copied());
        if let Some(town) = around(&group, precincts, borders, placements) {
            group.into_iter().for_each(|at| placements[at] = Placement::Placed(town, How::Enclosed));
        }
    }
}

/// Returns for each precinct whether it may be assigned to the town around it.
fn open(precincts: &[(usize, Precinct)], names: &Names, placements: &[Placement]) -> Vec<bool> {
    let town = |placement: &Placement| match placement {
        Placement::Placed(town, _) => Some(*town),
        Placement::Left(_) => None,
    };
    let found: BTreeSet<Geoid> = placements.iter().filter_map(town).collect();
    let counties: BTreeSet<Geoid> = precincts.iter().map(|(_, precinct)| precinct.county).collect();
    let all_found = |county: &Geoid| names.in_county(*county).all(|town| found.contains(&town.geoid));
    let complete: BTreeSet<Geoid> = counties.into_iter().filter(all_found).collect();
    let is_open = |(precinct, placement): (&(usize, Precinct), &Placement)| match placement {
        // A place that is not a subdivision always lies in some town.
        Placement::Left(Why::OnlyPlace) => true,
        // Another name could be that of a town not found yet, so all of the county's towns must be found
        // first.
        Placement::Left(Why::NoSuchName | Why::Ambiguous) => complete.contains(&precinct.1.county),
        _ => false,
    };
    precincts.iter().zip(placements).map(is_open).collect()
}

/// The open precincts of one county that are connected with `start` through shared edges.
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

/// The one town of the county on the other side of every edge of the group. `None` if there are several such towns, or
/// if the group lies at the edge of the data. Edges along another county do not count: no town reaches across.
fn around(
    group: &BTreeSet<usize>,
    precincts: &[(usize, Precinct)],
    borders: &Borders,
    placements: &[Placement],
) -> Option<Geoid> {
    let county = precincts[*group.first()?].1.county;
    let mut uses: BTreeMap<Edge, usize> = BTreeMap::new();
    let all = group.iter().flat_map(|at| edges(&precincts[*at].1));
    // An edge that two precincts of the group share lies inside it; only edges used once are its border.
    all.for_each(|edge| *uses.entry(edge).or_default() += 1);
    let mut town = None;
    for (edge, _) in uses.into_iter().filter(|(_, count)| *count == 1) {
        let beyond = borders.sides(&edge).find(|at| !group.contains(at))?;
        match placements[beyond] {
            _ if precincts[beyond].1.county != county => {}
            Placement::Placed(found, _) if town.is_none_or(|town| town == found) => town = Some(found),
            _ => return None,
        }
    }
    town
}
