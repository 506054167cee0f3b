//! Checks that the texts of a snapshot are safe to show, because terminals, pages and language models get them
//! unchanged.

use super::Rejection;
use crate::{
    directory::Directory,
    rules::{Case, StateDates, StateRules},
    snapshot::Snapshot,
    vocabulary::{StateCode, clean_text, is_clean_text},
};

/// Maximum length of a text, in characters. The longest text of the default snapshot, a map's URL with parameters, has
/// fewer than half as many.
const CHARS_MAX: usize = 2_000;

/// The beginnings that the URL of a page may have. A URL such as `javascript:` would run code in the browser of a
/// person who follows it.
const SCHEMES: [&str; 2] = ["https://", "http://"];

/// Checks that all texts have a limited length and no control or invisible characters. The URLs of pages must begin
/// with one of [`SCHEMES`].
///
/// # Errors
/// [`Rejection::Text`] with the first text that is not safe to show.
pub(super) fn check_texts(directory: &Directory) -> Result<(), Rejection> {
    let snapshot = directory.snapshot();
    for source in snapshot.meta().sources.iter() {
        check_shown("a source", [&*source.name, &*source.publisher, &*source.retrieved_at, &*source.digest])?;
        check_url("a source", [&*source.url])?;
    }
    let jurisdictions = snapshot.jurisdictions();
    for row in (0..jurisdictions.len() as u32).filter_map(|row| jurisdictions.fields(row)) {
        let texts = [jurisdictions.name(row)].into_iter().chain(jurisdictions.legal_type(row));
        check_shown("a jurisdiction", texts)?;
    }
    let records = snapshot.records();
    for site in records.websites() {
        let texts = [site.office(records), site.phone(records), site.email(records), site.address(records)];
        check_shown("an office", texts.into_iter().flatten())?;
        check_url("an office", site.url(records))?;
    }
    if let Some(contacts) = snapshot.contacts() {
        for row in contacts.rows() {
            let texts = [row.name(contacts), row.phone(contacts), row.email(contacts), row.address(contacts)];
            check_shown("a contact", texts.into_iter().flatten())?;
        }
    }
    for page in records.resources() {
        let texts = [page.description(records), page.publisher(records), page.provider(records)];
        check_shown("a page", [page.name(records)].into_iter().chain(texts.into_iter().flatten()))?;
        check_url("a page", [page.url(records)].into_iter().chain(page.template(records)))?;
    }
    check_beside_chain(snapshot)?;
    let history = snapshot.history().unwrap_or_default();
    history.entries.iter().try_for_each(|entry| check_shown("a change", entry.texts()))?;
    for guide in directory.guides() {
        check_shown("a guide", [&guide.title, &guide.summary, &guide.checked].map(String::as_str))?;
        for section in &guide.sections {
            check_shown("a guide", [&section.heading].into_iter().chain(&section.text).map(String::as_str))?;
        }
    }
    StateCode::all().filter_map(|state| directory.state_dates(state)).try_for_each(check_dates)?;
    let files = StateCode::all().filter_map(|state| snapshot.state_files().state(state));
    for file in files {
        let texts = [&file.checked].into_iter().chain(&file.summary).chain(&file.quirks);
        check_shown("a state", texts.map(String::as_str))?;
        check_rules(&file.rules)?;
    }
    let past = StateCode::all().filter_map(|state| snapshot.past_rules()?.state(state));
    past.flat_map(|past| past.cases).try_for_each(|past| check_case(&past.case))
}

/// Checks the texts of dates and amounts.
fn check_dates(dates: &StateDates) -> Result<(), Rejection> {
    let texts = dates
        .rules
        .iter()
        .flat_map(|rule| std::iter::once(&rule.general).chain(rule.local.iter().map(|(_, text)| text)));
    for text in texts {
        let deadline = text.deadline.as_ref();
        let event = deadline.and_then(|deadline| deadline.after.as_ref()).map(|(_, event)| event);
        let others = [&text.with, &text.amount, &text.applies, &text.statute].map(Option::as_ref);
        let more = [event, deadline.and_then(|deadline| deadline.varies.as_ref())];
        let all = [&text.says, &text.seen].into_iter().chain(others.into_iter().chain(more).flatten());
        check_shown("a date", all.map(String::as_str))?;
    }
    Ok(())
}

/// Checks the names that are not in the chain: tribal and federal land, communities, and cities that began or ended.
fn check_beside_chain(snapshot: &Snapshot) -> Result<(), Rejection> {
    if let Some(tribal) = snapshot.tribal() {
        check_shown("tribal land", tribal.all_texts())?;
    }
    check_shown("tribal land", snapshot.nation_sites().into_iter().flat_map(|sites| sites.all()))?;
    let federal = snapshot.federal().into_iter();
    let names = federal.flat_map(|lands| (0..).map_while(|number| lands.get(number)));
    check_shown("federal land", names.map(|(name, _)| name))?;
    let communities = snapshot.communities().into_iter();
    let names = communities.flat_map(|all| (0..).map_while(|number| all.get(number)));
    check_shown("a community", names.map(|(name, ..)| name))?;
    let dated = snapshot.change_days().into_iter();
    let dated = dated.flat_map(|all| (0..).map_while(|number| all.get(number))).map(|dated| dated.change);
    let changes = snapshot.city_changes().into_iter();
    let changes = changes.flat_map(|all| (0..).map_while(|number| all.get(number))).chain(dated);
    check_shown("a city", changes.flat_map(|change| [change.name].into_iter().chain(change.into)))
}

/// Checks the texts of the rules and of the districts.
fn check_rules(rules: &StateRules) -> Result<(), Rejection> {
    check_shown("a rule", rules.cousub_word.as_deref())?;
    for rule in &rules.functions {
        let words = [&rule.office, &rule.place_words].into_iter().chain(&rule.note).chain(&rule.summary);
        check_shown("a rule", words.map(String::as_str))?;
        rule.cases.iter().chain(&rule.also).try_for_each(check_case)?;
    }
    for district in &rules.districts {
        check_shown("a district", [&*district.name])?;
        check_url("a district", district.url.as_deref())?;
    }
    check_shown("a district", rules.per_county.iter().map(|districts| &*districts.name))
}

fn check_case(case: &Case) -> Result<(), Rejection> {
    let words = [&case.why].into_iter().chain(&case.office).chain(&case.statute);
    check_shown("a rule", words.map(String::as_str))
}

fn check_shown<'t>(what: &'static str, texts: impl IntoIterator<Item = &'t str>) -> Result<(), Rejection> {
    texts
        .into_iter()
        .find(|text| !is_clean_text(text, CHARS_MAX))
        .map_or(Ok(()), |text| Err(rejection(what, text)))
}

fn check_url<'t>(what: &'static str, texts: impl IntoIterator<Item = &'t str>) -> Result<(), Rejection> {
    let leads_to_the_web = |text: &str| SCHEMES.iter().any(|scheme| text.starts_with(scheme));
    let is_fit = |text: &str| text.is_empty() || (leads_to_the_web(text) && is_clean_text(text, CHARS_MAX));
    texts.into_iter().find(|text| !is_fit(text)).map_or(Ok(()), |text| Err(rejection(what, text)))
}

fn rejection(what: &'static str, text: &str) -> Rejection {
    Rejection::Text { what, text: clean_text(text, 60) }
}
