//! The hand-kept content of a snapshot: each state's rules with the sentences around them, and the guides.

use serde::{Deserialize, Serialize};

use super::StateRules;
use crate::vocabulary::Topic;

/// The rules of a state, and the sentences that people read about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateFile {
    /// The rules that the engine evaluates.
    pub rules: StateRules,
    /// Row in the snapshot's sources of each source; the rules refer to these by number.
    pub sources: Vec<u16>,
    /// Day on which a person last checked the file, `YYYY-MM-DD`.
    pub checked: String,
    /// Plain sentences on the state as a whole.
    pub summary: Vec<String>,
    /// Peculiarities that often surprise a resident, each in a sentence.
    pub quirks: Vec<String>,
}

/// A guide in plain language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guide {
    /// The topic that the guide explains.
    pub topic: Topic,
    /// Heading of the guide's page.
    pub title: String,
    /// The answer in short.
    pub summary: String,
    /// Sections in reading order.
    pub sections: Vec<GuideSection>,
    /// Topics whose guides are shown as related.
    pub also: Vec<Topic>,
    /// Day on which a person last checked it, `YYYY-MM-DD`.
    pub checked: String,
}

impl Guide {
    /// Whether the guide names a topic that the first releases did not have. Those releases cannot decode a message
    /// with such a guide, so these guides have a message of their own.
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
