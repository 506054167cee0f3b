//! Shows doubts about where a point lies, and the answer on the other side of a line.

use maud::{Markup, html};

use super::{
    site::Site,
    words::{WORDS, full_name, function_name, with_article},
};
use platbook::{
    answers::{Answer, Assignments, Data, Entry, Found, Notice, Paging, Request, Resolved},
    directory::Row,
    vocabulary::Function,
    words::{Label, Units, Words as _},
};

/// Shows the doubts about where a point lies, each with the offices on the other side.
pub(super) fn doubts(site: Site<'_>, answer: &Answer<'_>, resolved: &Resolved) -> Markup {
    let doubts: Vec<&Notice> = answer.notices.iter().filter(|notice| is_doubt(notice)).collect();
    let others: Vec<Row> = doubts.iter().filter_map(|notice| other_side(site, notice, resolved)).collect();
    html! {
        @if !doubts.is_empty() {
            div.note.caution {
                @for notice in &doubts { p { (WORDS.notice(notice, site.directory(), Units::Feet)) } }
            }
        }
        @for other in others { (compared(site, resolved, other)) }
    }
}

/// Whether a notice comes before the answer, because it concerns where the point lies and who governs there.
pub(super) fn comes_first(answer: &Answer<'_>, notice: &Notice) -> bool {
    matches!(answer.data, Data::Resolve(_)) && is_doubt(notice)
}

fn is_doubt(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::TribalLand { .. }
            | Notice::FederalLand { .. }
            | Notice::CityChanged { .. }
            | Notice::OutsideMappedShore { .. }
            | Notice::InWater { .. }
            | Notice::LayersDisagree
            | Notice::NearCountyLine { .. }
            | Notice::NearOuterBorder { .. }
            | Notice::NearPlaceLine { .. }
            | Notice::NearPlaceLimits { .. }
    )
}

/// Returns the government on the other side of the line that a notice concerns.
fn other_side(site: Site<'_>, notice: &Notice, resolved: &Resolved) -> Option<Row> {
    match *notice {
        Notice::NearCountyLine { neighbor, .. } | Notice::NearPlaceLine { neighbor, .. } => Some(neighbor),
        Notice::NearPlaceLimits { place, .. } if !resolved.lineage.contains(&place) => Some(place),
        // Beyond the limits of the place lies other land of the county.
        Notice::NearPlaceLimits { .. } => {
            resolved.lineage.get(1).copied().filter(|county| !is_same_as_nearest(site, *county, resolved))
        }
        _ => None,
    }
}

fn is_same_as_nearest(site: Site<'_>, county: Row, resolved: &Resolved) -> bool {
    resolved.lineage.last().is_some_and(|nearest| site.directory().is_same(county, *nearest))
}

/// Lists the offices that differ on the other side of a line.
fn compared(site: Site<'_>, resolved: &Resolved, other: Row) -> Markup {
    let view = site.directory().jurisdiction(other);
    let request = Request::Place { id: view.id.clone(), paging: Paging { limit: 1, cursor: None } };
    let Ok(Answer { data: Data::Place(place), .. }) = site.answers().finish(&request, Found::default())
    else {
        return html! {};
    };
    let here = site.answers().assignments(resolved.territory);
    let rows = differences(site, &here, &place.assignments);
    let name = full_name(&view);
    html! {
        @if rows.is_empty() {
            p { "On the other side, in " a href=(site.place(other)) { (with_article(&view)) } ", the same offices do these jobs." }
        } @else {
            table.compared {
                caption { "If the land is in " a href=(site.place(other)) { (with_article(&view)) } " instead" }
                thead { tr { th scope="col" { "For" } th scope="col" { "Here" } th scope="col" { (name) } } }
                tbody { @for (function, here, there) in &rows {
                    tr { th scope="row" { (function_name(*function)) } td { (here) } td { (there) } }
                } }
            }
        }
    }
}

/// Returns the functions that another body or office performs there, with both.
fn differences(site: Site<'_>, here: &Assignments, there: &Assignments) -> Vec<(Function, String, String)> {
    let both = Function::ALL.into_iter().filter_map(|function| {
        let who = |assignments: &Assignments| assignments.get(function).map(|known| in_short(site, known));
        Some((function, who(here)?, who(there)?))
    });
    both.filter(|(_, here, there)| here != there).collect()
}

/// Names office and body in one line.
fn in_short(site: Site<'_>, entry: &Entry) -> String {
    let Some(title) = entry.outcome.office.as_deref() else {
        return WORDS.label(Label::NoOffice).to_owned();
    };
    match entry.body {
        Some(body) => format!("{title}, {}", full_name(&site.directory().jurisdiction(body))),
        None => title.to_owned(),
    }
}
