//! Counts the residents of several governments, some of which may lie inside others.

use std::collections::BTreeSet;

use platbook::{
    directory::{Directory, Row},
    vocabulary::{JurisdictionId, Layer},
};

/// Counts the residents of all these rows. Residents of a town or city are counted with its county if the county is
/// among the rows. A government with two ids counts once.
pub(super) fn people_of(directory: &Directory, rows: &[Row]) -> u64 {
    let all: BTreeSet<Row> = rows.iter().copied().collect();
    let counted = all.iter().filter(|row| !is_counted_elsewhere(directory, &all, **row));
    counted.map(|row| u64::from(directory.jurisdiction(*row).population)).sum()
}

fn is_counted_elsewhere(directory: &Directory, all: &BTreeSet<Row>, row: Row) -> bool {
    if directory.same_as(row).any(|same| same < row && all.contains(&same)) {
        return true;
    }
    let JurisdictionId::Census(geoid) = directory.jurisdiction(row).id else { return false };
    let county = match geoid.layer() {
        Layer::Cousub => geoid.county().and_then(|county| directory.row_of(county)),
        Layer::Place => directory.chain_of_place(row).map(|chain| chain.county),
        Layer::State | Layer::County => None,
    };
    county.is_some_and(|county| all.contains(&county))
}
