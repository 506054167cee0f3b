//! The hand-written content of a snapshot: the rules of each state with their texts, and the guides.

use serde::{Deserialize, Serialize};

use super::StateRules;
use crate::vocabulary::Topic;

/// The rules of a state, and texts about the state for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateFile {
    /// The rules that the engine evaluates.
    pub rules: StateRules,
    /// Row in `meta` of each source. The rules refer to a source by its index in this list.
    pub sources: Vec<u16>,
    /// Day on which a person last checked the file, `YYYY-MM-DD`.
    pub checked: String,
    /// Plain sentences about the state as a whole.
    pub summary: Vec<String>,
    /// Peculiarities of the state that often surprise a resident, one sentence each.
    pub quirks: Vec<String>,
}

/// A guide in plain language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guide {
    /// The topic that the guide explains.
    pub topic: Topic,
    /// Heading of the guide's page.
    pub title: String,
    /// The short answer to the guide's topic.
    pub summary: String,
    /// Sections in reading order.
    pub sections: Vec<GuideSection>,
    /// Topics whose guides are shown as related guides.
    pub also: Vec<Topic>,
    /// Day on which a person last checked the guide, `YYYY-MM-DD`.
    pub checked: String,
}

impl Guide {
    /// Whether the guide names a topic that the first releases did not have. Those releases cannot decode a message
    /// with such a guide, so these guides are in a separate message.
    pub fn is_later(&self) -> bool {
        let is_later = |topic: &Topic| *topic as usize > Topic::PropertyRecordsGeneral as usize;
        is_later(&self.topic) || self.also.iter().any(is_later)
    }
}

/// A section of a guide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuideSection {
    /// Heading above the section's text.
    pub heading: String,
    /// Paragraphs of plain text.
    pub text: Vec<String>,
}
