//! Caveats for the person who acts on an answer: each with its figures, and the words for it.

use std::fmt;

use super::number::whole;
use crate::{
    directory::{
        BorderLine, CityChangeRow, CityChangeView, CommunityRow, Directory, Row, TribalLandRow,
        TribalLandView,
    },
    vocabulary::StateCode,
};

/// A caveat.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named for what the words below say of them")]
pub enum Notice {
    /// The point lies on land of an American Indian nation.
    TribalLand { land: TribalLandRow },
    /// A city began or ended here after the lines of cities were drawn.
    CityChanged { change: CityChangeRow },
    /// No city covers the point, by lines of cities of this year.
    NoCityByLinesOf { state: StateCode, year: u16 },
    /// The point lies outside of every county.
    OutsideMappedShore { metres: f64, county: Row },
    /// The point lies beyond the mapped shore, in the county's legal area.
    InWater { county: Row },
    /// Layers of different age or detail disagree at the point.
    LayersDisagree,
    /// A county line is as near as it may be off; `neighbour` is on its other side.
    NearCountyLine { line: BorderLine, neighbour: Row },
    /// So is the shore or outer border of the county.
    NearOuterBorder { line: BorderLine, county: Row },
    /// So is a line between two incorporated places.
    NearPlaceLine { line: BorderLine, neighbour: Row },
    /// So are the limits of an incorporated place.
    NearPlaceLimits { line: BorderLine, place: Row },
    /// The county governs neither itself nor through another government of the same area.
    NoCountyGovernment { county: Row },
    /// Towns and townships of the state have no boundaries in the snapshot.
    NoTownBoundaries { state: StateCode },
    /// Only some have.
    SomeTownBoundaries { state: StateCode },
    /// The outline of the town is put together from election precincts, which no government published as its boundary. It has
    /// so many hundredths more (less: below zero) than the town by law, if that is known.
    FromPrecincts { town: Row, year: u16, off_percent: i8 },
    /// A boundary is old.
    OldBoundary { jurisdiction: Row, year: u16 },
    /// The main site of a government stands in for the page of an office.
    MainSiteStandsIn,
    /// Records without a documented source are left out.
    Withheld { records: usize },
    /// The answer for a county holds for its land outside incorporated places.
    CountyLandOnly,
    /// No boundary of the place is in the snapshot.
    NoBoundary { place: Row },
    /// The place reaches into another county than the one that is shown.
    InSeveralCounties { place: Row, county: Row },
    /// There is no resource.
    NoPageOnRecord,
    /// Nothing has the name.
    NoSuchName,
    /// What was found is only spelled nearly as asked.
    SpelledNearlySo,
    /// The name is that of a community without a government; its county stands for it.
    Community { community: CommunityRow },
    /// The name is that of a city which began after the lines of cities were drawn; its county stands for it.
    YoungCity { change: CityChangeRow, county: Row },
    /// The name is that of land of an American Indian nation, or of the nation; the counties that it reaches stand for it.
    LandOfName { land: TribalLandRow },
    /// The name has a slip; the one place that is spelled nearly so is answered.
    ReadAs { place: Row },
    /// The point of an address is estimated.
    AddressEstimated,
    /// Screening is not a determination.
    ScreeningOnly,
    /// Some facts could not be checked just now.
    SomeNotChecked,
    /// Nobody was asked about some facts.
    NobodyAsked,
}

impl Notice {
    /// The caveat in plain words.
    pub fn text<'a>(&'a self, directory: &'a Directory) -> NoticeText<'a> {
        NoticeText { notice: self, directory }
    }
}

/// A caveat in plain words, through its [`fmt::Display`].
#[derive(Clone, Copy, Debug)]
pub struct NoticeText<'a> {
    notice: &'a Notice,
    directory: &'a Directory,
}

const LAYERS_DISAGREE: &str = "Map layers of different age or detail disagree at this point; the county was chosen by a \
                               fixed rule. Ask the offices on both sides if it matters.";
const MAIN_SITE_STANDS_IN: &str = "Where the page of an office is not on record, its link is the main site of its \
                                   government; url_scope says which.";
const COUNTY_LAND_ONLY: &str = "For a county, functions are those on land outside incorporated places; a city may do some \
                                itself.";
const NO_PAGE_ON_RECORD: &str = "No page is on record here. Ask the office that does the job: the functions of the place \
                                 name it.";
const NO_SUCH_NAME: &str = "Nothing of this name is on record. Search knows names of places and of web pages; it knows no \
                            people and no street addresses.";
const SPELLED_NEARLY_SO: &str = "No name is written like this; what follows is spelled nearly so.";
const ADDRESS_ESTIMATED: &str = "The point of the address is estimated along its street and may be off by some house lots. \
                                 Near a boundary, check which side the land is on.";
const SCREENING_ONLY: &str = "Screening facts are never an official determination and hold for this exact point only. The \
                              office named with a fact has the final say.";
const SOME_NOT_CHECKED: &str =
    "Some facts could not be checked just now, as their summary says; ask again in a minute.";
