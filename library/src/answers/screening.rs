//! Screening facts at a point, each with the office that decides.

use std::borrow::Cow;

use super::{
    Answers, Finding, Found, Lookup, Notice, OutsideSource, Parameter, RawParameters, Refusal, Remarks,
    Request, Spot, Territory,
    at_point::AtPoint,
    model::{Answer, Data, Fact, Facts, Screened},
    notices::point_notices,
    parameters,
    resolve::{self, parse_point},
};
use crate::{
    directory::{Chain, Directory, Resolution, Row},
    geometry::LonLat,
    vocabulary::{FactKey, FactStatus, Function, FunctionSet, LicenseClass, StateCode, Topic},
};

/// The parameters of `/screening`.
pub const PARAMETERS: &[Parameter] = &[parameters::LAT.required(), parameters::LON.required()];

/// Resources shown with a fact.
const RESOURCES_MAX: usize = 4;

/// The one state whose shorelands are looked up.
const SHORELAND_STATE: &str = "MN";

/// What is known of a kind of fact before it is looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct FactKind {
    /// What a person calls it, as the beginning of a sentence.
    pub name: &'static str,
    /// The data that the fact is usually read from.
    pub source: OutsideSource,
    /// What the fact is not.
    pub caveat: &'static str,
    /// Who decides, in plain words.
    pub decider: &'static str,
    /// The function whose office decides, where a local one does.
    pub function: Option<Function>,
    /// The topic of the pages that confirm it.
    pub topic: Option<Topic>,
}

/// Data of the federal government, which is in the public domain, or of a state that publishes it as openly.
const fn published(name: &'static str, url: &'static str, publisher: &'static str) -> OutsideSource {
    OutsideSource {
        name: Cow::Borrowed(name),
        url: Cow::Borrowed(url),
        publisher: Cow::Borrowed(publisher),
        official: true,
        license_class: LicenseClass::Open,
    }
}

static FLOOD: FactKind = FactKind {
    name: "The flood zone",
    source: published(
        "National Flood Hazard Layer",
        "https://www.fema.gov/flood-maps/national-flood-hazard-layer",
        "Federal Emergency Management Agency",
    ),
    caveat: "Screening only, for this exact point; not a flood zone determination.",
    decider: "FEMA makes and amends the flood maps. The local office that issues permits applies them to what is \
              built on the land.",
    function: Some(Function::Permits),
    topic: Some(Topic::Floodplain),
};

static WETLANDS: FactKind = FactKind {
    name: "Wetlands",
    source: published(
        "National Wetlands Inventory",
        "https://www.fws.gov/program/national-wetlands-inventory",
        "U.S. Fish and Wildlife Service",
    ),
    caveat: "Screening only, for this exact point; the inventory does not say where wetland law applies.",
    decider: "The U.S. Army Corps of Engineers decides which wetlands federal law covers. States and local \
              governments may have rules of their own.",
    function: None,
    topic: Some(Topic::Wetlands),
};

static SOILS: FactKind = FactKind {
    name: "The soil",
    source: published(
        "Soil Survey Geographic Database (SSURGO)",
        "https://sdmdataaccess.sc.egov.usda.gov/",
        "USDA Natural Resources Conservation Service",
    ),
    caveat: "Screening only, for this exact point; a soil map does not replace a test on the site.",
    decider: "Whether the soil is fit for a building or a septic system is decided on the site, under the rules of \
              the office that issues the permit.",
    function: Some(Function::Permits),
    topic: Some(Topic::Soils),
};

static ELEVATION: FactKind = FactKind {
    name: "The elevation",
    source: published(
        "3D Elevation Program",
        "https://www.usgs.gov/3d-elevation-program",
        "U.S. Geological Survey",
    ),
    caveat: "Screening only, for this exact point; not a survey.",
    decider: "Where an elevation must be certified, a licensed surveyor, engineer or architect measures it.",
    function: None,
    topic: Some(Topic::Elevation),
};

static SHORELAND: FactKind = FactKind {
    name: "Shoreland",
    source: published(
        "Public Waters Inventory",
        "https://gisdata.mn.gov/dataset/water-mn-public-waters",
        "Minnesota Department of Natural Resources",
    ),
    caveat: "Screening only, for this exact point; not a zoning decision.",
    decider: "The local zoning office applies the shoreland rules.",
    function: Some(Function::Zoning),
    topic: None,
};

static RADON: FactKind = FactKind {
    name: "The radon zone",
    source: published(
        "EPA Map of Radon Zones",
        "https://www.epa.gov/radon/epa-map-radon-zones",
        "U.S. Environmental Protection Agency",
    ),
    caveat: "Screening only, for the county as a whole; only a test tells the radon level of a building.",
    decider: "No office decides: a test of the building is what counts.",
    function: None,
    topic: None,
};

