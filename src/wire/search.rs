//! The answer of `/search`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Jurisdiction, Resource};

/// Places and resources by name.
///
/// The parameters are the parts as the contract has them; an encoder may put in others that serialise to the same.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SearchResult")]
pub struct SearchResult<J = Jurisdiction<'static>, R = Resource<'static>> {
    /// Counties, cities, towns, townships and districts, best first.
    pub places: Vec<J>,
    /// Web resources, best first.
    pub resources: Vec<R>,
}
