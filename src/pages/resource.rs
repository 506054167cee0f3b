//! The page of a resource: its content, its government, and where it was found. Also shows lists of resources.

use maud::{Markup, html};

use super::{
    layout::PageLayout,
    reach::page_link,
    report,
    site::{Site, in_query, trail},
    words::{WORDS, capital, date, full_name, host, is_web, link_status, topic_name, with_article},
};
use platbook::{
    answers::{PlaceDetails, Refusal},
    directory::ResourceView,
    vocabulary::{ProblemKind, RecordId, Topic},
    words::{Phrase, Words as _},
};

/// Builds the page of a resource.
///
/// # Errors
/// `not-found` if no resource has the id.
pub(super) fn page(site: Site<'_>, id: RecordId) -> Result<PageLayout, Refusal> {
    let directory = site.directory();
    let none = || {
        Refusal::new(ProblemKind::NotFound, format!("no page of a government has the id {}", id.text("res_")))
    };
    let view = directory.resource_of_id(id).ok_or_else(none)?;
    let owner = directory.jurisdiction(view.jurisdiction);
    let name = full_name(&owner);
    let body = html! {
        h1 { (view.name) }
        @if let Some(description) = view.description { p.lead { (description) } }
        p { "For " a href=(site.place(view.jurisdiction)) { (name) } "." }
        @if is_web(view.url) { p.reach { a.button href=(view.url) rel="external" { "Open the page" } " " span.host { (host(view.url)) } } }
        p.status { (link_status(view.status, directory.source(view.source).retrieved_at)) }
        (facts(site, &view))
        (topics(site, &view))
    };
    let lineage: Vec<_> = directory.with_parents(view.jurisdiction).into_iter().rev().collect();
    let path = format!("/resources/{}", id.text("res_"));
    let description =
        format!("{}: an official page for {name}, with who publishes it and when it was listed.", view.name);
    let country = directory.country_row();
    let lineage: Vec<_> = lineage.into_iter().filter(|row| Some(*row) != country).collect();
    Ok(PageLayout {
        trail: trail(site, &lineage),
        report: Some(report::resource(site, &view)),
        ..PageLayout::new(format!("{} ({name})", view.name), description, path, body)
    })
}

fn facts(site: Site<'_>, view: &ResourceView<'_>) -> Markup {
    let source = site.directory().source(view.source);
    html! {
        dl {
            dt { "Address" } dd.address { (view.url) }
            @if let Some(publisher) = view.publisher { dt { "Published by" } dd { (publisher) @if !view.official { " (not a government)" } } }
            @if let Some(provider) = view.provider { dt { "Run by" } dd { (provider) } }
            @if let Some(template) = view.template { dt { "Look up one parcel" } dd.address { (template) } }
            dt { "Found in" }
            dd { @if is_web(source.url) { a href=(source.url) rel="external" { (source.name) } } @else { (source.name) }
                ", " (source.publisher) @if !source.retrieved_at.is_empty() { ", retrieved on " (date(source.retrieved_at)) } }
            dt { "How it was gathered" } dd { (WORDS.phrase(Phrase::FoundBy(view.kind))) }
        }
    }
}

fn topics(site: Site<'_>, view: &ResourceView<'_>) -> Markup {
    let place = site.directory().id_of(view.jurisdiction);
    html! {
        @if !view.topics.is_empty() {
            h2 { "More pages on" }
            ul { @for topic in view.topics.iter() {
                li { a href=(format!("{}?place={}", site.topic(topic), place)) { (topic_name(topic)) } }
            } }
        }
    }
}

/// Lists the pages of a place by topic, with a link to the next part of the list. The list is folded, unless it is
/// the whole page.
pub(super) fn section(site: Site<'_>, place: &PlaceDetails<'_>, is_whole: bool) -> Markup {
    let name = with_article(&site.directory().jurisdiction(place.place));
    if place.resources.is_empty() {
        return html! { section #pages { h2 { "Official pages of " (name) } p { "No page of this government is on record. " (all_topics(site, place)) } } };
    }
    html! {
        details #pages open[is_whole] {
            summary { "Official pages of " (name) }
            (grouped(site, &place.resources))
            @if let Some(cursor) = &place.next_cursor {
                p { a.button href=(format!("{}?cursor={}#pages", site.place(place.place), in_query(cursor))) rel="next" { "More pages of " (name) } }
            }
        }
    }
}

/// Lists resources, each below the first of its topics.
fn grouped(site: Site<'_>, resources: &[ResourceView<'_>]) -> Markup {
    let mut groups: Vec<(Option<Topic>, Vec<&ResourceView<'_>>)> = Vec::new();
    for view in resources {
        let topic = view.topics.iter().next();
        match groups.iter_mut().find(|group| group.0 == topic) {
            Some(group) => group.1.push(view),
            None => groups.push((topic, vec![view])),
        }
    }
    html! {
        @for (topic, views) in &groups {
            h3 { (topic.map_or("Other", topic_name)) }
            ul.records { @for view in views { li { (line(site, view)) } } }
        }
    }
}

fn all_topics(site: Site<'_>, place: &PlaceDetails<'_>) -> Markup {
    html! { @if let Some(state) = site.directory().state_of(place.place) { "Those of the state may help: " a href=(site.state(state)) { (capital(state.name())) } "." } }
}

/// Shows a resource in a list: its link, its publisher and the result of its check.
pub(super) fn line(site: Site<'_>, view: &ResourceView<'_>) -> Markup {
    html! {
        (page_link(view))
        @if let Some(description) = view.description { br; (description) }
        br; a.about href=(site.resource(view)) { "About this link" span.hidden { ": " (view.name) } }
    }
}
