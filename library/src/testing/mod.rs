//! An invented snapshot with two small states, so that tests need neither the default snapshot nor the pipeline.
//!
//! The states lie on a grid of [`STEP`]s, whose south-west corner is [`point`]`(0.0, 0.0)`. Subdivisions cover
//! Minnesota; those of Wisconsin have no polygons. The line of Wisconsin's county is from another source, so it does
//! not match Minnesota's:
//!
//! ```text
//! 10 +---------------+---------------+.-----------+
//!    | Oak town      | Pine town     |.          +--+   a gap between x = 20 and 21
//!    |           +-------+           |.          |Port  a city that reaches into the sea, to x = 32
//!  5 +-----------| River |           +-+         +--+
//!    | Elm town  | town  |           |#|  Clark   |   an overlap between x = 19 and 20
//!    |           +-------+           |#|          |
//!  0 +---------------+---------------+-+----------+
//!    0    Adams     10    Baker     20   Wisconsin    30
//! ```
//!
//! Rivertown lies in both counties of Minnesota. Adams County has a website and a map. Zoning is the city's job inside
//! the city, and the county's elsewhere. Wisconsin has no rules.
//!
//! The cell between 8, 9 and 9, 10 is land of a nation. A new city around 3, 8 has no outline. A city around 5, 8 has
//! ended, and one around 13, 8 began in an uncertain year. Rivertown began on a known day, and Port merged into Harbor.
//! The state kept the deeds of Adams County until 2020. A lake lies between 1, 1 and 3, 2. The limits of Port include
//! its water, but the lines of its county end at the shore.

mod grid;
mod spanish;

use grid::{Cells, Shape};

use crate::{
    directory::Directory,
    geometry::LonLat,
    rules::{
        Case, Conditions, FunctionRule, Governing, Guide, GuideSection, PastCase, PastCases, Performer,
        StateFile, StateRules,
    },
    snapshot::write::{
        ChangeDays, CityChanges, Communities, Contents, CoverageRow, Dates, EncodedSection, Jurisdictions,
        Meta, Names, NewCityChange, NewCityFate, NewCityLand, NewCommunity, NewDatedChange, NewJurisdiction,
        NewResource, NewWebsite, PageSections, PastRules, PlaceCounties, Records, RuledSections,
        SourceRecord, StateFiles, WriteError,
    },
    vocabulary::{
        ActionSet, Confidence, Coverage, Date, FuncStat, Function, FunctionSet, Geoid, JurisdictionId, Layer,
        Level, LicenseClass, PageUse, RecordId, Role, SourceKind, StateCode, Topic, VerifiedStatus,
        resource_key,
    },
};

pub use spanish::Spanish;

/// Side of a grid cell, in 1e-7 degree: 0.01 degree.
pub const STEP: i32 = 100_000;
/// Latitude and longitude of the grid's south-west corner, in 1e-7 degree.
const CORNER: (i32, i32) = (450_000_000, -940_000_000);
/// The id of a town whose outline is larger than its legal area.
pub const LARGE_TOWN: &str = "cousub:2700330000";
/// The website of Adams County.
const SITE: &str = "https://adams.example.gov";
/// The date of the invented snapshot.
const AS_OF: &str = "2026-01-01T00:00:00Z";

/// The point that lies `x` cells east and `y` cells north of the grid's south-west corner.
pub fn point(x: f64, y: f64) -> LonLat {
    let units = |cells: f64| (cells * f64::from(STEP)).round() as i32;
    LonLat::from_units(CORNER.0 + units(y), CORNER.1 + units(x))
}

/// Returns a directory of the invented snapshot.
///
/// # Panics
/// Only because of a defect in this module, as the snapshot is always the same.
pub fn directory() -> Directory {
    directory_with(|_| {})
}

/// Returns a directory of the invented snapshot with changed sections.
///
/// # Panics
/// Panics if the changed sections contradict each other.
pub fn directory_with(change: impl FnOnce(&mut Contents)) -> Directory {
    let mut contents = contents().expect("the world can be packed");
    change(&mut contents);
    Directory::new(contents.seal().expect("the world can be read"))
}

/// Returns a directory of the invented snapshot after `change` was called for each jurisdiction.
///
/// # Panics
/// Panics if the changed sections contradict each other.
pub fn directory_where(change: impl FnMut(&mut NewJurisdiction)) -> Directory {
    let mut known = known();
    known.iter_mut().for_each(change);
    let contents = contents_of(known, &[SITE]).expect("the world can be packed");
    Directory::new(contents.seal().expect("the world can be read"))
}

