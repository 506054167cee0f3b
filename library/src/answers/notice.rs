//! Caveats for the person who acts on an answer: each with its figures. Their sentences are in `words`.

use crate::{
    directory::{BorderLine, CityChangeRow, CommunityRow, Row, TribalLandRow},
    vocabulary::StateCode,
};

/// A caveat.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named for what the sentences say of them")]
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
    /// A county line is as near as it may be off; `neighbor` is on its other side.
    NearCountyLine { line: BorderLine, neighbor: Row },
    /// So is the shore or outer border of the county.
    NearOuterBorder { line: BorderLine, county: Row },
    /// So is a line between two incorporated places.
    NearPlaceLine { line: BorderLine, neighbor: Row },
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
    /// The longitude of coordinates stands first: only so are they on the globe, or in a covered area.
    LongitudeFirst,
    /// A ZIP code says nothing certain of governments.
    ZipIsMailRoute,
    /// No county of the ZIP code is known.
    NoSuchZip,
    /// The address has no answer; places of the name of its town are listed.
    TownOfAddress,
    /// The point of an address is estimated.
    AddressEstimated,
    /// Screening is not a determination.
    ScreeningOnly,
    /// Some facts could not be checked just now.
    SomeNotChecked,
    /// Nobody was asked about some facts.
    NobodyAsked,
}
