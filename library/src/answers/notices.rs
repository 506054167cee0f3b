//! Decides which caveats an answer has, and in which order.

use super::{Answers, Notice, Remarks, Territory, at_point::AtPoint, beside_jobs::topic_notices};
use crate::{
    directory::{
        BorderLine, Borders, Chain, Directory, FEW_PLACES_MAX, MatchedBy, Matches, Quality, Row, Scope,
        Unlisted, YoungCity,
    },
    rules::Part,
    vocabulary::{
        Coverage, Date, FuncStat, Function, JurisdictionId, JurisdictionType, Layer, StateCode, Topic,
    },
};

/// Number of years by which lines may be older than the snapshot before they are called old. The Census Bureau
/// publishes lines every year, about one year after a change.
const VINTAGE_YEARS_MAX: u16 = 3;

/// States whose towns cover all land with people, so that no city annexes a part of one: New England and New Jersey.
const TOWNS_EVERYWHERE: [&str; 7] = ["CT", "MA", "ME", "NH", "NJ", "RI", "VT"];

/// Distance from a county line, in meters, beyond which a disagreement of layers is about a city or town. Slivers
/// along county lines are some hundred meters wide. Chosen, not measured.
const SLIVER_M_MAX: f64 = 3_000.0;

/// Returns all caveats of an answer for a point, the most important first.
pub(super) fn point_notices(answers: &Answers, at: &AtPoint, remarks: Remarks) -> Vec<Notice> {
    let (directory, chain, borders) = (answers.directory(), &at.chain, &at.borders);
    let mut notices = Vec::with_capacity(4);
    notices.extend(at.tribal_land.map(|land| Notice::TribalLand { land }));
    notices.extend(at.federal_land.map(|land| Notice::FederalLand { land }));
    match &at.on_day {
        Some((date, on)) if !on.changes.is_empty() => {
            notices
                .extend(on.changes.iter().map(|change| Notice::DatedChange { change: *change, date: *date }));
        }
        _ => notices.extend(city_notice(directory, at)),
    }
    notices.extend(quality_notice(directory, chain, borders));
    notices.extend(county_line_notice(borders, chain));
    notices.extend(place_line_notice(borders, chain));
    notices.extend(no_government_notice(directory, chain.county));
    notices.extend(town_boundaries_notice(directory, chain));
    notices.extend(precincts_notice(directory, chain));
    notices.extend(oldest_notice(directory, chain, borders));
    notices.extend(record_notices(remarks));
    notices
}

/// Returns the caveats on records that were left out, and on main sites.
pub(super) fn record_notices(remarks: Remarks) -> impl Iterator<Item = Notice> {
    let main_site = remarks.has_main_sites_only().then_some(Notice::MainSiteStandsIn);
    let withheld = (remarks.withheld > 0).then_some(Notice::Withheld { records: remarks.withheld });
    main_site.into_iter().chain(withheld)
}

/// Returns all caveats of a place's page.
pub(super) fn place_notices(
    answers: &Answers,
    row: Row,
    territory: Territory,
    remarks: Remarks,
    date: Option<Date>,
) -> Vec<Notice> {
    let directory = answers.directory();
    let scope = territory.scope();
    let mut notices = Vec::with_capacity(4);
    match directory.day_of(date) {
        Some(date) => {
            let changes = directory.place_on_day(date, row).changes.into_iter();
            notices.extend(changes.map(|change| Notice::DatedChange { change, date }));
        }
        None => notices.extend(directory.end_of_city(row).map(|change| Notice::CityChanged { change })),
    }
    notices.extend(no_government_notice(directory, row));
    let county_land = scope.is_some_and(|scope| cities_differ(directory, row, scope));
    notices.extend(county_land.then_some(Notice::CountyLandOnly));
    notices.extend(place_notice(answers, row, scope));
    notices.extend(tribal_notice(directory, row));
    notices.extend(outline_notice(directory, row));
    notices.extend(record_notices(remarks));
    notices
}

