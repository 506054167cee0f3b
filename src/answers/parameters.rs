//! Parameters that several operations share.

use super::{Given, Paging, Parameter, Refusal};
use crate::{
    vocabulary::{JurisdictionId, StateCode, StateCodeError, Topic},
    wire::ProblemKind,
};

const LIMIT_MAX: usize = 100;
const LIMIT_DEFAULT: usize = 50;

/// The parameters of paged operations.
pub(super) const LIMIT_AND_CURSOR: [Parameter; 2] = [
    Parameter::query("limit", 20, "Items a page, 1 to 100; 50 where it is left out"),
    Parameter::query("cursor", 200, "next_cursor of the page before, with the same other parameters"),
];

pub(super) fn bad(detail: impl Into<String>) -> Refusal {
    Refusal::new(ProblemKind::BadParameter, detail)
}

/// # Errors
/// `bad-parameter`.
pub(super) fn jurisdiction_id(text: &str) -> Result<JurisdictionId, Refusal> {
    text.parse().map_err(|error| bad(format!("jurisdiction_id: {error}")))
}

/// # Errors
/// `bad-parameter` where the limit is no whole number from 1 to 100.
pub(super) fn paging(given: &Given<'_>) -> Result<Paging, Refusal> {
    let limit = limit(given, LIMIT_MAX, LIMIT_DEFAULT)?;
    Ok(Paging { limit, cursor: given.get("cursor").map(str::to_owned) })
}

/// # Errors
/// `bad-parameter` where the limit is no whole number from 1 to `max`.
pub(super) fn limit(given: &Given<'_>, max: usize, default: usize) -> Result<usize, Refusal> {
    let Some(text) = given.get("limit") else { return Ok(default) };
    text.parse::<usize>()
        .ok()
        .filter(|limit| (1..=max).contains(limit) && text.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(|| bad(format!("expected limit from 1 to {max}, got {text:?}")))
}

/// # Errors
/// `unknown-topic`.
pub(super) fn topic(text: &str) -> Result<Topic, Refusal> {
    Topic::from_word(text).ok_or_else(|| {
        Refusal::new(ProblemKind::UnknownTopic, format!("{text:?} is no topic; /v1/topics lists them"))
    })
}

/// # Errors
/// `bad-parameter` where it is not two letters, `unknown-state` where no state has them.
pub(super) fn state(text: &str) -> Result<StateCode, Refusal> {
    text.parse().map_err(|error: StateCodeError| {
        let kind = match error {
            StateCodeError::Malformed { .. } => ProblemKind::BadParameter,
            StateCodeError::Unknown { .. } => ProblemKind::UnknownState,
        };
        Refusal::new(kind, format!("state: {error}"))
    })
}
