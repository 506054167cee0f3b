//! Who performs each property-related function.

use serde::Serialize;

use super::{Office, Resource, text};
use crate::vocabulary::{Function, JurisdictionId, LevyScope, Role};

/// The body for each function; null where nothing is known.
#[derive(Debug, Default, Serialize)]
pub struct Functions<'a> {
    /// Valuing property for tax.
    pub assessment: Option<FunctionEntry<'a>>,
    /// Collecting property tax.
    pub tax_collection: Option<FunctionEntry<'a>>,
    /// Recording deeds.
    pub recording: Option<FunctionEntry<'a>>,
    /// Zoning.
    pub zoning: Option<FunctionEntry<'a>>,
    /// Building permits.
    pub permits: Option<FunctionEntry<'a>>,
    /// Maps and parcel data.
    pub gis: Option<FunctionEntry<'a>>,
}

impl Functions<'_> {
    /// Whether nothing is known of any function.
    pub fn is_empty(&self) -> bool {
        let Functions { assessment, tax_collection, recording, zoning, permits, gis } = self;
        [assessment, tax_collection, recording, zoning, permits, gis].into_iter().all(Option::is_none)
    }
}

/// The body that performs a function, with its office and resources.
#[derive(Clone, Debug, Serialize)]
pub struct FunctionEntry<'a> {
    /// The function.
    pub function: Function,
    /// Null when no body in the chain performs it.
    #[serde(serialize_with = "text::optional_id")]
    pub jurisdiction_id: Option<JurisdictionId>,
    /// The office's name in this state.
    pub office_name: Option<&'a str>,
    /// The office.
    pub office: Option<Office<'a>>,
    /// Under the function's topics.
    pub resources: Vec<Resource<'a>>,
    /// Primary, or one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Which levy a collector collects.
    pub levy_scope: Option<LevyScope>,
    /// Why this body.
    pub basis: Option<&'a str>,
    /// Where that is written.
    pub evidence_url: Option<&'a str>,
    /// Further bodies for the same function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FunctionEntry<'a>>,
}
