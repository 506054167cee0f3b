//! The answer of `/jurisdictions/resolve`.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{Functions, Jurisdiction, Point, schema, text};
use platbook::vocabulary::{JurisdictionId, Scale};

/// Which governments cover a place, and which body performs each function there.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResolveResult<'a> {
    /// How the question was matched.
    #[serde(rename = "match")]
    pub matched: Match<'a>,
    /// The point; null when resolved by name.
    pub point: Option<Point>,
    /// State, county, county subdivision, place.
    pub jurisdictions: Vec<Jurisdiction<'a>>,
    /// Who does what.
    pub functions: Functions<'a>,
}

/// How a question was matched.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Match<'a> {
    /// Which input mode was used.
    pub mode: MatchMode,
    /// How sure the match is.
    pub quality: MatchQuality,
    /// Name of the place that matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_name: Option<&'a str>,
    /// Address that matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_address: Option<&'a str>,
    /// Who turned the address into a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geocoder: Option<&'a str>,
    /// How the address was placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<&'a str>,
    /// The nearest border lines; only for points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub border: Option<Border<'a>>,
}

/// Input mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchMode {
    /// `lat` and `lon`.
    Point,
    /// `address`.
    Address,
    /// `place` and `state`.
    Place,
}

/// How sure a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchQuality {
    /// Inside each of them.
    Inside,
    /// Where layers of different scale or vintage disagree; settled by rule.
    Sliver,
    /// Beyond the mapped shore, in water that is part of the county's legal area.
    Water,
    /// Outside the mapped shore or border; the nearest county answers.
    Nearest,
    /// The name asked for is the place's.
    Exact,
}

impl MatchQuality {
    /// The word on the wire.
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
    /// How far was looked, whole metres.
    pub searched_m: u32,
}

/// One border line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BorderLine<'a> {
    /// From the point, whole metres.
    pub distance_m: u32,
    /// What lies on the other side; null when nothing of its kind does.
    #[serde(serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub neighbor: Option<JurisdictionId>,
    /// Its name.
    pub neighbor_name: Option<&'a str>,
    /// Scale of the line, such as `1:500,000`.
    #[serde(serialize_with = "scale")]
    #[schemars(with = "schema::ScaleWord")]
    pub scale: Scale,
    /// How far the line may be off, whole metres.
    pub uncertainty_m: u32,
}

fn scale<S: Serializer>(scale: &Scale, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text::ScaleText::of(*scale).as_str())
}