/// Whether a county that governs leaves jobs to its cities. A county that forms one government with a city does not.
fn cities_differ(directory: &Directory, row: Row, outside: Scope) -> bool {
    leaves_jobs(directory, row) && Function::ALL.iter().any(|function| differs(directory, outside, *function))
}

/// Whether a county leaves one function to its cities.
pub(super) fn cities_differ_in(answers: &Answers, row: Row, function: Function) -> bool {
    let directory = answers.directory();
    let outside = || directory.scope_of(row).is_some_and(|outside| differs(directory, outside, function));
    leaves_jobs(directory, row) && outside()
}

fn leaves_jobs(directory: &Directory, row: Row) -> bool {
    let is_county = directory.jurisdiction(row).kind == JurisdictionType::Layer(Layer::County);
    is_county && directory.governs(row) && directory.same_as(row).next().is_none()
}

/// Whether the body or office for a function differs between a part of a county and the county's land outside of
/// places.
fn differs(directory: &Directory, outside: Scope, function: Function) -> bool {
    let who = |scope| directory.who_does(scope, function).map(|outcome| (outcome.body, outcome.office));
    who(Scope { place: Part::Open, ..outside }) != who(outside)
}

/// Returns the caveat of a place that lies in several counties: its page shows the offices of only one county.
fn place_notice(answers: &Answers, place: Row, scope: Option<Scope>) -> Option<Notice> {
    let directory = answers.directory();
    if directory.layer(place) != Some(Layer::Place) {
        return None;
    }
    let Some(Scope { county, .. }) = scope else { return Some(Notice::NoBoundary { place }) };
    let is_county = directory.same_as(place).any(|same| same == county);
    let is_listed = !directory.counties_of_place(place).is_empty();
    let reaches_beyond = !is_county && (is_listed || answers.reaches_beyond(place, county));
    reaches_beyond.then_some(Notice::InSeveralCounties { place, county })
}

/// Returns the caveat of a place or a town whose inner point is on land of a nation.
fn tribal_notice(directory: &Directory, place: Row) -> Option<Notice> {
    if !matches!(directory.layer(place), Some(Layer::Cousub | Layer::Place)) {
        return None;
    }
    let land = directory.tribal_land_at(directory.jurisdiction(place).point?)?;
    Some(Notice::PlaceInTribalLand { place, land })
}

/// Returns the caveat that a place lies in several counties, if another government does a job of these topics there.
pub(super) fn counties_notice(answers: &Answers, place: Row, topics: &[Topic]) -> Option<Notice> {
    let directory = answers.directory();
    let scope = directory.scope_of(place)?;
    let is_of_other = |job: &Function| {
        let body = directory.who_does(scope, *job).and_then(|outcome| outcome.body);
        matches!(body, Some(JurisdictionId::Census(geoid)) if matches!(geoid.layer(), Layer::County | Layer::Cousub))
    };
    let mut jobs = topics.iter().flat_map(|topic| topic.office_functions());
    // Few places lie in several counties, so this is checked before the jobs.
    place_notice(answers, place, Some(scope)).filter(|_| jobs.any(is_of_other))
}

/// Returns all caveats of a list of resources.
pub(super) fn resource_notices(is_empty: bool, remarks: Remarks) -> impl Iterator<Item = Notice> {
    is_empty.then_some(Notice::NoPageOnRecord).into_iter().chain(record_notices(remarks))
}