/// Returns the file of the invented snapshot; each call gives the same bytes.
///
/// # Panics
/// Only because of a defect in this module, as the snapshot is always the same.
pub fn snapshot() -> Vec<u8> {
    directory().snapshot().bytes().to_vec()
}

/// Returns all sections of the invented snapshot, for tests that change some of them.
///
/// # Errors
/// [`WriteError`] if the sections cannot be packed, which is a defect of this module.
pub fn contents() -> Result<Contents, WriteError> {
    contents_with_sites(&[SITE])
}

/// Returns all sections of the invented snapshot, with these websites for Adams County.
///
/// # Errors
/// As for [`contents`].
pub fn contents_with_sites(urls: &[&str]) -> Result<Contents, WriteError> {
    contents_of(known(), urls)
}

fn contents_of(mut known: Vec<NewJurisdiction>, urls: &[&str]) -> Result<Contents, WriteError> {
    let (jurisdictions, rows) =
        Jurisdictions::pack(&mut known, &[(geoid("county:27999"), vec![id("county:27001")])])?;
    let row = |geoid: Geoid| rows.get(&JurisdictionId::Census(geoid)).copied();
    let (areas, trie, boundaries) = grid::compile(&shapes(), row)?;
    let adams = row(geoid("county:27001")).expect("Adams County is in the world");
    let mut resources = [map(adams)];
    let (tribal, nation_sites) = grid::tribal()?;
    let ruled = RuledSections {
        meta: meta(),
        jurisdictions: EncodedSection::new(&jurisdictions)?,
        areas: EncodedSection::new(&areas)?,
        trie: EncodedSection::new(&trie)?,
        boundaries: EncodedSection::new(&boundaries)?,
        state_files: EncodedSection::new(&StateFiles::pack(&[state_file()], &[guide()])?)?,
        tribal: EncodedSection::new(&tribal)?,
        nation_sites: EncodedSection::new(&nation_sites)?,
        city_changes: EncodedSection::new(&CityChanges::pack(&[new_city()])?)?,
        change_days: Some(EncodedSection::new(&ChangeDays::pack(&dated_changes(), date("2016-06-01"))?)?),
        dates: EncodedSection::new(&Dates::default())?,
        past_rules: EncodedSection::new(&PastRules::pack(&[past_cases()], &[])?)?,
        federal: Some(EncodedSection::new(&grid::federal()?)?),
        shore: Some(EncodedSection::new(&grid::shore(adams)?)?),
    };
    let pages = PageSections {
        records: Records::pack(
            urls.iter().map(|url| website(adams, url)).collect(),
            &mut resources,
            Vec::new(),
        )?,
        names: Names::pack(&known, &resources)?,
        communities: Communities::pack(communities())?,
        // Rivertown lies in both counties of Minnesota.
        place_counties: Some(PlaceCounties::pack(vec![(9, 3), (9, 4)], 0)),
        ..PageSections::default()
    };
    Ok(Contents { ruled, pages })
}

/// Parses an id written in this file.
fn id(text: &str) -> JurisdictionId {
    text.parse().expect("ids of the world are well formed")
}

/// Parses the id of a Census area written in this file.
fn geoid(text: &str) -> Geoid {
    match id(text) {
        JurisdictionId::Census(geoid) => geoid,
        JurisdictionId::Country | JurisdictionId::District(_) => panic!("{text} is the id of a Census unit"),
    }
}

/// The polygons of all areas. Wisconsin's county is from the second source, whose lines are coarser.
fn shapes() -> Vec<Shape> {
    let shape = |id: &str, source: u16, cells: &[Cells]| Shape {
        geoid: geoid(id),
        source,
        scale: [5_000, 500_000][usize::from(source)],
        tiled: source == 0,
        cells: cells.to_vec(),
    };
    vec![
        shape("county:27001", 0, &[(0, 0, 10, 10)]),
        shape("county:27003", 0, &[(10, 0, 20, 10)]),
        shape("county:55019", 1, &[(19, 0, 30, 5), (21, 5, 30, 10)]),
        shape("cousub:2700110000", 0, &[(0, 0, 10, 5)]),
        shape("cousub:2700120000", 0, &[(0, 5, 10, 10)]),
        shape("cousub:2700330000", 0, &[(10, 0, 20, 10)]),
        shape("place:2740000", 0, &[(8, 3, 12, 7)]),
        shape("place:5550000", 0, &[(29, 6, 32, 8)]),
    ]
}

