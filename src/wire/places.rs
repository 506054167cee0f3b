//! The answers of `/places/{jurisdiction_id}` and `/resources`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Functions, Jurisdiction, Office, Point, Resource, words::Word};
use platbook::vocabulary::Topic;

/// Everything on one place.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlacePage<'a> {
    /// The place.
    pub jurisdiction: Jurisdiction<'a>,
    /// What it lies in, largest first, itself at the end.
    pub chain: Vec<Jurisdiction<'a>>,
    /// Its offices.
    pub offices: Vec<Office<'a>>,
    /// Its own resources, best first.
    pub resources: Vec<Resource<'a>>,
    /// Who does what there.
    pub functions: Functions<'a>,
    /// Cursor of the next page of resources.
    pub next_cursor: Option<&'a str>,
}

/// Resources for a place or a point.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResourcePage<'a> {
    /// The place, or the smallest jurisdiction at the point.
    pub jurisdiction: Jurisdiction<'a>,
    /// The point.
    pub point: Option<Point>,
    /// The topic.
    #[schemars(with = "Option<Word<Topic>>")]
    pub topic: Option<Topic>,
    /// Best first.
    pub resources: Vec<Resource<'a>>,
    /// Cursor of the next page.
    pub next_cursor: Option<&'a str>,
}
