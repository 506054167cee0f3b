//! Everything on one place, and resources for a place or a point.

use super::{
    Answers, Form, Given, Paging, Parameter, Refusal, Request,
    cursor::Question,
    functions::{Remarks, bodies_outside, functions, office, state_functions},
    notices,
    parameters::{self, LIMIT_AND_CURSOR},
    resolve::parse_point,
    shown::{Shown, point as shown_point},
};
use crate::{
    directory::{Directory, Lookup, Resolution, ResourceView, Row, Scope},
    geometry::LonLat,
    vocabulary::{FunctionSet, JurisdictionId, JurisdictionType, Layer, Topic, TopicSet},
    wire::{
        Envelope, Functions, Office, PlacePage, ProblemKind, Ready, ReadyEntry, ReadyFunctions,
        RequestIdSlot, ResourcePage, Shared,
    },
};

/// The parameters of `/places/{jurisdiction_id}`.
pub const PLACE_PARAMETERS: &[Parameter] =
    &[parameters::ID_SEGMENT, LIMIT_AND_CURSOR[0], LIMIT_AND_CURSOR[1]];

/// The parameters of `/resources`.
pub const RESOURCES_PARAMETERS: &[Parameter] = &[
    parameters::ID,
    parameters::LAT,
    parameters::LON,
    Parameter::query("topic", 40, "A topic of /topics; needed with lat and lon")
        .of(Form::Topic, "parcel_map"),
    LIMIT_AND_CURSOR[0],
    LIMIT_AND_CURSOR[1],
];

/// Whose resources are asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Whose {
    /// A jurisdiction's.
    Jurisdiction(JurisdictionId),
    /// A point's.
    Point(LonLat),
}

/// Parses the parameters of `/places/{jurisdiction_id}`.
///
/// # Errors
/// `bad-parameter`.
pub fn parse_place(given: &Given<'_>) -> Result<Request, Refusal> {
    let id = parameters::jurisdiction_id(given.get("jurisdiction_id").unwrap_or_default())?;
    Ok(Request::Place { id, paging: parameters::paging(given)? })
}

/// Parses the parameters of `/resources`.
///
/// # Errors
/// `bad-parameter`, `bad-point`, `unknown-topic`.
pub fn parse_resources(given: &Given<'_>) -> Result<Request, Refusal> {
    let [id, lat, lon] = ["jurisdiction_id", "lat", "lon"].map(|name| given.get(name));
    let whose = match (id, lat.is_some() || lon.is_some()) {
        (Some(id), false) => Whose::Jurisdiction(parameters::jurisdiction_id(id)?),
        (None, true) => Whose::Point(parse_point(lat, lon)?),
        (Some(_), true) => return Err(parameters::bad("give jurisdiction_id, or lat and lon, not both")),
        (None, false) => return Err(parameters::bad("give jurisdiction_id, or lat and lon with a topic")),
    };
    let topic = given.get("topic").map(parameters::topic).transpose()?;
    if topic.is_none() && matches!(whose, Whose::Point(_)) {
        return Err(parameters::bad("topic is missing; with lat and lon a topic of /topics is needed"));
    }
    Ok(Request::Resources { whose, topic, paging: parameters::paging(given)? })
}

/// Answers `/places/{jurisdiction_id}`.
///
/// # Errors
/// `unknown-jurisdiction`, `bad-cursor`.
pub(super) fn place<'a>(
    answers: &'a Answers,
    id: &JurisdictionId,
    paging: &Paging,
) -> Result<Envelope<'a, PlacePage<'a>>, Refusal> {
    let directory = &answers.directory;
    let row = found(directory, id)?;
    let mut shown = Shown::new(answers);
    let jurisdiction = shown.jurisdiction(row);
    let chain = chain(directory, row).into_iter().map(|row| shown.jurisdiction(row)).collect();
    let mut remarks = Remarks::default();
    let scope = directory.scope_of(row);
    let functions = functions_of(answers, row, scope, &mut remarks);
    let offices = offices(answers, row, &mut remarks);
    let own = directory.own_resources(row);
    remarks.withheld += directory.withheld(&[row], TopicSet(u32::MAX), FunctionSet(u8::MAX));
    let question =
        Question { text: format!("place {id} {}", paging.limit), snapshot: directory.snapshot_id() };
    let (page, next_cursor) = question.page(own, paging)?;
    let resources = page.iter().map(|view| shown.resource(view)).collect();
    Ok(Envelope {
        data: PlacePage { jurisdiction, chain, offices, resources, functions, next_cursor },
        notices: notices::place_notices(answers, row, scope, &remarks),
        sources: shown.into_sources(&remarks),
        as_of: directory.as_of(),
        request_id: RequestIdSlot,
    })
}

pub(super) fn functions_of(
    answers: &Answers,
    row: Row,
    scope: Option<Scope>,
    remarks: &mut Remarks,
) -> ReadyFunctions {
    match (scope, answers.directory.jurisdiction(row).kind) {
        (Some(scope), _) => {
            let piece = functions(answers, scope);
            remarks.add(&piece.remarks);
            piece.shape.clone()
        }
        (None, JurisdictionType::Layer(Layer::State)) => state_functions(answers, row, remarks),
        (None, _) => Shared::of(&Functions::<ReadyEntry>::of(|_| None)),
    }
}