/// Id, name, legal word, number of residents, and a point inside in cells of the grid.
type Known = (&'static str, &'static str, Option<&'static str>, u32, (f64, f64));

const KNOWN: [Known; 11] = [
    ("country:us", "United States", None, 330_000_000, (15.0, 5.0)),
    ("state:27", "Minnesota", None, 5_700_000, (10.0, 5.0)),
    ("state:55", "Wisconsin", None, 5_900_000, (25.0, 5.0)),
    ("county:27001", "Adams County", Some("county"), 12_000, (5.0, 5.5)),
    ("county:27003", "Baker County", Some("county"), 8_000, (15.0, 5.5)),
    ("county:55019", "Clark County", Some("county"), 34_000, (25.0, 5.5)),
    ("cousub:2700110000", "Elm town", Some("town"), 700, (5.0, 2.5)),
    ("cousub:2700120000", "Oak town", Some("town"), 900, (5.0, 7.5)),
    ("cousub:2700330000", "Pine town", Some("town"), 400, (15.0, 2.5)),
    ("place:2740000", "Rivertown", Some("city"), 5_000, (9.0, 5.0)),
    ("place:5550000", "Port", Some("city"), 3_000, (29.5, 7.0)),
];

fn known() -> Vec<NewJurisdiction> {
    let new = |(text, name, legal_type, population, (x, y)): Known| {
        let id = id(text);
        NewJurisdiction {
            name: name.to_owned(),
            legal_type: legal_type.map(str::to_owned),
            ocd_id: None,
            same_as: Vec::new(),
            population,
            point: Some(point(x, y)),
            bbox: shapes().iter().find(|shape| JurisdictionId::Census(shape.geoid) == id).map(Shape::bbox),
            source: u16::from(text == "county:55019"),
            vintage: 2020,
            func_stat: FuncStat::Active,
            area_off_percent: if text == LARGE_TOWN { 18 } else { 0 },
            id,
        }
    };
    KNOWN.into_iter().map(new).collect()
}

fn meta() -> Meta {
    let source = |name: &str, scale: u32| SourceRecord {
        name: name.to_owned(),
        url: "https://example.gov/lines".to_owned(),
        publisher: "Bureau of Invention".to_owned(),
        official: true,
        retrieved_at: "2026-01-01".to_owned(),
        license_class: LicenseClass::Open as u8,
        vintage: 2020,
        scale,
        digest: "none".to_owned(),
        simplified_m: 0,
    };
    let coverage = |layer: Layer, fips: u8, coverage: Coverage| CoverageRow {
        layer: layer as u8,
        state: fips,
        coverage: coverage as u8,
        source: 0,
        with_boundary: 1,
        named_only: 0,
    };
    Meta {
        as_of: AS_OF.to_owned(),
        pipeline_version: "invented".to_owned(),
        sources: vec![source("Fine lines", 5_000), source("Coarse lines", 500_000)],
        coverage: vec![
            coverage(Layer::Cousub, 27, Coverage::Complete),
            coverage(Layer::Cousub, 55, Coverage::Missing),
            coverage(Layer::Place, 27, Coverage::Complete),
        ],
        ..Meta::default()
    }
}

/// Communities: one in Baker County, one in Oak town, and two of the same name in two other towns. `body` is a row of
/// the jurisdictions, in the order of ids.
fn communities() -> Vec<NewCommunity> {
    let of =
        |(name, body): (&str, u32)| NewCommunity { name: name.to_owned(), body, state: 27, known: false };
    [("Millbrook", 4), ("The Hollow", 7), ("Twin Pines", 6), ("Twin Pines", 8)].map(of).to_vec()
}

fn new_city() -> NewCityChange {
    NewCityChange {
        name: "Newtown".to_owned(),
        what: NewCityFate::Began(NewCityLand::Round { middle: point(3.0, 8.0), reach_m: 500 }),
        year: Some(2023),
        source: 0,
    }
}

/// City changes with their days: Newtown and two other cities without outlines, and two mapped cities.
fn dated_changes() -> Vec<NewDatedChange> {
    let round = |x: f64| NewCityLand::Round { middle: point(x, 8.0), reach_m: 500 };
    let change = |name: &str, what, first: &str, last: &str| NewDatedChange {
        change: NewCityChange { name: name.to_owned(), what, year: None, source: 0 },
        days: (date(first), date(last)),
    };
    let newtown = NewDatedChange { change: new_city(), days: (date("2023-04-01"), date("2023-04-01")) };
    vec![
        newtown,
        change("Oldtown", NewCityFate::Left(round(5.0), "Oak town".to_owned()), "2018-07-01", "2018-07-01"),
        change("Midtown", NewCityFate::Began(round(13.0)), "2019-01-01", "2022-01-01"),
        change(
            "Rivertown",
            NewCityFate::BeganMapped(2_740_000, "Pine town".to_owned()),
            "2017-05-01",
            "2017-05-01",
        ),
        change("Port", NewCityFate::Joined(5_550_000, "Harbor".to_owned()), "2020-02-01", "2020-02-01"),
    ]
}

/// Parses a day written in this file.
fn date(text: &str) -> Date {
    text.parse().expect("days of the world are well formed")
}

fn website(jurisdiction: u32, url: &str) -> NewWebsite {
    NewWebsite {
        jurisdiction,
        functions: FunctionSet::default(),
        office: String::new(),
        url: url.to_owned(),
        phone: "555-0100".to_owned(),
        email: String::new(),
        address: String::new(),
        source: 0,
        status: VerifiedStatus::NotYetVerified,
    }
}

fn map(jurisdiction: u32) -> NewResource {
    let url = "https://adams.example.gov/map";
    NewResource {
        id: RecordId::of(&resource_key(&id("county:27001"), url)),
        jurisdiction,
        topics: [Topic::ParcelMap].into_iter().collect(),
        name: "Adams County parcel map".to_owned(),
        description: String::new(),
        url: url.to_owned(),
        template: String::new(),
        publisher: "Adams County".to_owned(),
        provider: String::new(),
        source: 0,
        official: true,
        page_use: PageUse::Act,
        actions: ActionSet::default(),
        status: VerifiedStatus::NotYetVerified,
        kind: SourceKind::Curated,
    }
}

/// The state file of Minnesota.
pub(crate) fn state_file() -> StateFile {
    StateFile {
        rules: StateRules {
            state: StateCode::from_fips(27).expect("Minnesota has this code"),
            cousub_word: Some("town".to_owned()),
            counties: Governing::default(),
            cousubs: Governing::default(),
            places: Governing::default(),
            functions: Function::ALL.map(rule).to_vec(),
            districts: Vec::new(),
            per_county: Vec::new(),
        },
        sources: vec![0],
        checked: "2026-01-01".to_owned(),
        summary: vec!["Counties do nearly everything.".to_owned()],
        quirks: Vec::new(),
    }
}

/// Until 2020 the state kept the deeds of Adams County.
fn past_cases() -> PastCases {
    let mut case = rule(Function::Recording).cases.remove(0);
    case.when.counties = vec![geoid("county:27001")];
    case.by = Performer::State;
    case.office = Some("State office of deeds".to_owned());
    case.why = "Until 2020 the state kept the deeds.".to_owned();
    let past = PastCase { function: Function::Recording, until: 20_200_101, case };
    PastCases { state: state_file().rules.state, cases: vec![past] }
}

fn rule(function: Function) -> FunctionRule {
    let case = |by: Performer, in_place: Option<bool>, why: &str| Case {
        when: Conditions { in_place, ..Conditions::default() },
        unless: Conditions::default(),
        by,
        office: Some(format!("Office of {}", function.as_str().replace('_', " "))),
        role: Role::Primary,
        levy_scope: None,
        why: why.to_owned(),
        statute: None,
        source: 0,
        confidence: Confidence::High,
    };
    let city = case(Performer::Place, Some(true), "Inside {place} the city zones.");
    let county = case(Performer::County, None, "{county} does this.");
    FunctionRule {
        function,
        office: "The office".to_owned(),
        level: Some(Level::County),
        place_words: "the courthouse".to_owned(),
        note: None,
        summary: Vec::new(),
        cases: if function == Function::Zoning { vec![city, county] } else { vec![county] },
        also: Vec::new(),
    }
}

fn guide() -> Guide {
    let section = GuideSection { heading: "Where".to_owned(), text: vec!["At the county.".to_owned()] };
    Guide {
        topic: Topic::Assessor,
        title: "Property assessment".to_owned(),
        summary: "Ask the county.".to_owned(),
        sections: vec![section],
        also: vec![Topic::TaxCollector],
        checked: "2026-01-01".to_owned(),
    }
}

#[cfg(test)]
mod tests;
