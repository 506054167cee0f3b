//! Answers for several places in one call. Compares their best pages on a topic, or resolves each place.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{
    arguments::{Given, is_id},
    brief, prefer, related,
    reply::ToolResult,
    run::parsed,
    text::{self, Several},
};
use crate::{
    edition::Edition,
    encode::{BodyParts, Detail},
    operations::{Operation, RESOLVE},
};
use platbook::{
    answers::{Answer, Data, Entry, Found, Matched, Refusal, Request, Resolved},
    directory::Directory,
    vocabulary::{FunctionSet, ProblemKind, Topic, echoed},
    words::English,
};

/// Maximum number of characters shown of the caller's text for a place: the longest ids have some 30.
const NAME_CHARS_MAX: usize = 60;

/// Number of pages for each government: only the best one.
const PAGES: usize = 1;

/// An answer, with a remark on how the name was read.
type Answered<'a> = Result<(Answer<'a>, Option<String>), Refusal>;

/// Returns the office and the best page for each government. An unknown government has a row with the reason.
///
/// # Errors
/// `bad-parameter` if the call also gives a single place; `unknown-topic`.
pub(super) fn compare(
    edition: &Edition,
    operation: &'static Operation,
    mut given: Given<'_>,
    items: &[&str],
) -> Result<ToolResult, Refusal> {
    let state = take_state(&mut given, items);
    if let Some((name, _)) = given.iter().find(|(name, _)| !["topic", "limit"].contains(name)) {
        return Err(Refusal::bad_parameter(format!(
            "several places: give {name} or jurisdiction_ids, not both"
        )));
    }
    let topic = given.iter().find(|(name, _)| *name == "topic").map(|(_, topic)| topic.clone());
    let topic = topic
        .ok_or_else(|| Refusal::bad_parameter("topic is missing; the governments are compared on one"))?;
    let row = |(given, own): (String, Given<'_>)| several(given, best_page(edition, operation, &topic, &own));
    let places: Vec<Several<'_>> = named(items, state.as_ref()).into_iter().map(row).collect();
    // The topic is the same for all places, so the whole call is wrong.
    let is_of_topic = |refusal: &&Refusal| refusal.kind == ProblemKind::UnknownTopic;
    if let Some(refusal) = places.iter().filter_map(|place| place.found.as_ref().err()).find(is_of_topic) {
        return Err(refusal.clone());
    }
    let rows: Vec<Value> = places.iter().map(|place| compared(edition, place)).collect();
    let as_of = edition.answers().directory().as_of();
    let structured = json!({ "data": { "topic": topic, "places": rows }, "as_of": as_of });
    let text = text::compared(edition, &English, &places);
    Ok(ToolResult { text, structured: Some(BodyParts::from(structured.to_string())) })
}

/// Resolves several points. Returns the governments of each, and the offices for these jobs.
///
/// # Errors
/// `bad-parameter` if the call also gives a single place.
pub(super) fn at_points(
    edition: &Edition,
    given: Given<'_>,
    points: Vec<(String, String)>,
    only: FunctionSet,
) -> Result<ToolResult, Refusal> {
    let named = points.into_iter().map(|(lat, lon)| {
        let name = echoed(&format!("{lat},{lon}"), NAME_CHARS_MAX).into_owned();
        (name, vec![("lat", Cow::Owned(lat)), ("lon", Cow::Owned(lon))])
    });
    resolve(edition, given, "points", named.collect(), only)
}

/// Resolves several governments. Returns each with the governments around it, and the offices for these jobs.
///
/// # Errors
/// `bad-parameter` if the call also gives a single place.
pub(super) fn of_ids(
    edition: &Edition,
    mut given: Given<'_>,
    items: &[&str],
    only: FunctionSet,
) -> Result<ToolResult, Refusal> {
    let state = take_state(&mut given, items);
    resolve(edition, given, "jurisdiction_ids", named(items, state.as_ref()), only)
}

/// Removes the state from the arguments if it belongs to names. Among ids only, a state stays and counts as a single
/// place.
fn take_state<'a>(given: &mut Given<'a>, items: &[&str]) -> Option<Cow<'a, str>> {
    let at = given.iter().position(|(name, _)| *name == "state")?;
    items.iter().any(|item| !is_id(item)).then(|| given.swap_remove(at).1)
}

/// Returns ids and names as the caller wrote them, each with the arguments that name it in the operation's request.
fn named<'a>(items: &[&'a str], state: Option<&Cow<'a, str>>) -> Vec<(String, Given<'a>)> {
    let own = |item: &&'a str| {
        let name = echoed(item, NAME_CHARS_MAX).into_owned();
        let place = (if is_id(item) { "jurisdiction_id" } else { "place" }, Cow::Borrowed(*item));
        let state = state.filter(|_| !is_id(item)).map(|state| ("state", state.clone()));
        (name, std::iter::once(place).chain(state).collect())
    };
    items.iter().map(own).collect()
}

