//! Answers questions about the service itself: download, license, age and coverage of the data. The operations for
//! places do not answer such questions.

use std::fmt::Write as _;

use crate::edition::Edition;
use platbook::{
    answers::{Answer, Data, Found, Notice, Request},
    directory::Row,
    vocabulary::StateCode,
    words::{English, Known, Label, Phrase, Units, Words as _, day},
};

/// Words of a question about the data. They are not looked up as a place or a page.
const ON_DATA: [&str; 6] = ["download", "dataset", "data set", "how current", "how old", "how up to date"];
/// Words that people also use for their own affairs, such as a business license. They count only if no place was
/// found.
const ON_TERMS: [&str; 5] = ["license", "licence", "terms of use", "copyright", "who runs"];

/// Words of a question about how much the service knows. They are phrases, because "lot coverage" is a matter of
/// zoning.
const ON_COVERAGE: [&str; 10] = [
    "your coverage",
    "data coverage",
    "coverage of the data",
    "coverage of this",
    "how complete",
    "how much is known",
    "links verified",
    "links been verified",
    "links checked",
    "links been checked",
];

/// Returns a paragraph on the service if a text asks about it. Removes the notice that no place has this name.
pub(super) fn about(edition: &Edition, text: &str, answer: &mut Answer<'_>) -> Option<String> {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let places = places(answer);
    let is_asked = has(&ON_DATA) || has(&ON_COVERAGE) || places.is_empty() && has(&ON_TERMS);
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
    let state = state_named_in(&text).or_else(|| places.into_iter().find_map(|row| directory.state_of(row)));
    match state.and_then(|state| Some((state.name(), directory.year_of_place_lines(state)?))) {
        Some((state, year)) => {
            write!(said, " City limits of {state} are mostly of {year}.")
                .expect("writing to memory does not fail");
        }
        None => said.push_str(" Boundaries differ in age by state."),
    }
    said.push_str(" The tiger_vintage of a jurisdiction, with detail full, is the year of its boundary.");
    if has(&ON_COVERAGE) {
        said.push_str(&coverage(edition, state));
    }
    Some(said)
}

/// Returns the state whose name occurs in a text in lower case. The longest name counts, because "arkansas" contains
/// "kansas".
fn state_named_in(text: &str) -> Option<StateCode> {
    let named = StateCode::all().filter(|state| text.contains(&state.name().to_lowercase()));
    named.max_by_key(|state| state.name().len())
}

/// Returns lines on how much the service knows about a state or about the nation.
fn coverage(edition: &Edition, state: Option<StateCode>) -> String {
    let answer = edition.answers().finish(&Request::Coverage { state }, Found::default());
    let Ok(Answer { data: Data::Coverage(details), notices, .. }) = answer else { return String::new() };
    let known = |known| English.phrase(Phrase::Known(known));
    let (name, query) = match state {
        Some(state) => (state.name(), format!("?state={state}")),
        None => ("United States", String::new()),
    };
    let jobs =
        details.jobs.iter().map(|(function, of)| format!("{}: {}", function.as_str(), known(Known::Job(of))));
    let layers = details.layers.iter().map(|layer| known(Known::Layer(layer)));
    let links = details.links.iter().map(|links| known(Known::Links(links)));
    let rules = details.rules_checked.iter().map(|(first, last)| known(Known::Rules(first, last)));
    let caveats =
        notices.iter().map(|notice| English.notice(notice, edition.answers().directory(), Units::Both));
    let lines = jobs.chain(layers).chain(links).chain(rules).chain(caveats);
    let label = English.label(Label::KnownByJob);
    let mut said = format!("\n{label}, {name}, by GET {}/v1/coverage{query}:", edition.encoder().site());
    lines.for_each(|line| said.extend(["\n- ", &line]));
    said
}

/// Returns the places that were found in a text.
fn places(answer: &Answer<'_>) -> Vec<Row> {
    let matches = match &answer.data {
        Data::Search(matches) => matches,
        Data::Ask(asked) => &asked.matches,
        _ => return Vec::new(),
    };
    matches.places.iter().map(|found| found.row).collect()
}
