//! The JSON types for errors: problem details (RFC 9457).

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{PageUrl, schema, text};
use platbook::vocabulary::{JurisdictionId, ProblemKind};

/// The body of every error.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Problem<'a> {
    /// The type of the problem, for clients to match on.
    #[serde(rename = "type")]
    pub problem_type: ProblemType,
    /// The title of the type, always the same.
    pub title: &'static str,
    /// Equal to the response's status.
    pub status: u16,
    /// The value received, the value expected, and what to do.
    pub detail: &'a str,
    /// The request's X-Request-Id, or a new one if it had none.
    // The id is written as null, as in `Envelope`.
    #[schemars(with = "schema::RequestId")]
    pub request_id: (),
    /// Candidates to choose from; only with `ambiguous`.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub choices: &'a [Choice<'a>],
}

/// One of several candidates.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Choice<'a> {
    /// A name for people to read.
    pub label: String,
    /// Degrees of latitude, north positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    /// Degrees of longitude, east positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lon: Option<f64>,
    /// Id of the place; left out for an address.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub jurisdiction_id: Option<JurisdictionId>,
    /// Address of the place's page; left out for an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_url: Option<PageUrl<'a>>,
}

/// `/problems/{slug}`: the same on every server, so that programs can match on it. Read as a reference (RFC 9457,
/// section 3.1.1), it leads to a page of the server that answered.
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
