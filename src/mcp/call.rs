//! Calls a tool: makes an operation's request from the arguments, and the tool's result from the answer.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    Setting, about,
    arguments::{self, Given},
    brief,
    fault::{Fault, word},
    prefer, property, related,
    reply::ToolResult,
    run::parsed,
    several,
    text::{self, Shape},
    tools::{self, Tool},
};
use crate::{
    edition::Edition,
    encode::{BodyParts, Detail},
    operations::{Operation, RESOLVE},
};
use platbook::{
    answers::{Answer, Choice, Data, Matched, Refusal, Request, Resolved},
    directory::FEW_PLACES_MAX,
    vocabulary::{FunctionSet, ProblemKind, Topic},
    words::{English, Phrase, Units, Words as _},
};

/// Calls a tool. A refusal of the operation becomes a result that explains it, so that the model can react.
///
/// # Errors
/// Fails if the caller has no calls left, or there is no such tool.
pub(super) async fn call(
    setting: &mut Setting<'_>,
    params: &Map<String, Value>,
) -> Result<ToolResult, Fault> {
    setting.access.admit().await.map_err(|refusal| Fault::too_many(refusal.detail))?;
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| Fault::invalid_params("name must be the text of a tool's name"))?;
    let tool = tools::find(name).ok_or_else(|| {
        let known: Vec<&str> = tools::TOOLS.iter().map(|tool| tool.name).collect();
        Fault::invalid_params(format!("Unknown tool: {}; there are {}", word(name), known.join(", ")))
    })?;
    let none = Map::new();
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(Fault::invalid_params("arguments must be an object")),
    };
    let answered = match tool.operation() {
        Some(operation) => ask(setting, tool, operation, arguments).await,
        None => property::facts(setting, tool, arguments).await,
    };
    Ok(answered.unwrap_or_else(|refusal| {
        let jobs = wanted_jobs(tool, arguments);
        ToolResult { text: refused(setting.edition, &refusal, jobs), structured: None }
    }))
}

/// Runs the operation of a tool.
async fn ask(
    setting: &mut Setting<'_>,
    tool: &Tool,
    operation: &'static Operation,
    arguments: &Map<String, Value>,
) -> Result<ToolResult, Refusal> {
    let given = arguments::given(tool, arguments)?;
    let detail = arguments::detail(tool, arguments)?;
    let mut shape = Shape { detail, only: arguments::jobs(tool, arguments)? };
    let ids = arguments::several(tool, arguments)?;
    match (arguments::points(tool, arguments)?, ids) {
        (Some(_), Some(_)) => {
            return Err(Refusal::bad_parameter("several places: give points or jurisdiction_ids, not both"));
        }
        (Some(points), None) => return several::at_points(setting.edition, given, points, shape.only),
        (None, Some(ids)) if tool.takes_jobs() => {
            return several::of_ids(setting.edition, given, &ids, shape.only);
        }
        (None, Some(ids)) => return several::compare(setting.edition, operation, given, &ids),
        (None, None) => {}
    }
    let (place_by, mut own): (Given<'_>, Given<'_>) =
        given.into_iter().partition(|(name, _)| tool.is_place_by(name));
    let mut remarks = Vec::new();
    if !place_by.is_empty() {
        if let Some((name, _)) = own.iter().find(|(name, _)| ["jurisdiction_id", "lat", "lon"].contains(name))
        {
            return Err(Refusal::bad_parameter(format!(
                "several places: give {name} or {}, not both",
                place_by[0].0
            )));
        }
        let place = place_of(setting, place_by, wanted_jobs(tool, arguments)).await?;
        own.extend(place.named);
        remarks = place.remarks;
    }
    let is_given = |wanted: &str| own.iter().any(|(name, _)| *name == wanted);
    if let Some(limit) = tool.limit().filter(|_| !is_given("limit")) {
        // A cursor is valid only with the limit of its list. `related::ask_all` sets this limit for lists of pages.
        let limit = if tool.several_max() > 0 && is_given("cursor") { related::FROM } else { limit };
        own.push(("limit", Cow::Owned(limit.to_string())));
    }
    let mut request = parsed(operation, &own)?;
    let chosen = related::ask_all(&mut request);
    let (mut answer, remark) = prefer::answer(setting, &request, shape.only).await?;
    remarks.extend(remark);
    let edition = setting.edition;
    if let (Some(limit), Data::Resources(list)) = (chosen, &mut answer.data) {
        remarks.extend(related::choose(edition.answers(), list, limit));
    }
    if let (Detail::Short, Data::Ask(asked)) = (detail, &mut answer.data) {
        related::prefer_local(edition.answers().directory(), &mut asked.matches);
        // For a text that names tasks, only the offices for these tasks are shown.
        shape.only = FunctionSet::of_topics(&asked.reading.topics);
    }
    if let Some((_, text)) = own.iter().find(|(name, _)| *name == "q") {
        remarks.extend(about::about(edition, text, &mut answer));
    }
    if let (Request::Search { limit, .. }, Data::Search(matches)) = (&request, &answer.data)
        && matches.places.len() >= *limit
    {
        remarks.push(English.phrase(Phrase::PlacesShown(*limit)));
    }
    let text = text::render(edition, &English, &answer, &remarks, shape);
    let whole = edition.encode_as(&answer, detail, &English).fill(setting.request_id);
    Ok(ToolResult { text, structured: Some(in_shape(edition, &answer, whole, shape)) })
}

