//! Caveats for the person who acts on an answer, each with its figures. Their sentences are in `words`.

use super::reading::Uncovered;
use crate::{
    directory::{
        BorderLine, CityChangeRow, CommunityRow, DatedChangeRow, FederalLandRow, Row, TribalLandRow,
    },
    vocabulary::{Date, Function, StateCode, Topic, TopicSet},
};

/// A caveat of an answer, with its figures.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named for what the sentences say of them")]
pub enum Notice {
    /// The point lies on land of an American Indian nation.
    TribalLand { land: TribalLandRow },
    /// The point may lie on federal land.
    FederalLand { land: FederalLandRow },
    /// A city began or ended here after the city limits were drawn.
    CityChanged { change: CityChangeRow },
    /// The answer is for this day. Changes of cities are known from the day `known_since` on; `None` if none are
    /// known.
    OnDay { date: Date, known_since: Option<Date> },
    /// A city began or ended near this day, or after it, so the answer differs from the one for today.
    DatedChange { change: DatedChangeRow, date: Date },
    /// No city covers the point, by city limits from this year.
    NoCityByLinesOf { state: StateCode, year: u16 },
    /// The point lies outside all counties, this far from the nearest county.
    OutsideMappedShore { meters: f64, county: Row },
    /// The point lies beyond the mapped shore, in the county's legal area.
    InWater { county: Row },
    /// Layers of different age or detail disagree about the county of the point.
    LayersDisagree,
    /// Layers disagree about the city or town of the point, but not about its county: no county line is near.
    TownsDisagree,
    /// Layers disagree about the town of the point, because the map of towns is older than this city, which left its
    /// town.
    CityNewerThanTowns { city: Row },
    /// The point is closer to a county line than that line may be off; `neighbor` is on the other side.
    NearCountyLine { line: BorderLine, neighbor: Row },
    /// The point is closer to the shore or outer border of the county than that line may be off.
    NearOuterBorder { line: BorderLine, county: Row },
    /// The point is closer to the line between two incorporated places than that line may be off.
    NearPlaceLine { line: BorderLine, neighbor: Row },
    /// The point is closer to the limits of an incorporated place than these may be off.
    NearPlaceLimits { line: BorderLine, place: Row },
    /// The county has no government, neither its own nor that of another jurisdiction with the same area.
    NoCountyGovernment { county: Row },
    /// Towns and townships of the state have no boundaries in the snapshot.
    NoTownBoundaries { state: StateCode },
    /// Only some towns and townships of the state have boundaries in the snapshot.
    SomeTownBoundaries { state: StateCode },
    /// The outline of the town is assembled from election precincts; no government published it as a boundary.
    /// `off_percent` is the percentage by which the outline's area exceeds the legal area; negative if it is smaller,
    /// and 0 also if unknown.
    FromPrecincts { town: Row, year: u16, off_percent: i8 },
    /// The boundary of the jurisdiction is old.
    OldBoundary { jurisdiction: Row, year: u16 },
    /// Main sites of governments stand in for the pages of all offices.
    MainSiteStandsIn,
    /// Records without a documented source are left out.
    Withheld { records: usize },
    /// The answer for a county holds for its land outside incorporated places.
    CountyLandOnly,
    /// No boundary of the place is in the snapshot.
    NoBoundary { place: Row },
    /// The place reaches beyond the county that is shown.
    InSeveralCounties { place: Row, county: Row },
    /// A list has no rows.
    NothingListed,
    /// A list of towns has no rows, because no town of the state governs.
    NoTownsGovern { state: StateCode },
    /// A list of an area's places has only places whose inner point is in the area. Other places may reach into it.
    ListedByInnerPoint,
    /// A list of the governments of a county leaves out land that none of them covers; another body does the job there.
    RestOfCounty { county: Row, function: Function },
    /// The place has no resource on record.
    NoPageOnRecord,
    /// Nothing on record has the name.
    NoSuchName,
    /// The results only have a similar spelling.
    SpelledNearlySo,
    /// The name is that of a community without a government. The answer is for the city, town or county around the
    /// community.
    Community { community: CommunityRow },
    /// The name is that of a city that began after the city limits were drawn. The answer is for the city's county.
    YoungCity { change: CityChangeRow, county: Row },
    /// The name is that of land of an American Indian nation, or of the nation. The answer is for the counties that
    /// the land reaches.
    LandOfName { land: TribalLandRow },
    /// The name is that of federal land. The answer is for the counties that the land reaches.
    FederalLandOfName { land: FederalLandRow },
    /// The name is misspelled; the answer is for the one place that is spelled similarly.
    ReadAs { place: Row },
    /// The name of the place is also that of its state.
    StateOfName { state: StateCode },
    /// Facts of the county are shown; the others need a point.
    CountyFactsOnly { place: Row, county: Row },
    /// The longitude stands first in the coordinates. The point lies on the globe, or in a covered area, only in that
    /// order.
    LongitudeFirst,
    /// A ZIP code cannot say with certainty which government covers a piece of land.
    ZipIsMailRoute,
    /// No county of the ZIP code is known.
    NoSuchZip,
    /// No county of the ZIP code is known. Nearly all addresses of the ZIP codes beside it are in this county.
    ZipBeside { zip: u32, county: Row },
    /// Cities and towns are listed that have an office with the ZIP code in its address.
    ZipOfOffices { zip: u32 },
    /// Cities and towns do the job, and the ZIP code does not say which of them. `is_listed` says whether the
    /// county's cities and towns are listed.
    ZipLeftToTowns { is_listed: bool },
    /// The text names a further place, perhaps with tasks. The answer is not about that place.
    AlsoNamed { place: Row, topics: TopicSet },
    /// The text names several places, and a part of the text was not found.
    PartNotFound,
    /// The text speaks of land outside a city. The answer is for the city's county.
    OutsideCity { city: Row, county: Row },
    /// More places have the name than offices are shown for, so a reader has to choose one.
    SeveralOfName,
    /// A part of the text names the place, and no task was recognized in the rest.
    TaskNotRead,
    /// The text asks for a telephone number, and none is on record for the offices shown.
    NoTelephone,
    /// The text asks for opening hours, which the directory does not keep.
    NoHours,
    /// The text names an earlier year. `date` is a day of that year that the directory can answer for.
    EarlierYear { year: u16, date: Option<Date> },
    /// The text asks about a subject that no topic is about.
    NotCovered { subject: Uncovered },
    /// A place, or at least its middle, lies on land of a nation.
    PlaceInTribalLand { place: Row, land: TribalLandRow },
    /// A sentence has a street address, which was not looked up.
    AddressInSentence,
    /// No office of a job covers the topic. The notice has the state's sentences on the topic, or says that none are
    /// known.
    BesideJobs { topic: Topic, state: StateCode },
    /// The address has no answer; the answer lists places with the name of its town.
    TownOfAddress,
    /// The point of an address is estimated.
    AddressEstimated,
    /// The snapshot has no figures on coverage, since an earlier release made it.
    NoCoverageFigures,
    /// The population estimates leave out this state. Without a state, they leave out some states of the nation.
    PeopleNotCounted { state: Option<StateCode> },
    /// Screening facts are not official determinations.
    ScreeningOnly,
    /// Some facts could not be checked just now.
    SomeNotChecked,
    /// Some facts were not looked up: online lookups are off and no data file covers them.
    NobodyAsked,
}

impl Notice {
    /// Whether the notice says how the name of a place was read: each answer about the place must have such a notice.
    pub fn is_on_name(&self) -> bool {
        use Notice as N;
        matches!(
            self,
            N::ReadAs { .. }
                | N::StateOfName { .. }
                | N::Community { .. }
                | N::YoungCity { .. }
                | N::FederalLandOfName { .. }
                | N::ZipIsMailRoute
                | N::LongitudeFirst
        )
    }

    /// Whether the notice is for programs alone. The number of records that an answer lacks does not help an owner.
    pub fn is_for_programs(&self) -> bool {
        matches!(self, Notice::Withheld { .. })
    }
}
