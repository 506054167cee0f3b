//! The sentences of answers in American English. Figures come from the notice and names from the directory.

mod asks;
mod changes;
mod coverage;
mod dates;
mod facts;
mod federal;
mod labels;
mod reasons;

use super::{
    FactKind, FactText, FunctionText, Label, Phrase, TopicText, Units, Words, figures::ground_length,
    names::with_article,
};
use crate::{
    answers::Notice,
    directory::{BorderLine, CommunityRow, ContactOrigin, Directory, Row, TribalLandRow},
    facts::{Fact, FactKey, Fault},
    rules::{Basis, DatedText},
    vocabulary::{Action, DatedKind, Function, Layer, StateCode, Topic, UrlScope},
};

/// The sentences in American English.
#[derive(Clone, Copy, Debug)]
pub struct English;

impl Words for English {
    fn tag(&self) -> &'static str {
        "en"
    }

    fn name(&self, directory: &Directory, row: Row) -> String {
        with_article(&directory.jurisdiction(row))
    }

    fn notice(&self, notice: &Notice, directory: &Directory, units: Units) -> String {
        Sentences { directory, units }.notice(notice)
    }

    fn contact(&self, origin: &ContactOrigin<'_>) -> String {
        let whose = match (origin.scope, origin.name) {
            (UrlScope::Office, name) => name.map(str::to_owned),
            // The name of the desk is left out: the desk that answers a main line, such as the mayor's, says nothing
            // on the job.
            (UrlScope::Government, _) => Some("main line of the government".to_owned()),
        };
        let age = origin.year.map(|year| format!("as of {year}"));
        Vec::from_iter(whose.into_iter().chain(age)).join(", ")
    }

    fn fact_kind(&self, key: FactKey) -> FactKind {
        English::kind_of_fact(key)
    }

    fn fact(&self, fact: &Fact) -> FactText {
        English::text_of_fact(fact)
    }

    fn fault(&self, fault: &Fault) -> String {
        English::why(fault)
    }

    fn basis(&self, basis: &Basis) -> String {
        English::sentence_on(&basis.reason, &basis.names)
    }

    fn function(&self, function: Function) -> FunctionText {
        English::function_text(function)
    }

    fn action(&self, action: Action) -> &'static str {
        English::action_text(action)
    }

    fn dated_kind(&self, kind: DatedKind) -> &'static str {
        English::dated_kind_text(kind)
    }

    fn dated_remark(&self, text: &DatedText, as_of: &str) -> String {
        English::remark_on_date(text, as_of)
    }

    fn next_day(&self, text: &DatedText, as_of: &str) -> Option<String> {
        English::certain_next_day(text, as_of)
    }

    fn topic(&self, topic: Topic) -> TopicText {
        English::topic_text(topic)
    }

    fn counties(&self, state: StateCode) -> (&'static str, &'static str) {
        English::county_text(state)
    }

    fn label(&self, label: Label) -> &'static str {
        English::label_text(label)
    }

    fn phrase(&self, phrase: Phrase<'_>) -> String {
        English::phrase_text(phrase)
    }
}

/// The directory and the units that sentences use.
struct Sentences<'d> {
    directory: &'d Directory,
    units: Units,
}