/// Returns the structured content of an answer, full or short. It contains the jobs that are shown, with their
/// sources.
fn in_shape(
    edition: &Edition,
    answer: &Answer<'_>,
    whole: BodyParts,
    Shape { detail, only }: Shape,
) -> BodyParts {
    if detail == Detail::Full && only.is_empty() {
        return whole;
    }
    let whole = whole.into_contiguous();
    let read = match detail {
        Detail::Full => serde_json::from_slice(&whole).ok(),
        Detail::Short => brief::of(&whole),
    };
    let Some(mut value) = read else { return whole.into() };
    brief::keep_jobs(&mut value, only);
    if !only.is_empty() {
        let directory = edition.answers().directory();
        let cited = edition.answers().sources_on(answer, only);
        brief::keep_sources(&mut value, |name| cited.iter().any(|source| source.name(directory) == name));
    }
    BodyParts::from(value.to_string())
}

/// A place that the call names by address or name.
struct Place {
    /// The arguments that name the place in an operation's request.
    named: Given<'static>,
    /// Sentences on how the place was found, for the reader.
    remarks: Vec<String>,
}

/// Finds the place by `resolve_jurisdiction`: an address gives a point, a name gives a government.
async fn place_of(
    setting: &mut Setting<'_>,
    place_by: Given<'_>,
    jobs: FunctionSet,
) -> Result<Place, Refusal> {
    let request = parsed(&RESOLVE, &place_by)?;
    let (answer, remark) = prefer::answer(setting, &request, jobs).await?;
    let directory = setting.edition.answers().directory();
    let Data::Resolve(Resolved { matched, point, .. }) = &answer.data else {
        unreachable!("resolving gives what was resolved")
    };
    let named: Given<'static> = match (matched, point) {
        (Matched::Name { place }, _) => {
            vec![("jurisdiction_id", Cow::Owned(directory.id_of(*place).to_string()))]
        }
        (_, Some(point)) => vec![
            ("lat", Cow::Owned(point.lat_degrees().to_string())),
            ("lon", Cow::Owned(point.lon_degrees().to_string())),
        ],
        (_, None) => unreachable!("a point or an address has a point"),
    };
    let mut remarks = Vec::new();
    if let Matched::Address { found, .. } = matched {
        remarks.push(English.phrase(Phrase::AddressRead(found)));
    }
    let is_address = !remarks.is_empty();
    remarks.extend(remark);
    // Other notices are omitted here, because the answer of the operation has them, too.
    let said = answer.notices.iter().filter(|notice| is_address || notice.is_on_name());
    remarks.extend(said.map(|notice| English.notice(notice, directory, Units::Both)));
    Ok(Place { named, remarks })
}

