//! How sure an answer is: caveats, sources, dates.

use maud::{Markup, html};

use super::{
    nearby::is_told_first,
    report,
    site::Site,
    words::{count, date, is_web},
};
use crate::answers::{Answer, Notice, Source};

/// Caveats, sources and dates of an answer.
pub(super) fn section(site: Site<'_>, answer: &Answer<'_>) -> Markup {
    let notices: Vec<&Notice> =
        answer.notices.iter().filter(|notice| !is_told_first(answer, notice)).collect();
    let sources = site.answers().sources(answer);
    html! {
        section.sureness {
            h2 { "How sure is this?" }
            @if !notices.is_empty() {
                ul { @for notice in &notices { li { (words(site, notice)) } } }
            }
            p { "This answer is as of " (date(&answer.as_of)) ". It is a guide: the office that is named has the final say." }
            details {
                summary { "Sources of this answer" }
                ul { @for one in &sources { li { (source(site, one)) } } }
            }
            (report::general(site))
        }
    }
}

/// The words of a caveat; those of the interface for programs are said for people.
fn words(site: Site<'_>, notice: &Notice) -> String {
    match notice {
        Notice::MainSiteStandsIn => {
            "Where the page of an office is not on record, the link leads to the main site of its government."
                .to_owned()
        }
        Notice::Withheld { records } => format!(
            "{} left out, because no source shows where it comes from.",
            count(*records, "entry is", "entries are")
        ),
        Notice::CountyLandOnly => {
            "This holds for land outside cities and villages; inside one, the city or village may do some of it.".to_owned()
        }
        Notice::NobodyAsked => {
            "Some of this could not be looked up here; the pages named with it tell where to look.".to_owned()
        }
        notice => notice.text(site.directory()).to_string(),
    }
}

fn source(site: Site<'_>, source: &Source<'_>) -> Markup {
    match source {
        Source::Snapshot(row) => {
            let view = site.directory().source(*row);
            html! {
                @if is_web(view.url) { a href=(view.url) rel="external" { (view.name) } } @else { (view.name) }
                ", " (view.publisher) @if !view.retrieved_at.is_empty() { ", read on " (date(view.retrieved_at)) }
            }
        }
        Source::Outside(source) => {
            html! { a href=(source.url) rel="external" { (source.name) } ", " (source.publisher) }
        }
    }
}
