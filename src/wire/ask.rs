//! The JSON type for the answer of `/ask`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Jurisdiction, ResolveResult, Resource, words::Word};
use platbook::vocabulary::Topic;

/// The reading of a free text, and its answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AskResult<'a> {
    /// How the text was read.
    pub read_as: ReadAs,
    /// The topic of the first task in the text; null where no task was recognized.
    #[schemars(with = "Option<Word<Topic>>")]
    pub topic: Option<Topic>,
    /// The topics of all tasks in the text, the one of `topic` first.
    #[schemars(with = "Vec<Word<Topic>>")]
    pub topics: &'a [Topic],
    /// The answer for its point or its address; null for a name, a ZIP code and an address that was not found.
    pub resolve: Option<ResolveResult<'a>>,
    /// Places with its name, best first. For an address that was not found, places with the name of its town.
    pub places: Vec<Jurisdiction<'a>>,
    /// Web resources with its name, or for its task, best first.
    pub resources: Vec<Resource<'a>>,
    /// Counties that its ZIP code reaches, those with the most addresses first.
    pub counties: Vec<ZipCounty<'a>>,
}

/// A county that a ZIP code reaches.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ZipCounty<'a> {
    /// The county itself, as a jurisdiction.
    pub jurisdiction: Jurisdiction<'a>,
    /// Its share of the address ranges of the ZIP code, whole percent.
    pub address_percent: u32,
}

/// How a text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadAs {
    /// Coordinates, or a link to a map that holds them.
    Point,
    /// A ZIP code of five digits.
    Zip,
    /// A street address in one line.
    Address,
    /// The name of a place or a page, or a question with one in it.
    Name,
}
