//! Shows doubts about where a point lies, and the tasks that depend on the side of a line.

use maud::{Markup, html};

use super::{
    dates,
    site::Site,
    tasks,
    words::{WORDS, full_name, host, is_web},
};
use platbook::{
    answers::{Answer, Assignments, Data, Entry, Found, Notice, Paging, Request, Resolved, Territory},
    directory::{BorderLine, DateRef, Row, Scope},
    rules::Part,
    vocabulary::{Function, Layer},
    words::{Label, Phrase, Units, Words as _},
};

/// The government on the other side of a line, with its offices.
pub(super) struct Side {
    pub(super) row: Row,
    assignments: Assignments,
    /// The county on this side of the line. Set if the city of the point reaches beyond the line, so that only the
    /// county differs.
    county_here: Option<Row>,
}

/// Shows the caveats that come before the answer, because they change it. A caveat on the land of a nation comes
/// first, and begins with whom to ask.
pub(super) fn cautions(site: Site<'_>, answer: &Answer<'_>) -> Markup {
    let (lands, others): (Vec<&Notice>, Vec<&Notice>) = answer
        .notices
        .iter()
        .filter(|notice| comes_first(answer, notice))
        .partition(|notice| matches!(notice, Notice::TribalLand { .. }));
    html! {
        @for notice in lands { (tribal(site, notice)) }
        @if !others.is_empty() {
            div.note.caution {
                @for notice in &others { p { (WORDS.notice(notice, site.directory(), Units::Feet)) } }
            }
        }
    }
}

fn tribal(site: Site<'_>, notice: &Notice) -> Markup {
    let Notice::TribalLand { land } = notice else { return html! {} };
    let view = site.directory().tribal_land(*land);
    html! {
        div.note.caution {
            p { strong { (WORDS.phrase(Phrase::AskNation(view.nation.unwrap_or(view.name)))) } " " (WORDS.phrase(Phrase::OnLand(view.name))) }
            @if let Some(url) = view.site.filter(|url| is_web(url)) {
                p.reach { a href=(url) rel="external" { (WORDS.label(Label::StartAtMainSite)) } " " span.host { (host(url)) } }
            }
            p { (WORDS.label(Label::InTrust)) }
            details { summary { (WORDS.label(Label::WhatItChanges)) } p { (view.words) } }
        }
    }
}

/// Returns whether a notice comes before the answer: it concerns where the land lies, or who governs there.
pub(super) fn comes_first(answer: &Answer<'_>, notice: &Notice) -> bool {
    match answer.data {
        Data::Resolve(_) => is_doubt(notice),
        Data::Place(_) => {
            matches!(
                notice,
                Notice::CityChanged { .. } | Notice::InSeveralCounties { .. } | Notice::CountyLandOnly
            )
        }
        _ => false,
    }
}

fn is_doubt(notice: &Notice) -> bool {
    match *notice {
        Notice::TribalLand { .. }
        | Notice::FederalLand { .. }
        | Notice::CityChanged { .. }
        | Notice::OutsideMappedShore { .. }
        | Notice::InWater { .. }
        | Notice::LayersDisagree
        | Notice::TownsDisagree
        | Notice::LongitudeFirst
        | Notice::NearCountyLine { .. }
        | Notice::NearOuterBorder { .. }
        | Notice::NearPlaceLine { .. }
        | Notice::NearPlaceLimits { .. } => true,
        // An outline made from precincts contains land of a neighbor, so the point may lie in the neighbor.
        Notice::FromPrecincts { off_percent, .. } => off_percent > 0,
        _ => false,
    }
}

