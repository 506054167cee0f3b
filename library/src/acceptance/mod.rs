//! Acceptance checks, which decide whether a snapshot may be served and whether it may replace another.
//!
//! Checksums prove that a file is complete. A complete file can still be wrong: made from half of its inputs, for
//! another area, or outdated. [`is_sound`] checks one snapshot. [`may_follow`] compares a new snapshot with the one
//! that the service has.
//!
//! Both functions use only directories, so the pipeline makes the same checks as the service.

mod known_points;
mod rejection;
mod texts;

use crate::{
    directory::{Directory, Lookup, Resolution, Row},
    geometry::LonLat,
    vocabulary::{JurisdictionId, Layer, StateCode},
};

pub use rejection::Rejection;

/// Minimum percentage of counties that a lookup of their own point must return. It is below 100, because a neighbor's
/// coarser line may have such a point on the wrong side. Chosen, not measured.
const FOUND_PERCENT_MIN: usize = 95;

/// Minimum percentage of records that a newer snapshot must still have. It applies to rows of a layer, to pages, and to
/// outlines of a layer in a state. Chosen, not measured.
const KEPT_PERCENT_MIN: usize = 50;

/// Checks one snapshot. Lookups of the counties' own points must return these counties, known points must have their
/// known answers, and all texts must be safe to show.
///
/// # Errors
/// The first [`Rejection`] that applies.
pub fn is_sound(directory: &Directory) -> Result<(), Rejection> {
    let counties = points_of(directory, Layer::County);
    if counties.is_empty() {
        return Err(Rejection::Empty);
    }
    let is_found = |(row, point): &(Row, LonLat)| {
        county_at(directory, *point).is_some_and(|county| directory.is_same(county, *row))
    };
    let found = counties.iter().filter(|county| is_found(county)).count();
    if !is_enough(found, counties.len(), FOUND_PERCENT_MIN) {
        return Err(Rejection::Lost { found, tested: counties.len() });
    }
    texts::check_texts(directory)?;
    known_points::check_known_points(directory)
}

/// Checks whether a snapshot may replace another. The new one must not be older and must not lack many records, and its
/// counties must lie in the same places. `may_be_older` permits an older snapshot, which an operator requested.
///
/// # Errors
/// The first [`Rejection`] that applies.
pub fn may_follow(new: &Directory, served: &Directory, may_be_older: bool) -> Result<(), Rejection> {
    if !may_be_older && new.as_of() < served.as_of() {
        return Err(Rejection::Older { as_of: new.as_of().to_owned(), served: served.as_of().to_owned() });
    }
    for layer in Layer::ALL {
        let rows = |directory: &Directory| directory.rows_of(layer).len();
        check_kept(&format!("rows of the layer {}", layer.prefix()), rows(served), rows(new))?;
    }
    check_kept("resources", served.resource_count(), new.resource_count())?;
    let websites = |directory: &Directory| directory.snapshot().records().websites().len();
    check_kept("websites", websites(served), websites(new))?;
    check_states(new, served)?;
    check_counties_stay(new, served)
}

/// Checks that each state still has its outlines and its rules.
fn check_states(new: &Directory, served: &Directory) -> Result<(), Rejection> {
    for row in served.snapshot().meta().coverage.iter() {
        let (Some(state), Some(layer)) = (row.state(), row.layer()) else { continue };
        let what = format!("outlines of the layer {} in {}", layer.prefix(), state.usps());
        check_kept(&what, row.with_boundary() as usize, outlines(new, state, layer))?;
    }
    let lost = StateCode::all()
        .find(|state| served.ruled_state(*state).is_some() && new.ruled_state(*state).is_none());
    lost.map_or(Ok(()), |state| Err(Rejection::NoRules { state: state.usps().to_owned() }))
}

fn outlines(directory: &Directory, state: StateCode, layer: Layer) -> usize {
    let coverage = directory.snapshot().meta().coverage.iter();
    let of_state = coverage.filter(|row| row.state() == Some(state) && row.layer() == Some(layer));
    of_state.map(|row| row.with_boundary() as usize).sum()
}

/// Checks that points in the counties of `served` lie in the same counties of `new`, or in counties that replaced them.
fn check_counties_stay(new: &Directory, served: &Directory) -> Result<(), Rejection> {
    let counties = points_of(served, Layer::County);
    let stays = |(row, point): &(Row, LonLat)| {
        let was = served.jurisdiction(county_at(served, *point).unwrap_or(*row)).id;
        county_at(new, *point).is_some_and(|county| is_same_or_successor(new, county, &was))
    };
    let found = counties.iter().filter(|county| stays(county)).count();
    if is_enough(found, counties.len(), FOUND_PERCENT_MIN) {
        Ok(())
    } else {
        Err(Rejection::Moved { found, tested: counties.len() })
    }
}

/// Whether a county has this id, or is one of the counties that replaced it.
fn is_same_or_successor(directory: &Directory, county: Row, id: &JurisdictionId) -> bool {
    match directory.lookup(id) {
        Lookup::Found(row) => directory.is_same(row, county),
        Lookup::Replaced(rows) => rows.contains(&county),
        Lookup::Unknown => false,
    }
}

/// The jurisdictions of a layer that have an outline and a point inside, each with its point.
fn points_of(directory: &Directory, layer: Layer) -> Vec<(Row, LonLat)> {
    let point = |row: Row| {
        let view = directory.jurisdiction(row);
        view.point.filter(|_| view.has_boundary).map(|point| (row, point))
    };
    directory.rows_of(layer).filter_map(point).collect()
}

fn county_at(directory: &Directory, point: LonLat) -> Option<Row> {
    match directory.resolve(point) {
        Resolution::Inside(chain) => Some(chain.county),
        Resolution::Outside => None,
    }
}

fn check_kept(what: &str, had: usize, has: usize) -> Result<(), Rejection> {
    if is_enough(has, had, KEPT_PERCENT_MIN) {
        Ok(())
    } else {
        Err(Rejection::Fewer { what: what.to_owned(), had, has })
    }
}

fn is_enough(has: usize, of: usize, percent: usize) -> bool {
    has * 100 >= of * percent
}

#[cfg(test)]
mod tests;
