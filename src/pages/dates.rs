//! Shows the dates and amounts of an office. The next days stand in one line; each date with its source and remark is
//! folded below that line.

use maud::{Markup, html};

use super::{
    site::Site,
    words::{WORDS, full_name, is_web, listed},
};
use platbook::{
    answers::Entry,
    directory::{DateRef, DateView},
    vocabulary::{DatedKind, Topic},
    words::{Phrase, Words as _},
};

/// Shows dates and amounts: their kinds with the next days in one line, and all details folded below that line.
pub(super) fn list(site: Site<'_>, dates: &[DateRef]) -> Markup {
    disclosure(site, dates, false)
}

/// Shows dates and amounts with the details unfolded, for a page whose readers look for them.
pub(super) fn open_list(site: Site<'_>, dates: &[DateRef]) -> Markup {
    disclosure(site, dates, true)
}

/// Links the guide that has the exemptions for some owners; empty if there are no such exemptions.
pub(super) fn further_relief(site: Site<'_>, entry: &Entry) -> Markup {
    html! {
        @if let Some((kinds, state)) = entry.further_relief(site.directory()) {
            p.whom {
                a href=(site.guide(Topic::Exemptions, Some(state))) {
                    (WORDS.phrase(Phrase::FurtherRelief(&kinds, Some(state.name()))))
                }
            }
        }
    }
}

fn disclosure(site: Site<'_>, dates: &[DateRef], is_open: bool) -> Markup {
    let views: Vec<_> = dates.iter().filter_map(|date| site.directory().date(*date)).collect();
    html! {
        @if !views.is_empty() {
            details.dates open[is_open] {
                summary { (in_short(&views, site.directory().as_of())) }
                ul { @for view in &views { li { (whole(site, view)) } } }
            }
        }
    }
}

/// Maximum number of days that the line names for a kind. A kind with more has the days of many places, which the
/// folded details name.
const MAX_DAYS: usize = 4;

/// Names each kind once, with its next days: "Due May 15, 2027 and October 15, 2027 · If you pay late". Omits days of
/// appeals if a step has no day: that step may be the first one.
fn in_short(views: &[DateView<'_>], as_of: &str) -> String {
    let mut kinds: Vec<(DatedKind, Vec<Option<String>>)> = Vec::new();
    for view in views {
        let day = WORDS.next_day(view.text, as_of);
        match kinds.iter_mut().find(|(known, _)| *known == view.kind) {
            Some((_, days)) if days.contains(&day) => {}
            Some((_, days)) => days.push(day),
            None => kinds.push((view.kind, vec![day])),
        }
    }
    let parts = kinds.iter().map(|(kind, days)| {
        let known: Vec<String> = days.iter().flatten().cloned().collect();
        let is_partial = *kind == DatedKind::Appeal && known.len() < days.len();
        let shown = if is_partial || known.len() > MAX_DAYS { String::new() } else { listed(&known) };
        WORDS.phrase(Phrase::DatedInShort(*kind, &shown))
    });
    parts.collect::<Vec<_>>().join(" · ")
}

fn whole(site: Site<'_>, view: &DateView<'_>) -> Markup {
    let directory = site.directory();
    let source = directory.source(view.source);
    html! {
        strong { (WORDS.dated_kind(view.kind)) }
        @if let Some(row) = view.area { " (" (full_name(&directory.jurisdiction(directory.shown_row(row)))) ")" }
        ": " (view.text.says)
        @if let Some(with) = view.taken_by() { " " (WORDS.phrase(Phrase::TakenBy(with))) }
        " " (WORDS.dated_remark(view.text, directory.as_of()))
        @if is_web(source.url) { " " a href=(source.url) rel="external" { (source.name) } }
    }
}
