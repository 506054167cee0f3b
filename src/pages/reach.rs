//! The ways to contact an office or a government: page, telephone, mail address, street address.

use maud::{Markup, html};

use super::{
    site::Site,
    words::{WORDS, capital, host, is_web, link_status},
};
use platbook::{
    answers::Entry,
    directory::{ContactOrigin, ResourceView, Row, ShownSite, SourceView},
    vocabulary::{JurisdictionType, Layer, UrlScope},
    words::{Label, Phrase, Words as _},
};

/// Shows all ways to contact an office, with the age of its link: for a page about this office only.
pub(super) fn all(site: Site<'_>, shown: &ShownSite<'_>) -> Markup {
    let source = site.directory().source(shown.source);
    // The main site is only a start, so it does not look like the way to the office.
    let (text, class) = match shown.scope {
        UrlScope::Office => (Label::OfficePage, Some("button")),
        UrlScope::Government => (Label::StartAtMainSite, None),
    };
    html! {
        @if let Some(url) = shown.url.filter(|url| is_web(url)) {
            p.reach { a class=[class] href=(url) rel="external" { (WORDS.label(text)) } " " span.host { (host(url)) } }
        }
        @if let Some(phone) = shown.phone { p { "Telephone " (telephone(phone)) (contact_note(shown)) } }
        @if let Some(email) = shown.email { p { "Mail " (email) } }
        @if let Some(address) = shown.address { p { (address) } }
        @if shown.url.is_some() { p.status { (link_status(shown.status, source.retrieved_at)) } }
    }
}

/// Shows that an office has neither page nor telephone, and at which hall to ask. Does not offer another government,
/// because that government would not know the office.
pub(super) fn no_contact(site: Site<'_>, body: Row) -> Markup {
    let view = site.directory().jurisdiction(body);
    let is_local = matches!(view.kind, JurisdictionType::Layer(Layer::Cousub | Layer::Place));
    html! {
        (WORDS.label(Label::NoContact))
        @if is_local { " " (WORDS.phrase(Phrase::AskHall(view.legal_type.unwrap_or_default(), view.name))) }
    }
}

/// Shows why an office does a job. Some reasons end "Call the county assessor."; without a known telephone number,
/// adds that the number is missing.
pub(super) fn reason(site: Site<'_>, entry: &Entry) -> Markup {
    let reason = capital(&WORDS.reason(&entry.outcome));
    let shown = entry.office.as_ref().and_then(|office| office.shown_site(site.directory()));
    let has_phone = shown.is_some_and(|shown| shown.phone.is_some());
    html! { (reason) @if !has_phone && reason.contains("Call the ") { " " (WORDS.label(Label::NoNumber)) } }
}

/// Shows, in parentheses, which desk answers a telephone and how old this fact is.
pub(super) fn contact_note(shown: &ShownSite<'_>) -> Markup {
    let note = shown.origin.map(|origin| WORDS.contact(&origin)).filter(|note| !note.is_empty());
    html! { @if let Some(note) = note { " " span.desk { "(" (note) ")" } } }
}

/// Shows the same note without the name of the desk, which is on the office's page.
pub(super) fn short_note(shown: &ShownSite<'_>) -> Markup {
    let origin = shown.origin.map(|origin| ContactOrigin { name: None, ..origin });
    contact_note(&ShownSite { origin, ..*shown })
}

/// Links the main site of a government.
pub(super) fn main_site(site: Site<'_>, row: Row) -> Markup {
    let website = site.directory().main_site_of(row);
    html! {
        @if let Some(url) = website.and_then(|website| website.url).filter(|url| is_web(url)) {
            p.sub { "Its own site: " a href=(url) rel="external" { (host(url)) } }
        }
    }
}

/// Returns a remark that a source is not official, and what its publisher is; empty for official sources.
pub(super) fn not_official(source: &SourceView<'_>) -> String {
    let said = || format!(" ({})", WORDS.phrase(Phrase::NotOfficial(source.publisher_kind)));
    if source.official { String::new() } else { said() }
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

/// Links a page of a government, with its host.
pub(super) fn page_link(view: &ResourceView<'_>) -> Markup {
    html! {
        @if is_web(view.url) {
            a href=(view.url) rel="external" { (view.name) } " " span.host { (host(view.url)) }
        } @else { (view.name) }
    }
}