/// Returns the jobs that a call requests by its functions or its topic. Empty if the call names neither, or an
/// unknown one.
fn wanted_jobs(tool: &Tool, arguments: &Map<String, Value>) -> FunctionSet {
    let topic = arguments.get("topic").and_then(Value::as_str).and_then(Topic::from_word);
    FunctionSet::of_topics(&topic)
        .iter()
        .chain(arguments::jobs(tool, arguments).unwrap_or_default().iter())
        .collect()
}

/// Returns the refusal as text: the detail of REST's problem, advice for a model, and choices. Each of a few choices
/// has the offices for the jobs, so that a model can show them all and let its user choose.
fn refused(edition: &Edition, refusal: &Refusal, jobs: FunctionSet) -> String {
    let mut text = format!("{}: {}.", refusal.kind.slug(), refusal.detail.trim_end_matches('.'));
    if let Some(advice) = advice(refusal.kind) {
        text.push(' ');
        text.push_str(&advice);
    }
    let directory = edition.answers().directory();
    let has_offices = !jobs.is_empty() && refusal.choices.len() <= FEW_PLACES_MAX;
    for choice in &refusal.choices {
        text.push_str(&format!("\n- {}", choice_line(choice)));
        let row = choice.jurisdiction.as_ref().and_then(|id| directory.found(id));
        if let Some(row) = row.filter(|_| has_offices) {
            text.push_str(&text::offices(edition, &English, row, jobs));
        }
    }
    text
}

fn choice_line(choice: &Choice) -> String {
    let mut line = choice.label.clone();
    if let Some(id) = &choice.jurisdiction {
        line.push_str(&format!(" (jurisdiction_id {id})"));
    }
    if let Some(point) = choice.point {
        line.push_str(&format!(" (lat {}, lon {})", point.lat_degrees(), point.lon_degrees()));
    }
    line
}

/// Returns the next step for a model; `None` if the detail suffices.
fn advice(kind: ProblemKind) -> Option<Cow<'static, str>> {
    use ProblemKind as P;
    let words = match kind {
        P::UnknownTopic => {
            let topics: Vec<&str> = Topic::all().map(Topic::as_str).collect();
            return Some(Cow::Owned(format!("Topics: {}.", topics.join(", "))));
        }
        P::Ambiguous => {
            "Ask the user which one is meant; do not choose. Then call again with its lat and lon, or its label as place; \
             get_place_directory and find_official_resource take its jurisdiction_id:"
        }
        P::BadParameter | P::BadPoint => "Correct the arguments and call again.",
        P::BadCursor => "Call again without cursor.",
        P::UnknownState => "Give the two-letter code of a state, DC or a territory.",
        P::UnknownJurisdiction => "search_directory finds the jurisdiction_id of a name.",
        P::OutsideCoverage => {
            "Check the coordinates with the user: longitudes of the United States are negative."
        }
        P::AddressNotFound => {
            "Ask the user to check the address, or for coordinates; for a county or town give place and state instead."
        }
        P::PlaceNotFound => {
            "Check name and state with the user; search_directory finds names that are spelled similarly."
        }
        P::LookupLimit => "Coordinates, or place and state, need no lookup.",
        P::UpstreamUnavailable => "Give lat and lon, or place and state, which need no outside service.",
        P::Busy => "Call again in a few seconds.",
        P::InvalidKey | P::NotFound | P::MethodNotAllowed | P::RateLimited | P::InternalError => return None,
    };
    Some(Cow::Borrowed(words))
}
