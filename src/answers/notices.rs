//! Caveats in plain words, for the person who acts on the answer.

use std::borrow::Cow;

use super::{Answers, shown::whole};
use crate::{
    directory::{BorderLine, Borders, Chain, Coverage, Directory, JurisdictionView, Quality, Row},
    vocabulary::{FuncStat, StateCode},
    wire::Functions,
};

/// Lines this many years older than the snapshot are called old: the Census Bureau publishes them every year,
/// and about one year passes between a change and its publication.
const VINTAGE_YEARS_MAX: u16 = 3;

const NO_RECORDS: &str = "Office and resource records are not part of this snapshot yet.";

const SLIVER: &str = "Map layers of different age or detail disagree at this point; the county was chosen by a \
                      fixed rule. Ask the offices on both sides if it matters.";

/// All caveats of an answer for a point, the most telling first.
pub(super) fn point_notices<'a>(
    answers: &'a Answers,
    chain: &Chain,
    borders: &Borders,
    functions: &Functions<'_>,
) -> Vec<Cow<'a, str>> {
    let directory = &answers.directory;
    let county = directory.jurisdiction(chain.county);
    let mut notices = Vec::with_capacity(4);
    notices.extend(quality_notice(chain.quality, &county));
    notices.extend(county_line_notice(directory, borders, &county));
    notices.extend(place_line_notice(directory, borders, chain));
    notices.extend(no_government_notice(&county));
    notices.extend(county.state.and_then(|state| cousub_notice(answers, state, chain.cousub)));
    notices.extend(vintage_notice(directory, &county));
    notices.extend(functions.is_empty().then_some(Cow::Borrowed(NO_RECORDS)));
    notices
}

fn quality_notice<'a>(quality: Quality, county: &JurisdictionView<'_>) -> Option<Cow<'a, str>> {
    match quality {
        Quality::Inside => None,
        Quality::Sliver => Some(SLIVER.into()),
        Quality::Nearest { metres } => Some(
            format!(
                "This point lies {} m outside the mapped shore or border; the nearest county, {}, answers.",
                whole(metres),
                county.name
            )
            .into(),
        ),
    }
}

fn county_line_notice<'a>(
    directory: &Directory,
    borders: &Borders,
    county: &JurisdictionView<'_>,
) -> Option<Cow<'a, str>> {
    let line = borders.county.filter(is_near)?;
    Some(match line.neighbour {
        Some(neighbour) => near(&line, "line with", directory.jurisdiction(neighbour).name),
        None => near(&line, "shore or outer border of", county.name),
    })
}

fn place_line_notice<'a>(directory: &Directory, borders: &Borders, chain: &Chain) -> Option<Cow<'a, str>> {
    let line = borders.place.filter(is_near)?;
    let line_words =
        if chain.place.is_some() && line.neighbour.is_some() { "line with" } else { "limits of" };
    let named = line.neighbour.or(chain.place)?;
    Some(near(&line, line_words, directory.jurisdiction(named).name))
}

fn is_near(line: &BorderLine) -> bool {
    line.distance_m < line.uncertainty_m
}

fn near<'a>(line: &BorderLine, line_words: &str, name: &str) -> Cow<'a, str> {
    format!(
        "This point is {} m from the mapped {line_words} {name}. Lines at {} may be off by about {} m, so the \
         other side may be the right one.",
        whole(line.distance_m),
        line.scale,
        whole(line.uncertainty_m)
    )
    .into()
}

fn no_government_notice<'a>(county: &JurisdictionView<'_>) -> Option<Cow<'a, str>> {
    let known_idle = !county.func_stat.governs() && county.func_stat != FuncStat::Unknown;
    known_idle.then(|| format!("{} has no county government of its own.", county.name).into())
}

fn cousub_notice(answers: &Answers, state: StateCode, cousub: Option<Row>) -> Option<Cow<'_, str>> {
    let (coverage, notice) = answers.pieces.cousub_coverage(&answers.directory, state);
    let something_may_be_missing = match coverage {
        Coverage::Missing => true,
        Coverage::Partial => cousub.is_none(),
        Coverage::Complete | Coverage::NotApplicable => false,
    };
    something_may_be_missing.then_some(Cow::Borrowed(notice))
}

fn vintage_notice<'a>(directory: &Directory, county: &JurisdictionView<'_>) -> Option<Cow<'a, str>> {
    let vintage = county.tiger_vintage?;
    let built = directory.as_of().get(..4)?.parse::<u16>().ok()?;
    let age_years = built.saturating_sub(vintage);
    (age_years > VINTAGE_YEARS_MAX).then(|| {
        format!("The boundary of {} is of {vintage}; later changes are not seen here.", county.name).into()
    })
}
