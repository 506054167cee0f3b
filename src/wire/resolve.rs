//! The JSON types for the answer of `/jurisdictions/resolve`.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{Functions, Jurisdiction, Point, schema, text};
use platbook::vocabulary::{Date, JurisdictionId, Scale};

/// The governments that cover a place, and the body that performs each function there.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResolveResult<'a> {
    /// How the question was matched.
    #[serde(rename = "match")]
    pub matched: Match<'a>,
    /// The point; null when resolved by name.
    pub point: Option<Point>,
    /// The day of the request; absent in an answer about today.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::optional_day")]
    #[schemars(with = "Option<schema::Day>")]
    pub date: Option<Date>,
    /// State, county, county subdivision and place, as far as they exist.
    pub jurisdictions: Vec<Jurisdiction<'a>>,
    /// The body that performs each function.
    pub functions: Functions<'a>,
}

/// How a question was matched.
// `match` is a reserved word of PHP, which a generated class may not have as its name.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InputMatch")]
pub struct Match<'a> {
    /// The input mode that was used.
    pub mode: MatchMode,
    /// How sure the match is.
    pub quality: MatchQuality,
    /// Name of the place that matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_name: Option<&'a str>,
    /// Address that matched, as the geocoder has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_address: Option<&'a str>,
    /// The service or file that located the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geocoder: Option<&'a str>,
    /// How the address was located.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<&'a str>,
    /// The nearest border lines; only for points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub border: Option<Border<'a>>,
}

/// The input mode of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchMode {
    /// By `lat` and `lon`.
    Point,
    /// By a street `address`.
    Address,
    /// By `place` and `state`.
    Place,
}

/// How sure a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchQuality {
    /// Inside each of the areas.
    Inside,
    /// In a sliver where layers of different scale or vintage disagree; settled by rule.
    Sliver,
    /// Beyond the mapped shore, in water that is part of the county's legal area.
    Water,
    /// Outside the mapped shore or border; the nearest county answers.
    Nearest,
    /// The name in the request is the place's own.
    Exact,
}

impl MatchQuality {
    /// Returns the word for the quality in an answer.
    pub fn as_str(self) -> &'static str {
        match self {
            MatchQuality::Inside => "inside",
            MatchQuality::Sliver => "sliver",
            MatchQuality::Water => "water",
            MatchQuality::Nearest => "nearest",
            MatchQuality::Exact => "exact",
        }
    }
}

/// The nearest border lines of a point.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Border<'a> {
    /// The nearest county line; null when farther than `searched_m`.
    pub county: Option<BorderLine<'a>>,
    /// The nearest line of an incorporated place; null when farther than `searched_m`.
    pub place: Option<BorderLine<'a>>,
    /// How far around the point was searched, whole meters.
    pub searched_m: u32,
}

/// One border line near the point.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BorderLine<'a> {
    /// Distance from the point, whole meters.
    pub distance_m: u32,
    /// The jurisdiction on the other side; null when nothing of its kind is there.
    #[serde(serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub neighbor: Option<JurisdictionId>,
    /// Name of that jurisdiction.
    pub neighbor_name: Option<&'a str>,
    /// Scale of the line, such as `1:500,000`.
    #[serde(serialize_with = "scale")]
    #[schemars(with = "schema::ScaleWord")]
    pub scale: Scale,
    /// How far the line may be off, whole meters.
    pub uncertainty_m: u32,
}

fn scale<S: Serializer>(scale: &Scale, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(scale.text().as_str())
}
