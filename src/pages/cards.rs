//! The main part of an answer's page: a card for each function, with its office.

use maud::{Markup, html};

use super::{
    report,
    site::Site,
    words::{WORDS, capital, full_name, function_name, host, is_web, link_status, with_article},
};
use platbook::{
    answers::{Assignments, Entry, LinkKind, Office},
    directory::{DateRef, ResourceView, Row, ShownSite, SourceView},
    vocabulary::{Confidence, Function, JurisdictionType, Layer, UrlScope, bare_url},
    words::{Label, Phrase, Words as _},
};

/// Builds a card for each function, in the order in which people ask. `around` has governments to ask if no office is
/// known, the nearest first.
pub(super) fn cards(site: Site<'_>, assignments: &Assignments, around: &[Row]) -> Markup {
    html! {
        div.cards {
            @for function in Function::ALL {
                (card(site, function, assignments.get(function), around))
            }
        }
    }
}

fn card(site: Site<'_>, function: Function, main: Option<&Entry>, around: &[Row]) -> Markup {
    html! {
        section.card id=(function.as_str()) {
            h3 { (function_name(function)) }
            p.question { (WORDS.function(function).question) }
            @match main {
                Some(main) => {
                    (entry(site, main, around))
                    @for also in &main.also {
                        div.also {
                            p.role { (WORDS.phrase(Phrase::Role(also.outcome.role, also.outcome.levy_scope))) }
                            (entry(site, also, &[]))
                        }
                    }
                }
                None => { p { (WORDS.label(Label::NoRule)) } (ask_instead(site, around)) }
            }
        }
    }
}

/// Shows one body: its office, the reason, and how to reach it.
fn entry(site: Site<'_>, entry: &Entry, around: &[Row]) -> Markup {
    let outcome = &entry.outcome;
    let title = outcome.office.as_deref();
    html! {
        p.who {
            @match (&entry.office, title) {
                (Some(office), _) => { a href=(site.office(office)) { (office.title) } }
                (None, Some(title)) => { (title) }
                (None, None) => { (WORDS.label(Label::NoOffice)) }
            }
            @if let Some(body) = entry.body {
                br; a.body href=(site.place(body)) { (full_name(&site.directory().jurisdiction(body))) }
            } @else if title.is_some() {
                br; span.body { (capital(WORDS.label(Label::NoBody))) }
            }
        }
        p { (WORDS.basis(&outcome.basis)) }
        @if outcome.confidence == Confidence::Low { p.sure { (capital(WORDS.label(Label::NotSure))) "." } }
        (actions(site, entry))
        @match entry.office.as_ref().and_then(|office| office.shown_site(site.directory())) {
            Some(shown) => (reach(site, &shown)),
            // A body without a site of its own: another government would not know, so none is linked.
            None => @match entry.body {
                Some(body) => p { (no_contact(site, body)) },
                None => (ask_instead(site, around)),
            },
        }
        (dates(site, &entry.dates))
        (behind(site, entry))
    }
}

/// Links the pages on which people do what they come for, the best as a button.
fn actions(site: Site<'_>, entry: &Entry) -> Markup {
    let links = entry.links(site.directory());
    let pages = links.iter().filter_map(|link| match link.kind {
        LinkKind::Action(action) if is_web(link.url) => Some((action, link.url)),
        _ => None,
    });
    html! {
        @for (at, (action, url)) in pages.enumerate() {
            p.reach { a.button[at == 0] href=(url) rel="external" { (WORDS.action_link(action, url)) } }
        }
    }
}

/// Shows dates and amounts, each with its source and its remark.
pub(super) fn dates(site: Site<'_>, dates: &[DateRef]) -> Markup {
    let directory = site.directory();
    let views: Vec<_> = dates.iter().filter_map(|date| directory.date(*date)).collect();
    html! {
        @if !views.is_empty() {
            ul.dates {
                @for view in &views {
                    li {
                        strong { (WORDS.dated_kind(view.kind)) }
                        @if let Some(row) = view.area { " (" (full_name(&directory.jurisdiction(row))) ")" }
                        ": " (view.text.says) " " (WORDS.dated_remark(view.text, directory.as_of()))
                        @let source = directory.source(view.source);
                        @if is_web(source.url) { " " a href=(source.url) rel="external" { (source.name) } }
                    }
                }
            }
        }
    }
}

/// Says that an office has neither page nor telephone, and which hall to call. Other governments would not know.
pub(super) fn no_contact(site: Site<'_>, body: Row) -> Markup {
    let view = site.directory().jurisdiction(body);
    let is_local = matches!(view.kind, JurisdictionType::Layer(Layer::Cousub | Layer::Place));
    html! {
        (WORDS.label(Label::NoContact))
        @if is_local { " " (WORDS.phrase(Phrase::CallHall(view.legal_type.unwrap_or_default(), view.name))) }
    }
}

