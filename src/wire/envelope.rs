//! What every success is wrapped in.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Ready, RequestIdSlot, schema};
use crate::vocabulary::{LicenseClass, VerifiedStatus};

/// The body of every 200 response.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{T}Envelope")]
pub struct Envelope<'a, T> {
    /// The answer.
    pub data: T,
    /// Where the answer comes from, in order of first use.
    pub sources: Vec<&'a Ready<Source<'static>>>,
    /// RFC 3339 date or time.
    #[schemars(with = "schema::Time")]
    pub as_of: &'a str,
    /// The request's X-Request-Id, or one that was made for it.
    pub request_id: RequestIdSlot,
    /// Plain-language caveats.
    pub notices: Vec<Notice<'a>>,
}

/// A plain-language caveat.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Notice<'a> {
    /// Of everything in a county or state.
    Standing(&'a Ready<str>),
    /// Of this answer.
    Particular(String),
}

/// A published source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Source<'a> {
    /// Name.
    pub name: &'a str,
    /// Address of the published data.
    #[schemars(with = "schema::Uri")]
    pub url: &'a str,
    /// Publisher.
    pub publisher: Option<&'a str>,
    /// Whether the publisher is a government.
    pub official: bool,
    /// Date of retrieval.
    pub retrieved_at: Option<&'a str>,
    /// License class.
    pub license_class: LicenseClass,
    /// Whether its link was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_status: Option<VerifiedStatus>,
    /// When its link was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_at: Option<&'a str>,
}
