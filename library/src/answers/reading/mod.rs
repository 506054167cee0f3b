//! Reads free text as a point, a ZIP code, an address or a name, each perhaps with a task.
//!
//! Links and coordinates are tried first, because nothing else is written like them. Then words of tasks before or
//! behind a ZIP code, an address or coordinates are removed. Any other text is a name, in which the search finds
//! tasks and places. Reading needs no directory, takes time in proportion to the text, and never fails.

mod asides;
mod coordinates;
mod links;
mod outside;
mod places;

use crate::{
    directory::Tasks,
    vocabulary::{DatedKind, Folded, Topic, zip_code},
};

pub use asides::Uncovered;
use asides::{asks_hours, asks_telephone, begin_with_street, relief_in, uncovered_in, year_in};
pub(super) use asides::{has_address, zip_beside};
pub use coordinates::Coordinates;
pub(super) use outside::outside_of;
pub use places::Named;

/// The reading of a text: its subject and its tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The place or the point that the text names.
    pub subject: Subject,
    /// The topics of the text's tasks, the most certain first; empty if no words of a task were recognized.
    pub topics: Vec<Topic>,
    /// The kinds of relief that the text asks about, such as that for veterans; empty if it names no kind.
    pub relief: Vec<DatedKind>,
    /// Whether the text asks for a telephone number.
    pub asks_telephone: bool,
    /// Whether the text asks for opening hours.
    pub asks_hours: bool,
    /// A subject of the text that no topic covers.
    pub uncovered: Option<Uncovered>,
    /// The year that the text asks about.
    pub year: Option<u16>,
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
    /// A name of a place or a page, or a question that contains such a name.
    Name(String),
}

impl Reading {
    /// Reads a text; every text has a reading.
    pub fn new(text: &str) -> Reading {
        let text = text.trim();
        let reading = links::link_in(text)
            .map_or_else(|| Reading::without_link(text), |link| Reading::with_link(text, link));
        let folded = Folded::of(text);
        Reading {
            relief: relief_in(&folded),
            asks_telephone: asks_telephone(&folded),
            asks_hours: asks_hours(&folded),
            uncovered: uncovered_in(&folded),
            year: year_in(&folded),
            ..reading
        }
    }

    fn of(subject: Subject, topics: Vec<Topic>) -> Reading {
        Reading {
            subject,
            topics,
            relief: Vec::new(),
            asks_telephone: false,
            asks_hours: false,
            uncovered: None,
            year: None,
        }
    }

    /// Reads a text with a link to a map. The words beside the link are its task.
    fn with_link(text: &str, link: &str) -> Reading {
        let before = &text[..link.as_ptr() as usize - text.as_ptr() as usize];
        let alone = link.split_whitespace().next().unwrap_or(link);
        // The link ends at its first space if words of a task stand behind it. Otherwise it was copied with spaces in
        // it, and ends with the text.
        let (link, behind) = match Tasks::read(&link[alone.len()..]) {
            Some(_) => (alone, &link[alone.len()..]),
            None => (link, ""),
        };
        let beside = format!("{} {}", before.trim(), behind.trim());
        let tasks = Tasks::read(&beside);
        match links::target_of(link) {
            Some(links::Target::Point(found)) => {
                let topics = tasks.map_or_else(Vec::new, |tasks| tasks.topics());
                Reading::of(Subject::Point(found), topics)
            }
            // A link to a search holds the text that was typed there.
            Some(links::Target::Text(typed)) if tasks.is_some() => {
                Reading::without_link(&format!("{} {typed}", beside.trim()))
            }
            Some(links::Target::Text(typed)) => Reading::without_link(&typed),
            None => Reading::of(Subject::Name(text.to_owned()), Vec::new()),
        }
    }

    fn without_link(text: &str) -> Reading {
        let text = text.trim();
        if let Some(subject) = exact(text) {
            return Reading::of(subject, Vec::new());
        }
        let tasks = Tasks::read(text);
        let topics = || tasks.as_ref().map_or_else(Vec::new, Tasks::topics);
        if let Some(found) = coordinates::within(text) {
            return Reading::of(Subject::Point(found), topics());
        }
        let beside = tasks
            .iter()
            .flat_map(|tasks| tasks.rest())
            .find_map(|(topics, parts)| Some(Reading::of(subject_of(&parts)?, topics)));
        beside.unwrap_or_else(|| {
            if let Some(zip) = zip_within(text) {
                return Reading::of(Subject::Zip(zip), topics());
            }
            if is_street_address(text) {
                return Reading::of(Subject::Address(text.to_owned()), Vec::new());
            }
            Reading::of(Subject::Name(text.to_owned()), topics())
        })
    }

