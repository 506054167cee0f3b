//! What a snapshot carries of the hand-kept files: each state's rules with the sentences around them, and the guides.

use serde::{Deserialize, Serialize};

use super::StateRules;
use crate::vocabulary::Topic;

/// A state: its rules, and what people read about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateFile {
    /// Rules for the engine.
    pub rules: StateRules,
    /// Row of each source that the rules refer to by number.
    pub sources: Vec<u16>,
    /// The day that the file was last gone through, `YYYY-MM-DD`.
    pub checked: String,
    /// Plain sentences on the state as a whole.
    pub summary: Vec<String>,
    /// What a resident may trip over.
    pub quirks: Vec<String>,
}

/// A guide in plain language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guide {
    /// Its topic.
    pub topic: Topic,
    /// Title.
    pub title: String,
    /// The answer in short.
    pub summary: String,
    /// Sections in reading order.
    pub sections: Vec<GuideSection>,
    /// Related topics.
    pub also: Vec<Topic>,
    /// The day that it was last gone through, `YYYY-MM-DD`.
    pub checked: String,
}

/// A section of a guide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuideSection {
    /// Heading.
    pub heading: String,
    /// Paragraphs.
    pub text: Vec<String>,
}
