//! The page of a state: the usual office for each job, exceptions, and its counties.

use maud::{Markup, html};

use super::{
    confidence, front,
    layout::PageLayout,
    linked, lists, map, resource,
    site::{Site, state_path},
    topics,
    words::{WORDS, capital, date, function_name},
};
use platbook::{
    answers::{Answer, Data},
    directory::RuledState,
    rules::FunctionRule,
    vocabulary::StateCode,
    words::{Phrase, Words as _},
};

/// Builds the page of a state. `None` if the answer is of another kind.
pub(super) fn page(
    site: Site<'_>,
    state: StateCode,
    is_further: bool,
    answer: &Answer<'_>,
) -> Option<PageLayout> {
    let Data::Place(details) = &answer.data else { return None };
    let ruled = site.directory().ruled_state(state);
    let name = state.name();
    let body = html! {
        (head(site, state, ruled))
        @if !is_further {
            @if let Some(ruled) = ruled { (rules(ruled)) (quirks(ruled)) }
            (lists::of_state(site, state))
        }
        (resource::section(site, details, is_further))
        (topics::folded(site, &format!("?place=state:{:02}", state.fips()), Some(state)))
        @if let Some(ruled) = ruled {
            p { (WORDS.phrase(Phrase::RulesChecked(&date(&ruled.file.checked)))) }
        }
        (confidence::section(site, answer, None))
    };
    let description = format!(
        "Which office sets property value, collects property tax, records deeds, zones land and issues permits in {name}."
    );
    Some(PageLayout {
        trail: vec![("States".to_owned(), site.href("/states"))],
        linked: vec![linked::place(site, details.place, site.directory().country_row())],
        json: Some(format!("/v1/places/state:{:02}", state.fips())),
        listed: !is_further,
        ..PageLayout::new(format!("Who handles property in {name}"), description, state_path(state), body)
    })
}

/// Shows the most important facts on a state, and its map.
fn head(site: Site<'_>, state: StateCode, ruled: Option<&RuledState>) -> Markup {
    html! {
        div.split {
            div {
                h1 { "Who handles property in " (state.name()) "?" }
                @if let Some(ruled) = ruled { @for sentence in &ruled.file.summary { p.lead { (sentence) } } }
                (front::field(site, "", false))
            }
            @if let Some(map) = map::state(site, state) {
                figure { (map) figcaption { "Choose a " (WORDS.counties(state).0) ". Blue is water or land outside the United States." } }
            }
        }
    }
}

/// Shows the usual office for each job.
fn rules(ruled: &RuledState) -> Markup {
    html! {
        section #who {
            h2 { "Who does what" }
            div.cards { @for rule in &ruled.file.rules.functions { (card(rule)) } }
        }
    }
}

fn card(rule: &FunctionRule) -> Markup {
    html! {
        section.card id=(rule.function.as_str()) {
            h3 { (function_name(rule.function)) }
            p.who { (rule.office) br; span.body { (capital(&rule.place_words)) } }
            @for sentence in &rule.summary { p { (sentence) } }
            @if let Some(note) = &rule.note { p { (note) } }
        }
    }
}

fn quirks(ruled: &RuledState) -> Markup {
    html! {
        @if !ruled.file.quirks.is_empty() {
            details { summary { "Good to know" } ul { @for quirk in &ruled.file.quirks { li { (quirk) } } } }
        }
    }
}
