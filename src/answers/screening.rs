//! Screening facts at a point, each with the office that decides.

use std::sync::LazyLock;

use super::{
    Answers, Given, Parameter, Refusal, Request,
    functions::{Remarks, one_function},
    lookups::Finding,
    notices::point_notices,
    parameters,
    resolve::{self, parse_point},
    shown::{Shown, point as shown_point},
};
use crate::{
    directory::{Resolution, Row, Scope},
    geometry::LonLat,
    vocabulary::{Function, FunctionSet, StateCode, Topic},
    wire::{Decider, Envelope, Fact, Facts, Notice, Ready, RequestIdSlot, Resource, Screening, Status},
};

/// The parameters of `/screening`.
pub const PARAMETERS: &[Parameter] = &[parameters::LAT.required(), parameters::LON.required()];

/// Resources shown with a fact.
const RESOURCES_MAX: usize = 4;

/// The one state whose shorelands are looked up.
const SHORELAND_STATE: &str = "MN";

/// What is known of a kind of fact before it is looked up.
struct Kind {
    /// What a person calls it.
    name: &'static str,
    dataset: &'static str,
    publisher: &'static str,
    caveat: &'static str,
    /// Who decides, in plain words.
    decider: &'static str,
    /// The function whose office decides, where a local one does.
    function: Option<Function>,
    /// Where to read on.
    topic: Option<Topic>,
}

const FLOOD: Kind = Kind {
    name: "The flood zone",
    dataset: "National Flood Hazard Layer",
    publisher: "Federal Emergency Management Agency",
    caveat: "Screening only, for this exact point; not a flood zone determination.",
    decider: "FEMA makes and amends the flood maps. The local office that issues permits applies them to what is \
              built on the land.",
    function: Some(Function::Permits),
    topic: Some(Topic::Floodplain),
};

const WETLANDS: Kind = Kind {
    name: "Wetlands",
    dataset: "National Wetlands Inventory",
    publisher: "U.S. Fish and Wildlife Service",
    caveat: "Screening only, for this exact point; the inventory does not say where wetland law applies.",
    decider: "The U.S. Army Corps of Engineers decides which wetlands federal law covers. States and local \
              governments may have rules of their own.",
    function: None,
    topic: Some(Topic::Wetlands),
};

const SOILS: Kind = Kind {
    name: "The soil",
    dataset: "Soil Survey Geographic Database (SSURGO)",
    publisher: "USDA Natural Resources Conservation Service",
    caveat: "Screening only, for this exact point; a soil map does not replace a test on the site.",
    decider: "Whether the soil is fit for a building or a septic system is decided on the site, under the rules of \
              the office that issues the permit.",
    function: Some(Function::Permits),
    topic: Some(Topic::Soils),
};

const ELEVATION: Kind = Kind {
    name: "The elevation",
    dataset: "3D Elevation Program",
    publisher: "U.S. Geological Survey",
    caveat: "Screening only, for this exact point; not a survey.",
    decider: "Where an elevation must be certified, a licensed surveyor, engineer or architect measures it.",
    function: None,
    topic: Some(Topic::Elevation),
};

const SHORELAND: Kind = Kind {
    name: "Shoreland",
    dataset: "Public Waters Inventory",
    publisher: "Minnesota Department of Natural Resources",
    caveat: "Screening only, for this exact point; not a zoning decision.",
    decider: "The local zoning office applies the shoreland rules.",
    function: Some(Function::Zoning),
    topic: None,
};

const RADON: Kind = Kind {
    name: "The radon zone",
    dataset: "EPA Map of Radon Zones",
    publisher: "U.S. Environmental Protection Agency",
    caveat: "Screening only, for the county as a whole; only a test tells the radon level of a building.",
    decider: "No office decides: a test of the building is what counts.",
    function: None,
    topic: None,
};

static SCREENING_ONLY: LazyLock<Ready<str>> = LazyLock::new(|| {
    Ready::of(
        "Screening facts are never an official determination and hold for this exact point only. The office named \
         with a fact has the final say.",
    )
});

