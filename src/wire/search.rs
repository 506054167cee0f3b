//! The answer of `/search`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Jurisdiction, Ready, Resource};

/// Places and resources by name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchResult<'a> {
    /// Counties, cities, towns, townships and districts, best first.
    pub places: Vec<&'a Ready<Jurisdiction<'static>>>,
    /// Web resources, best first.
    pub resources: Vec<&'a Ready<Resource<'static>>>,
}
