//! Places and resources by name.

use super::{
    Answers, Form, Given, Parameter, Refusal, Request,
    functions::Remarks,
    notices,
    parameters::{self, bad},
    shown::Shown,
};
use crate::{
    vocabulary::StateCode,
    wire::{Envelope, RequestIdSlot, SearchResult},
};

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
pub fn parse(given: &Given<'_>) -> Result<Request, Refusal> {
    let text = given.get("q").map(str::trim).unwrap_or_default();
    if text.is_empty() {
        return Err(bad("q is missing; give the name of a place or of a web resource"));
    }
    let state = given.get("state").map(parameters::state).transpose()?;
    let limit = parameters::limit(given, LIMIT_MAX, LIMIT_DEFAULT)?;
    Ok(Request::Search { text: text.to_owned(), state, limit })
}

/// Answers `/search`.
pub(super) fn search<'a>(
    answers: &'a Answers,
    text: &str,
    state: Option<StateCode>,
    limit: usize,
) -> Envelope<'a, SearchResult<'a>> {
    let directory = &answers.directory;
    let matches = directory.search(text, state, limit);
    let mut shown = Shown::new(answers);
    let places = matches.places.iter().map(|found| shown.jurisdiction(found.row)).collect();
    let views = matches.resources.iter().filter_map(|number| directory.resource(*number));
    let resources = views.map(|view| shown.resource(&view)).collect();
    Envelope {
        notices: notices::search_notices(&matches),
        data: SearchResult { places, resources },
        sources: shown.into_sources(&Remarks::default()),
        as_of: directory.as_of(),
        request_id: RequestIdSlot,
    }
}