/// The offices that the rules name at a government, each title once, under the id that they name.
fn offices(answers: &Answers, row: Row, remarks: &mut Remarks) -> Vec<Ready<Office<'static>>> {
    let jobs = answers.directory.jobs_of(row);
    let mut known: Vec<(Row, &str, FunctionSet)> = Vec::new();
    for job in jobs.iter() {
        let body = job.body.as_ref().and_then(|id| answers.directory.found(id));
        let Some((body, title)) = body.zip(job.office.as_deref()) else { continue };
        match known.iter_mut().find(|office| (office.0, office.1) == (body, title)) {
            Some((.., functions)) => functions.insert(job.function),
            None => known.push((body, title, [job.function].into_iter().collect())),
        }
    }
    let made =
        known.into_iter().map(|(body, title, set)| Ready::of(&office(answers, body, title, set, remarks)));
    made.collect()
}

/// What a jurisdiction lies in, largest first, itself at the end; the nation only where it is asked for.
pub(super) fn chain(directory: &Directory, row: Row) -> Vec<Row> {
    let mut rows = directory.with_parents(row);
    rows.retain(|other| *other == row || Some(*other) != directory.country_row());
    rows.reverse();
    rows
}

/// Answers `/resources`.
///
/// # Errors
/// `unknown-jurisdiction`, `outside-coverage`, `bad-cursor`.
pub(super) fn resources<'a>(
    answers: &'a Answers,
    whose: &Whose,
    topic: Option<Topic>,
    paging: &Paging,
) -> Result<Envelope<'a, ResourcePage<'a>>, Refusal> {
    let directory = &answers.directory;
    let Asked { row, point, scope, mut places } = asked(answers, whose)?;
    let mut remarks = Remarks::default();
    let found: Vec<ResourceView<'_>> = match topic {
        Some(topic) => {
            let outside = scope.map(|scope| bodies_outside(directory, scope, topic, &places));
            // After the place's own, which the contract puts first.
            places.splice(1..1, outside.unwrap_or_default());
            remarks.withheld =
                directory.withheld(&places, [topic].into_iter().collect(), FunctionSet::default());
            directory.resources_for(&places, topic)
        }
        None => {
            remarks.withheld = directory.withheld(&[row], TopicSet(u32::MAX), FunctionSet(u8::MAX));
            directory.own_resources(row)
        }
    };
    let text = format!("resources {whose:?} {topic:?} {}", paging.limit);
    let (page, next_cursor) = Question { text, snapshot: directory.snapshot_id() }.page(found, paging)?;
    let mut shown = Shown::new(answers);
    let jurisdiction = shown.jurisdiction(row);
    let resources: Vec<_> = page.iter().map(|view| shown.resource(view)).collect();
    Ok(Envelope {
        notices: notices::resource_notices(resources.is_empty(), &remarks),
        data: ResourcePage { jurisdiction, point: point.map(shown_point), topic, resources, next_cursor },
        sources: shown.into_sources(&remarks),
        as_of: directory.as_of(),
        request_id: RequestIdSlot,
    })
}

struct Asked {
    /// The jurisdiction that the answer is about.
    row: Row,
    point: Option<LonLat>,
    scope: Option<Scope>,
    /// Where to look, the nearest first.
    places: Vec<Row>,
}

fn asked(answers: &Answers, whose: &Whose) -> Result<Asked, Refusal> {
    let directory = &answers.directory;
    match whose {
        Whose::Jurisdiction(id) => {
            let row = found(directory, id)?;
            let places = directory.with_parents(row);
            Ok(Asked { row, point: None, scope: directory.scope_of(row), places })
        }
        Whose::Point(point) => {
            let Resolution::Inside(chain) = directory.resolve(*point) else {
                return Err(super::resolve::outside(directory, *point));
            };
            let scope = directory.scope_of_chain(&chain);
            let places: Vec<Row> = chain.rows().rev().chain(directory.country_row()).collect();
            Ok(Asked { row: places[0], point: Some(*point), scope: Some(scope), places })
        }
    }
}

/// The row of an id.
///
/// # Errors
/// `unknown-jurisdiction`; with the ids that took the place of a retired one.
fn found(directory: &Directory, id: &JurisdictionId) -> Result<Row, Refusal> {
    let detail = match directory.lookup(id) {
        Lookup::Found(row) => return Ok(row),
        Lookup::Replaced(rows) => {
            let new: Vec<String> =
                rows.iter().map(|row| directory.jurisdiction(*row).id.to_string()).collect();
            format!("{id} is no longer in use; its area is now {}", new.join(", "))
        }
        Lookup::Unknown => format!("no jurisdiction has the id {id}"),
    };
    Err(Refusal::new(ProblemKind::UnknownJurisdiction, detail))
}
