//! May this snapshot be served, and may it take the place of that one?
//!
//! Checksums tell that a file is whole; a file can be whole and wrong: made from half of its inputs, of another world, or
//! older. [`is_sound`] asks a snapshot about itself, [`may_follow`] holds it against the one that it is to replace. Both are
//! questions to directories, so what makes snapshots asks the same as what serves them.

mod known_points;
mod misfit;
mod texts;

use crate::{
    directory::{Directory, Lookup, Resolution, Row},
    geometry::LonLat,
    vocabulary::{JurisdictionId, Layer, StateCode},
};

pub use misfit::Misfit;

/// Of the counties with an outline and a point inside, how many percent must be found again at that point. The rest
/// are those whose point lies where coarser lines of a neighbor run.
const FOUND_PERCENT_MIN: usize = 95;

/// Of what is served, how many percent a newer snapshot must have: rows of a layer, pages, outlines of a layer in a state.
const KEPT_PERCENT_MIN: usize = 50;

/// Whether a snapshot answers as a snapshot should, whatever was served before: its counties are found at their own
/// points, known points answer what is known of them, and its texts may be shown.
///
/// # Errors
/// With the first thing that is wrong.
pub fn is_sound(directory: &Directory) -> Result<(), Misfit> {
    let counties = points_of(directory, Layer::County);
    if counties.is_empty() {
        return Err(Misfit::Empty);
    }
    let is_found = |(row, point): &(Row, LonLat)| {
        county_at(directory, *point).is_some_and(|county| directory.is_same(county, *row))
    };
    let found = counties.iter().filter(|county| is_found(county)).count();
    if !is_enough(found, counties.len(), FOUND_PERCENT_MIN) {
        return Err(Misfit::Lost { found, asked: counties.len() });
    }
    texts::check(directory)?;
    known_points::check(directory)
}

/// Whether a snapshot may take the place of another: it is not older, has not lost much of what there was, and its counties
/// lie where they lay. `may_be_older` is for who asks for an older one.
///
/// # Errors
/// With the first thing that is wrong.
pub fn may_follow(new: &Directory, served: &Directory, may_be_older: bool) -> Result<(), Misfit> {
    if !may_be_older && new.as_of() < served.as_of() {
        return Err(Misfit::Older { as_of: new.as_of().to_owned(), served: served.as_of().to_owned() });
    }
    for layer in Layer::ALL {
        let rows = |directory: &Directory| directory.rows_of(layer).len();
        kept(&format!("rows of the layer {}", layer.prefix()), rows(served), rows(new))?;
    }
    kept("resources", served.resource_count(), new.resource_count())?;
    let websites = |directory: &Directory| directory.snapshot().records().websites().len();
    kept("websites", websites(served), websites(new))?;
    by_state(new, served)?;
    counties_stay(new, served)
}

/// Each state keeps its outlines and its rules.
fn by_state(new: &Directory, served: &Directory) -> Result<(), Misfit> {
    for row in served.snapshot().meta().coverage.iter() {
        let (Some(state), Some(layer)) = (row.state(), row.layer()) else { continue };
        let what = format!("outlines of the layer {} in {}", layer.prefix(), state.usps());
        kept(&what, row.with_boundary() as usize, outlines(new, state, layer))?;
    }
    let lost = StateCode::all()
        .find(|state| served.ruled_state(*state).is_some() && new.ruled_state(*state).is_none());
    lost.map_or(Ok(()), |state| Err(Misfit::NoRules { state: state.usps().to_owned() }))
}

fn outlines(directory: &Directory, state: StateCode, layer: Layer) -> usize {
    let coverage = directory.snapshot().meta().coverage.iter();
    let of_state = coverage.filter(|row| row.state() == Some(state) && row.layer() == Some(layer));
    of_state.map(|row| row.with_boundary() as usize).sum()
}

/// The points inside the counties that are served lie in the same counties, or in those that took their place.
fn counties_stay(new: &Directory, served: &Directory) -> Result<(), Misfit> {
    let counties = points_of(served, Layer::County);
    let stays = |(row, point): &(Row, LonLat)| {
        let was = served.jurisdiction(county_at(served, *point).unwrap_or(*row)).id;
        county_at(new, *point).is_some_and(|county| is_heir(new, county, &was))
    };
    let found = counties.iter().filter(|county| stays(county)).count();
    if is_enough(found, counties.len(), FOUND_PERCENT_MIN) {
        Ok(())
    } else {
        Err(Misfit::Moved { found, asked: counties.len() })
    }
}

/// Whether a county is the one of this id, or one of those that replace it.
fn is_heir(directory: &Directory, county: Row, id: &JurisdictionId) -> bool {
    match directory.lookup(id) {
        Lookup::Found(row) => directory.is_same(row, county),
        Lookup::Replaced(rows) => rows.contains(&county),
        Lookup::Unknown => false,
    }
}

/// The jurisdictions of a layer that have an outline and a point inside.
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

fn kept(what: &str, had: usize, has: usize) -> Result<(), Misfit> {
    if is_enough(has, had, KEPT_PERCENT_MIN) {
        Ok(())
    } else {
        Err(Misfit::Fewer { what: what.to_owned(), had, has })
    }
}

fn is_enough(has: usize, of: usize, percent: usize) -> bool {
    has * 100 >= of * percent
}

#[cfg(test)]
mod tests;