/// Shows how to reach an office: its page and telephone, or else the main site of its government.
pub(super) fn reach(site: Site<'_>, shown: &ShownSite<'_>) -> Markup {
    let source = site.directory().source(shown.source);
    html! {
        @if let Some(url) = shown.url.filter(|url| is_web(url)) {
            p.reach {
                a.button href=(url) rel="external" { (host(url)) }
            }
        }
        @if let Some(phone) = shown.phone { p { "Telephone " (telephone(phone)) (contact_note(shown)) } }
        @if let Some(email) = shown.email { p { "Mail " (email) } }
        @if let Some(address) = shown.address { p { (address) } }
        @if shown.url.is_some() {
            p.status {
                @if shown.scope == UrlScope::Government { (capital(WORDS.label(Label::MainSite))) ". " }
                (link_status(shown.status, source.retrieved_at))
            }
        }
    }
}

/// Shows the desk that a telephone reaches and the age of that fact, in parentheses.
pub(super) fn contact_note(shown: &ShownSite<'_>) -> Markup {
    let note = shown.origin.map(|origin| WORDS.contact(&origin)).filter(|note| !note.is_empty());
    html! { @if let Some(note) = note { " (" (note) ")" } }
}

/// Links the main site of a government.
pub(super) fn main_site(site: Site<'_>, row: Row) -> Markup {
    let website = site.directory().main_site_of(row);
    let known = website.and_then(|website| Some((website, website.url.filter(|url| is_web(url))?)));
    html! {
        @if let Some((website, url)) = known {
            p.reach { "Its own site: " a href=(url) rel="external" { (host(url)) } }
            p.status { (link_status(website.status, site.directory().source(website.source).retrieved_at)) }
        }
    }
}

/// Links a telephone number, so that a phone can call it.
pub(super) fn telephone(text: &str) -> Markup {
    let digits: String = text.chars().filter(|letter| letter.is_ascii_digit() || *letter == '+').collect();
    if digits.len() < 10 {
        html! { (text) }
    } else {
        html! { a href=(format!("tel:{digits}")) { (text) } }
    }
}

/// Shows a government to ask if no page of an office is known.
fn ask_instead(site: Site<'_>, around: &[Row]) -> Markup {
    html! {
        @if let Some((row, url)) = asked_instead(site, around) {
            p.reach {
                "Start by asking " (with_article(&site.directory().jurisdiction(row))) ": "
                a href=(url) rel="external" { (host(url)) }
            }
        }
    }
}

/// The nearest government below the state that has a site on record.
pub(super) fn asked_instead<'s>(site: Site<'s>, around: &[Row]) -> Option<(Row, &'s str)> {
    let directory = site.directory();
    let locals = around.iter().filter(|row| directory.state_code_of(**row).is_none());
    let mut sites = locals.filter_map(|row| Some((*row, directory.main_site_of(*row)?.url?)));
    sites.find(|(_, url)| is_web(url))
}

/// Shows the law and further pages, folded.
fn behind(site: Site<'_>, entry: &Entry) -> Markup {
    let shown = entry.office.as_ref().and_then(|office| office.shown_site(site.directory())?.url);
    let is_new = |view: &ResourceView<'_>| shown.is_none_or(|shown| bare_url(shown) != bare_url(view.url));
    let resources = entry.resources.iter().filter_map(|number| site.directory().resource(*number));
    let is_done = |view: &ResourceView<'_>| entry.outcome.function.first_action(view.actions).is_some();
    let pages: Vec<ResourceView<'_>> = resources.filter(|view| is_new(view) && !is_done(view)).collect();
    let evidence = entry.evidence.map(|row| site.directory().source(row)).filter(|source| is_web(source.url));
    html! {
        @if !pages.is_empty() {
            ul.pages { @for view in &pages { li { (page_link(view)) } } }
        }
        @if entry.outcome.statute.is_some() || evidence.is_some() {
            details {
                summary { "Where this is written" }
                @if let Some(law) = &entry.outcome.statute { p { (WORDS.phrase(Phrase::Law(law))) } }
                @if let Some(source) = &evidence {
                    p { a href=(source.url) rel="external" { (source.name) } ", " (source.publisher) (not_official(source)) }
                }
                @if let Some(office) = &entry.office { (report::office(site, office)) }
            }
        }
    }
}

/// Says that a source is not official, and what its publisher is; empty for official ones.
pub(super) fn not_official(source: &SourceView<'_>) -> String {
    let said = || format!(" ({})", WORDS.phrase(Phrase::NotOfficial(source.publisher_kind)));
    if source.official { String::new() } else { said() }
}

/// Links a page of a government, with its host.
pub(super) fn page_link(view: &ResourceView<'_>) -> Markup {
    html! {
        @if is_web(view.url) {
            a href=(view.url) rel="external" { (view.name) } " " span.host { (host(view.url)) }
        } @else { (view.name) }
    }
}

/// Names an office's functions.
pub(super) fn functions_of(office: &Office) -> Vec<String> {
    office.functions.iter().map(|function| function_name(function).to_owned()).collect()
}
