//! Lists outlines that are new, gone or moved.

use platbook::directory::{Directory, Row};

use super::{Change, Kind};
use crate::boundaries::divide::{Rings, apart, km2};

/// Compares the outline of each area of the new snapshot with its old one.
pub(super) fn changes(old: &Directory, new: &Directory) -> Vec<Change> {
    new.rows().filter_map(|row| change(old, new, row)).collect()
}

fn change(old: &Directory, new: &Directory, row: Row) -> Option<Change> {
    let was = old.found(&new.jurisdiction(row).id).map(|was| old.rings(was)).unwrap_or_default();
    let is = new.rings(row);
    let change = |what: &str| Some(Change::of(new, row, Kind::Borders, what.to_owned()));
    match (was.is_empty(), is.is_empty()) {
        (true, true) => None,
        (true, false) => change("has an outline now"),
        (false, true) => change("no longer has an outline"),
        (false, false) if was == is => None,
        (false, false) => moved(new, row, &was, &is),
    }
}

/// Reports only land that changed sides: another vertex on a straight line is not a change.
fn moved(new: &Directory, row: Row, was: &Rings, is: &Rings) -> Option<Change> {
    let km2 = km2(&apart(was, is));
    let what = format!("has {} as its border runs now", in_words(km2, was, is));
    let change = Change::of(new, row, Kind::Borders, what);
    (km2 > 0.0).then_some(Change { moved_km2: Some(km2), ..change })
}

fn in_words(moved_km2: f64, was: &Rings, is: &Rings) -> String {
    let grown = km2(is) - km2(was);
    let shown = |km2: f64| if km2 < 0.01 { "less than 0.01 km2".to_owned() } else { format!("{km2:.2} km2") };
    let more = if grown < 0.0 { "less" } else { "more" };
    format!("{} moved in or out, {} {more}", shown(moved_km2), shown(grown.abs()))
}
