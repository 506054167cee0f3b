//! Caveats in plain words, for the person who acts on the answer.

use std::sync::LazyLock;

use super::{Answers, functions::Remarks, shown::whole};
use crate::{
    directory::{
        BorderLine, Borders, Chain, Directory, JurisdictionView, MatchedBy, Matches, Quality, Row, Scope,
    },
    rules::Part,
    vocabulary::{Coverage, FuncStat, Function, JurisdictionType, Layer, StateCode},
    wire::{Notice, Ready},
};

/// Lines this many years older than the snapshot are called old: the Census Bureau publishes them every year,
/// and about one year passes between a change and its publication.
const VINTAGE_YEARS_MAX: u16 = 3;

static MAIN_SITE: LazyLock<Ready<str>> = LazyLock::new(|| {
    Ready::of(
        "Where the page of an office is not on record, its link is the main site of its government; url_scope says which.",
    )
});

static COUNTY_LAND: LazyLock<Ready<str>> = LazyLock::new(|| {
    Ready::of(
        "For a county, functions are those on land outside incorporated places; a city may do some itself.",
    )
});

static NOTHING_FOUND: LazyLock<Ready<str>> = LazyLock::new(|| {
    Ready::of(
        "No page is on record here. Ask the office that does the job: the functions of the place name it.",
    )
});

static NO_NAME: LazyLock<Ready<str>> = LazyLock::new(|| {
    Ready::of(
        "Nothing of this name is on record. Search knows names of places and of web pages; it knows no people and no \
         street addresses.",
    )
});

static NEARLY_SO: LazyLock<Ready<str>> =
    LazyLock::new(|| Ready::of("No name is written like this; what follows is spelled nearly so."));

static SLIVER: LazyLock<Ready<str>> = LazyLock::new(|| {
    Ready::of(
        "Map layers of different age or detail disagree at this point; the county was chosen by a fixed rule. Ask \
         the offices on both sides if it matters.",
    )
});

/// All caveats of an answer for a point, the most telling first.
pub(super) fn point_notices<'a>(
    answers: &'a Answers,
    chain: &Chain,
    borders: &Borders,
    remarks: &Remarks,
) -> Vec<Notice<'a>> {
    let directory = &answers.directory;
    let county = answers.piece(chain.county);
    let mut notices = Vec::with_capacity(4);
    notices.extend(quality_notice(directory, chain));
    notices.extend(county_line_notice(directory, borders, chain));
    notices.extend(place_line_notice(directory, borders, chain));
    notices.extend(county.no_government_notice.as_ref().map(Notice::Standing));
    notices.extend(county.state.and_then(|state| missing_cousub_notice(answers, state, chain.cousub)));
    notices.extend(oldest_notice(answers, chain));
    notices.extend(record_notices(remarks));
    notices
}

/// What is to be said of the records of an answer.
fn record_notices<'a>(remarks: &Remarks) -> impl Iterator<Item = Notice<'a>> {
    let main_site = remarks.main_site.then_some(Notice::Standing(&MAIN_SITE));
    let withheld = match remarks.withheld {
        0 => None,
        1 => Some("1 record without a documented source is left out of this answer.".to_owned()),
        many => Some(format!("{many} records without a documented source are left out of this answer.")),
    };
    main_site.into_iter().chain(withheld.map(Notice::Particular))
}

/// All caveats of a place's page.
pub(super) fn place_notices<'a>(
    answers: &'a Answers,
    row: Row,
    scope: Option<Scope>,
    remarks: &Remarks,
) -> Vec<Notice<'a>> {
    let view = answers.directory.jurisdiction(row);
    let mut notices = Vec::with_capacity(4);
    notices.extend(answers.piece(row).no_government_notice.as_ref().map(Notice::Standing));
    let county_land = scope.is_some_and(|scope| cities_differ(&answers.directory, row, scope));
    notices.extend(county_land.then_some(Notice::Standing(&COUNTY_LAND)));
    notices.extend(place_notice(answers, &view, scope).map(Notice::Particular));
    notices.extend(record_notices(remarks));
    notices
}

/// Whether a county that governs leaves jobs to its cities. One that is a city, or lies in one, does not.
fn cities_differ(directory: &Directory, row: Row, outside: Scope) -> bool {
    let is_county = directory.jurisdiction(row).kind == JurisdictionType::Layer(Layer::County);
    let anywhere = Scope { place: Part::Open, ..outside };
    let who =
        |scope, function| directory.who_does(scope, function).map(|outcome| (outcome.body, outcome.office));
    is_county
        && directory.governs(row)
        && directory.same_as(row).next().is_none()
        && Function::ALL.iter().any(|function| who(anywhere, *function) != who(outside, *function))
}

/// A place may lie in several counties; its page speaks of one.
fn place_notice(answers: &Answers, view: &JurisdictionView<'_>, scope: Option<Scope>) -> Option<String> {
    let directory = &answers.directory;
    if view.kind != JurisdictionType::Layer(Layer::Place) {
        return None;
    }
    let Some(scope) = scope else {
        return Some(format!("No boundary of {} is at hand, so its county is not known here.", view.name));
    };
    let is_county = directory.same_as(view.row).any(|same| same == scope.county);
    if is_county || !answers.pieces.reaches_beyond(directory, view.row, scope.county) {
        return None;
    }
    let county = name(directory, scope.county);
    Some(format!(
        "Functions are those at a point inside {}, in {county}; a part of it lies in another county.",
        view.name
    ))
}

