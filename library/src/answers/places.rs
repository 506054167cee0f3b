//! Answers `/places/{jurisdiction_id}` and `/resources`: everything on one place, and resources for a place or a point.

use super::{
    Answers, Form, Notice, Paging, Parameter, RawParameters, Refusal, Remarks, Request, Territory, Whose,
    assignments::{bodies_outside, is_state},
    at_point::covering,
    by_name::{lineage, row_of_id},
    cursor::Question,
    model::{Answer, Data, PlaceDetails, ResourceList},
    notices,
    offices::offices_of,
    on_day,
    parameters::{self, LIMIT_AND_CURSOR},
    resolve::parse_point,
};
use crate::{
    directory::{Directory, ResourceView, Row, Scope},
    geometry::LonLat,
    rules::Part,
    vocabulary::{Date, FunctionSet, JurisdictionId, Topic, TopicSet},
};

impl Answers {
    /// Returns the territory of a jurisdiction's own page: its part of a county, or most of a state. Land of a city
    /// that has ended may belong to another city now, so its place is unknown.
    pub fn territory_of(&self, row: Row) -> Territory {
        self.territory_on(row, None)
    }

    /// Returns the territory of a jurisdiction's own page as of a day, if one is given.
    pub fn territory_on(&self, row: Row, date: Option<Date>) -> Territory {
        let directory = self.directory();
        let date = directory.day_of(date);
        let has_ended = match date {
            Some(date) => directory.place_on_day(date, row).is_unsure,
            None => directory.end_of_city(row).is_some(),
        };
        let on_day = |scope: Scope| {
            let past = date.map_or(0, |date| directory.past_cases_on(scope.county, date));
            Scope { past, ..scope }
        };
        match directory.scope_of(row).map(on_day) {
            Some(scope) if has_ended => Territory::Scope(Scope { place: Part::NotAtHand, ..scope }),
            Some(scope) => Territory::Scope(scope),
            None if is_state(directory, row) => Territory::State(row),
            None => Territory::Unruled,
        }
    }
}

/// The parameters of `/places/{jurisdiction_id}`.
pub const PLACE_PARAMETERS: &[Parameter] =
    &[parameters::ID_SEGMENT, LIMIT_AND_CURSOR[0], LIMIT_AND_CURSOR[1], parameters::DATE];

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

/// Parses the parameters of `/places/{jurisdiction_id}`.
///
/// # Errors
/// `bad-parameter`.
pub fn parse_place(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let id = parameters::jurisdiction_id(given.get("jurisdiction_id").unwrap_or_default())?;
    let request = Request::Place { id, paging: parameters::paging(given)? };
    Ok(request.on_day(parameters::date(given)?))
}

/// Parses the parameters of `/resources`.
///
/// # Errors
/// `bad-parameter`, `bad-point`, `unknown-topic`.
pub fn parse_resources(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let [id, lat, lon] = ["jurisdiction_id", "lat", "lon"].map(|name| given.get(name));
    let whose = match (id, lat.is_some() || lon.is_some()) {
        (Some(id), false) => Whose::Jurisdiction(parameters::jurisdiction_id(id)?),
        (None, true) => Whose::Point(parse_point(lat, lon)?),
        (Some(_), true) => {
            return Err(Refusal::bad_parameter("give jurisdiction_id, or lat and lon, not both"));
        }
        (None, false) => {
            return Err(Refusal::bad_parameter("give jurisdiction_id, or lat and lon with a topic"));
        }
    };
    let topic = given.get("topic").map(parameters::topic).transpose()?;
    if topic.is_none() && matches!(whose, Whose::Point(_)) {
        return Err(Refusal::bad_parameter(
            "topic is missing; with lat and lon a topic of /topics is needed",
        ));
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
    date: Option<Date>,
) -> Result<Answer<'a>, Refusal> {
    let directory = answers.directory();
    let place = row_of_id(directory, id)?;
    if let Some(date) = date {
        on_day::check_existed(directory, date, place)?;
    }
    let question =
        Question { text: format!("place {id} {}", paging.limit), snapshot: directory.snapshot_id() };
    let (resources, next_cursor) = question.page(directory.own_resources(place), paging)?;
    let territory = answers.territory_on(place, date);
    let assignments = answers.assignments(territory);
    let offices = offices_of(directory, place);
    let mut remarks = assignments.remarks();
    offices.iter().for_each(|office| remarks.add(office.remarks()));
    remarks.withheld += all_withheld(directory, place);
    let notices = notices::place_notices(answers, place, territory, remarks, date);
    let lineage = lineage(directory, place);
    let counties = directory.counties_of_place(place);
    let details =
        PlaceDetails { place, date, lineage, counties, offices, resources, assignments, next_cursor };
    Ok(answers.answer(Data::Place(details), notices))
}