const NOBODY_ASKED: &str = "This server asks nobody about some of these facts, and none of its own files has them. The pages \
                            under resources tell where to look.";

impl Notice {
    /// The words of a caveat without figures.
    fn fixed(&self) -> Option<&'static str> {
        Some(match self {
            Notice::LayersDisagree => LAYERS_DISAGREE,
            Notice::MainSiteStandsIn => MAIN_SITE_STANDS_IN,
            Notice::CountyLandOnly => COUNTY_LAND_ONLY,
            Notice::NoPageOnRecord => NO_PAGE_ON_RECORD,
            Notice::NoSuchName => NO_SUCH_NAME,
            Notice::SpelledNearlySo => SPELLED_NEARLY_SO,
            Notice::AddressEstimated => ADDRESS_ESTIMATED,
            Notice::ScreeningOnly => SCREENING_ONLY,
            Notice::SomeNotChecked => SOME_NOT_CHECKED,
            Notice::NobodyAsked => NOBODY_ASKED,
            // Those with figures, which `NoticeText` has the words of.
            Notice::TribalLand { .. }
            | Notice::CityChanged { .. }
            | Notice::NoCityByLinesOf { .. }
            | Notice::OutsideMappedShore { .. }
            | Notice::InWater { .. }
            | Notice::NearCountyLine { .. }
            | Notice::NearOuterBorder { .. }
            | Notice::NearPlaceLine { .. }
            | Notice::NearPlaceLimits { .. }
            | Notice::NoCountyGovernment { .. }
            | Notice::NoTownBoundaries { .. }
            | Notice::SomeTownBoundaries { .. }
            | Notice::FromPrecincts { .. }
            | Notice::OldBoundary { .. }
            | Notice::Withheld { .. }
            | Notice::NoBoundary { .. }
            | Notice::InSeveralCounties { .. }
            | Notice::Community { .. }
            | Notice::YoungCity { .. }
            | Notice::LandOfName { .. }
            | Notice::ReadAs { .. } => return None,
        })
    }
}

impl fmt::Display for NoticeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |row: Row| self.directory.name_of(row);
        let near = |f: &mut fmt::Formatter<'_>, line: &BorderLine, words: &str, row: Row| {
            near(f, line, words, name(row))
        };
        match *self.notice {
            Notice::TribalLand { land } => tribal_land(f, self.directory.tribal_land(land)),
            Notice::CityChanged { change } => city_changed(f, self.directory, change),
            Notice::NoCityByLinesOf { state, year } => write!(
                f,
                "No city or village covers this point, by city limits of {} of {year}; land that a city took in since then is \
                 not seen.",
                state.name()
            ),
            Notice::OutsideMappedShore { metres, county } => write!(
                f,
                "This point lies {} m outside the mapped shore or border; the nearest county, {}, answers.",
                whole(metres),
                name(county)
            ),
            Notice::InWater { county } => write!(
                f,
                "This point is in the water of {}: beyond the mapped shore, inside the county's legal area (or on a pier or \
                 an island too small for that map). The offices shown are those of its land; ask them whether they act on \
                 water. Other bodies may decide about water, bed and shore; this answer does not tell.",
                name(county)
            ),
            Notice::NearCountyLine { line, neighbour } => near(f, &line, "line with", neighbour),
            Notice::NearOuterBorder { line, county } => near(f, &line, "shore or outer border of", county),
            Notice::NearPlaceLine { line, neighbour } => near(f, &line, "line with", neighbour),
            Notice::NearPlaceLimits { line, place } => near(f, &line, "limits of", place),
            _ => self.of_records(f),
        }
    }
}

impl NoticeText<'_> {
    /// Caveats that do not hang on where the point lies.
    fn of_records(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |row: Row| self.directory.name_of(row);
        match *self.notice {
            Notice::NoCountyGovernment { county } => {
                write!(f, "{} has no county government of its own.", name(county))
            }
            Notice::NoTownBoundaries { state } => write!(
                f,
                "Town and township boundaries of {} are not in this snapshot, so no town or township is named here.",
                state.name()
            ),
            Notice::SomeTownBoundaries { state } => write!(
                f,
                "Only some town and township boundaries of {} are in this snapshot, so one may be missing here.",
                state.name()
            ),
            Notice::FromPrecincts { town, year, off_percent } => {
                write!(
                    f,
                    "The outline of {} is put together from election precincts of {year}, not published by a government",
                    name(town)
                )?;
                of_area(f, off_percent)
            }
            Notice::OldBoundary { jurisdiction, year } => {
                write!(
                    f,
                    "The boundary of {} is of {year}; later changes are not seen here.",
                    name(jurisdiction)
                )
            }
            Notice::Withheld { records: 1 } => {
                f.write_str("1 record without a documented source is left out of this answer.")
            }
            Notice::Withheld { records } => {
                write!(f, "{records} records without a documented source are left out of this answer.")
            }
            Notice::NoBoundary { place } => {
                write!(f, "No boundary of {} is at hand, so its county is not known here.", name(place))
            }
            Notice::InSeveralCounties { place, county } => write!(
                f,
                "Functions are those at a point inside {}, in {}; a part of it lies in another county.",
                name(place),
                name(county)
            ),
            Notice::Community { community } => of_community(f, self.directory, community),
            Notice::YoungCity { change, county } => young_city(f, self.directory, change, county),
            Notice::LandOfName { land } => land_of_name(f, self.directory.tribal_land(land)),
            Notice::ReadAs { place } => {
                write!(
                    f,
                    "No place there is written so; this is the answer for {}, which is spelled nearly so.",
                    name(place)
                )
            }
            _ => f.write_str(self.notice.fixed().unwrap_or_default()),
        }
    }
}

