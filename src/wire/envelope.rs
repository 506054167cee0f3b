//! The envelope around the data of every successful answer.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema, words::Word};
use platbook::vocabulary::{LicenseClass, PublisherKind, VerifiedStatus};

/// The body of every 200 response.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{D}Envelope")]
pub struct Envelope<'a, D> {
    /// The answer of the operation.
    pub data: D,
    /// The published sources of the answer, in order of first use.
    pub sources: Vec<Source<'a>>,
    /// Date of the snapshot or time of the lookup, RFC 3339.
    #[schemars(with = "schema::Time")]
    pub as_of: &'a str,
    /// The request's X-Request-Id, or a new one if it had none.
    // The id is written as null, so that equal answers have equal bytes. The real id replaces the null when a body is
    // sent.
    #[schemars(with = "schema::RequestId")]
    pub request_id: (),
    /// Plain-language caveats, the most important first.
    pub notices: Vec<String>,
}

/// A published source of the answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Source<'a> {
    /// Name of the published data.
    pub name: &'a str,
    /// Address of the published data.
    #[schemars(with = "schema::Uri")]
    pub url: &'a str,
    /// The organization that publishes the data; null where unknown.
    pub publisher: Option<&'a str>,
    /// Whether the publisher is a government.
    pub official: bool,
    /// Date on which the data was retrieved; null where unknown.
    pub retrieved_at: Option<&'a str>,
    /// How freely the source may be passed on.
    #[schemars(with = "Word<LicenseClass>")]
    pub license_class: LicenseClass,
    /// The kind of the publisher; left out where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<PublisherKind>>")]
    pub publisher_kind: Option<PublisherKind>,
    /// Whether the source's link was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<VerifiedStatus>>")]
    pub verified_status: Option<VerifiedStatus>,
    /// When the source's link was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_at: Option<&'a str>,
}
