//! The JSON types for offices and resources.

use schemars::JsonSchema;
use serde::Serialize;

use super::{PageUrl, schema, text, words::Word};
use platbook::vocabulary::{
    Action, JurisdictionId, LicenseClass, SourceKind, Topic, UrlScope, VerificationMethod, VerifiedStatus,
};

/// An office of a government.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Office<'a> {
    /// Opaque, stable, never reused.
    #[schemars(regex(pattern = r"^off_[0-9a-z]{16}$"))]
    pub office_id: String,
    /// The office's title in its state.
    pub name: &'a str,
    /// Keys of the functions that it performs, separated by a comma and a space.
    pub kind: Option<String>,
    /// Id of the government that runs the office.
    #[serde(serialize_with = "text::id")]
    #[schemars(with = "schema::Id")]
    pub jurisdiction_id: JurisdictionId,
    /// Telephone number of the office or its government.
    pub phone: Option<&'a str>,
    /// Electronic mail address of the office or its government.
    pub email: Option<&'a str>,
    /// Whether telephone, mail and address are the office's own or its government's. Beyond the contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<UrlScope>>")]
    pub contact_scope: Option<UrlScope>,
    /// Name of the desk or office that answers, as the source of the contact gives it. Beyond the contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_name: Option<&'a str>,
    /// Year of the text that the contact is from; absent where it has no date. Beyond the contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1990, max = 9999))]
    pub contact_year: Option<u16>,
    /// The text that the contact is from: the address of one of the answer's sources. Beyond the contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<schema::Uri>")]
    pub contact_source_url: Option<&'a str>,
    /// Web address of the office or its government.
    #[schemars(with = "Option<schema::Uri>")]
    pub url: Option<&'a str>,
    /// Whether `url` is the office's own page or the main site of its government. Beyond the contract.
    #[schemars(with = "Option<Word<UrlScope>>")]
    pub url_scope: Option<UrlScope>,
    /// Postal address of the office or its government.
    pub address: Option<&'a str>,
    /// Always null: the service names offices, not people.
    #[schemars(with = "schema::AlwaysNull")]
    pub person: (),
    /// Whether the office's link was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<VerifiedStatus>>")]
    pub verified_status: Option<VerifiedStatus>,
    /// When the office's link was checked.
    pub verified_at: Option<&'a str>,
    /// Address of the office's page.
    pub page_url: PageUrl<'a>,
}

/// A web resource of a government.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Resource<'a> {
    /// Opaque, stable, never reused.
    #[schemars(regex(pattern = r"^res_[0-9a-z]{16}$"))]
    pub resource_id: String,
    /// Name of the page or the data.
    pub name: &'a str,
    /// Description of the content, in a sentence.
    pub description: Option<&'a str>,
    /// Web address of the resource.
    #[schemars(with = "schema::Uri")]
    pub url: &'a str,
    /// Address of a search in it, with `{pin}` or `{q}`.
    pub search_url_template: Option<&'a str>,
    /// Topics that the resource serves.
    #[schemars(with = "Vec<Word<Topic>>")]
    pub topics: Vec<Topic>,
    /// The actions that a person can take on the page; absent where they are not known. Beyond the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Option<Vec<Word<Action>>>")]
    pub actions: Vec<Action>,
    /// Id of the government that it is for.
    #[serde(serialize_with = "text::id")]
    #[schemars(with = "schema::Id")]
    pub jurisdiction_id: JurisdictionId,
    /// The organization that publishes it.
    pub publisher: Option<&'a str>,
    /// Vendor that runs the page for the publisher.
    pub provider: Option<&'a str>,
    /// Whether the publisher is a government.
    pub official: bool,
    /// Whether the resource's link was checked.
    #[schemars(with = "Word<VerifiedStatus>")]
    pub verified_status: VerifiedStatus,
    /// When the resource's link was checked.
    pub verified_at: Option<&'a str>,
    /// How the resource's link was checked.
    #[schemars(with = "Option<Word<VerificationMethod>>")]
    pub verification_method: Option<VerificationMethod>,
    /// HTTP status at the last check.
    #[schemars(range(min = 100, max = 599))]
    pub last_http_status: Option<u16>,
    /// Always `open`: other records are withheld.
    #[schemars(with = "schema::Open")]
    pub license_class: LicenseClass,
    /// How the record was gathered.
    #[schemars(with = "Word<SourceKind>")]
    pub source_kind: SourceKind,
    /// Address of the resource's page.
    pub page_url: PageUrl<'a>,
}
