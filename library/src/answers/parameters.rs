//! Parameters that several operations share.

use super::{Form, Paging, Parameter, RawParameters, Refusal};
use crate::vocabulary::{
    Date, DateError, Folded, JurisdictionId, ProblemKind, StateCode, StateCodeError, Topic, state_called,
};

/// Maximum number of items on a page.
pub const PAGE_LIMIT_MAX: usize = 100;
const LIMIT_DEFAULT: usize = 50;

/// The parameters of paged operations.
pub(super) const LIMIT_AND_CURSOR: [Parameter; 2] = [
    Parameter::query("limit", 20, "Items on a page, 1 to 100; 50 by default")
        .of(Form::Whole { min: 1, max: PAGE_LIMIT_MAX, default: LIMIT_DEFAULT }, "10"),
    Parameter::query("cursor", 200, "next_cursor of the page before, with the same other parameters")
        .cursor(),
];

/// Latitude of a point, WGS84 decimal degrees.
pub(super) const LAT: Parameter = Parameter::query("lat", 64, "Latitude, WGS84 decimal degrees, -90 to 90")
    .of(Form::Degrees { max: 90.0 }, "44.9773");

/// Longitude of a point, WGS84 decimal degrees.
pub(super) const LON: Parameter =
    Parameter::query("lon", 64, "Longitude, WGS84 decimal degrees, -180 to 180; west is negative")
        .of(Form::Degrees { max: 180.0 }, "-93.2655");

/// Number of characters of the longest id: `district:` and a name of 80.
pub(super) const ID_CHARS_MAX: usize = 89;

/// An id in the path.
pub(super) const ID_SEGMENT: Parameter =
    Parameter::path("jurisdiction_id", ID_CHARS_MAX, "Census GEOID with a type prefix, such as county:27053")
        .of(Form::Id, "county:27053");

/// An id in the query.
pub(super) const ID: Parameter = Parameter::query(
    "jurisdiction_id",
    ID_CHARS_MAX,
    "Census GEOID with a type prefix; this, or lat and lon",
)
.of(Form::Id, "county:27053");

/// The name of a place.
pub(super) const PLACE: Parameter = Parameter::query(
    "place",
    100,
    "Name of a county, city, town, township or state; with state, unless the name ends in it",
)
.of(Form::Text, "Hennepin County");

/// The state of a named place.
pub(super) const STATE_OF_PLACE: Parameter =
    Parameter::query("state", 20, "Two-letter state code, or the state's name; with place")
        .of(Form::State, "MN");

/// The id of a place, instead of its name.
pub(super) const ID_OF_PLACE: Parameter = Parameter::query(
    "jurisdiction_id",
    ID_CHARS_MAX,
    "Census GEOID with a type prefix; instead of place and state",
)
.of(Form::Id, "county:27053");

/// The day that the answer is about.
pub(super) const DATE: Parameter = Parameter::query(
    "date",
    20,
    "Day of the last ten years, YYYY-MM-DD: the answer has the governments and offices of that day, as far as known",
)
.of(Form::Day, "2019-05-01");

/// Returns the day that the answer is about; `None` for today.
///
/// # Errors
/// `bad-parameter` if the text is not a day.
pub(super) fn date(given: &RawParameters<'_>) -> Result<Option<Date>, Refusal> {
    let parsed = |text: &str| {
        text.parse()
            .map_err(|error: DateError| Refusal::bad_parameter(format!("date: {error}; got {text:?}")))
    };
    given.get("date").map(parsed).transpose()
}

/// Parses a jurisdiction id.
///
/// # Errors
/// `bad-parameter` if the text is not an id.
pub(super) fn jurisdiction_id(text: &str) -> Result<JurisdictionId, Refusal> {
    text.parse().map_err(|error| Refusal::bad_parameter(format!("jurisdiction_id: {error}")))
}

/// Parses `limit` and `cursor`.
///
/// # Errors
/// `bad-parameter` where the limit is not a whole number from 1 to 100.
pub(super) fn paging(given: &RawParameters<'_>) -> Result<Paging, Refusal> {
    let limit = limit(given, PAGE_LIMIT_MAX, LIMIT_DEFAULT)?;
    Ok(Paging { limit, cursor: given.get("cursor").map(str::to_owned) })
}

/// Parses `limit`; returns `default` if the request has no `limit`.
///
/// # Errors
/// `bad-parameter` where the limit is not a whole number from 1 to `max`.
pub(super) fn limit(given: &RawParameters<'_>, max: usize, default: usize) -> Result<usize, Refusal> {
    let Some(text) = given.get("limit") else { return Ok(default) };
    text.parse::<usize>()
        .ok()
        .filter(|limit| (1..=max).contains(limit) && text.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(|| Refusal::bad_parameter(format!("expected limit from 1 to {max}, got {text:?}")))
}

/// Parses the word of a topic.
///
/// # Errors
/// `unknown-topic` with the list of topics.
pub(super) fn topic(text: &str) -> Result<Topic, Refusal> {
    Topic::from_word(text).ok_or_else(|| {
        let what =
            if text.is_empty() { "topic is missing".into() } else { format!("{text:?} is not a topic") };
        Refusal::new(ProblemKind::UnknownTopic, format!("{what}; /v1/topics lists them"))
    })
}

/// Parses a two-letter code, or the name of a state.
///
/// # Errors
/// `bad-parameter` for any other text, `unknown-state` for two letters that no state has.
pub(super) fn state(text: &str) -> Result<StateCode, Refusal> {
    text.parse().or_else(|error: StateCodeError| {
        let kind = match error {
            StateCodeError::Malformed { .. } => ProblemKind::BadParameter,
            StateCodeError::Unknown { .. } => ProblemKind::UnknownState,
        };
        let folded = Folded::of(text);
        let words: Vec<&str> = folded.words().collect();
        // A code must be exactly two letters: "TX " and "T.X." are refused.
        let named =
            state_called(&words).filter(|(named, _)| !folded.as_str().eq_ignore_ascii_case(named.usps()));
        named.map(|(named, _)| named).ok_or_else(|| Refusal::new(kind, format!("state: {error}")))
    })
}