impl Sentences<'_> {
    /// Matches every caveat by name, without a catch-all arm, so that a new caveat does not compile without its
    /// sentence.
    fn notice(&self, notice: &Notice) -> String {
        match *notice {
            Notice::TribalLand { land } => self.tribal_land(land),
            Notice::FederalLand { land } => self.federal_land(land),
            Notice::CityChanged { change } => self.city_changed(change),
            Notice::OnDay { date, known_since } => changes::on_day(date, known_since),
            Notice::DatedChange { change, date } => self.dated_change(change, date),
            Notice::NoCityByLinesOf { state, year } => no_city(state, year),
            Notice::OutsideMappedShore { meters, county } => self.outside_shore(meters, county),
            Notice::InWater { county } => self.in_water(county),
            Notice::LayersDisagree => LAYERS_DISAGREE.to_owned(),
            Notice::TownsDisagree => TOWNS_DISAGREE.to_owned(),
            Notice::CityNewerThanTowns { city } => self.city_newer_than_towns(city),
            Notice::NearCountyLine { line, neighbor } | Notice::NearPlaceLine { line, neighbor } => {
                self.near_line(&line, neighbor)
            }
            Notice::NearOuterBorder { line, county } => self.near_outer_border(&line, county),
            Notice::NearPlaceLimits { line, place } => self.near_limits(&line, place),
            Notice::NoCountyGovernment { county } => self.no_county_government(county),
            Notice::NoTownBoundaries { state } => no_towns(state),
            Notice::SomeTownBoundaries { state } => some_towns(state),
            Notice::FromPrecincts { town, year, off_percent } => {
                self.precinct_outline(town, year, off_percent)
            }
            Notice::OldBoundary { jurisdiction, year } => self.old_boundary(jurisdiction, year),
            Notice::MainSiteStandsIn => MAIN_SITE_STANDS_IN.to_owned(),
            Notice::Withheld { records } => withheld(records),
            Notice::CountyLandOnly => COUNTY_LAND_ONLY.to_owned(),
            Notice::NoBoundary { place } => self.no_boundary(place),
            Notice::InSeveralCounties { place, county } => self.in_several_counties(place, county),
            Notice::NothingListed => NOTHING_LISTED.to_owned(),
            Notice::NoTownsGovern { state } => no_towns_govern(state),
            Notice::ListedByInnerPoint => LISTED_BY_INNER_POINT.to_owned(),
            Notice::RestOfCounty { county, function } => self.rest_of_county(county, function),
            Notice::NoPageOnRecord => NO_PAGE_ON_RECORD.to_owned(),
            Notice::NoSuchName => NO_SUCH_NAME.to_owned(),
            Notice::SpelledNearlySo => SPELLED_SIMILARLY.to_owned(),
            Notice::Community { community } => self.community(community),
            Notice::YoungCity { change, county } => self.young_city(change, county),
            Notice::LandOfName { land } => self.land_of_name(land),
            Notice::FederalLandOfName { land } => self.federal_land_of_name(land),
            Notice::ReadAs { place } => self.read_as(place),
            Notice::StateOfName { state } => state_of_name(state),
            Notice::CountyFactsOnly { place, county } => self.county_facts_only(place, county),
            Notice::LongitudeFirst => LONGITUDE_FIRST.to_owned(),
            Notice::ZipIsMailRoute => ZIP_IS_MAIL_ROUTE.to_owned(),
            Notice::NoSuchZip => NO_SUCH_ZIP.to_owned(),
            Notice::ZipBeside { zip, county } => self.zip_beside(zip, county),
            Notice::ZipOfOffices { zip } => asks::zip_of_offices(zip),
            Notice::ZipLeftToTowns { is_listed } => asks::left_to_towns(is_listed),
            Notice::AlsoNamed { place, topics } => self.also_named(place, topics),
            Notice::PartNotFound => asks::PART_NOT_FOUND.to_owned(),
            Notice::OutsideCity { city, county } => self.outside_city(city, county),
            Notice::AddressInSentence => asks::ADDRESS_IN_SENTENCE.to_owned(),
            Notice::SeveralOfName => asks::SEVERAL_OF_NAME.to_owned(),
            Notice::TaskNotRead => asks::TASK_NOT_READ.to_owned(),
            Notice::NoTelephone | Notice::NoHours => asks::not_kept(notice).to_owned(),
            Notice::EarlierYear { year, date } => changes::earlier_year(year, date),
            Notice::NotCovered { subject } => asks::not_covered(subject),
            Notice::PlaceInTribalLand { place, land } => self.place_in_tribal_land(place, land),
            Notice::BesideJobs { topic, state } => self.beside_jobs(topic, state),
            Notice::TownOfAddress => TOWN_OF_ADDRESS.to_owned(),
            Notice::AddressEstimated => ADDRESS_ESTIMATED.to_owned(),
            Notice::NoCoverageFigures => coverage::NO_FIGURES.to_owned(),
            Notice::PeopleNotCounted { state } => coverage::people_not_counted(state),
            Notice::ScreeningOnly => SCREENING_ONLY.to_owned(),
            Notice::SomeNotChecked => SOME_NOT_CHECKED.to_owned(),
            Notice::NobodyAsked => NOT_AVAILABLE.to_owned(),
        }
    }

    fn no_county_government(&self, county: Row) -> String {
        format!("{} has no county government of its own.", self.start(county))
    }

    fn outside_city(&self, city: Row, county: Row) -> String {
        format!(
            "The text speaks of land outside {}, so this answer is for {}. For land inside, ask for that place alone.",
            self.name(city),
            self.name(county)
        )
    }

    fn city_newer_than_towns(&self, city: Row) -> String {
        format!(
            "The map of towns shows another town here, perhaps because it is older than the limits of {}. This answer is \
             for the city.",
            self.name(city)
        )
    }

    fn no_boundary(&self, place: Row) -> String {
        format!("No boundary of {} is in this data, so its county is not known here.", self.name(place))
    }

    fn county_facts_only(&self, place: Row, county: Row) -> String {
        format!(
            "Only facts of {} as a whole are shown. The point in this answer is just one inside {}; the other facts need an exact \
             point or an address.",
            self.name(county),
            self.name(place)
        )
    }

    fn zip_beside(&self, zip: u32, county: Row) -> String {
        format!(
            "ZIP code {zip:05} has no street addresses on record, so it may be for post office boxes or one organization. ZIP codes \
             with the same first three digits lie in {}.",
            self.name(county)
        )
    }

    fn name(&self, row: Row) -> String {
        English.name(self.directory, row)
    }

    /// A name at the start of a sentence.
    fn start(&self, row: Row) -> String {
        super::capital(&self.name(row))
    }

    fn length(&self, meters: f64) -> String {
        ground_length(meters, self.units)
    }

    fn tribal_land(&self, row: TribalLandRow) -> String {
        let land = self.directory.tribal_land(row);
        let nation = land.nation.map_or(String::new(), |nation| format!(", land of the {nation}"));
        format!("This point lies in {}{nation}. {}{}", land.name, land.words, site_of_nation(land.site))
    }

    fn outside_shore(&self, meters: f64, county: Row) -> String {
        format!(
            "This point lies {} outside the mapped shore or border. The answer is for the nearest county, {}.",
            self.length(meters),
            self.name(county)
        )
    }

    fn in_water(&self, county: Row) -> String {
        format!(
            "This point is in the water of {}, or on a pier or island too small for the map. The offices shown serve the \
             land; ask whether they act here, since other agencies may decide about water and shore.",
            self.name(county)
        )
    }

    fn near_line(&self, line: &BorderLine, neighbor: Row) -> String {
        format!(
            "This point is {} from the line with {}. That line may be off by {}, so check with the offices on both sides.",
            self.length(line.distance_m),
            self.name(neighbor),
            self.length(line.uncertainty_m)
        )
    }

    fn near_outer_border(&self, line: &BorderLine, county: Row) -> String {
        format!(
            "This point is {} from the shore or outer border of {}. That line may be off by {}, so the point may lie on its \
             other side.",
            self.length(line.distance_m),
            self.name(county),
            self.length(line.uncertainty_m)
        )
    }

    fn near_limits(&self, line: &BorderLine, place: Row) -> String {
        format!(
            "This point is {} from the limits of {}. The limits may be off by {}, so check whether the land is inside.",
            self.length(line.distance_m),
            self.name(place),
            self.length(line.uncertainty_m)
        )
    }

    fn precinct_outline(&self, town: Row, year: u16, off_percent: i8) -> String {
        let (begin, off) = (
            format!("The outline of {} is drawn from voting precincts of {year}", self.name(town)),
            off_percent.unsigned_abs(),
        );
        match off_percent {
            0 => format!("{begin}, not from an official boundary. Near its edge, ask its office."),
            1.. => format!(
                "{begin} and has {off}% more area than the Census counts. Part of it belongs to a neighbor, so ask the \
                 office of {} whether your land is inside.",
                self.name(town)
            ),
            ..0 => format!(
                "{begin} and has {off}% less area than the Census counts. Near its edge, ask the office of {} whether your \
                 land is inside.",
                self.name(town)
            ),
        }
    }

    fn old_boundary(&self, row: Row, year: u16) -> String {
        format!("The map of {} is from {year}. Boundary changes since then are not included.", self.name(row))
    }

    fn in_several_counties(&self, place: Row, county: Row) -> String {
        let counties = self.directory.counties_of_place(place);
        let names: Vec<String> = counties.into_iter().map(|county| self.name(county)).collect();
        let listed = match &names[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => "more than one county".to_owned(),
        };
        format!(
            "{} lies in {listed}. The offices shown are for the part in {}.",
            self.start(place),
            self.name(county)
        )
    }

    fn community(&self, row: CommunityRow) -> String {
        let Some(community) = self.directory.community(row) else { return NO_SUCH_NAME.to_owned() };
        let (name, body) = (community.name, community.body);
        if self.directory.layer(body) != Some(Layer::County) {
            return format!(
                "{name} has no government of its own and is part of {}, whose offices are shown. Near its edge, ask whether \
                 the land lies there.",
                self.name(body)
            );
        }
        let state = self.directory.state_of(body).and_then(|state| self.directory.ruled_state(state));
        let advice = match state.and_then(|ruled| ruled.file.rules.cousub_word.as_deref()) {
            Some(word) => {
                format!("The {word} around it may do many jobs: give an address or coordinates to see which.")
            }
            None => {
                "The offices shown are the county's; parts of the community may lie elsewhere.".to_owned()
            }
        };
        format!("{name} is a community without a government of its own, in {}. {advice}", self.name(body))
    }

    fn land_of_name(&self, row: TribalLandRow) -> String {
        let land = self.directory.tribal_land(row);
        let nation = land.nation.map_or(String::new(), |nation| format!(", land of the {nation},"));
        format!(
            "{}{nation} is in the counties shown. The office for a job depends on the parcel, so give a point or ask the \
             nation.{}",
            land.name,
            site_of_nation(land.site)
        )
    }

    fn place_in_tribal_land(&self, place: Row, row: TribalLandRow) -> String {
        let land = self.directory.tribal_land(row);
        let nation = land.nation.map_or(String::new(), |nation| format!(", land of the {nation}"));
        format!(
            "All or part of {} lies in {}{nation}. Ask the nation first about land that it or its members hold.{}",
            self.name(place),
            land.name,
            site_of_nation(land.site)
        )
    }

    fn rest_of_county(&self, county: Row, function: Function) -> String {
        let outcome = self.directory.outside_towns(county, function);
        let body = outcome.as_ref().and_then(|outcome| self.directory.found(outcome.body.as_ref()?));
        let office = outcome.as_ref().and_then(|outcome| outcome.office.as_deref());
        let named: Vec<&str> =
            office.into_iter().chain(body.map(|row| self.directory.name_of(row))).collect();
        format!(
            "On land of {} that no town or city covers, this office does the job: {}.",
            self.name(county),
            named.join(", ")
        )
    }

    fn read_as(&self, place: Row) -> String {
        format!(
            "No place there has exactly this name. This answer is for {}, which is spelled similarly.",
            self.name(place)
        )
    }
}

