//! Finds the counties of a ZIP code, and the cities and towns there that do a job which the counties leave to them.

use std::collections::BTreeSet;

use super::{Answers, Notice, beside_jobs::topic_notices};
use crate::{
    directory::{Directory, Match, MatchedBy, Matches, Row},
    vocabulary::{Function, StateCode, Topic},
};

/// Maximum number of a county's cities and towns to list if the ZIP code does not say which is meant. Half of the
/// counties of New England have fewer. Chosen, not measured.
const TOWNS_MAX: usize = 20;
/// Maximum number of a county's cities and towns whose rules are evaluated, some 10 us each. Chosen, not measured.
const LOOKED_AT_MAX: usize = 120;

/// The counties and local governments found for a ZIP code, with pages and caveats.
pub(super) struct OfZip {
    /// The counties that the ZIP code reaches, each with its share of the addresses in percent, the largest first.
    pub(super) counties: Vec<(Row, u64)>,
    /// The cities and towns that do the jobs, and pages on the topics. For an unknown ZIP code, also the county of the
    /// ZIP codes beside it.
    pub(super) matches: Matches,
    /// The caveats on the code, its towns and the topics.
    pub(super) notices: Vec<Notice>,
}

/// Returns what is known about a ZIP code for these topics, restricted to a state if one is given.
pub(super) fn of_zip(answers: &Answers, zip: u32, state: Option<StateCode>, topics: &[Topic]) -> OfZip {
    let directory = answers.directory();
    let is_there = |row: Row| state.is_none_or(|state| directory.state_of(row) == Some(state));
    let mut counties = directory.counties_of_zip(zip);
    counties.retain(|(row, _)| is_there(*row));
    let is_unknown = counties.is_empty();
    let beside =
        if is_unknown { directory.county_beside_zip(zip).filter(|row| is_there(*row)) } else { None };
    let all: Vec<Row> = counties.iter().map(|(row, _)| *row).chain(beside).collect();
    let (towns, on_towns) = towns_of(directory, zip, &all, topics);
    let unknown = match beside {
        Some(county) => Some(Notice::ZipBeside { zip, county }),
        None => is_unknown.then_some(Notice::NoSuchZip),
    };
    let on_topics = topic_notices(directory, all.first().copied(), topics);
    let notices = std::iter::once(Notice::ZipIsMailRoute).chain(unknown).chain(on_towns).chain(on_topics);
    let pages = towns
        .iter()
        .chain(&all)
        .flat_map(|row| topics.iter().filter_map(move |topic| directory.first_local_page_for(*row, *topic)));
    let places = beside.iter().chain(&towns).map(|row| Match { row: *row, matched_by: MatchedBy::Words });
    let matches = Matches {
        resources: each_once(pages),
        places: places.collect(),
        topics: topics.to_vec(),
        ..Matches::default()
    };
    OfZip { counties, matches, notices: notices.collect() }
}

/// The cities and towns of a ZIP code that do jobs of the topics which their county leaves to them, and the caveat on
/// them. Without an office that has the ZIP code in its address, these are all such cities and towns of the county,
/// if few.
fn towns_of(
    directory: &Directory,
    zip: u32,
    counties: &[Row],
    topics: &[Topic],
) -> (Vec<Row>, Option<Notice>) {
    let jobs: Vec<Function> = topics.iter().flat_map(|topic| topic.office_functions()).copied().collect();
    let is_left = |county: &Row| jobs.iter().any(|job| directory.is_left_to_parts(*county, *job));
    let left: Vec<Row> = counties.iter().copied().filter(is_left).collect();
    if left.is_empty() {
        return (Vec::new(), None);
    }
    let does_one = |row: &Row| jobs.iter().any(|job| directory.does(*row, *job));
    let is_in = |row: &Row| directory.county_around(*row).is_some_and(|county| left.contains(&county));
    let at_zip = directory.governments_at_zip(zip).filter(is_in).filter(does_one);
    let known = directory.each_government_once(at_zip);
    if !known.is_empty() {
        return (known, Some(Notice::ZipOfOffices { zip }));
    }
    let parts =
        |county: &Row| directory.subdivisions_in(*county).into_iter().chain(directory.places_in(*county));
    let mut all: Vec<Row> = left.iter().flat_map(parts).take(LOOKED_AT_MAX + 1).collect();
    if all.len() <= LOOKED_AT_MAX {
        all = directory.each_government_once(all.into_iter().filter(does_one));
    }
    let is_listed = (1..=TOWNS_MAX).contains(&all.len());
    (if is_listed { all } else { Vec::new() }, Some(Notice::ZipLeftToTowns { is_listed }))
}

/// The numbers of pages, each once.
pub(super) fn each_once(pages: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    pages.filter(|page| seen.insert(*page)).collect()
}
