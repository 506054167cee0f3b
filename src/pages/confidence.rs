//! The part of a page that shows how reliable an answer is: caveats, sources, dates.

use maud::{Markup, html};

use super::{
    nearby::comes_first,
    site::Site,
    words::{WORDS, date, is_web},
};
use platbook::{
    answers::{Answer, Assignments, Notice, Source},
    vocabulary::VerifiedStatus,
    words::{Phrase, Units, Words as _},
};

/// Shows caveats, sources and dates of an answer.
pub(super) fn section(site: Site<'_>, answer: &Answer<'_>, assignments: Option<&Assignments>) -> Markup {
    let is_shown = |notice: &&Notice| !comes_first(answer, notice) && !notice.is_for_programs();
    let notices: Vec<&Notice> = answer.notices.iter().filter(is_shown).collect();
    let sources = site.answers().sources(answer);
    html! {
        section.confidence {
            h2 { "How sure is this?" }
            @if !notices.is_empty() {
                ul { @for notice in &notices { li { (WORDS.notice(notice, site.directory(), Units::Feet)) } } }
            }
            p {
                "This answer is as of " (date(&answer.as_of)) ". "
                @if let Some(day) = assignments.and_then(|known| links_gathered(site, known)) { (WORDS.phrase(Phrase::LinksGathered(&date(day)))) " " }
                "It is a guide: the office that is named has the final say."
            }
            details {
                summary { "Sources of this answer" }
                ul { @for one in &sources { li { (source(site, one)) } } }
            }
        }
    }
}

/// Returns the earliest day on which a shown link was gathered, among links that were not opened since. `None` if all
/// were opened.
fn links_gathered<'s>(site: Site<'s>, assignments: &Assignments) -> Option<&'s str> {
    let directory = site.directory();
    let offices = assignments.iter().flat_map(|entry| entry.all()).filter_map(|entry| entry.office.as_ref());
    let shown = offices.filter_map(|office| office.shown_site(directory));
    let unopened =
        shown.filter(|shown| shown.url.is_some() && shown.status == VerifiedStatus::NotYetVerified);
    unopened.map(|shown| directory.source(shown.source).retrieved_at).filter(|day| !day.is_empty()).min()
}

fn source(site: Site<'_>, source: &Source<'_>) -> Markup {
    match source {
        Source::Snapshot(row) => {
            let view = site.directory().source(*row);
            html! {
                @if is_web(view.url) { a href=(view.url) rel="external" { (view.name) } } @else { (view.name) }
                ", " (view.publisher) @if !view.retrieved_at.is_empty() { ", retrieved on " (date(view.retrieved_at)) }
            }
        }
        Source::Outside(source) => {
            html! { a href=(source.url) rel="external" { (source.name) } ", " (source.publisher) }
        }
    }
}