/// All caveats of a list of resources.
pub(super) fn resource_notices<'a>(is_empty: bool, remarks: &Remarks) -> Vec<Notice<'a>> {
    let nothing = is_empty.then_some(Notice::Standing(&NOTHING_FOUND));
    nothing.into_iter().chain(record_notices(remarks)).collect()
}

/// What is to be said of what a search found.
pub(super) fn search_notices<'a>(matches: &Matches) -> Vec<Notice<'a>> {
    let nothing = matches.places.is_empty() && matches.resources.is_empty();
    let corrected = matches.places.first().is_some_and(|found| found.matched_by == MatchedBy::Spelling);
    let notice: Option<&'static Ready<str>> = match (nothing, corrected) {
        (true, _) => Some(&NO_NAME),
        (false, true) => Some(&NEARLY_SO),
        (false, false) => None,
    };
    notice.map(Notice::Standing).into_iter().collect()
}

/// What is to be said of a county that governs neither itself nor through another government of the same area.
pub(super) fn no_government_notice(directory: &Directory, county: &JurisdictionView<'_>) -> Option<String> {
    let known_idle = !county.func_stat.governs() && county.func_stat != FuncStat::Unknown;
    let is_county = county.kind == JurisdictionType::Layer(Layer::County);
    let alone = directory.same_as(county.row).next().is_none();
    (is_county && known_idle && alone)
        .then(|| format!("{} has no county government of its own.", county.name))
}

/// What is to be said of an old boundary.
pub(super) fn vintage_notice(directory: &Directory, view: &JurisdictionView<'_>) -> Option<String> {
    let vintage = view.tiger_vintage?;
    let built = directory.as_of().get(..4)?.parse::<u16>().ok()?;
    let is_old = built.saturating_sub(vintage) > VINTAGE_YEARS_MAX;
    is_old.then(|| format!("The boundary of {} is of {vintage}; later changes are not seen here.", view.name))
}

/// What is to be said of a state whose towns and townships are not all known.
pub(super) fn cousub_notice(coverage: Coverage, state: &str) -> String {
    match coverage {
        Coverage::Missing => format!(
            "Town and township boundaries of {state} are not in this snapshot, so no town or township is named \
             here."
        ),
        Coverage::Partial => format!(
            "Only some town and township boundaries of {state} are in this snapshot, so one may be missing here."
        ),
        Coverage::Complete | Coverage::NotApplicable => String::new(),
    }
}

fn quality_notice<'a>(directory: &Directory, chain: &Chain) -> Option<Notice<'a>> {
    match chain.quality {
        Quality::Inside => None,
        Quality::Sliver => Some(Notice::Standing(&SLIVER)),
        Quality::Nearest { metres } => Some(Notice::Particular(format!(
            "This point lies {} m outside the mapped shore or border; the nearest county, {}, answers.",
            whole(metres),
            name(directory, chain.county)
        ))),
    }
}

fn county_line_notice<'a>(directory: &Directory, borders: &Borders, chain: &Chain) -> Option<Notice<'a>> {
    let line = borders.county.filter(is_near)?;
    // A point outside the outer border has been told so.
    if line.neighbour.is_none() && matches!(chain.quality, Quality::Nearest { .. }) {
        return None;
    }
    Some(match line.neighbour {
        Some(neighbour) => near(&line, "line with", name(directory, neighbour)),
        None => near(&line, "shore or outer border of", name(directory, chain.county)),
    })
}

fn place_line_notice<'a>(directory: &Directory, borders: &Borders, chain: &Chain) -> Option<Notice<'a>> {
    let line = borders.place.filter(is_near)?;
    let between_places = chain.place.is_some() && line.neighbour.is_some();
    let line_words = if between_places { "line with" } else { "limits of" };
    Some(near(&line, line_words, name(directory, line.neighbour.or(chain.place)?)))
}

fn is_near(line: &BorderLine) -> bool {
    line.distance_m < line.uncertainty_m
}

fn near<'a>(line: &BorderLine, line_words: &str, name: &str) -> Notice<'a> {
    Notice::Particular(format!(
        "This point is {} m from the mapped {line_words} {name}. Lines at {} may be off by about {} m, so the \
         other side may be the right one.",
        whole(line.distance_m),
        line.scale,
        whole(line.uncertainty_m)
    ))
}

fn name(directory: &Directory, row: Row) -> &str {
    directory.jurisdiction(row).name
}

/// Of the oldest boundary only: to say it of each would bury the rest. States keep their lines.
fn oldest_notice<'a>(answers: &'a Answers, chain: &Chain) -> Option<Notice<'a>> {
    let rows = [Some(chain.county), chain.cousub, chain.place].into_iter().flatten();
    let pieces = rows.map(|row| answers.piece(row));
    let oldest = pieces.min_by_key(|piece| piece.vintage.unwrap_or(u16::MAX))?;
    oldest.vintage_notice.as_ref().map(Notice::Standing)
}

fn missing_cousub_notice(answers: &Answers, state: StateCode, cousub: Option<Row>) -> Option<Notice<'_>> {
    let (coverage, notice) = answers.pieces.cousub_coverage(&answers.directory, state);
    let one_may_be_missing = match coverage {
        Coverage::Missing => true,
        Coverage::Partial => cousub.is_none(),
        Coverage::Complete | Coverage::NotApplicable => false,
    };
    one_may_be_missing.then_some(Notice::Standing(notice))
}
