//! The summary of an answer's page: a line for each office with its jobs, before reasons and further pages.

use maud::{Markup, html};

use super::{
    cards::{asked_instead, contact_note, no_contact, telephone},
    site::Site,
    words::{WORDS, capital, full_name, function_name, host, is_web, with_article},
};
use platbook::{
    answers::{Assignments, Entry},
    directory::Row,
    vocabulary::{Confidence, Function},
    words::{Label, Words as _},
};

/// Lists the offices with their jobs. `around` has governments to ask if no page of an office is known, the nearest first.
pub(super) fn list(site: Site<'_>, assignments: &Assignments, around: &[Row]) -> Markup {
    html! {
        ul.short {
            @for (functions, entry) in by_office(assignments) {
                li {
                    (jobs(&functions))
                    div.whom { (whom(site, entry)) }
                    div.call { (call(site, entry, around)) }
                }
            }
        }
    }
}

/// Returns the offices in the order in which people need their first jobs, each once.
fn by_office(assignments: &Assignments) -> Vec<(Vec<Function>, &Entry)> {
    let mut offices: Vec<(Vec<Function>, &Entry)> = Vec::new();
    for function in Function::ALL {
        let Some(entry) = assignments.get(function) else { continue };
        let is_same = |known: &Entry| {
            known.outcome.office == entry.outcome.office
                && known.outcome.body == entry.outcome.body
                && known.outcome.confidence == entry.outcome.confidence
        };
        match offices.iter_mut().find(|(_, known)| is_same(known)) {
            Some((functions, _)) => functions.push(function),
            None => offices.push((vec![function], entry)),
        }
    }
    offices
}

/// Links each job to the reason for its office.
fn jobs(functions: &[Function]) -> Markup {
    let mut names: Vec<String> =
        functions.iter().map(|function| function_name(*function).to_lowercase()).collect();
    if let Some(first) = names.first_mut() {
        *first = capital(first);
    }
    let first = functions.first().map_or("", |function| function.as_str());
    html! { a.job href=(format!("#{first}")) { (names.join("; ")) } }
}

fn whom(site: Site<'_>, entry: &Entry) -> Markup {
    let body = entry.body.map(|body| full_name(&site.directory().jurisdiction(body)));
    html! {
        @match (&entry.office, entry.outcome.office.as_deref()) {
            (Some(office), _) => { a href=(site.office(office)) { (office.title) } }
            (None, Some(title)) => { (title) }
            (None, None) => { (WORDS.label(Label::NoOffice)) }
        }
        @if let Some(body) = body { ", " (body) }
        @if entry.outcome.confidence == Confidence::Low { span.sure { " (" (WORDS.label(Label::NotSure)) ")" } }
    }
}

/// Shows telephone and site, or else a government to ask.
fn call(site: Site<'_>, entry: &Entry, around: &[Row]) -> Markup {
    let shown = entry.office.as_ref().and_then(|office| office.shown_site(site.directory()));
    let phone = shown.as_ref().and_then(|shown| Some((shown.phone?, contact_note(shown))));
    let url = shown.and_then(|shown| shown.url).filter(|url| is_web(url));
    html! {
        @if let Some((phone, note)) = &phone { (telephone(phone)) (note) " " }
        @if let Some(url) = url {
            a href=(url) rel="external" { (host(url)) }
        } @else if phone.is_none() {
            @match (entry.body, asked_instead(site, around)) {
                (Some(body), _) => { (no_contact(site, body)) }
                (None, Some((row, url))) => {
                    "Ask " (with_article(&site.directory().jurisdiction(row))) ": "
                    a href=(url) rel="external" { (host(url)) }
                }
                (None, None) => { (WORDS.label(Label::NoContact)) }
            }
        }
    }
}
