//! Reads free text as a point, a ZIP code, an address or a name, each perhaps with a task.
//!
//! Links and coordinates are tried first, because nothing else is written like them. Then the words of a task are removed
//! before or behind a ZIP code, an address or coordinates. All else is a name; the search finds the task and the place in
//! it. Reading needs no directory, and each text has a reading.

mod coordinates;
mod links;
mod places;

use crate::{
    directory::topic_in,
    vocabulary::{Topic, zip_code},
};

pub use coordinates::Coordinates;
pub use places::Named;

/// Most words before a place that are checked for a task: the longest question of a person is shorter.
const TASK_WORDS_MAX: usize = 24;

/// Most words of coordinates before a task: degrees, minutes, seconds and a letter, twice.
const COORDINATE_WORDS_MAX: usize = 8;

/// The reading of a text: its subject and its task.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The place or the point that it names.
    pub subject: Subject,
    /// The topic of its task; `None` where the words of a task were not recognized.
    pub topic: Option<Topic>,
}

/// The subject of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Coordinates, or a link to a map that holds them.
    Point(Coordinates),
    /// A ZIP code, 5 digits.
    Zip(u32),
    /// A street address, in one line.
    Address(String),
    /// A name of a place or a page, or a question with one in it.
    Name(String),
}

impl Reading {
    /// Reads a text; every text has a reading.
    pub fn new(text: &str) -> Reading {
        let text = text.trim();
        if let Some(link) = links::link_in(text) {
            return match links::target_of(link) {
                Some(links::Target::Point(found)) => Reading { subject: Subject::Point(found), topic: None },
                // A link to a search holds the text that was typed there.
                Some(links::Target::Text(typed)) => Reading::without_link(&typed),
                None => Reading { subject: Subject::Name(text.to_owned()), topic: None },
            };
        }
        Reading::without_link(text)
    }

    fn without_link(text: &str) -> Reading {
        let text = text.trim();
        if let Some(subject) = place_before_task(text) {
            return subject;
        }
        if let Some((topic, subject)) = place_behind_task(text) {
            return Reading { subject, topic: Some(topic) };
        }
        let topic = topic_in(text).map(|(topic, _)| topic);
        Reading { subject: Subject::Name(text.to_owned()), topic }
    }

    /// Whether the answer needs the geocoder, because the subject is an address.
    pub fn is_address(&self) -> bool {
        matches!(self.subject, Subject::Address(_))
    }
}

/// Reads coordinates, a ZIP code or an address at the start of a text: "33139 property appraiser".
fn place_before_task(text: &str) -> Option<Reading> {
    let whole = |subject| Some(Reading { subject, topic: None });
    let text = without_zip_word(text);
    if let Some(subject) = exact(text) {
        return whole(subject);
    }
    let (first, rest) = text.split_once(char::is_whitespace)?;
    if let (Some(zip), Some((topic, _))) = (zip_code(first.trim_end_matches(',')), topic_alone(rest)) {
        return Some(Reading { subject: Subject::Zip(zip), topic: Some(topic) });
    }
    if let Some(reading) = coordinates_before_task(text) {
        return Some(reading);
    }
    if is_street_address(text) { whole(Subject::Address(text.to_owned())) } else { None }
}

/// Reads coordinates before the words of a task: "44.94389, -123.035 building permits".
fn coordinates_before_task(text: &str) -> Option<Reading> {
    let mut ends = text.match_indices(char::is_whitespace).take(COORDINATE_WORDS_MAX);
    let split = |at: usize| {
        let found = coordinates::read(text[..at].trim_end_matches([',', ';', ':', ' ']))?;
        let (topic, _) = topic_alone(&text[at..])?;
        Some(Reading { subject: Subject::Point(found), topic: Some(topic) })
    };
    ends.find_map(|(at, _)| split(at))
}

/// The text without the words "ZIP code" before a ZIP code.
fn without_zip_word(text: &str) -> &str {
    let after = |text: &'_ str, words: &[&str]| {
        let (first, rest) = text.split_once(char::is_whitespace)?;
        words
            .iter()
            .any(|word| first.eq_ignore_ascii_case(word))
            .then(|| text.len() - rest.trim_start().len())
    };
    let Some(at) = after(text, &["zip", "zipcode"]) else { return text };
    let rest = &text[at..];
    let rest = after(rest, &["code"]).map_or(rest, |at| &rest[at..]);
    let first = rest.split(char::is_whitespace).next().unwrap_or_default();
    if zip_code(first.trim_end_matches(',')).is_some() { rest } else { text }
}

/// Reads a place behind the words of a task: "building permit for 350 S 5th St, Minneapolis MN", "zoning 44.97,
/// -93.26".
fn place_behind_task(text: &str) -> Option<(Topic, Subject)> {
    let mut words = text.split_whitespace().take(TASK_WORDS_MAX);
    let word =
        words.find(|word| word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-'))?;
    let at = word.as_ptr() as usize - text.as_ptr() as usize;
    let (task, place) = text.split_at(at);
    let (topic, _) = topic_alone(task)?;
    let place = place.trim_end_matches(['?', '.', '!', ' ']);
    let address = || is_street_address(place).then(|| Subject::Address(place.to_owned()));
    Some((topic, exact(place).or_else(address)?))
}

/// Returns the task of a text that names nothing else.
fn topic_alone(text: &str) -> Option<(Topic, String)> {
    topic_in(text).filter(|(_, place)| place.is_empty())
}

/// Reads coordinates or a ZIP code, which need no further words.
fn exact(text: &str) -> Option<Subject> {
    let zip = || zip_code(text).map(Subject::Zip);
    zip().or_else(|| coordinates::read(text).map(Subject::Point))
}

/// A house number with words after it. Names of places do not begin so, but for a few such as "96 Corners".
fn is_street_address(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    first.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) && words.count() >= 2
}

#[cfg(test)]
mod tests;