/// Resolves places. Each has its name in the answer and the arguments that name it in the operation's request.
fn resolve(
    edition: &Edition,
    mut given: Given<'_>,
    by: &str,
    named: Vec<(String, Given<'_>)>,
    only: FunctionSet,
) -> Result<ToolResult, Refusal> {
    let date = given.iter().position(|(name, _)| *name == "date").map(|at| given.swap_remove(at).1);
    if let Some((name, _)) = given.first() {
        return Err(Refusal::bad_parameter(format!("several places: give {name} or {by}, not both")));
    }
    let dated = |own: Given<'_>| {
        let date = date.iter().map(|date| ("date", Cow::Borrowed(&**date)));
        found(edition, &own.into_iter().chain(date).collect(), only)
    };
    let places = named.into_iter().map(|(given, own)| several(given, dated(own)));
    let places: Vec<Several<'_>> = places.collect();
    let structured = |place: &Several<'_>| match &place.found {
        Ok(answer) => {
            let mut brief = brief_of(edition, answer);
            brief::keep_jobs(&mut brief, only);
            let mut data = brief["data"].take();
            // The caller did not request offices, and seven for each place would fill a model's context.
            if let Some(data) = data.as_object_mut().filter(|_| only.is_empty()) {
                data.shift_remove("functions");
            }
            json!({ "given": place.given, "place": data, "notices": brief["notices"].take() })
        }
        Err(refusal) => json!({ "given": place.given, "error": refusal.detail }),
    };
    let rows: Vec<Value> = places.iter().map(structured).collect();
    let as_of = edition.answers().directory().as_of();
    let structured = json!({ "data": { "places": rows }, "as_of": as_of });
    let text = text::several(edition, &English, &places, only);
    Ok(ToolResult { text, structured: Some(BodyParts::from(structured.to_string())) })
}

fn several(given: String, answered: Answered<'_>) -> Several<'_> {
    match answered {
        Ok((answer, remark)) => Several { given, found: Ok(answer), remark },
        Err(refusal) => Several { given, found: Err(refusal), remark: None },
    }
}

/// Resolves a place. A name that several governments share resolves to the one that it clearly means.
fn found<'a>(edition: &'a Edition, own: &Given<'_>, jobs: FunctionSet) -> Answered<'a> {
    let answers = edition.answers();
    let answer = |request: Request| answers.finish(&request, Found::default());
    let request = parsed(&RESOLVE, own)?;
    let date = request.date();
    let refusal = match answer(request) {
        Ok(answer) => return Ok((answer, None)),
        Err(refusal) => refusal,
    };
    let directory = answers.directory();
    let Some((meant, remark)) = prefer::meant_by(directory, &refusal, jobs) else { return Err(refusal) };
    Ok((answer(Request::of_id(directory.id_of(meant)).on_day(date))?, Some(remark)))
}

/// Returns the list of pages of a place on a topic, reduced to the best page.
fn best_page<'a>(edition: &'a Edition, operation: &Operation, topic: &str, own: &Given<'_>) -> Answered<'a> {
    let directory = edition.answers().directory();
    let (id, remark) = match own.first() {
        Some(("jurisdiction_id", id)) => (id.to_string(), None),
        _ => {
            let jobs = FunctionSet::of_topics(&Topic::from_word(topic));
            let (answer, remark) = found(edition, own, jobs)?;
            (id_of_name(directory, &answer)?, remark)
        }
    };
    let own = vec![("jurisdiction_id", Cow::Owned(id)), ("topic", Cow::Borrowed(topic))];
    let mut request = parsed(operation, &own)?;
    related::ask_all(&mut request);
    let mut answer = edition.answers().finish(&request, Found::default())?;
    if let Data::Resources(list) = &mut answer.data {
        related::choose(edition.answers(), list, PAGES);
    }
    Ok((answer, remark))
}

/// Returns the id of the government to which a name was resolved.
fn id_of_name(directory: &Directory, answer: &Answer<'_>) -> Result<String, Refusal> {
    match &answer.data {
        Data::Resolve(Resolved { matched: Matched::Name { place }, .. }) => {
            Ok(directory.id_of(*place).to_string())
        }
        _ => Err(Refusal::bad_parameter("expected jurisdiction_ids as ids or names of places")),
    }
}

fn brief_of(edition: &Edition, answer: &Answer<'_>) -> Value {
    let whole = edition.encode_as(answer, Detail::Short, &English).fill("").into_contiguous();
    brief::of(&whole).unwrap_or_default()
}

/// Returns a row as JSON: the government, its office for the topic, and its best page.
fn compared(edition: &Edition, place: &Several<'_>) -> Value {
    let answer = match &place.found {
        Ok(answer) => answer,
        Err(refusal) => {
            return json!({ "jurisdiction": { "jurisdiction_id": place.given }, "error": refusal.detail });
        }
    };
    let mut data: Map<String, Value> = match brief_of(edition, answer)["data"].take() {
        Value::Object(data) => data,
        _ => Map::new(),
    };
    ["topic", "next_cursor"].iter().for_each(|name| drop(data.shift_remove(*name)));
    if let Data::Resources(list) = &answer.data {
        let answers = edition.answers();
        let entries = answers.entries_on(list.topic.as_slice(), answers.territory_of(list.place));
        let offices: Vec<Value> = entries.iter().map(|entry| office(answers.directory(), entry)).collect();
        if !offices.is_empty() {
            data.insert("offices".to_owned(), offices.into());
        }
    }
    Value::Object(data)
}

/// Returns the known parts of an office: its title, body, telephone and link.
fn office(directory: &Directory, entry: &Entry) -> Value {
    let site = entry.office.as_ref().and_then(|office| office.shown_site(directory));
    let body = entry.body.map(|row| directory.id_of(row).to_string());
    let members = [
        ("name", entry.outcome.office.clone()),
        ("jurisdiction_id", body),
        ("phone", site.and_then(|site| site.phone).map(str::to_owned)),
        ("url", site.and_then(|site| site.url).map(str::to_owned)),
    ];
    let known = members.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Value::from(text?))));
    Value::Object(known.collect())
}
