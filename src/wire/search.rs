//! The JSON type for the answer of `/search`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Jurisdiction, Resource};

/// Places and resources by name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchResult<'a> {
    /// Counties, cities, towns, townships and districts, best first.
    pub places: Vec<Jurisdiction<'a>>,
    /// Web resources, best first.
    pub resources: Vec<Resource<'a>>,
}
