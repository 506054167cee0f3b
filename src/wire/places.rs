//! The answers of `/places/{jurisdiction_id}` and `/resources`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{FunctionEntry, Functions, Jurisdiction, Office, Point, Ready, Resource, Shared};
use crate::vocabulary::Topic;

/// An entry that is serialised once and shared by all answers that hold it.
pub type ReadyEntry = Shared<FunctionEntry<'static>>;

/// All entries of one scope, likewise.
pub type ReadyFunctions = Shared<Functions<FunctionEntry<'static>>>;

/// Everything on one place.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlacePage<'a> {
    /// The place.
    pub jurisdiction: &'a Ready<Jurisdiction<'static>>,
    /// What it lies in, largest first, itself at the end.
    pub chain: Vec<&'a Ready<Jurisdiction<'static>>>,
    /// Its offices.
    pub offices: Vec<Ready<Office<'static>>>,
    /// Its own resources, best first.
    pub resources: Vec<&'a Ready<Resource<'static>>>,
    /// Who does what there.
    pub functions: ReadyFunctions,
    /// Cursor of the next page of resources.
    pub next_cursor: Option<String>,
}

/// Resources for a place or a point.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResourcePage<'a> {
    /// The place, or the smallest jurisdiction at the point.
    pub jurisdiction: &'a Ready<Jurisdiction<'static>>,
    /// The point.
    pub point: Option<Point>,
    /// The topic.
    pub topic: Option<Topic>,
    /// Best first.
    pub resources: Vec<&'a Ready<Resource<'static>>>,
    /// Cursor of the next page.
    pub next_cursor: Option<String>,
}
