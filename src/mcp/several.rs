//! Answers for several places in one call: compares their best pages on a topic, or resolves each.

use std::{borrow::Cow, fmt::Write as _};

use serde_json::{Map, Value, json};

use super::{arguments::Given, brief, reply::ToolResult, run::parsed, text};
use crate::{
    edition::Edition,
    encode::{BodyParts, Detail},
    operations::{Operation, RESOLVE},
};
use platbook::{
    answers::{Answer, Data, Found, Refusal},
    vocabulary::{FunctionSet, ProblemKind, echoed},
    words::{English, Phrase, Words as _},
};

/// Most characters of a place as its caller wrote it: the longest ids have some 30.
const NAME_CHARS_MAX: usize = 60;

/// Pages for each government: the best alone.
const PAGES: &str = "1";

/// Returns the best page for each government. One that is unknown has a row with the reason.
///
/// # Errors
/// `bad-parameter` if the call gives a place besides, `unknown-topic`.
pub(super) fn compare(
    edition: &Edition,
    operation: &'static Operation,
    given: Given<'_>,
    ids: &[&str],
) -> Result<ToolResult, Refusal> {
    if let Some((name, _)) = given.iter().find(|(name, _)| !["topic", "limit"].contains(name)) {
        return Err(Refusal::bad_parameter(format!(
            "several places: give {name} or jurisdiction_ids, not both"
        )));
    }
    let topic = given.iter().find(|(name, _)| *name == "topic").map(|(_, topic)| topic.clone());
    let topic = topic
        .ok_or_else(|| Refusal::bad_parameter("topic is missing; the governments are compared on one"))?;
    let (mut text, mut places) = (String::new(), Vec::new());
    for id in ids {
        let own = [
            ("jurisdiction_id", Cow::Borrowed(*id)),
            ("topic", topic.clone()),
            ("limit", Cow::Borrowed(PAGES)),
        ];
        let (line, place) = match row(edition, operation, &own.into()) {
            Ok(row) => row,
            // The topic is the same for all, so the whole call is wrong.
            Err(refusal) if refusal.kind == ProblemKind::UnknownTopic => return Err(refusal),
            Err(refusal) => (
                format!("{id}: {}", refusal.detail),
                json!({ "jurisdiction": { "jurisdiction_id": id }, "error": refusal.detail }),
            ),
        };
        writeln!(text, "- {line}").expect("writing to memory does not fail");
        places.push(place);
    }
    let as_of = edition.answers().directory().as_of();
    text.push_str(&English.phrase(Phrase::AsOf(as_of)));
    text.push('\n');
    let structured = json!({ "data": { "topic": topic, "places": places }, "as_of": as_of });
    Ok(ToolResult { text, structured: Some(BodyParts::from(structured.to_string())) })
}

/// Resolves several points: the governments of each, and the offices of these jobs.
///
/// # Errors
/// `bad-parameter` if the call gives a place besides.
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

/// Resolves several governments: each with those around it, and the offices of these jobs.
///
/// # Errors
/// `bad-parameter` if the call gives a place besides.
pub(super) fn of_ids(
    edition: &Edition,
    given: Given<'_>,
    ids: &[&str],
    only: FunctionSet,
) -> Result<ToolResult, Refusal> {
    let named = ids.iter().map(|id| {
        let name = echoed(id, NAME_CHARS_MAX).into_owned();
        (name, vec![("jurisdiction_id", Cow::Borrowed(*id))])
    });
    resolve(edition, given, "jurisdiction_ids", named.collect(), only)
}

/// Resolves places, each with its name in the answer and the arguments that give it.
fn resolve(
    edition: &Edition,
    given: Given<'_>,
    by: &str,
    named: Vec<(String, Given<'_>)>,
    only: FunctionSet,
) -> Result<ToolResult, Refusal> {
    if let Some((name, _)) = given.first() {
        return Err(Refusal::bad_parameter(format!("several places: give {name} or {by}, not both")));
    }
    let answers = edition.answers();
    let places: Vec<(String, Result<Answer<'_>, Refusal>)> = named
        .into_iter()
        .map(|(name, own)| {
            let answer = parsed(&RESOLVE, &own);
            (name, answer.and_then(|request| answers.finish(&request, Found::default())))
        })
        .collect();
    let structured = |(name, found): &(String, Result<Answer<'_>, Refusal>)| match found {
        Ok(answer) => {
            let whole = edition.encode_as(answer, Detail::Short, &English).fill("").into_contiguous();
            let mut brief = brief::of(&whole).unwrap_or_default();
            brief::keep_jobs(&mut brief, only);
            let mut data = brief["data"].take();
            // Offices were not requested, and seven for each place would fill a model's context.
            if let Some(data) = data.as_object_mut().filter(|_| only.is_empty()) {
                data.shift_remove("functions");
            }
            json!({ "given": name, "place": data, "notices": brief["notices"].take() })
        }
        Err(refusal) => json!({ "given": name, "error": refusal.detail }),
    };
    let rows: Vec<Value> = places.iter().map(structured).collect();
    let structured = json!({ "data": { "places": rows }, "as_of": answers.directory().as_of() });
    let text = text::several(edition, &English, &places, only);
    Ok(ToolResult { text, structured: Some(BodyParts::from(structured.to_string())) })
}

/// Returns the line of a government and its structured form.
fn row(edition: &Edition, operation: &Operation, own: &Given<'_>) -> Result<(String, Value), Refusal> {
    let answer = edition.answers().finish(&parsed(operation, own)?, Found::default())?;
    let directory = edition.answers().directory();
    let Data::Resources(list) = &answer.data else { unreachable!("resources are asked") };
    let place = directory.jurisdiction(list.place);
    let mut line = format!("{} ({}): ", place.name, place.id);
    match list.resources.first() {
        Some(view) => {
            let whose = directory.name_of(view.jurisdiction);
            line.push_str(&format!("{}, {} ({whose})", view.name, view.url));
        }
        None => line.push_str("no page on record"),
    }
    let whole = edition.encode_as(&answer, Detail::Short, &English).fill("").into_contiguous();
    let brief = brief::of(&whole).and_then(|mut brief| match brief["data"].take() {
        Value::Object(data) => Some(data),
        _ => None,
    });
    let mut data: Map<String, Value> = brief.unwrap_or_default();
    ["topic", "next_cursor"].iter().for_each(|name| drop(data.shift_remove(*name)));
    Ok((line, Value::Object(data)))
}
