//! The JSON types for the offices that perform each property-related function.

use schemars::JsonSchema;
use serde::Serialize;

use super::{DatedRule, Office, Resource, schema, text, words::Word};
use platbook::vocabulary::{
    Action, Confidence, Function, JurisdictionId, LevyScope, PublisherKind, Role, VerifiedStatus,
};

/// The body for each function; null where no rule covers it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Functions<'a> {
    /// Setting the value of property for tax.
    pub assessment: Option<FunctionEntry<'a>>,
    /// Billing and collecting property tax.
    pub tax_collection: Option<FunctionEntry<'a>>,
    /// Recording deeds and other land records.
    pub recording: Option<FunctionEntry<'a>>,
    /// Zoning and land use decisions.
    pub zoning: Option<FunctionEntry<'a>>,
    /// Building, septic and well permits.
    pub permits: Option<FunctionEntry<'a>>,
    /// Maps and parcel data.
    pub gis: Option<FunctionEntry<'a>>,
    /// Exemptions and relief from property tax. Beyond the contract, which names the function but not this key.
    pub exemptions: Option<FunctionEntry<'a>>,
}

impl<'a> Functions<'a> {
    /// Makes the value of each function with `entry`, in the contract's order.
    pub fn from_entries(mut entry: impl FnMut(Function) -> Option<FunctionEntry<'a>>) -> Functions<'a> {
        Functions {
            assessment: entry(Function::Assessment),
            tax_collection: entry(Function::TaxCollection),
            recording: entry(Function::Recording),
            zoning: entry(Function::Zoning),
            permits: entry(Function::Permits),
            gis: entry(Function::Gis),
            exemptions: entry(Function::Exemptions),
        }
    }
}

/// A link to a page on which a person can do something. Beyond the contract.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ActionLink<'a> {
    /// The actions that a person can take there.
    #[schemars(with = "Word<Action>")]
    pub action: Action,
    /// The text of the link: the action, and the host that it leads to.
    pub text: String,
    /// Web address of the page.
    #[schemars(with = "schema::Uri")]
    pub url: &'a str,
    /// Id of the page as a resource.
    #[schemars(regex(pattern = r"^res_[0-9a-z]{16}$"))]
    pub resource_id: String,
    /// Whether the link was checked.
    #[schemars(with = "Word<VerifiedStatus>")]
    pub verified_status: VerifiedStatus,
}

/// The body that performs a function, with its office and resources.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FunctionEntry<'a> {
    /// The function that the body performs.
    #[schemars(with = "Word<Function>")]
    pub function: Function,
    /// Null when no body in the chain performs it.
    #[serde(serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub jurisdiction_id: Option<JurisdictionId>,
    /// The office's title in this state; null where no office does the job.
    pub office_name: Option<&'a str>,
    /// The office, if a body is named.
    pub office: Option<Office<'a>>,
    /// Pages to do what people come to the office for, best first; absent where none is on record. Follow
    /// the first of them before the office's own link. Beyond the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Option<Vec<ActionLink<'a>>>")]
    pub actions: Vec<ActionLink<'a>>,
    /// Pages under the function's topics, best first.
    pub resources: Vec<Resource<'a>>,
    /// The body's part in the function: the one to contact first, a further one, or the one for overdue tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<Role>>")]
    pub role: Option<Role>,
    /// The levy that the body bills or collects.
    #[schemars(with = "Option<Word<LevyScope>>")]
    pub levy_scope: Option<LevyScope>,
    /// Why this body, in sentences.
    pub basis: Option<String>,
    /// Address of the source for the rule.
    #[schemars(with = "Option<schema::Uri>")]
    pub evidence_url: Option<&'a str>,
    /// The kind of the evidence's publisher; left out where the evidence is official.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<PublisherKind>>")]
    pub evidence_kind: Option<PublisherKind>,
    /// How sure the rule is. Beyond the contract.
    #[schemars(with = "Option<Word<Confidence>>")]
    pub confidence: Option<Confidence>,
    /// Dates and amounts that people ask the office for: appeal day, exemption, due day, fees. Those of the nearest government
    /// that differs from its state. Absent where none is on record. Beyond the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Option<Vec<DatedRule<'a>>>")]
    pub dates: Vec<DatedRule<'a>>,
    /// Further bodies for the same function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FunctionEntry<'a>>,
}