/// The sentence on a nation's site, to stand after other sentences; empty without a site.
fn site_of_nation(site: Option<&str>) -> String {
    site.map_or(String::new(), |site| format!(" The nation's own site is {site}"))
}

const LAYERS_DISAGREE: &str = "Maps of different age or detail disagree about the county here. If it matters, ask the offices \
                               on both sides.";
const TOWNS_DISAGREE: &str = "Maps of different age or detail disagree about the city or town here. If it matters, ask the \
                              offices on both sides.";
const MAIN_SITE_STANDS_IN: &str = "No office here has a page of its own on record. Links to offices go to the main site of the \
                                   government, if that is known.";
const COUNTY_LAND_ONLY: &str = "The offices shown are for land outside cities and villages. Inside one, the city or village may \
                                do some of these jobs.";
const NOTHING_LISTED: &str = "Nothing on record fits all of these conditions. Leave one out to see more.";
const LISTED_BY_INNER_POINT: &str = "A city that reaches into several counties or towns is listed in only one of them. Cities that \
                                     are not listed here may reach into this area.";
const NO_PAGE_ON_RECORD: &str =
    "No page is on record here. To find the office that does this job, look up the place.";
const NO_SUCH_NAME: &str = "Nothing with this name is on record. Search finds places and official pages, not people or street \
                            addresses; for a small community, name its county.";
