//! The page of an office: its jobs, its government, the reasons, and ways to contact it.

use maud::{Markup, html};

use super::{
    layout::PageLayout,
    linked, reach, report,
    site::{Site, boundary_path, trail},
    tasks,
    words::{WORDS, chain, full_name, function_name, listed},
};
use platbook::{
    answers::{Answer, Data, Entry, Found, Office, Paging, PlaceDetails, Refusal, Request},
    vocabulary::{Function, ProblemKind, RecordId},
    words::Words as _,
};

/// Builds the page of an office.
///
/// # Errors
/// `not-found` if no office has the id.
pub(super) fn page(site: Site<'_>, id: RecordId) -> Result<PageLayout, Refusal> {
    let directory = site.directory();
    let none = || Refusal::new(ProblemKind::NotFound, format!("no office has the id {}", id.text("off_")));
    let body = directory.body_of_office(id).ok_or_else(none)?;
    let request = Request::Place { id: directory.id_of(body), paging: Paging { limit: 1, cursor: None } };
    let Answer { data: Data::Place(place), .. } = site.answers().finish(&request, Found::default())? else {
        return Err(none());
    };
    let office = place.offices.iter().find(|office| office.id == id).ok_or_else(none)?;
    Ok(layout(site, id, &place, office))
}

fn layout(site: Site<'_>, id: RecordId, place: &PlaceDetails<'_>, office: &Office) -> PageLayout {
    let directory = site.directory();
    let name = full_name(&directory.jurisdiction(office.body));
    let jobs = functions_of(office);
    let body = html! {
        h1 { (office.title) ", " (name) }
        p.lead { "Handles " (listed(&jobs).to_lowercase()) " for " (chain(directory, &place.lineage)) "." }
        @match office.shown_site(directory) {
            Some(shown) => (reach::all(site, &shown)),
            None => { p { (reach::no_contact(site, office.body)) } },
        }
        (reasons(site, place, office))
        (elsewhere(site, place, office))
    };
    let mut trail = trail(site, &place.lineage);
    if trail.is_empty() {
        trail.push((name.clone(), site.place(office.body)));
    }
    let path = format!("/offices/{}", id.text("off_"));
    let description = format!(
        "The {} of {name} handles {}: how to reach it, and why it is the one.",
        office.title,
        listed(&jobs).to_lowercase()
    );
    PageLayout {
        trail,
        linked: vec![linked::office(site, office)],
        report: Some(report::office(site, office)),
        ..PageLayout::new(format!("{}, {name}", office.title), description, path, body)
    }
}

/// Shows the jobs of an office, each with the reason.
fn reasons(site: Site<'_>, place: &PlaceDetails<'_>, office: &Office) -> Markup {
    html! {
        section {
            h2 { "What it does" }
            @for function in office.functions.iter() {
                h3 { (function_name(function)) }
                p.question { (WORDS.function(function).question) }
                @if let Some(entry) = entry_of(place, office, function) {
                    (tasks::links(site, entry))
                    p { (reach::reason(site, entry)) }
                }
            }
        }
    }
}

/// Returns the entry in which the rules name this office for a function. `None` if no rule does so for the place as a
/// whole.
fn entry_of<'p>(place: &'p PlaceDetails<'_>, office: &Office, function: Function) -> Option<&'p Entry> {
    let mut entries = place.assignments.get(function)?.all();
    entries.find(|entry| entry.office.as_ref().is_some_and(|other| other.id == office.id))
}

fn elsewhere(site: Site<'_>, place: &PlaceDetails<'_>, office: &Office) -> Markup {
    let view = site.directory().jurisdiction(office.body);
    html! {
        section {
            h2 { "Around it" }
            ul {
                li { a href=(site.place(office.body)) { "All on " (full_name(&view)) } }
                @for other in place.offices.iter().filter(|other| *other != office) {
                    li { a href=(site.office(other)) { (other.title) } ": " (listed(&functions_of(other)).to_lowercase()) }
                }
                @if view.has_boundary { li { a href=(site.href(&boundary_path(&view.id))) download { "Outline of " (full_name(&view)) " (GeoJSON)" } } }
            }
        }
    }
}

/// Names an office's functions.
fn functions_of(office: &Office) -> Vec<String> {
    office.functions.iter().map(|function| function_name(function).to_owned()).collect()
}
