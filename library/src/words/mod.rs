//! Every sentence that an answer can say.
//!
//! An answer carries keys and figures; a [`Words`] turns them into sentences of one language. Renderers lay the
//! sentences out and add none of their own, so that each fact is worded in the same way everywhere. A new language is
//! a new implementation of the trait, and the compiler lists what is missing.

mod en;
mod figures;
mod label;
mod names;

use crate::{
    answers::{GuideDetails, Notice},
    directory::{ContactOrigin, Directory, Row},
    facts::{Fact, FactKey, Fault},
    rules::{Basis, DatedText, Outcome},
    vocabulary::{Action, DatedKind, Function, StateCode, Topic, host_of},
};

pub use en::English;
pub use figures::{capital, count, date, day, feet, listed, thousands, titled};
pub use label::{Known, Label, Phrase};
pub use names::{full_name, is_named_in, lineage_names, with_article, without_body};

/// The units in which lengths on the ground are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// Only feet or miles: for pages that home owners read.
    Feet,
    /// Meters, with feet or miles in parentheses: for programs, models and terminals.
    Both,
}

/// The sentences of one language.
pub trait Words: Send + Sync {
    /// The language as a tag of BCP 47, such as `en`. Caches of texts use it as a part of their keys.
    fn tag(&self) -> &'static str;

    /// A caveat in one or two sentences.
    fn notice(&self, notice: &Notice, directory: &Directory, units: Units) -> String;

    /// The name of a government as a part of a sentence: "the City of Austin".
    fn name(&self, directory: &Directory, row: Row) -> String;

    /// The desk that a telephone reaches and the age of that fact, to be shown in parentheses: "main line of the
    /// government, as of 2020". Empty if neither is known.
    fn contact(&self, origin: &ContactOrigin<'_>) -> String;

    /// The sentences that hold for every fact of a kind.
    fn fact_kind(&self, key: FactKey) -> FactKind;

    /// A fact that a map gives for a point.
    fn fact(&self, fact: &Fact) -> FactText;

    /// The reason why a service gave no fact, as the end of a sentence: "the service did not answer in time".
    fn fault(&self, fault: &Fault) -> String;

    /// The reason why the rules name a body, or no body, in one to three sentences.
    fn basis(&self, basis: &Basis) -> String;

    /// The name of a function and the question for its office.
    fn function(&self, function: Function) -> FunctionText;

    /// An action as the text of a link: "Pay or look up the bill".
    fn action(&self, action: Action) -> &'static str;

    /// The subject of a date or an amount, as a short heading: "Last day to appeal".
    fn dated_kind(&self, kind: DatedKind) -> &'static str;

    /// The remark on a date besides the date's own sentences. It has the next day as of the date of the data, the tax
    /// year, and whether the date may change. Empty if there is nothing to add.
    fn dated_remark(&self, text: &DatedText, as_of: &str) -> String;

    /// The next day of a date, as of the date of the data: "May 15, 2027". `None` for a date that has no fixed day,
    /// may change or is not certain.
    fn next_day(&self, text: &DatedText, as_of: &str) -> Option<String>;

    /// The name of a topic and its description.
    fn topic(&self, topic: Topic) -> TopicText;

    /// The words for one county of a state and for several.
    fn counties(&self, state: StateCode) -> (&'static str, &'static str);

    /// The text of a heading or a short remark.
    fn label(&self, label: Label) -> &'static str;

    /// A short remark with a value in it.
    fn phrase(&self, phrase: Phrase<'_>) -> String;

    /// The text of a link to a page for this action, with the host that it leads to.
    fn action_link(&self, action: Action, url: &str) -> String {
        format!("{} ({})", self.action(action), host_of(url))
    }

    /// The reason of an outcome, followed by its law if there is one.
    fn reason(&self, outcome: &Outcome) -> String {
        let basis = self.basis(&outcome.basis);
        match &outcome.statute {
            Some(law) => format!("{basis} {}", self.phrase(Phrase::Law(law))),
            None => basis,
        }
    }

    /// The title and the summary of a guide. Without a text of its own, the name and the description of its topic.
    fn guide<'g>(&self, guide: &GuideDetails<'g>) -> (&'g str, &'g str) {
        match guide.text {
            Some(text) => (&text.title, &text.summary),
            None => {
                let TopicText { name, description } = self.topic(guide.topic);
                (name, description)
            }
        }
    }
}

/// A function in plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionText {
    /// The name that people use: "Property value".
    pub name: &'static str,
    /// The question that its office answers.
    pub question: &'static str,
    /// The task of a person, as a command: "Get a building permit".
    pub task: &'static str,
}

/// A topic in plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopicText {
    /// The name that people use: "Parcel map".
    pub name: &'static str,
    /// The subject, in one sentence.
    pub description: &'static str,
}

/// The sentences that hold for every fact of a kind, in plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactKind {
    /// The name that people use, as a heading.
    pub title: &'static str,
    /// The same name as the beginning of a sentence.
    pub subject: &'static str,
    /// The limit of the fact: "not a survey".
    pub caveat: &'static str,
    /// The office or rule that decides, in sentences.
    pub decider: &'static str,
}

/// A fact in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactText {
    /// The fact itself, in one sentence.
    pub summary: String,
    /// More on the fact, in sentences.
    pub detail: Option<String>,
}

impl FactText {
    fn new(summary: impl Into<String>) -> FactText {
        FactText { summary: summary.into(), detail: None }
    }

    /// Adds these further sentences; skips those that are `None`.
    fn with<const N: usize>(self, sentences: [Option<String>; N]) -> FactText {
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        FactText { detail: (!sentences.is_empty()).then(|| sentences.join(" ")), ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        facts::{Elevation, Said},
        rules::{ChainNames, Reason},
        testing::Spanish,
    };

    #[test]
    fn topics_are_described_in_sentences() {
        for topic in Topic::all() {
            let TopicText { name, description } = English.topic(topic);
            assert!(!name.is_empty() && description.ends_with('.'), "{topic:?}");
        }
    }

    #[test]
    fn another_language_is_another_implementation() {
        let directory = crate::testing::directory();
        let county = directory.found(&"county:27001".parse().unwrap()).unwrap();
        let languages: [&dyn Words; 2] = [&English, &Spanish];
        let said = languages
            .map(|words| words.notice(&Notice::NoCountyGovernment { county }, &directory, Units::Both));
        assert_eq!(
            said,
            [
                "Adams County has no county government of its own.",
                "Adams County no tiene gobierno de condado.",
            ]
        );
        let elevation = Elevation::judge(Some(838.36), Some(1.0)).unwrap();
        let fact = Fact::new(FactKey::Elevation, Said::Elevation(elevation));
        assert_eq!(
            languages.map(|words| words.fact(&fact).summary),
            [
                "The ground is about 838 ft above sea level.",
                "El terreno está a unos 256 m sobre el nivel del mar.",
            ]
        );
        let names = Arc::new(ChainNames::of_state(StateCode::from_fips(27).unwrap()));
        let basis = Basis { reason: Reason::NoDistrict, names };
        assert_eq!(
            languages.map(|words| words.basis(&basis)),
            ["No district is on record here.", "No consta ningún distrito aquí."]
        );
        assert_eq!(
            languages.map(|words| (words.function(Function::Zoning).name, words.label(Label::NoOffice))),
            [("Zoning", "No office does this here"), ("Zonificación", "Ninguna oficina lo hace aquí")]
        );
        assert_ne!(languages[0].tag(), languages[1].tag());
    }
}
