//! Answers questions on the service itself, which no operation for places answers: download, license, age of the data.

use std::fmt::Write as _;

use crate::edition::Edition;
use platbook::{
    answers::{Answer, Data, Notice},
    directory::Row,
    words::day,
};

/// Words of a question on the data itself; no place or page is looked for by them.
const ON_DATA: [&str; 6] = ["download", "dataset", "data set", "how current", "how old", "how up to date"];
/// Words that people use of their own affairs as well, such as a business license. They count where no place was found.
const ON_TERMS: [&str; 5] = ["license", "licence", "terms of use", "copyright", "who runs"];

/// Returns a paragraph on the service if a text asks about it, and removes the notice that nothing has this name.
pub(super) fn about(edition: &Edition, text: &str, answer: &mut Answer<'_>) -> Option<String> {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let places = places(answer);
    let is_asked = has(&ON_DATA) || places.is_empty() && has(&ON_TERMS);
    if !is_asked {
        return None;
    }
    answer.notices.retain(|notice| *notice != Notice::NoSuchName);
    let directory = edition.answers().directory();
    let mut said = format!(
        "About this service: all answers come from one file of {}. GET {}/v1/download describes it.",
        day(directory.as_of()),
        edition.encoder().site()
    );
    match edition.encoder().publication() {
        Some(address) => write!(said, " The operator publishes it at {address}."),
        None => write!(said, " This server names no address from which to get it."),
    }
    .expect("writing to memory does not fail");
    said.push_str(
        " The program is licensed under MIT or Apache-2.0. Sources have terms of their own: license_class of each stands in the \
         sources of full answers.",
    );
    let state = places.into_iter().find_map(|row| directory.state_of(row));
    match state.and_then(|state| Some((state.name(), directory.year_of_place_lines(state)?))) {
        Some((state, year)) => {
            write!(said, " City limits of {state} are mostly of {year}.")
                .expect("writing to memory does not fail");
        }
        None => said.push_str(" Boundaries differ in age by state."),
    }
    said.push_str(" The tiger_vintage of a jurisdiction, with detail full, is the year of its boundary.");
    Some(said)
}

/// The places that a text was found to name.
fn places(answer: &Answer<'_>) -> Vec<Row> {
    let matches = match &answer.data {
        Data::Search(matches) => matches,
        Data::Ask(asked) => &asked.matches,
        _ => return Vec::new(),
    };
    matches.places.iter().map(|found| found.row).collect()
}