static NOT_CHECKED: LazyLock<Ready<str>> =
    LazyLock::new(|| Ready::of("Facts with the status unknown could not be checked; ask again later."));

/// Parses a point.
///
/// # Errors
/// `bad-point`.
pub fn parse(given: &Given<'_>) -> Result<Request, Refusal> {
    Ok(Request::Screening { point: parse_point(given.get("lat"), given.get("lon"))? })
}

/// Answers `/screening`.
///
/// # Errors
/// `outside-coverage`.
pub(super) fn screening(answers: &Answers, point: LonLat) -> Result<Envelope<'_, Screening<'_>>, Refusal> {
    let directory = &answers.directory;
    let Resolution::Inside(chain) = directory.resolve(point) else {
        return Err(resolve::outside(directory, point));
    };
    let mut shown = Shown::new(answers);
    let jurisdictions = chain.rows().map(|row| shown.jurisdiction(row)).collect();
    let places = chain.rows().rev().chain(directory.country_row()).collect();
    let scope = directory.scope_of_chain(&chain);
    let mut screener =
        Screener { answers, scope, places, shown, remarks: Remarks::default(), unchecked: false };
    let has_shoreland = directory.state_of(chain.state).map(StateCode::usps) == Some(SHORELAND_STATE);
    let found = answers.lookups.screen(point);
    let facts = Facts {
        flood: screener.fact(&FLOOD, found.flood),
        wetlands: screener.fact(&WETLANDS, found.wetlands),
        soils: screener.fact(&SOILS, found.soils),
        elevation: screener.fact(&ELEVATION, found.elevation),
        shoreland: has_shoreland.then(|| screener.fact(&SHORELAND, found.shoreland)),
        radon: screener.fact(&RADON, found.radon),
    };
    let Screener { shown, remarks, unchecked, .. } = screener;
    let mut notices = vec![Notice::Standing(&SCREENING_ONLY)];
    notices.extend(unchecked.then_some(Notice::Standing(&NOT_CHECKED)));
    notices.extend(point_notices(answers, &chain, &directory.borders(point, &chain), &remarks));
    Ok(Envelope {
        data: Screening { kind: "screening", point: shown_point(point), jurisdictions, facts },
        sources: shown.into_sources(&remarks),
        as_of: directory.as_of(),
        request_id: RequestIdSlot,
        notices,
    })
}

/// Makes the facts of one answer.
struct Screener<'a> {
    answers: &'a Answers,
    /// Whose offices decide.
    scope: Scope,
    /// Where pages are looked for, the nearest first.
    places: Vec<Row>,
    shown: Shown<'a>,
    remarks: Remarks,
    /// Whether a fact could not be checked.
    unchecked: bool,
}

impl<'a> Screener<'a> {
    fn fact<S: Status>(&mut self, kind: &Kind, found: Option<Finding<S>>) -> Fact<'a, S> {
        self.unchecked |= found.is_none();
        let finding = found.unwrap_or_else(|| Finding {
            status: S::UNKNOWN,
            summary: format!("{} could not be checked.", kind.name),
            detail: None,
            values: Default::default(),
            as_of: None,
        });
        let office = kind
            .function
            .and_then(|function| one_function(self.answers, self.scope, function, &mut self.remarks));
        Fact {
            status: finding.status,
            summary: finding.summary,
            detail: finding.detail,
            values: finding.values,
            dataset: kind.dataset,
            publisher: kind.publisher,
            as_of: finding.as_of,
            caveat: kind.caveat,
            decided_by: Decider { description: kind.decider, function: kind.function, office },
            resources: kind.topic.map_or_else(Vec::new, |topic| self.resources(topic)),
        }
    }

    fn resources(&mut self, topic: Topic) -> Vec<&'a Ready<Resource<'static>>> {
        let directory = &self.answers.directory;
        let topics = [topic].into_iter().collect();
        self.remarks.withheld += directory.withheld(&self.places, topics, FunctionSet::default());
        let found = directory.resources_for(&self.places, topic);
        found.iter().take(RESOURCES_MAX).map(|view| self.shown.resource(view)).collect()
    }
}