/// Returns the governments on the other sides of the lines near a point.
pub(super) fn other_sides(site: Site<'_>, answer: &Answer<'_>, resolved: &Resolved) -> Vec<Side> {
    let mut lines: Vec<(Row, BorderLine)> = Vec::new();
    for (row, line) in answer.notices.iter().filter_map(|notice| other_side(site, notice, resolved)) {
        if lines.iter().all(|(known, _)| *known != row) {
            lines.push((row, line));
        }
    }
    let is_last = |row: Row, line| {
        city_beyond(site, row, resolved).is_some() || !is_line_of_town(site, row, line, &lines)
    };
    let sides = lines.iter().filter(|(row, line)| is_last(*row, line));
    sides.filter_map(|(row, _)| side(site, *row, resolved)).collect()
}

/// Returns whether a county line may also be the line of a town or city in that county, as St. Paul's line is
/// Minneapolis's. The land beyond then belongs to the town or city, and the offices for the rest of the county do not
/// apply there.
fn is_line_of_town(site: Site<'_>, county: Row, line: &BorderLine, lines: &[(Row, BorderLine)]) -> bool {
    let directory = site.directory();
    let is_county = directory.layer(county) == Some(Layer::County);
    is_county
        && lines.iter().any(|(row, inner)| {
            *row != county
                && directory.county_around(*row) == Some(county)
                && inner.distance_m <= line.distance_m + inner.uncertainty_m
        })
}

/// Returns the government beyond a line with its offices. Beyond a county line, the offices are those of the point's
/// city if the city lies in both counties.
fn side(site: Site<'_>, row: Row, resolved: &Resolved) -> Option<Side> {
    let directory = site.directory();
    if let Some((city, scope)) = city_beyond(site, row, resolved).zip(directory.scope_of(row)) {
        let scope = Scope { place: Part::In(city), ..scope };
        let assignments = site.answers().assignments(Territory::Scope(scope));
        return Some(Side { row, assignments, county_here: of_layer(site, resolved, Layer::County) });
    }
    Some(Side { row, assignments: assignments_of(site, row)?, county_here: None })
}

/// Returns the city of a point if the city continues in another county.
fn city_beyond(site: Site<'_>, county: Row, resolved: &Resolved) -> Option<Row> {
    let city = of_layer(site, resolved, Layer::Place);
    city.filter(|city| site.directory().counties_of_place(*city).contains(&county))
}

fn of_layer(site: Site<'_>, resolved: &Resolved, layer: Layer) -> Option<Row> {
    resolved.lineage.iter().copied().find(|row| site.directory().layer(*row) == Some(layer))
}

fn other_side(site: Site<'_>, notice: &Notice, resolved: &Resolved) -> Option<(Row, BorderLine)> {
    match *notice {
        Notice::NearCountyLine { neighbor, line } | Notice::NearPlaceLine { neighbor, line } => {
            Some((neighbor, line))
        }
        Notice::NearPlaceLimits { place, line } if !resolved.lineage.contains(&place) => Some((place, line)),
        Notice::NearPlaceLimits { line, .. } => Some((beyond_limits(site, resolved)?, line)),
        _ => None,
    }
}

/// Returns the government of the land beyond the limits of the point's place: its town, or else its county.
fn beyond_limits(site: Site<'_>, resolved: &Resolved) -> Option<Row> {
    let nearest = *resolved.lineage.last()?;
    let around = resolved.lineage.iter().skip(1).rev();
    around.copied().find(|row| !site.directory().is_same(*row, nearest))
}

/// Returns the offices of a government without a point; `None` for an id that the directory does not know.
pub(super) fn assignments_of(site: Site<'_>, row: Row) -> Option<Assignments> {
    let id = site.directory().id_of(row);
    let request = Request::Place { id, paging: Paging { limit: 1, cursor: None } };
    match site.answers().finish(&request, Found::default()).ok()?.data {
        Data::Place(place) => Some(place.assignments),
        _ => None,
    }
}