impl FactKind {
    /// The kind of this key.
    pub fn of(key: FactKey) -> &'static FactKind {
        match key {
            FactKey::Flood => &FLOOD,
            FactKey::Wetlands => &WETLANDS,
            FactKey::Soils => &SOILS,
            FactKey::Elevation => &ELEVATION,
            FactKey::Shoreland => &SHORELAND,
            FactKey::Radon => &RADON,
        }
    }
}

/// Parses a point.
///
/// # Errors
/// `bad-point`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    Ok(Request::Screening { point: parse_point(given.get("lat"), given.get("lon"))? })
}

/// What is looked up for a point.
///
/// # Errors
/// `outside-coverage`: nobody outside is asked about a point that has no answer.
pub(super) fn lookup(answers: &Answers, point: LonLat) -> Result<Lookup, Refusal> {
    let chain = covering(answers.directory(), point)?;
    let directory = answers.directory();
    let has_shoreland = has_shoreland(directory, &chain);
    let keys = FactKey::ALL.into_iter().filter(|key| *key != FactKey::Shoreland || has_shoreland).collect();
    let county = directory.id_of(chain.county);
    Ok(Lookup::Facts { spot: Spot { point, county }, keys })
}

/// Answers `/screening`.
///
/// # Errors
/// `outside-coverage`.
pub(super) fn screening(answers: &Answers, point: LonLat, found: Found) -> Result<Answer<'_>, Refusal> {
    let directory = answers.directory();
    let at = AtPoint::of(directory, point)?;
    let chain = &at.chain;
    let mut screener = Screener {
        answers,
        territory: at.territory(directory),
        places: chain.rows().rev().chain(directory.country_row()).collect(),
        remarks: Remarks::default(),
        failed: false,
        unasked: false,
    };
    let Found { facts: findings, looked_up_at, lifetime_s, .. } = found;
    let facts = Facts {
        flood: screener.fact(&FLOOD, findings.flood),
        wetlands: screener.fact(&WETLANDS, findings.wetlands),
        soils: screener.fact(&SOILS, findings.soils),
        elevation: screener.fact(&ELEVATION, findings.elevation),
        shoreland: has_shoreland(directory, chain).then(|| screener.fact(&SHORELAND, findings.shoreland)),
        radon: screener.fact(&RADON, findings.radon),
    };
    let mut notices = vec![Notice::ScreeningOnly];
    notices.extend(screener.failed.then_some(Notice::SomeNotChecked));
    notices.extend(screener.unasked.then_some(Notice::NobodyAsked));
    notices.extend(point_notices(answers, &at, screener.remarks));
    let lineage = chain.rows().collect();
    let answer = answers.answer(Data::Screening(Box::new(Screened { point, lineage, facts })), notices);
    let as_of = looked_up_at.map_or(answer.as_of, Into::into);
    Ok(Answer { as_of, lifetime_s, ..answer })
}

fn covering(directory: &Directory, point: LonLat) -> Result<Chain, Refusal> {
    match directory.resolve(point) {
        Resolution::Inside(chain) => Ok(chain),
        Resolution::Outside => Err(resolve::outside(directory, point)),
    }
}

fn has_shoreland(directory: &Directory, chain: &Chain) -> bool {
    directory.state_of(chain.state).map(StateCode::usps) == Some(SHORELAND_STATE)
}

/// Makes the facts of one answer.
struct Screener<'a> {
    answers: &'a Answers,
    /// Whose offices decide.
    territory: Territory,
    /// Where pages are looked for, the nearest first.
    places: Vec<Row>,
    remarks: Remarks,
    /// Whether a fact could not be checked just now.
    failed: bool,
    /// Whether nobody was asked about a fact.
    unasked: bool,
}

impl<'a> Screener<'a> {
    fn fact<S: FactStatus>(&mut self, kind: &'static FactKind, finding: Option<Finding<S>>) -> Fact<'a, S> {
        self.unasked |= finding.is_none();
        self.failed |= finding.as_ref().is_some_and(|finding| finding.retry_after_s.is_some());
        let decider = kind.function.and_then(|function| self.answers.assignment(self.territory, function));
        decider.iter().for_each(|assignment| self.remarks.add(assignment.remarks));
        let resources = kind.topic.map_or_else(Vec::new, |topic| {
            let directory = self.answers.directory();
            let topics = [topic].into_iter().collect();
            self.remarks.withheld += directory.withheld(&self.places, topics, FunctionSet::default());
            let mut best = directory.resources_for(&self.places, topic);
            best.truncate(RESOURCES_MAX);
            best
        });
        Fact { kind, finding, decider, resources }
    }
}