fn city_changed(f: &mut fmt::Formatter<'_>, directory: &Directory, row: CityChangeRow) -> fmt::Result {
    let Some(change) = directory.city_change(row) else { return Ok(()) };
    let CityChangeView { name, began, into, year, .. } = change;
    let year = year.map_or(String::new(), |year| format!(" in {year}"));
    match (began, into) {
        (true, _) => write!(
            f,
            "{name} became a city{year}, after the city limits here were drawn, and this point is in it or near. Ask the \
             city whether the land is inside: then it may do what is not settled here."
        ),
        (false, Some(into)) => write!(
            f,
            "{name} became part of {into}{year}, after the city limits here were drawn. Ask {into} who does what now."
        ),
        (false, None) => write!(
            f,
            "{name} is no longer on the Census Bureau's list of cities{year}: it seems to have ended after the city limits \
             here were drawn. Ask the county who does what now."
        ),
    }
}

fn young_city(
    f: &mut fmt::Formatter<'_>,
    directory: &Directory,
    row: CityChangeRow,
    county: Row,
) -> fmt::Result {
    let Some(change) = directory.city_change(row) else { return Ok(()) };
    let year = change.year.map_or(String::new(), |year| format!(" in {year}"));
    let (name, county) = (change.name, directory.name_of(county));
    write!(
        f,
        "{name} became a city{year}, after the city limits here were drawn, so {county} is shown for it. Ask the city which \
         jobs it does itself."
    )
}

fn of_community(f: &mut fmt::Formatter<'_>, directory: &Directory, row: CommunityRow) -> fmt::Result {
    let Some(community) = directory.community(row) else { return Ok(()) };
    let county = directory.name_of(community.county);
    let name = community.name;
    write!(
        f,
        "{name} has no government of its own: it is a community in {county}, whose offices are shown. Parts of it may lie elsewhere."
    )
}

fn tribal_land(f: &mut fmt::Formatter<'_>, land: TribalLandView<'_>) -> fmt::Result {
    let nation = land.nation.map_or(String::new(), |nation| format!(", land of the {nation}"));
    write!(f, "This point lies in {}{nation}. {}", land.name, land.words)
}

fn land_of_name(f: &mut fmt::Formatter<'_>, land: TribalLandView<'_>) -> fmt::Result {
    let nation = land.nation.map_or(String::new(), |nation| format!(", land of the {nation},"));
    write!(
        f,
        "{}{nation} is in the counties shown. Which office does a job there depends on the parcel; ask for a point to learn \
         more, or ask the nation.",
        land.name
    )
}

/// Whether an outline encloses what the law gives the town, and what to do.
fn of_area(f: &mut fmt::Formatter<'_>, off_percent: i8) -> fmt::Result {
    match off_percent {
        0 => f.write_str(". Near its lines, ask its office."),
        1.. => write!(
            f,
            ", and has {off_percent} % more area than the Census counts for it: a part of what is shown as its land is a \
             neighbor's. Ask its office."
        ),
        ..0 => write!(
            f,
            ", and lacks {} % of the area that the Census counts for it: a neighbor, or no town, is shown there. Near its \
             lines, ask its office.",
            off_percent.unsigned_abs()
        ),
    }
}

/// A line that is as near as it may be off.
fn near(f: &mut fmt::Formatter<'_>, line: &BorderLine, words: &str, name: &str) -> fmt::Result {
    write!(
        f,
        "This point is {} m from the mapped {words} {name}. Lines at {} may be off by about {} m, so the other side may be \
         the right one.",
        whole(line.distance_m),
        line.scale,
        whole(line.uncertainty_m)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn an_outline_that_is_too_large_or_too_small_is_told() {
        let directory = testing::directory();
        let town = directory.found(&testing::LARGE_TOWN.parse().unwrap()).unwrap();
        assert_eq!(directory.area_off_percent(town), 18);
        let begin = "The outline of Pine town is put together from election precincts of 2020, not published by a government";
        for (off_percent, end) in [
            (0, ". Near its lines, ask its office."),
            (
                18,
                ", and has 18 % more area than the Census counts for it: a part of what is shown as its land is a neighbor's. \
                 Ask its office.",
            ),
            (
                -9,
                ", and lacks 9 % of the area that the Census counts for it: a neighbor, or no town, is shown there. Near its \
                 lines, ask its office.",
            ),
        ] {
            let notice = Notice::FromPrecincts { town, year: 2020, off_percent };
            assert_eq!(notice.text(&directory).to_string(), format!("{begin}{end}"));
        }
    }
}
