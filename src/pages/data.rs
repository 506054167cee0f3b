//! The page on the data: its sources, its age and its gaps.

use maud::{Markup, html};

use super::{
    coverage,
    layout::PageLayout,
    site::Site,
    words::{count, date, is_web},
};
use platbook::{
    directory::SourceView,
    vocabulary::{Coverage, Layer, LicenseClass, StateCode},
};

/// Number of sources in a part of their list: with this many, a page stays far below 60 kB over the wire.
const PART_SOURCES: usize = 400;

/// Builds the page on sources and their age.
pub(super) fn page(site: Site<'_>) -> PageLayout {
    let directory = site.directory();
    let rows = |layer: Layer| directory.rows_of(layer).len();
    let body = html! {
        h1 { "Sources and freshness" }
        p.lead { "All answers are made from one file, built on " (date(directory.as_of())) "." }
        h2 { "What is in it" }
        ul {
            li { (count(rows(Layer::State), "state or territory", "states and territories")) }
            li { (count(rows(Layer::County), "county or equivalent", "counties and equivalents")) }
            li { (count(rows(Layer::Cousub), "town or township", "towns and townships")) }
            li { (count(rows(Layer::Place), "city, town or village", "cities, towns and villages")) }
            li { (count(directory.resource_count(), "official page", "official pages")) }
        }
        p { a href=(site.href("/changes")) { "What changed, edition by edition" } }
        p { "The digest of the file is " code { (directory.snapshot_id()) } ". Every byte is checked when the server starts." }
        (coverage::section(site))
        h2 { "Town and township lines, state by state" }
        p { "County and city lines are there for every state. Not every state publishes the lines of its towns and townships. An answer \
             says so where they are missing, and does not guess a town." }
        (towns(site))
        h2 { "Rules of the states" }
        (checked(site))
        h2 { "Sources" }
        (sources(site))
    };
    PageLayout::new(
        "Sources and freshness",
        "Sources of the boundaries, rules and links, their age, and the gaps in them.",
        "/data",
        body,
    )
}

fn towns(site: Site<'_>) -> Markup {
    let of = |wanted: Coverage| -> Vec<&'static str> {
        let states = StateCode::all().filter(|state| site.directory().cousub_coverage(*state) == wanted);
        states.map(StateCode::name).collect()
    };
    html! {
        @for (words, states) in [
            ("All lines are in this data", of(Coverage::Complete)),
            ("Some lines are in this data", of(Coverage::Partial)),
            ("No lines are in this data yet", of(Coverage::Missing)),
            ("No towns or townships that govern", of(Coverage::NotApplicable)),
        ] {
            (group(words, &states))
        }
    }
}

fn checked(site: Site<'_>) -> Markup {
    let mut days: Vec<(&str, Vec<&str>)> = Vec::new();
    for state in StateCode::all() {
        let Some(ruled) = site.directory().ruled_state(state) else { continue };
        match days.iter_mut().find(|(day, _)| *day == ruled.file.checked) {
            Some((_, states)) => states.push(state.name()),
            None => days.push((&ruled.file.checked, vec![state.name()])),
        }
    }
    days.sort();
    html! { @for (day, states) in &days { (group(&format!("Last checked on {}", date(day)), states)) } }
}

/// Lists states, folded below the statement that applies to them.
fn group(words: &str, states: &[&str]) -> Markup {
    html! {
        @if !states.is_empty() {
            details { summary { (words) ": " (count(states.len(), "state", "states")) } p { (states.join(", ")) } }
        }
    }
}

/// Builds a part of the list of sources other than boundaries.
pub(super) fn part(site: Site<'_>, part: usize) -> Option<PageLayout> {
    let (_, rest) = all(site);
    let parts = rest.chunks(PART_SOURCES);
    let (count, shown) = (parts.len(), parts.clone().nth(part.checked_sub(1)?)?);
    let heading = format!("Sources of rules, lists and pages, part {part} of {count}");
    let body = html! {
        h1 { (heading) }
        ul { @for view in shown { li { (in_short(view)) } } }
        p {
            @if part > 1 { a href=(site.href(&format!("/data/{}", part - 1))) rel="prev" { "The part before" } " " }
            @if part < count { a href=(site.href(&format!("/data/{}", part + 1))) rel="next" { "The next part" } " " }
            a href=(site.href("/data")) { "All about the data" }
        }
    };
    let description = "Sources of rules, lists and links, each with its publisher and address.";
    let trail = vec![("Sources and freshness".to_owned(), site.href("/data"))];
    Some(PageLayout {
        listed: false,
        trail,
        ..PageLayout::new(heading, description, format!("/data/{part}"), body)
    })
}

/// Returns the sources of boundaries, and all others.
fn all(site: Site<'_>) -> (Vec<SourceView<'_>>, Vec<SourceView<'_>>) {
    let directory = site.directory();
    let rows = (0..directory.source_count() as u16).filter_map(|number| directory.source_row(number));
    rows.map(|row| directory.source(row)).partition(|view| view.scale.is_some())
}

fn sources(site: Site<'_>) -> Markup {
    let (lines, rest) = all(site);
    let days = || lines.iter().chain(&rest).map(|view| view.retrieved_at).filter(|day| !day.is_empty());
    let (first, last) = (days().min().map(date), days().max().map(date));
    let parts = 1..=rest.len().div_ceil(PART_SOURCES);
    html! {
        @if let (Some(first), Some(last)) = (first, last) { p { "Retrieved between " (first) " and " (last) "." } }
        details { summary { "Boundaries: " (count(lines.len(), "source", "sources")) } ul.records { @for view in &lines { li { (source(view)) } } } }
        p { "Rules, lists and pages: " (count(rest.len(), "source", "sources")) ", in " (count(parts.clone().count(), "part", "parts")) ":" }
        ul.plain.letters {
            @for part in parts { li { a href=(site.href(&format!("/data/{part}"))) { span.hidden { "Part " } (part) } } }
        }
    }
}

/// Shows a source in one line, because the list has more than a thousand.
fn in_short(view: &SourceView<'_>) -> Markup {
    html! {
        @if is_web(view.url) { a href=(view.url) { (view.name) } } @else { (view.name) }
        ", " (view.publisher)
        @if !matches!(view.license_class, LicenseClass::Open | LicenseClass::PublicRecord) { ". " (license(view.license_class)) }
    }
}

fn source(view: &SourceView<'_>) -> Markup {
    html! {
        @if is_web(view.url) { a href=(view.url) rel="external" { (view.name) } } @else { (view.name) }
        br; (view.publisher)
        @if view.vintage > 0 { ", of " (view.vintage) }
        @if let Some(scale) = view.scale { ", scale " (scale) }
        @if !view.retrieved_at.is_empty() { ", retrieved on " (date(view.retrieved_at)) }
        ". " (license(view.license_class))
    }
}

fn license(class: LicenseClass) -> &'static str {
    match class {
        LicenseClass::Open => "Open.",
        LicenseClass::PublicRecord => "Public record.",
        LicenseClass::RestrictedNoRedistribution => "Not passed on.",
        LicenseClass::LicensedThirdParty => "Licensed.",
        LicenseClass::Unknown => "License not stated.",
    }
}
