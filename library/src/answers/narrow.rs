//! Keeps, of the places that have a name, those that the rest of the text allows: by its state, county and ZIP code.

use super::{
    Answers,
    model::{Answer, Data},
    search::answer_of,
};
use crate::{
    directory::{Directory, Matches, Row, state_in_sentence},
    vocabulary::{Folded, Layer, has_phrase},
};

/// The place of a ZIP code: its counties, and whether a place lies in one of them.
struct ZipArea<'d> {
    directory: &'d Directory,
    counties: Vec<Row>,
}

impl ZipArea<'_> {
    fn has(&self, row: Row) -> bool {
        let around = self.directory.county_around(row);
        let mut counties = self.directory.counties_of_place(row).into_iter().chain(around).chain([row]);
        counties.any(|county| self.counties.contains(&county))
    }
}

/// Keeps the places in the counties of a ZIP code: "duplex in Detroit 48205". Returns whether none of the places lies
/// there, which keeps all: "Vashon Island WA 98070" is not in Island County.
pub(super) fn keep_zip<'a>(answers: &'a Answers, zip: u32, answer: &mut Answer<'a>) -> bool {
    let directory = answers.directory();
    let counties: Vec<Row> = directory.counties_of_zip(zip).into_iter().map(|(county, _)| county).collect();
    let area = ZipArea { directory, counties };
    let Data::Search(matches) = &answer.data else { return false };
    if area.counties.is_empty() {
        return false;
    }
    if !matches.places.iter().any(|place| area.has(place.row)) {
        return true;
    }
    let states: Vec<_> = area.counties.iter().filter_map(|county| directory.state_of(*county)).collect();
    // A district has no layer, as the nation has none, but it has a state.
    let is_wide = |row: Row| {
        let is_around = directory.state_of(row).is_none_or(|state| states.contains(&state));
        is_around && matches!(directory.layer(row), Some(Layer::State) | None)
    };
    keep(answers, answer, |row| area.has(row) || is_wide(row));
    false
}

/// Drops places outside the state that a sentence names: Damascus in Oregon is not Damascus in Virginia.
pub(super) fn keep_state<'a>(answers: &'a Answers, text: &str, answer: &mut Answer<'a>) {
    let directory = answers.directory();
    if let Some(state) = state_in_sentence(text) {
        keep(answers, answer, |row| directory.state_of(row) == Some(state));
    }
}

/// Of several places with one name, keeps those whose county the text names as well: "the county of St. Louis, in Kirkwood".
pub(super) fn keep_county<'a>(answers: &'a Answers, text: &Folded, answer: &mut Answer<'a>) {
    let directory = answers.directory();
    let Data::Search(matches) = &answer.data else { return };
    if matches.places.len() < 2 {
        return;
    }
    let words = |row: Row| Folded::of(directory.name_of(row));
    let is_named = |row: Row| {
        let Some(county) = directory.county_around(row).map(words) else { return false };
        let county = county.as_str();
        let county = county.rsplit_once(' ').map_or(county, |(name, _)| name);
        has_phrase(text.as_str(), county) && !has_phrase(words(row).as_str(), county)
    };
    let named: Vec<Row> = matches.places.iter().map(|place| place.row).filter(|row| is_named(*row)).collect();
    let counties: Vec<Row> = named.iter().filter_map(|row| directory.county_around(*row)).collect();
    if !named.is_empty() {
        keep(answers, answer, |row| named.contains(&row) || counties.contains(&row));
    }
}

/// Keeps only the places for which `is_kept` is true, and the pages of these places.
fn keep<'a>(answers: &'a Answers, answer: &mut Answer<'a>, is_kept: impl Fn(Row) -> bool) {
    let directory = answers.directory();
    let Data::Search(matches) = &answer.data else { return };
    if matches.places.iter().all(|place| is_kept(place.row)) {
        return;
    }
    let mut kept = Matches::clone(matches);
    kept.places.retain(|place| is_kept(place.row));
    let is_page_kept =
        |number: &usize| directory.resource(*number).is_some_and(|page| is_kept(page.jurisdiction));
    kept.resources.retain(is_page_kept);
    *answer = answer_of(answers, kept, None);
}
