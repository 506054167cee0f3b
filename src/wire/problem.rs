//! Errors as RFC 9457 problem details.

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{PageUrl, schema, text};
use crate::vocabulary::{JurisdictionId, ProblemKind};

/// The body of every error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct Problem<'a, I = schema::RequestId> {
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
    pub request_id: I,
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