/// Counts the records of a place that are withheld, for any function or topic.
fn all_withheld(directory: &Directory, place: Row) -> usize {
    directory.withheld(&[place], TopicSet::all(), FunctionSet::all())
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
) -> Result<Answer<'a>, Refusal> {
    let directory = answers.directory();
    let Asked { place, point, scope, mut bodies } = asked(directory, whose)?;
    let mut remarks = Remarks::default();
    let all: Vec<ResourceView<'_>> = match topic {
        Some(topic) => {
            let outside = scope.map(|scope| bodies_outside(directory, scope, topic, &bodies));
            // The place itself stays first, as the contract requires.
            bodies.splice(1..1, outside.unwrap_or_default());
            remarks.withheld =
                directory.withheld(&bodies, [topic].into_iter().collect(), FunctionSet::default());
            directory.resources_for(&bodies, topic)
        }
        None => {
            remarks.withheld = all_withheld(directory, place);
            directory.own_resources(place)
        }
    };
    let text = question_text(whose, topic, paging.limit);
    let (resources, next_cursor) = Question { text, snapshot: directory.snapshot_id() }.page(all, paging)?;
    let land = point.and_then(|point| directory.tribal_land_at(point));
    let tribal = land.map(|land| Notice::TribalLand { land });
    let notices = notices::resource_notices(resources.is_empty(), remarks);
    let in_counties = match (point, topic) {
        (None, Some(topic)) => notices::counties_notice(answers, place, &[topic]),
        _ => None,
    };
    let notices = tribal.into_iter().chain(in_counties).chain(notices).collect();
    let list = ResourceList { place, point, topic, resources, next_cursor };
    Ok(answers.answer(Data::Resources(list), notices))
}

/// Returns a text that identifies a `/resources` request; a cursor is valid only for the text that it was made for.
fn question_text(whose: &Whose, topic: Option<Topic>, limit: usize) -> String {
    let whose = match whose {
        Whose::Jurisdiction(id) => id.to_string(),
        Whose::Point(point) => point.to_string(),
    };
    format!("resources {whose} {} {limit}", topic.map_or("", Topic::as_str))
}

struct Asked {
    /// The jurisdiction that the answer is about.
    place: Row,
    point: Option<LonLat>,
    scope: Option<Scope>,
    /// Jurisdictions whose resources are listed, the nearest first.
    bodies: Vec<Row>,
}

fn asked(directory: &Directory, whose: &Whose) -> Result<Asked, Refusal> {
    match whose {
        Whose::Jurisdiction(id) => {
            let place = row_of_id(directory, id)?;
            let bodies = directory.with_parents(place);
            Ok(Asked { place, point: None, scope: directory.scope_of(place), bodies })
        }
        Whose::Point(point) => {
            let chain = covering(directory, *point)?;
            let scope = directory.scope_of_chain(&chain);
            let bodies: Vec<Row> = chain.rows().rev().chain(directory.country_row()).collect();
            Ok(Asked { place: bodies[0], point: Some(*point), scope: Some(scope), bodies })
        }
    }
}
