//! The page of a state: the usual office for each job, peculiarities, and its counties.

use maud::{Markup, html};

use super::{
    confidence, front,
    layout::PageLayout,
    linked, map, place, point, resource,
    site::{Site, state_path},
    words::{WORDS, capital, count, date, function_name, titled},
};
use platbook::{
    answers::{Answer, Data},
    directory::{Row, RuledState},
    rules::FunctionRule,
    vocabulary::{Layer, StateCode},
    words::{Phrase, Words as _},
};

/// Most entries of a list that is not folded; chosen, not measured.
const OPEN_MAX: usize = 150;

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
            (counties(site, state)) (places(site, state)) (districts(site, state))
        }
        (resource::section(site, details))
        section { h2 { "Guides with the rules of " (name) } (point::guides(site, Some(state))) }
        @if let Some(ruled) = ruled {
            p { (WORDS.phrase(Phrase::RulesChecked(&date(&ruled.file.checked)))) }
        }
        (confidence::section(site, answer))
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
                figure { (map) figcaption { "Choose a " (WORDS.counties(state).0) "." } }
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
            section { h2 { "Good to know" } ul { @for quirk in &ruled.file.quirks { li { (quirk) } } } }
        }
    }
}

fn counties(site: Site<'_>, state: StateCode) -> Markup {
    let many = WORDS.counties(state).1;
    place::members(
        site,
        &titled(many).replace(" And ", " and ").replace(" Or ", " or "),
        &site.directory().counties_in(state),
    )
}

/// Lists the cities and other places of a state; folded if there are many.
fn places(site: Site<'_>, state: StateCode) -> Markup {
    let directory = site.directory();
    let of_state = |layer: Layer| -> Vec<Row> {
        directory.rows_of(layer).filter(|row| directory.state_of(*row) == Some(state)).collect()
    };
    let places = of_state(Layer::Place);
    let list = place::members(site, "Cities, towns and other places", &places);
    html! {
        @if places.len() > OPEN_MAX {
            details { summary { (count(places.len(), "city, town or village", "cities, towns and villages")) } (list) }
        } @else { (list) }
    }
}

fn districts(site: Site<'_>, state: StateCode) -> Markup {
    let districts: Vec<Row> = site.directory().districts_in(state).collect();
    place::members(site, "Districts that do a job for several governments", &districts)
}
