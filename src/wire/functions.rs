//! Who performs each property-related function.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::Word;
use super::{Office, Resource, schema, text};
use platbook::vocabulary::{Confidence, Function, JurisdictionId, LevyScope, Role};

/// The body for each function; null where nothing is known.
///
/// `E` is a [`FunctionEntry`], or something that serialises to one.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Functions")]
pub struct Functions<E> {
    /// Valuing property for tax.
    pub assessment: Option<E>,
    /// Collecting property tax.
    pub tax_collection: Option<E>,
    /// Recording deeds.
    pub recording: Option<E>,
    /// Zoning.
    pub zoning: Option<E>,
    /// Building permits.
    pub permits: Option<E>,
    /// Maps and parcel data.
    pub gis: Option<E>,
    /// Exemptions and relief from property tax. Beyond the contract, which names the function but not this key.
    pub exemptions: Option<E>,
}

impl<E> Functions<E> {
    /// Asks `entry` for each function, in the contract's order.
    pub fn of(mut entry: impl FnMut(Function) -> Option<E>) -> Functions<E> {
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

/// The body that performs a function, with its office and resources.
// `R` is the list of its resources, or something that serialises to one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "FunctionEntry")]
pub struct FunctionEntry<'a, R = Vec<Resource<'a>>> {
    /// The function.
    #[schemars(with = "Word<Function>")]
    pub function: Function,
    /// Null when no body in the chain performs it.
    #[serde(serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub jurisdiction_id: Option<JurisdictionId>,
    /// The office's name in this state.
    pub office_name: Option<&'a str>,
    /// The office.
    pub office: Option<Office<'a>>,
    /// Under the function's topics.
    pub resources: R,
    /// Primary, or one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<Role>>")]
    pub role: Option<Role>,
    /// Which levy a collector collects.
    #[schemars(with = "Option<Word<LevyScope>>")]
    pub levy_scope: Option<LevyScope>,
    /// Why this body.
    pub basis: Option<String>,
    /// Where that is written.
    #[schemars(with = "Option<schema::Uri>")]
    pub evidence_url: Option<&'a str>,
    /// How sure the rule is. Beyond the contract.
    #[schemars(with = "Option<Word<Confidence>>")]
    pub confidence: Option<Confidence>,
    /// Further bodies for the same function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FunctionEntry<'a, R>>,
}