/// Returns the caveats of the results of a search.
pub(super) fn search_notices(answers: &Answers, matches: &Matches) -> Vec<Notice> {
    let directory = answers.directory();
    let nothing = matches.places.is_empty() && matches.resources.is_empty();
    let corrected = matches.places.first().is_some_and(|found| found.matched_by == MatchedBy::Spelling);
    let notice = match (nothing, corrected) {
        (true, _) => Some(Notice::NoSuchName),
        (false, true) => Some(Notice::SpelledNearlySo),
        (false, false) => None,
    };
    let unlisted = matches.unlisted.iter().copied().map(Notice::from);
    let first = matches.places.first().map(|place| place.row);
    // "Patchogue village, Town of Brookhaven": the town is around the village.
    let around = first.and_then(|row| directory.scope_of(row));
    let around: Vec<Row> = around.map_or(Vec::new(), |scope| scope.rows().collect());
    let apart = matches.others.iter().filter(|other| !around.contains(&other.row));
    let others = apart.map(|other| Notice::AlsoNamed { place: other.row, topics: other.topics });
    let not_found = matches.has_more.then_some(Notice::PartNotFound);
    let on_topics = topic_notices(directory, first, &matches.topics);
    // If many places are found, the reader has to choose one first.
    let few = if matches.places.len() <= FEW_PLACES_MAX { &matches.places[..] } else { &[] };
    let on_counties = few.iter().filter_map(|place| counties_notice(answers, place.row, &matches.topics));
    let tasks = if matches.topics.is_empty() { &[] } else { few };
    let on_tribal_land = tasks.iter().filter_map(|place| tribal_notice(directory, place.row));
    unlisted
        .chain(notice)
        .chain(on_counties)
        .chain(on_tribal_land)
        .chain(others)
        .chain(not_found)
        .chain(on_topics)
        .collect()
}

/// The caveat that a government stands for the area that was named.
impl From<Unlisted> for Notice {
    fn from(unlisted: Unlisted) -> Notice {
        match unlisted {
            Unlisted::Community(community) => Notice::Community { community },
            Unlisted::YoungCity(YoungCity { change, county }) => Notice::YoungCity { change, county },
            Unlisted::TribalLand(land) => Notice::LandOfName { land },
            Unlisted::FederalLand(land) => Notice::FederalLandOfName { land },
        }
    }
}

/// Returns the caveat of a county that governs neither itself nor through another government of the same area.
fn no_government_notice(directory: &Directory, county: Row) -> Option<Notice> {
    let status = directory.func_stat_of(county);
    let known_idle = !status.governs() && status != FuncStat::Unknown;
    let is_county = directory.layer(county) == Some(Layer::County);
    let alone = || directory.same_as(county).next().is_none();
    (is_county && known_idle && alone()).then_some(Notice::NoCountyGovernment { county })
}

fn quality_notice(directory: &Directory, chain: &Chain, borders: &Borders) -> Option<Notice> {
    match chain.quality {
        Quality::Inside => None,
        Quality::Sliver => Some(disagreement(directory, chain, borders)),
        Quality::Water => Some(Notice::InWater { county: chain.county }),
        Quality::Nearest { meters } => Some(Notice::OutsideMappedShore { meters, county: chain.county }),
    }
}

/// Returns the caveat on layers that disagree: about the county if its line is near, otherwise about the city or
/// town.
fn disagreement(directory: &Directory, chain: &Chain, borders: &Borders) -> Notice {
    let line = borders.county.filter(|line| line.distance_m < line.uncertainty_m.max(SLIVER_M_MAX));
    let has_neighbor = line.is_some_and(|line| line.neighbor.is_some());
    match city_newer_than_towns(directory, chain).filter(|_| !has_neighbor) {
        Some(city) => Notice::CityNewerThanTowns { city },
        None if line.is_some() => Notice::LayersDisagree,
        None => Notice::TownsDisagree,
    }
}

/// Returns the city of a chain if it is also a town of its own, drawn by its city limits. The map of towns is then
/// older: Essex Junction left its town in 2022.
fn city_newer_than_towns(directory: &Directory, chain: &Chain) -> Option<Row> {
    let (town, city) = chain.cousub.zip(chain.place)?;
    let is_drawn_as_city = directory.jurisdiction_source(town) == directory.jurisdiction_source(city);
    (directory.is_same(town, city) && is_drawn_as_city).then_some(city)
}

