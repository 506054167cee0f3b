//! The JSON types for topics, guides and the rules of a state.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{DatedRule, PageUrl, schema, words::Word};
use platbook::vocabulary::{Function, Level, Topic};

/// A topic, its functions and its pages.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TopicInfo<'a> {
    /// The key of the topic.
    #[schemars(with = "Word<Topic>")]
    pub topic: Topic,
    /// The name that people use.
    pub name: &'a str,
    /// The subject of the topic, in one sentence.
    pub description: &'a str,
    /// The functions that it serves.
    #[schemars(with = "Vec<Word<Function>>")]
    pub functions: &'a [Function],
    /// Address of the topic's page.
    pub page_url: PageUrl<'a>,
    /// Address of its guide in this interface; null where it has no guide.
    pub guide_url: Option<PageUrl<'a>>,
}

/// The answer of `/topics`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TopicList<'a> {
    /// All topics, in the contract's order.
    pub topics: Vec<TopicInfo<'a>>,
    /// The topics that serve each function.
    #[serde(serialize_with = "map")]
    #[schemars(with = "BTreeMap<String, Vec<Word<Topic>>>")]
    pub functions: Vec<(&'a str, Vec<Topic>)>,
    /// The topic that replaced each deprecated name.
    #[serde(serialize_with = "map")]
    #[schemars(with = "BTreeMap<String, Word<Topic>>")]
    pub aliases: Vec<(&'a str, Topic)>,
}

/// Writes an object with its keys in this order.
fn map<S: Serializer, V: Serialize>(pairs: &[(&str, V)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    pairs.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
    map.end()
}

/// The rule for one job in a state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Rule<'a> {
    /// The office's title in the state.
    pub office: Option<&'a str>,
    /// The level of government that does the job.
    #[schemars(with = "Option<Word<Level>>")]
    pub level: Option<Level>,
    /// Plain words for where to go.
    #[serde(rename = "where")]
    pub place_words: Option<&'a str>,
    /// A remark on exceptions; absent if there are no exceptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
}

/// The rules of a state: which office does each job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StateRules<'a> {
    /// Postal code of the state.
    #[schemars(with = "schema::State")]
    pub state: &'a str,
    /// Name of the state.
    pub name: &'a str,
    /// Setting the value of property for tax.
    pub assessment: Rule<'a>,
    /// Billing and collecting property tax.
    pub tax_collection: Rule<'a>,
    /// Recording deeds and other land records.
    pub recording: Rule<'a>,
    /// Zoning and land use decisions.
    pub zoning: Option<Rule<'a>>,
    /// Exemptions and relief from property tax.
    pub exemptions: Option<Rule<'a>>,
    /// Building, septic and well permits. Beyond the contract.
    pub permits: Option<Rule<'a>>,
    /// Parcel maps and map sites. Beyond the contract.
    pub gis: Option<Rule<'a>>,
    /// Peculiarities that often surprise a resident. Beyond the contract.
    pub quirks: &'a [String],
    /// Day on which a person last checked the rules. Beyond the contract.
    pub checked_at: &'a str,
    /// Address of the state's page.
    pub page_url: PageUrl<'a>,
}

/// A section of a guide: plain text, paragraphs apart by an empty line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Section<'a> {
    /// Heading above the section.
    pub heading: &'a str,
    /// Plain text of the section.
    pub text: String,
}

/// A guide on a related topic.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FurtherGuide<'a> {
    /// The topic of that guide.
    #[schemars(with = "Word<Topic>")]
    pub topic: Topic,
    /// The title of that guide.
    pub title: &'a str,
    /// Address of that guide's page.
    pub page_url: PageUrl<'a>,
}

/// The answer of `/guides/{topic}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Guide<'a> {
    /// The topic that the guide explains.
    #[schemars(with = "Word<Topic>")]
    pub topic: Topic,
    /// Postal code of the state in the request.
    #[schemars(with = "Option<schema::State>")]
    pub state: Option<&'a str>,
    /// The title of the guide.
    pub title: &'a str,
    /// The answer in short.
    pub summary: &'a str,
    /// Sections of plain text, in reading order.
    pub sections: Vec<Section<'a>>,
    /// Address of its page, which links to outside sources.
    pub page_url: PageUrl<'a>,
    /// The state's own rules; null without a state.
    pub state_rules: Option<StateRules<'a>>,
    /// Plain sentences on who does the job in the state.
    pub state_summary: Option<String>,
    /// Dates and amounts of the topic in the state, and in its areas that differ; absent without a state. Beyond the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Option<Vec<DatedRule<'a>>>")]
    pub dates: Vec<DatedRule<'a>>,
    /// Guides on related topics.
    pub also: Vec<FurtherGuide<'a>>,
}
