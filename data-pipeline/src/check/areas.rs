//! Compares ids of one government and functional status with the snapshot.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    directory::{Directory, Row},
    vocabulary::{FuncStat, Geoid, JurisdictionId},
};

use super::report::{Change, grouped};
use crate::{boundaries::same_as::SameAs, curated::Tables};

/// Changes that the tables of areas would make.
pub(super) fn changes(tables: &Tables, directory: &Directory) -> Vec<Change> {
    let areas: BTreeMap<Geoid, Row> = directory
        .rows()
        .filter_map(|row| match directory.jurisdiction(row).id {
            JurisdictionId::Census(geoid) => Some((geoid, row)),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        })
        .collect();
    let mut changes = same_government(tables, directory, &areas);
    changes.extend(status(tables, directory, &areas));
    grouped(changes)
}

fn same_government(tables: &Tables, directory: &Directory, areas: &BTreeMap<Geoid, Row>) -> Vec<Change> {
    let same = SameAs::of(&tables.areas.same_as, &areas.keys().copied().collect());
    let mut changes = Vec::new();
    for (geoid, row) in areas {
        let today: BTreeSet<Row> = directory.same_as(*row).collect();
        let others = same.others.get(geoid).into_iter().flatten();
        let new: BTreeSet<Row> = others.filter_map(|other| areas.get(other).copied()).collect();
        let ids = |rows: &BTreeSet<Row>| {
            let ids: Vec<String> =
                rows.iter().map(|row| directory.jurisdiction(*row).id.to_string()).collect();
            if ids.is_empty() { "no other id".to_owned() } else { ids.join(", ") }
        };
        if today != new {
            let what = format!("{} -> {}", ids(&today), ids(&new));
            changes.push(Change::of_body(directory, *row, "same government as", what));
        }
    }
    changes
}

/// The first of two rows for an area counts, as in a build.
fn status(tables: &Tables, directory: &Directory, areas: &BTreeMap<Geoid, Row>) -> Vec<Change> {
    let mut settled: BTreeMap<Geoid, FuncStat> = BTreeMap::new();
    tables.areas.status.settled().for_each(|(geoid, status)| {
        settled.entry(geoid).or_insert(status);
    });
    let change = |(geoid, new): (Geoid, FuncStat)| {
        let row = *areas.get(&geoid)?;
        let today = directory.jurisdiction(row).func_stat;
        let what = format!("{} -> {}", today.letter(), new.letter());
        (today != new).then(|| Change::of_body(directory, row, "functional status", what))
    };
    settled.into_iter().filter_map(change).collect()
}