fn county_line_notice(borders: &Borders, chain: &Chain) -> Option<Notice> {
    let line = borders.county.filter(BorderLine::is_doubtful)?;
    match line.neighbor {
        Some(neighbor) => Some(Notice::NearCountyLine { line, neighbor }),
        // `quality_notice` already covers a point outside the outer border.
        None if matches!(chain.quality, Quality::Nearest { .. }) => None,
        None => Some(Notice::NearOuterBorder { line, county: chain.county }),
    }
}

fn place_line_notice(borders: &Borders, chain: &Chain) -> Option<Notice> {
    let line = borders.place.filter(BorderLine::is_doubtful)?;
    match (chain.place, line.neighbor) {
        (Some(_), Some(neighbor)) => Some(Notice::NearPlaceLine { line, neighbor }),
        (place, neighbor) => Some(Notice::NearPlaceLimits { line, place: neighbor.or(place)? }),
    }
}

/// Returns the caveat on a city change that the lines do not show. Without a change, a point outside of every city gets
/// the caveat on old city limits, if they are old.
fn city_notice(directory: &Directory, at: &AtPoint) -> Option<Notice> {
    at.city_change.map(|change| Notice::CityChanged { change }).or_else(|| {
        let state = directory.state_of(at.chain.county).filter(|_| at.chain.place.is_none())?;
        let is_town = at.chain.cousub.is_some_and(|town| directory.governs(town));
        if is_town && TOWNS_EVERYWHERE.iter().any(|usps| state.usps() == *usps) {
            return None;
        }
        let year = directory.year_of_place_lines(state)?;
        is_old(directory, year).then_some(Notice::NoCityByLinesOf { state, year })
    })
}

/// Returns only the caveat on the oldest boundary, because one for each boundary would hide other caveats. State
/// lines do not change and county lines rarely do, so the age of a county line matters only near it.
fn oldest_notice(directory: &Directory, chain: &Chain, borders: &Borders) -> Option<Notice> {
    let county = borders.county.map(|_| chain.county);
    let rows = [county, chain.cousub, chain.place].into_iter().flatten();
    let dated = rows.filter_map(|row| Some((directory.vintage_of(row)?, row)));
    let (year, jurisdiction) = dated.min_by_key(|(year, _)| *year)?;
    is_old(directory, year).then_some(Notice::OldBoundary { jurisdiction, year })
}

fn is_old(directory: &Directory, year: u16) -> bool {
    let built = directory.as_of().get(..4).and_then(|year| year.parse::<u16>().ok());
    built.is_some_and(|built| built.saturating_sub(year) > VINTAGE_YEARS_MAX)
}

fn town_boundaries_notice(directory: &Directory, chain: &Chain) -> Option<Notice> {
    let state: StateCode = directory.state_of(chain.county)?;
    if chain.cousub.is_some() || !directory.lacks_towns_at(chain.county) {
        return None;
    }
    Some(match directory.cousub_coverage(state) {
        Coverage::Missing => Notice::NoTownBoundaries { state },
        Coverage::Partial | Coverage::Complete | Coverage::NotApplicable => {
            Notice::SomeTownBoundaries { state }
        }
    })
}

/// Returns the caveat on a town's outline that is assembled from election precincts. A city's limits are more exact, so
/// there is no caveat inside the city that shares the town's name.
fn precincts_notice(directory: &Directory, chain: &Chain) -> Option<Notice> {
    let town = chain.cousub?;
    let is_city =
        |place| directory.is_same(town, place) || directory.name_of(town) == directory.name_of(place);
    if chain.place.is_some_and(is_city) {
        return None;
    }
    from_precincts(directory, town)
}

fn from_precincts(directory: &Directory, town: Row) -> Option<Notice> {
    let source = directory.source(directory.jurisdiction_source(town));
    let off_percent = directory.area_off_percent(town);
    (!source.official).then_some(Notice::FromPrecincts { town, year: source.vintage, off_percent })
}

/// Returns the caveat on the outline that a town's page shows on a map, if its area is known to be wrong.
fn outline_notice(directory: &Directory, row: Row) -> Option<Notice> {
    from_precincts(directory, row).filter(|_| directory.area_off_percent(row) != 0)
}
