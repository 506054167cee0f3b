//! The JSON types for the answers of `/places/{jurisdiction_id}` and `/resources`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Functions, Jurisdiction, Office, Point, Resource, schema, text, words::Word};
use platbook::vocabulary::{Date, Topic};

/// Everything on one place.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlacePage<'a> {
    /// The government or area itself.
    pub jurisdiction: Jurisdiction<'a>,
    /// The day of the request; absent in an answer about today.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::optional_day")]
    #[schemars(with = "Option<schema::Day>")]
    pub date: Option<Date>,
    /// Jurisdictions that contain it, largest first, itself last.
    pub chain: Vec<Jurisdiction<'a>>,
    /// Counties of a place that reaches into several, first the county of its inner point; absent for others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counties: Vec<Jurisdiction<'a>>,
    /// Offices that the rules name at it.
    pub offices: Vec<Office<'a>>,
    /// Its own resources, best first.
    pub resources: Vec<Resource<'a>>,
    /// The body that performs each function there.
    pub functions: Functions<'a>,
    /// Cursor of the next page of resources; null on the last.
    pub next_cursor: Option<&'a str>,
}

/// Resources for a place or a point.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResourcePage<'a> {
    /// The place, or the smallest jurisdiction at the point.
    pub jurisdiction: Jurisdiction<'a>,
    /// The point of the request; null for a place.
    pub point: Option<Point>,
    /// The topic of the request; null without one.
    #[schemars(with = "Option<Word<Topic>>")]
    pub topic: Option<Topic>,
    /// A page of resources, best first.
    pub resources: Vec<Resource<'a>>,
    /// Cursor of the next page; null on the last.
    pub next_cursor: Option<&'a str>,
}
