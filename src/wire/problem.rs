//! Errors as RFC 9457 problem details.

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{PageUrl, RequestIdSlot, schema, text};
use crate::vocabulary::JurisdictionId;

/// The body of every error.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Problem<'a> {
    /// What clients match on.
    #[serde(rename = "type")]
    pub problem_type: ProblemType<'a>,
    /// Never changes for a type.
    pub title: &'static str,
    /// Equal to the response's status.
    pub status: u16,
    /// What came, what was expected, what to do.
    pub detail: &'a str,
    /// The request's X-Request-Id, or one that was made for it.
    pub request_id: RequestIdSlot,
    /// Only with `ambiguous`.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub choices: &'a [Choice<'a>],
}

/// One of several candidates.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Choice<'a> {
    /// What a person reads.
    pub label: String,
    /// Degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    /// Degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lon: Option<f64>,
    /// Id.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub jurisdiction_id: Option<JurisdictionId>,
    /// Its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_url: Option<PageUrl<'a>>,
}

/// `{site}/problems/{slug}`
#[derive(Clone, Copy, Debug)]
pub struct ProblemType<'a> {
    /// The site, without a slash at its end.
    pub site: &'a str,
    /// Which problem.
    pub kind: ProblemKind,
}

impl fmt::Display for ProblemType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/problems/{}", self.site, self.kind.slug())
    }
}

impl Serialize for ProblemType<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Every problem of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is described by its row in PROBLEMS")]
pub enum ProblemKind {
    BadParameter,
    BadPoint,
    BadCursor,
    UnknownTopic,
    UnknownState,
    InvalidKey,
    UnknownJurisdiction,
    OutsideCoverage,
    AddressNotFound,
    PlaceNotFound,
    NotFound,
    MethodNotAllowed,
    Ambiguous,
    RateLimited,
    LookupLimit,
    InternalError,
    Busy,
    UpstreamUnavailable,
}

/// Slug, status and title of each, in the order of [`ProblemKind`].
const PROBLEMS: [(ProblemKind, &str, u16, &str); 18] = {
    use ProblemKind as P;
    [
        (P::BadParameter, "bad-parameter", 400, "A parameter is missing, malformed or out of range"),
        (P::BadPoint, "bad-point", 400, "lat and lon are not a WGS84 point in decimal degrees"),
        (P::BadCursor, "bad-cursor", 400, "The cursor does not belong to this request"),
        (P::UnknownTopic, "unknown-topic", 400, "The topic is not in the vocabulary"), // 404 as a path segment
        (P::UnknownState, "unknown-state", 400, "The state is not covered"),
        (P::InvalidKey, "invalid-key", 401, "The API key is not valid"),
        (P::UnknownJurisdiction, "unknown-jurisdiction", 404, "No jurisdiction has this id"),
        (
            P::OutsideCoverage,
            "outside-coverage",
            404,
            "The point is outside the covered states and territories",
        ),
        (P::AddressNotFound, "address-not-found", 404, "No address matched"),
        (P::PlaceNotFound, "place-not-found", 404, "No place of this name is in the state"),
        (P::NotFound, "not-found", 404, "No endpoint at this path"),
        (P::MethodNotAllowed, "method-not-allowed", 405, "Only GET, HEAD and OPTIONS are answered"),
        (P::Ambiguous, "ambiguous", 409, "Several candidates match"),
        (P::RateLimited, "rate-limited", 429, "The request limit is used up"),
        (P::LookupLimit, "lookup-limit", 429, "The limit for new outside lookups is used up"),
        (P::InternalError, "internal-error", 500, "The request could not be finished"),
        (P::Busy, "busy", 503, "The service is busy"),
        (P::UpstreamUnavailable, "upstream-unavailable", 503, "An outside service did not answer"),
    ]
};

impl ProblemKind {
    /// All of them, in the contract's order.
    pub fn all() -> impl Iterator<Item = ProblemKind> {
        PROBLEMS.iter().map(|row| row.0)
    }

    /// The last segment of the type.
    pub fn slug(self) -> &'static str {
        PROBLEMS[self as usize].1
    }

    /// The status; `unknown-topic` is 404 where the topic is a path segment.
    pub fn status(self) -> u16 {
        PROBLEMS[self as usize].2
    }

    /// The title.
    pub fn title(self) -> &'static str {
        PROBLEMS[self as usize].3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_stands_at_its_kind() {
        for (at, kind) in ProblemKind::all().enumerate() {
            assert_eq!(kind as usize, at, "{kind:?}");
            assert!((400..600).contains(&kind.status()));
        }
    }
}
