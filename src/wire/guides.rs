//! Topics, guides and the rules of a state, for reading.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{PageUrl, schema, words::Word};
use platbook::vocabulary::{Function, Level, Topic};

/// A topic.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TopicInfo<'a> {
    /// The topic.
    #[schemars(with = "Word<Topic>")]
    pub topic: Topic,
    /// What a person calls it.
    pub name: &'a str,
    /// One sentence.
    pub description: &'a str,
    /// The functions that it serves.
    #[schemars(with = "Vec<Word<Function>>")]
    pub functions: &'a [Function],
    /// Its page.
    pub page_url: PageUrl<'a>,
    /// Its guide in this interface; null where there is none.
    pub guide_url: Option<PageUrl<'a>>,
}

/// The answer of `/topics`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TopicList<'a> {
    /// All topics.
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

/// An object with its keys in the order given.
fn map<S: Serializer, V: Serialize>(pairs: &[(&str, V)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    pairs.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
    map.end()
}

/// Who does one job in a state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Rule<'a> {
    /// The office's name in the state.
    pub office: Option<&'a str>,
    /// The level of government that does the job.
    #[schemars(with = "Option<Word<Level>>")]
    pub level: Option<Level>,
    /// Plain words for the level.
    #[serde(rename = "where")]
    pub place_words: Option<&'a str>,
    /// A remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
}

/// Who does what in a state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StateRules<'a> {
    /// Postal code.
    #[schemars(with = "schema::State")]
    pub state: &'a str,
    /// Name.
    pub name: &'a str,
    /// Valuing property for tax.
    pub assessment: Rule<'a>,
    /// Collecting property tax.
    pub tax_collection: Rule<'a>,
    /// Recording deeds.
    pub recording: Rule<'a>,
    /// Zoning.
    pub zoning: Option<Rule<'a>>,
    /// Exemptions and relief from property tax.
    pub exemptions: Option<Rule<'a>>,
    /// Building permits. Beyond the contract.
    pub permits: Option<Rule<'a>>,
    /// Parcel maps. Beyond the contract.
    pub gis: Option<Rule<'a>>,
    /// What a resident may trip over. Beyond the contract.
    pub quirks: &'a [String],
    /// The day that the rules were last gone through. Beyond the contract.
    pub checked_at: &'a str,
    /// The state's page.
    pub page_url: PageUrl<'a>,
}

/// A section of a guide: plain text, paragraphs apart by an empty line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Section<'a> {
    /// Heading.
    pub heading: &'a str,
    /// Text.
    pub text: String,
}

/// A further guide.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FurtherGuide<'a> {
    /// Its topic.
    #[schemars(with = "Word<Topic>")]
    pub topic: Topic,
    /// Its title.
    pub title: &'a str,
    /// Where it is.
    pub page_url: PageUrl<'a>,
}

/// The answer of `/guides/{topic}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Guide<'a> {
    /// Topic.
    #[schemars(with = "Word<Topic>")]
    pub topic: Topic,
    /// Postal code of the state that was asked for.
    #[schemars(with = "Option<schema::State>")]
    pub state: Option<&'a str>,
    /// Title.
    pub title: &'a str,
    /// The answer in short.
    pub summary: &'a str,
    /// Plain-text sections.
    pub sections: Vec<Section<'a>>,
    /// Its page, where links to outside sources are.
    pub page_url: PageUrl<'a>,
    /// The state's own rules.
    pub state_rules: Option<StateRules<'a>>,
    /// Plain sentences on who does the job in the state.
    pub state_summary: Option<String>,
    /// Other guides on the same topic.
    pub also: Vec<FurtherGuide<'a>>,
}
