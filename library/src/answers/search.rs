//! Searches places and resources by name.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Answers, Form, Notice, Parameter, RawParameters, Refusal, Request,
    model::{Answer, Data},
    notices, parameters,
    reading::{Reading, Subject},
};
use crate::{
    directory::{Directory, Match, MatchedBy, Matches, Row},
    vocabulary::{StateCode, Topic},
};

const LIMIT_MAX: usize = 50;
const LIMIT_DEFAULT: usize = 10;

/// The parameters of `/search`.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::query("q", 200, "Name of a county, city, town, township or web resource, or a ZIP code, perhaps with a task; never of a person")
        .required()
        .of(Form::Text, "saint paul"),
    Parameter::query("state", 20, "Two-letter code of the state to search in; all states by default").of(Form::State, "MN"),
    Parameter::query("limit", 20, "Most places and most resources to list, 1 to 50; 10 by default")
        .of(Form::Whole { min: 1, max: LIMIT_MAX, default: LIMIT_DEFAULT }, "3"),
];

/// Parses the parameters of `/search`.
///
/// # Errors
/// `bad-parameter`, `unknown-state`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let text = given.get("q").map(str::trim).unwrap_or_default();
    if text.is_empty() {
        return Err(Refusal::bad_parameter("q is missing; give the name of a place or of a web resource"));
    }
    let state = given.get("state").map(parameters::state).transpose()?;
    let limit = parameters::limit(given, LIMIT_MAX, LIMIT_DEFAULT)?;
    Ok(Request::Search { text: text.to_owned(), state, limit })
}

/// Answers `/search`: at most `limit` places and as many resources. A ZIP code, perhaps with a task, finds its counties.
pub(super) fn search<'a>(
    answers: &'a Answers,
    text: &str,
    state: Option<StateCode>,
    limit: usize,
) -> Answer<'a> {
    let reading = Reading::new(text);
    let Subject::Zip(zip) = reading.subject else {
        let matches = answers.directory().search(text, state, limit);
        let notices = notices::search_notices(&matches);
        return answers.answer(Data::Search(Arc::new(matches)), notices);
    };
    let directory = answers.directory();
    let mut counties: Vec<Row> = directory.counties_of_zip(zip).into_iter().map(|(row, _)| row).collect();
    let is_there = |row: &Row| state.is_none_or(|state| directory.state_of(*row) == Some(state));
    counties.retain(is_there);
    counties.truncate(limit);
    let beside = if counties.is_empty() { directory.county_beside_zip(zip).filter(is_there) } else { None };
    counties.extend(beside);
    let notices = zip_notices(zip, counties.is_empty(), beside);
    let resources = pages_for(directory, &counties, reading.topic);
    let places = counties.into_iter().map(|row| Match { row, matched_by: MatchedBy::Words }).collect();
    answers.answer(Data::Search(Arc::new(Matches { places, resources, unlisted: Vec::new() })), notices)
}

/// The best page of each county for a topic, each once; none without a topic.
pub(super) fn pages_for(directory: &Directory, counties: &[Row], topic: Option<Topic>) -> Vec<usize> {
    let pages = counties.iter().filter_map(|row| directory.first_local_page_for(*row, topic?));
    let mut seen = BTreeSet::new();
    pages.filter(|page| seen.insert(*page)).collect()
}

/// The caveats of an answer for a ZIP code. `beside` is the county of the ZIP codes beside one that is not known.
pub(super) fn zip_notices(zip: u32, is_unknown: bool, beside: Option<Row>) -> Vec<Notice> {
    let unknown = match beside {
        Some(county) => Some(Notice::ZipBeside { zip, county }),
        None => is_unknown.then_some(Notice::NoSuchZip),
    };
    std::iter::once(Notice::ZipIsMailRoute).chain(unknown).collect()
}