const SPELLED_SIMILARLY: &str = "No exact match. These names are spelled similarly.";
const LONGITUDE_FIRST: &str = "The first number was read as the longitude, because as a latitude it would lie outside the \
                               United States. Check that the place shown is the one you mean.";
const ZIP_IS_MAIL_ROUTE: &str = "A ZIP code is a mail route and often crosses town and county lines, so it cannot say who governs \
                                 one piece of land. Use a street address or coordinates for an exact answer.";
const NO_SUCH_ZIP: &str = "No county is on record for this ZIP code.";
const TOWN_OF_ADDRESS: &str = "No location was found for this address. The places listed have the name of its town; coordinates \
                               give an exact answer.";
const ADDRESS_ESTIMATED: &str = "The location of the address is estimated along its street and may be off by a few house lots. \
                                 Near a boundary, check which side the land is on.";
const SCREENING_ONLY: &str = "Screening facts are never an official determination and apply to this exact point only. The \
                              office named with a fact has the final say.";
const SOME_NOT_CHECKED: &str = "Some facts could not be checked just now, because an outside service gave no answer. The linked \
                                pages show the maps.";
const NOT_AVAILABLE: &str = "Some facts are not available on this server: online lookups are off and no data file covers them. \
                             The linked pages show where to look.";

fn no_city(state: StateCode, year: u16) -> String {
    format!(
        "By the city limits of {year}, no city or village in {} covers this point. A city may have annexed the land since then.",
        state.name()
    )
}

fn state_of_name(state: StateCode) -> String {
    let (name, fips) = (state.name(), state.fips());
    format!("{name} is also the name of the state. For the state itself, ask with state:{fips:02}.")
}

fn no_towns_govern(state: StateCode) -> String {
    format!("{} has no towns or townships that govern.", state.name())
}

fn no_towns(state: StateCode) -> String {
    format!(
        "Town and township lines of {} are not in this data. No town or township is named here, although one may do some of \
         these jobs.",
        state.name()
    )
}

fn some_towns(state: StateCode) -> String {
    format!(
        "Only some town and township lines of {} are in this data. A town or township may be missing here.",
        state.name()
    )
}

fn withheld(records: usize) -> String {
    let (what, whom) = if records == 1 { ("page is", "it") } else { ("pages are", "them") };
    format!("{records} {what} left out, because no source is on record for {whom}.")
}
