//! Searches places and resources by name.

use std::sync::Arc;

use super::{
    Answers, Form, Parameter, RawParameters, Refusal, Request,
    model::{Answer, Data},
    notices, parameters,
};
use crate::vocabulary::StateCode;

const LIMIT_MAX: usize = 50;
const LIMIT_DEFAULT: usize = 10;

/// The parameters of `/search`.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::query("q", 200, "Name of a county, city, town, township or web resource; never of a person")
        .required()
        .of(Form::Text, "saint paul"),
    Parameter::query("state", 20, "Two-letter state code; only what is in this state").of(Form::State, "MN"),
    Parameter::query("limit", 20, "Places and resources at most, 1 to 50 of each; 10 where it is left out")
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

/// Answers `/search`: at most `limit` places and as many resources.
pub(super) fn search<'a>(
    answers: &'a Answers,
    text: &str,
    state: Option<StateCode>,
    limit: usize,
) -> Answer<'a> {
    let matches = answers.directory().search(text, state, limit);
    let notices = notices::search_notices(&matches);
    answers.answer(Data::Search(Arc::new(matches)), notices)
}
