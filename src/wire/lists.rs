//! The JSON types for the answers of `/jurisdictions`, `/offices` and `/jurisdictions/chains`. They go beyond the
//! contract.

use schemars::JsonSchema;
use serde::Serialize;

use super::{FunctionEntry, Jurisdiction, MatchQuality, Point, ProblemType, schema, text, words::Word};
use platbook::vocabulary::{Confidence, Function, JurisdictionId, Role};

/// A page of a list of jurisdictions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JurisdictionList<'a> {
    /// Jurisdictions in the whole list; absent where counting would take long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// The function of the entries; null for a list of jurisdictions alone.
    #[schemars(with = "Option<Word<Function>>")]
    pub function: Option<Function>,
    /// The jurisdictions of this page. A page of offices may have fewer than `limit`; `next_cursor` says whether it is
    /// the last.
    pub jurisdictions: Vec<ListedJurisdiction<'a>>,
    /// Cursor of the next page; null on the last.
    pub next_cursor: Option<&'a str>,
}

/// A jurisdiction of a list, with the entry of a function if one was given.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedJurisdiction<'a> {
    /// The jurisdiction of this row.
    #[serde(flatten)]
    pub jurisdiction: Jurisdiction<'a>,
    /// The body that performs the function there, with office and best page; absent without a function or a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<FunctionEntry<'a>>,
}

/// The governments and bodies of several points.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChainList<'a> {
    /// A row for each point, in the order of the request.
    pub rows: Vec<ChainRow<'a>>,
}

/// The governments and bodies of one point, or the reason why it has none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChainRow<'a> {
    /// The point as it was written, at most 60 characters.
    pub given: &'a str,
    /// The point; null where the text is not one.
    pub point: Option<Point>,
    /// How sure the match is; null with an error.
    pub quality: Option<MatchQuality>,
    /// Ids of state, county, county subdivision and place, as far as they exist.
    #[serde(serialize_with = "text::ids")]
    #[schemars(with = "Vec<schema::Id>")]
    pub jurisdiction_ids: Vec<JurisdictionId>,
    /// The body of each function that a rule covers, without pages.
    pub bodies: Vec<Body<'a>>,
    /// Caveats that make chain or bodies doubtful, such as a line nearby.
    pub notices: Vec<String>,
    /// The reason why the point has no row; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RowError<'a>>,
}

/// The reason why a point has no row.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RowError<'a> {
    /// The problem that a request for this point alone would get.
    #[serde(rename = "type")]
    pub problem_type: ProblemType,
    /// The form that was expected, and the text that was given.
    pub detail: &'a str,
}

/// The body of a function, without its office's pages.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Body<'a> {
    /// The function that the body performs.
    #[schemars(with = "Word<Function>")]
    pub function: Function,
    /// Null when no body performs it, or the rules cannot settle on one.
    #[serde(serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub jurisdiction_id: Option<JurisdictionId>,
    /// The office's title in the state; null where no office does the job.
    pub office_name: Option<&'a str>,
    /// How sure the rule is.
    #[schemars(with = "Word<Confidence>")]
    pub confidence: Confidence,
    /// Primary, or one of several.
    #[schemars(with = "Word<Role>")]
    pub role: Role,
}
