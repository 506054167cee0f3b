//! Errors as RFC 9457 problem details.

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{PageUrl, schema, text};
use platbook::vocabulary::{JurisdictionId, ProblemKind};

/// The body of every error.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Problem<'a> {
    /// What clients match on.
    #[serde(rename = "type")]
    pub problem_type: ProblemType,
    /// Never changes for a type.
    pub title: &'static str,
    /// Equal to the response's status.
    pub status: u16,
    /// What came, what was expected, what to do.
    pub detail: &'a str,
    /// The request's X-Request-Id, or one that was made for it.
    // Written as null, as in `Envelope`.
    #[schemars(with = "schema::RequestId")]
    pub request_id: (),
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

/// `/problems/{slug}`: the same at every address that the service has, so that programs can match on it; read as a
/// reference (RFC 9457, section 3.1.1), it leads to the page of the service that was asked.
#[derive(Clone, Copy, Debug)]
pub struct ProblemType(pub ProblemKind);

impl fmt::Display for ProblemType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/problems/{}", self.0.slug())
    }
}

impl Serialize for ProblemType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