    /// Whether the answer needs the geocoder, because the subject is an address.
    pub fn is_address(&self) -> bool {
        matches!(self.subject, Subject::Address(_))
    }
}

/// The point, ZIP code or address that the words beside the tasks are. Of several parts, one has to be an address with
/// its town: "12 Main St, Stowe, VT - who taxes it, and when is it due". `None` for other words.
fn subject_of(parts: &[&str]) -> Option<Subject> {
    let bare = |part: &&str| {
        let part = part.trim_start_matches([',', ';', ':', ' ']);
        let part = part.trim_end_matches(['?', '!', '.', ',', ';', ':', ' ']);
        // "Is 12 Main St, Mobile, AL 36604 in a flood zone?" does not end in Indiana.
        let before_in = part.strip_suffix(" in").filter(|rest| Named::in_name(rest).is_some());
        before_in.unwrap_or(part).to_owned()
    };
    if let [part] = parts {
        let part = bare(part);
        return exact(&part).or_else(|| is_street_address(&part).then_some(Subject::Address(part)));
    }
    let has_town = |part: &String| part.contains(',') && is_street_address(part) && has_address(part);
    parts.iter().map(bare).find(has_town).map(Subject::Address)
}

/// The text without the words "ZIP code" before or behind a ZIP code.
fn without_zip_word(text: &str) -> &str {
    let words: Vec<&str> = text.split_whitespace().take(4).collect();
    let zip_at = words.iter().position(|word| zip_code(word.trim_end_matches(',')).is_some());
    let is_word_of_it = |word: &&str| {
        let word = word.trim_end_matches(':');
        is_zip_word(word) || is_code_word(word)
    };
    match zip_at {
        Some(at)
            if words.len() < 4
                && words.iter().enumerate().all(|(other, word)| other == at || is_word_of_it(word)) =>
        {
            words[at].trim_end_matches(',')
        }
        _ => text,
    }
}

fn is_zip_word(word: &str) -> bool {
    ["zip", "zipcode"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a word is the second word of "ZIP code".
fn is_code_word(word: &str) -> bool {
    word.eq_ignore_ascii_case("code")
}

/// Reads a ZIP code within a sentence, with "ZIP" before it.
fn zip_within(text: &str) -> Option<u32> {
    let is_mark = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(is_mark)).collect();
    (1..words.len()).find_map(|at| {
        let before = at.checked_sub(1).filter(|before| !is_code_word(words[*before])).or(at.checked_sub(2))?;
        zip_code(words[at]).filter(|_| is_zip_word(words[before]))
    })
}

/// Reads a text that holds only coordinates or a ZIP code.
fn exact(text: &str) -> Option<Subject> {
    let zip = || zip_code(without_zip_word(text)).map(Subject::Zip);
    zip().or_else(|| coordinates::read(text).map(Subject::Point))
}

/// Words behind a number that is not a house number: "100 percent disabled", "65 and older", "40 acres".
const BEHIND_NUMBERS: [&str; 12] =
    ["acre", "acres", "and", "day", "days", "feet", "foot", "or", "percent", "unit", "year", "years"];

/// Whether a text begins with a house number and words after it. Few names of places begin so, as "96 Corners" does.
/// The numbers of "100% disabled veteran" and "65 and older" do not count as house numbers. A ZIP code counts only
/// before the name of a street.
fn is_street_address(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [first, rest @ ..] = words.as_slice() else { return false };
    let is_number = first.starts_with(|letter: char| letter.is_ascii_digit()) && !first.contains(['%', '+']);
    is_number
        && rest.len() >= 2
        && !BEHIND_NUMBERS.iter().any(|word| rest[0].eq_ignore_ascii_case(word))
        && (zip_code(first).is_none() || begin_with_street(rest))
}

#[cfg(test)]
mod tests;