/// Lists the tasks at a point: first those that are the same on all sides, then those that depend on the line.
pub(super) fn list(site: Site<'_>, here: (&Assignments, &[Row]), sides: &[Side], heading: Label) -> Markup {
    let (assignments, around) = here;
    let (different, same): (Vec<Function>, Vec<Function>) = Function::AS_TASKS
        .into_iter()
        .partition(|function| sides.iter().any(|side| side.differs(assignments, *function)));
    let Some(nearest) = around.first() else { return html! {} };
    html! {
        @if sides.is_empty() {
            h2 { (WORDS.label(heading)) }
            (tasks::list(site, assignments, around, &Function::AS_TASKS, ""))
        } @else {
            @if !same.is_empty() {
                h2 { (WORDS.label(Label::SameEitherWay)) }
                (tasks::list(site, assignments, around, &same, ""))
            }
            @if !different.is_empty() {
                h2 { (WORDS.label(Label::DependsOnLine)) }
                @if let [only] = sides {
                    div.sides.heads {
                        div { (head(site, only.county_here.unwrap_or(*nearest), Label::Likely)) }
                        div { (head(site, only.row, Label::IfLineIsOff)) }
                    }
                }
                ul.tasks { @for function in different {
                    li id=(function.as_str()) {
                        (tasks::heading(function, ""))
                        div.sides {
                            @let others: Vec<&Side> = sides.iter().filter(|side| side.differs(assignments, function)).collect();
                            @let here = others.iter().find_map(|side| side.county_here).unwrap_or(*nearest);
                            @let is_named = sides.len() > 1;
                            (column(site, (here, Label::Likely, is_named), assignments.get(function), around))
                            @for side in &others {
                                (column(site, (side.row, Label::IfLineIsOff, is_named), side.assignments.get(function), &[side.row]))
                            }
                        }
                        (dates::list(site, &same_dates(assignments, sides, function)))
                    }
                } }
            }
        }
    }
}

/// Returns the dates of a task that are the same on all sides of the lines; empty if they differ.
fn same_dates(here: &Assignments, sides: &[Side], function: Function) -> Vec<DateRef> {
    let of = |assignments: &Assignments| {
        assignments.get(function).map_or(Vec::new(), |entry| entry.dates.to_vec())
    };
    let dates = of(here);
    if sides.iter().all(|side| of(&side.assignments) == dates) { dates } else { Vec::new() }
}

/// Names the government on one side of a line.
fn head(site: Site<'_>, row: Row, how: Label) -> Markup {
    html! { p.side { a href=(site.place(row)) { (full_name(&site.directory().jurisdiction(row))) } ", " (WORDS.label(how)) } }
}

/// Shows the office for a task on one side of a line. With only two sides, the headings of the columns already name
/// them.
fn column(
    site: Site<'_>,
    (row, how, is_named): (Row, Label, bool),
    entry: Option<&Entry>,
    around: &[Row],
) -> Markup {
    let name = full_name(&site.directory().jurisdiction(row));
    html! {
        div {
            @if is_named { (head(site, row, how)) } @else { p.hidden { (name) ", " (WORDS.label(how)) ": " } }
            (tasks::on_one_side(site, entry, around, Some(row)))
        }
    }
}

/// Names the governments in which a point may lie: "City of Minneapolis or City of Richfield".
pub(super) fn names(site: Site<'_>, nearest: Row, here: &Assignments, sides: &[Side]) -> String {
    let matter = |side: &&Side| Function::AS_TASKS.into_iter().any(|function| side.differs(here, function));
    let name = |row: Row| full_name(&site.directory().jurisdiction(row));
    let beyond: Vec<&Side> = sides.iter().filter(matter).collect();
    let joined = |first: Row| {
        std::iter::once(first)
            .chain(beyond.iter().map(|side| side.row))
            .map(name)
            .collect::<Vec<_>>()
            .join(" or ")
    };
    match beyond.iter().find_map(|side| side.county_here) {
        Some(county) => format!("{}, in {}", name(nearest), joined(county)),
        None => joined(nearest),
    }
}

impl Side {
    fn differs(&self, here: &Assignments, function: Function) -> bool {
        let who = |entry: &Entry| (entry.outcome.office.clone(), entry.outcome.body.clone());
        self.assignments.get(function).map(who) != here.get(function).map(who)
    }
}
