//! What every success is wrapped in.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema, words::Word};
use platbook::vocabulary::{LicenseClass, VerifiedStatus};

/// The body of every 200 response.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{D}Envelope")]
pub struct Envelope<'a, D> {
    /// The answer.
    pub data: D,
    /// Where the answer comes from, in order of first use.
    pub sources: Vec<Source<'a>>,
    /// RFC 3339 date or time.
    #[schemars(with = "schema::Time")]
    pub as_of: &'a str,
    /// The request's X-Request-Id, or one that was made for it.
    // Written as null: equal answers have equal bytes, and the id replaces the null when a body is sent.
    #[schemars(with = "schema::RequestId")]
    pub request_id: (),
    /// Plain-language caveats.
    pub notices: Vec<String>,
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
    #[schemars(with = "Word<LicenseClass>")]
    pub license_class: LicenseClass,
    /// Whether its link was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<VerifiedStatus>>")]
    pub verified_status: Option<VerifiedStatus>,
    /// When its link was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_at: Option<&'a str>,
}
