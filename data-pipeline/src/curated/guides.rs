//! Reads guides: one plain text for each topic, true in the whole country.

use std::path::Path;

use platbook::{
    rules::{Guide, GuideSection},
    vocabulary::Topic,
};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    checker::Checker,
    error::{CuratedError, Fault},
    file::Text,
    files::{read_folder, toml_fault, whole},
    reading,
};

/// Headings of every guide, in this order.
pub const GUIDE_HEADINGS: [&str; 6] = [
    "What it is",
    "Who decides",
    "How to find it",
    "What it costs or needs",
    "Common mistakes",
    "What this does not tell you",
];

/// Maximum length of a title, in characters. Chosen, not measured.
const TITLE_CHARS_MAX: usize = 50;
/// Maximum length of a summary, in characters. Chosen, not measured.
const SUMMARY_CHARS_MAX: usize = 350;
/// Minimum number of words in a guide, without headings. Chosen, not measured.
const WORDS_MIN: usize = 250;
/// Maximum number of words in a guide, without headings. Chosen, not measured.
const WORDS_MAX: usize = 500;
/// Maximum reading grade: the eighth, and half a grade because syllables are estimated.
const GRADE_MAX: f64 = 8.5;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GuideFile {
    topic: Text,
    title: Text,
    summary: Text,
    also: Spanned<Vec<Text>>,
    checked: Spanned<Datetime>,
    #[serde(default)]
    section: Vec<Spanned<SectionTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SectionTable {
    heading: Text,
    text: Spanned<Vec<Text>>,
}

/// Reads one guide's text. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_guide(file: &str, text: &str) -> Result<Guide, Vec<Fault>> {
    let table: GuideFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let guide = Guide {
        topic: topic(&mut checker, &table.topic),
        title: title(&mut checker, &table.title),
        summary: summary(&mut checker, &table.summary),
        also: also(&mut checker, &table),
        checked: table.checked.get_ref().to_string(),
        sections: sections(&mut checker, &table.section),
    };
    checker.date(&table.checked, "checked");
    whole_text(&mut checker, &guide);
    checker.finish().map(|()| guide)
}

fn topic(checker: &mut Checker<'_>, text: &Text) -> Topic {
    let known: Vec<(&str, Topic)> = Topic::all().map(|topic| (topic.as_str(), topic)).collect();
    let topic = checker.word(text, "topic", &known);
    let word = topic.as_str();
    let stem = Path::new(checker.file).file_stem().and_then(|stem| stem.to_str());
    if stem != Some(word) {
        checker.at(text, "topic", format!("a guide to {word} must be called {word}.toml"));
    }
    topic
}

fn title(checker: &mut Checker<'_>, text: &Text) -> String {
    checker.at_most(text, "title", TITLE_CHARS_MAX);
    plain(checker, text, "title");
    checker.words(text, "title")
}

fn summary(checker: &mut Checker<'_>, text: &Text) -> String {
    checker.at_most(text, "summary", SUMMARY_CHARS_MAX);
    plain(checker, text, "summary");
    let words = checker.sentence(text, "summary");
    let count = reading::sentences(&words);
    if !(2..=3).contains(&count) {
        checker.at(text, "summary", format!("has {count} sentences: expected two or three"));
    }
    words
}

fn also(checker: &mut Checker<'_>, table: &GuideFile) -> Vec<Topic> {
    for text in table.also.get_ref().iter().filter(|text| text.get_ref() == table.topic.get_ref()) {
        checker.at(text, "also", "is the guide itself");
    }
    checker.topics(&table.also, "also")
}

/// Checks for exclamation marks and addresses: links belong in resources.
fn plain(checker: &mut Checker<'_>, text: &Text, key: &str) {
    let words = text.get_ref();
    if words.contains('!') {
        checker.at(text, key, "has an exclamation mark");
    }
    if ["://", "www.", ".gov", ".com", ".org", "@"].iter().any(|part| words.contains(part)) {
        checker.at(text, key, "has an address: put links into a resource");
    }
}

fn sections(checker: &mut Checker<'_>, tables: &[Spanned<SectionTable>]) -> Vec<GuideSection> {
    let mut found = Vec::new();
    for (at, spanned) in tables.iter().enumerate() {
        let (table, key) = (spanned.get_ref(), |name: &str| format!("section[{}].{name}", at + 1));
        match GUIDE_HEADINGS.get(at) {
            Some(heading) if heading == table.heading.get_ref() => {}
            Some(heading) => {
                checker.at(&table.heading, &key("heading"), format!("expected {heading:?} here"))
            }
            None => checker.at(&table.heading, &key("heading"), "is one section too many"),
        }
        let text = checker.sentences(&table.text, &key("text"));
        for paragraph in table.text.get_ref() {
            plain(checker, paragraph, &key("text"));
        }
        found.push(GuideSection { heading: table.heading.get_ref().clone(), text });
    }
    if let Some(missing) = GUIDE_HEADINGS.get(found.len()) {
        checker.fault(0, "section", format!("expected a section {missing:?}, found none"));
    }
    found
}

/// Checks the length and the reading grade of the whole text.
fn whole_text(checker: &mut Checker<'_>, guide: &Guide) {
    let text = words(guide);
    let words = reading::words(&text).len();
    if !(WORDS_MIN..=WORDS_MAX).contains(&words) {
        checker.fault(0, "section", format!("{words} words: expected {WORDS_MIN} to {WORDS_MAX}"));
    }
    let grade = grade(guide);
    if grade > GRADE_MAX {
        let what = format!("reading grade {grade:.1}: at most {GRADE_MAX}; use shorter words and sentences");
        checker.fault(0, "section", what);
    }
}

/// The words of summary and paragraphs, without headings.
fn words(guide: &Guide) -> String {
    let paragraphs = guide.sections.iter().flat_map(|section| &section.text);
    let all: Vec<&str> = std::iter::once(&guide.summary).chain(paragraphs).map(String::as_str).collect();
    all.join(" ")
}

/// Flesch-Kincaid grade of a guide's text.
pub(super) fn grade(guide: &Guide) -> f64 {
    reading::grade(&words(guide))
}

/// Reads the guides of a folder, one for each topic, in the order of topics.
///
/// # Errors
/// All faults of all files.
pub fn load_guides(folder: &Path) -> Result<Vec<Guide>, CuratedError> {
    whole(read_guides(folder))
}

/// The valid guides, then the faults of the others. A topic without a file is a fault.
pub(super) fn read_guides(folder: &Path) -> (Vec<Guide>, Vec<Fault>) {
    let (mut guides, mut faults) = read_folder(folder, parse_guide);
    guides.sort_by_key(|guide| guide.topic);
    for topic in Topic::all() {
        let path = folder.join(format!("{}.toml", topic.as_str()));
        if !path.exists() {
            let (file, key) = (path.display().to_string(), String::new());
            let what = format!("expected a guide to {}, found none", topic.as_str());
            faults.push(Fault { file, line: 1, key, what });
        }
    }
    (guides, faults)
}
