//! Searches places and resources by name.

use std::sync::Arc;

use super::{
    Answers, Form, Notice, Parameter, RawParameters, Refusal, Request,
    model::{Answer, Data},
    notices::search_notices,
    parameters,
    reading::{Reading, Subject},
    zip::{self, OfZip},
};
use crate::{
    directory::{Match, MatchedBy, Matches},
    vocabulary::StateCode,
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

/// The answer with these matches: `first`, then the notices that the matches need.
pub(super) fn answer_of<'a>(answers: &'a Answers, matches: Matches, first: Option<Notice>) -> Answer<'a> {
    let notices = first.into_iter().chain(search_notices(answers, &matches)).collect();
    answers.answer(Data::Search(Arc::new(matches)), notices)
}

/// Answers `/search`: at most `limit` places and as many resources. A ZIP code, perhaps with a task, finds its
/// counties.
pub(super) fn search<'a>(
    answers: &'a Answers,
    text: &str,
    state: Option<StateCode>,
    limit: usize,
) -> Answer<'a> {
    let reading = Reading::new(text);
    let Subject::Zip(zip) = reading.subject else {
        return answer_of(answers, answers.directory().search(text, state, limit), None);
    };
    let OfZip { counties, mut matches, notices } = zip::of_zip(answers, zip, state, &reading.topics);
    let counties = counties.into_iter().map(|(row, _)| Match { row, matched_by: MatchedBy::Words });
    matches.places = counties.chain(matches.places).take(limit).collect();
    answers.answer(Data::Search(Arc::new(matches)), notices)
}
