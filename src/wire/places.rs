//! The answers of `/places/{jurisdiction_id}` and `/resources`.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::Word;
use super::{FunctionEntry, Functions, Jurisdiction, Office, Point, Resource};
use platbook::vocabulary::Topic;

/// Everything on one place.
// The parameters are the parts as the contract has them; an encoder may put in others that serialise to the same.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PlacePage")]
pub struct PlacePage<
    'a,
    J = Jurisdiction<'static>,
    R = Resource<'static>,
    F = Functions<FunctionEntry<'static>>,
> {
    /// The place.
    pub jurisdiction: J,
    /// What it lies in, largest first, itself at the end.
    pub chain: Vec<J>,
    /// Its offices.
    pub offices: Vec<Office<'a>>,
    /// Its own resources, best first.
    pub resources: Vec<R>,
    /// Who does what there.
    pub functions: F,
    /// Cursor of the next page of resources.
    pub next_cursor: Option<&'a str>,
}

/// Resources for a place or a point.
// The parameters are the parts as the contract has them; an encoder may put in others that serialise to the same.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResourcePage")]
pub struct ResourcePage<'a, J = Jurisdiction<'static>, R = Resource<'static>> {
    /// The place, or the smallest jurisdiction at the point.
    pub jurisdiction: J,
    /// The point.
    pub point: Option<Point>,
    /// The topic.
    #[schemars(with = "Option<Word<Topic>>")]
    pub topic: Option<Topic>,
    /// Best first.
    pub resources: Vec<R>,
    /// Cursor of the next page.
    pub next_cursor: Option<&'a str>,
}
