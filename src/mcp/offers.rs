//! Offers of the protocol beside tools: resources (guides, topics and the app), a prompt, and completions.

use serde_json::{Map, Value, json};

use super::{
    Setting, app,
    fault::{Fault, word},
    text::{self, Shape},
};
use platbook::{
    answers::{Found, Request},
    vocabulary::{StateCode, Topic, echoed},
    words::{English, TopicText, Words as _},
};

const TOPICS_URI: &str = "topics://all";
const GUIDE_SCHEME: &str = "guide://";
const GUIDE_TEMPLATE: &str = "guide://{topic}/{state}";
const PROMPT: &str = "who_to_ask";

/// Maximum number of values in a completion, as the protocol requires.
const VALUES_MAX: usize = 100;

/// Maximum number of characters of a question, and of a place, in a prompt. An address has at most 200; 1,000 fill a
/// screen.
const QUESTION_CHARS_MAX: usize = 1_000;
const PLACE_CHARS_MAX: usize = 200;

/// Lists the resources that need no argument.
pub(super) fn resources() -> Value {
    let guide = |topic: Topic| {
        let TopicText { name, description } = English.topic(topic);
        resource(&format!("{GUIDE_SCHEME}{}", topic.as_str()), name, description)
    };
    let topics = resource(TOPICS_URI, "Topics", "All topics of guides and pages.");
    [app::resource(), topics].into_iter().chain(Topic::all().map(guide)).collect()
}

fn resource(uri: &str, title: &str, description: &str) -> Value {
    json!({ "uri": uri, "name": uri, "title": title, "description": description, "mimeType": "text/plain" })
}

/// Lists the templates of resources that take a state.
pub(super) fn templates() -> Value {
    json!([{
        "uriTemplate": GUIDE_TEMPLATE,
        "name": "guide in a state",
        "title": "Guide in a state",
        "description": "The guide of a topic, with the rules of a state by its two-letter code.",
        "mimeType": "text/plain",
    }, app::template()])
}

/// Reads a resource by its URI.
///
/// # Errors
/// Fails if there is no such resource, or the caller has no calls left. Reading a resource counts like a call of the
/// tool that returns the same content.
pub(super) async fn read(setting: &mut Setting<'_>, params: &Map<String, Value>) -> Result<Value, Fault> {
    setting.access.admit().await.map_err(|refusal| Fault::too_many(refusal.detail))?;
    let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
    if let Some(contents) = app::read(setting.edition, uri) {
        return Ok(contents);
    }
    if let Some(point) = app::point_of(uri) {
        let drawn = setting.access.draw(setting.edition, point).await;
        let drawn = drawn.map_err(|refusal| Fault::too_many(refusal.detail))?;
        let covered = drawn.ok_or_else(|| not_found_at(uri))?;
        return Ok(app::map_contents(uri, covered));
    }
    let not_found = || not_found_at(uri);
    let request = request_of(uri).ok_or_else(not_found)?;
    let answers = setting.edition.answers();
    let answer = answers.finish(&request, Found::default()).map_err(|_| not_found())?;
    let text = text::render(setting.edition, &English, &answer, &[], Shape::short());
    Ok(json!([{ "uri": uri, "mimeType": "text/plain", "text": text }]))
}

fn not_found_at(uri: &str) -> Fault {
    Fault::invalid_params("Resource not found").with_data(json!({ "uri": word(uri) }))
}

fn request_of(uri: &str) -> Option<Request> {
    if uri == TOPICS_URI {
        return Some(Request::Topics);
    }
    let rest = uri.strip_prefix(GUIDE_SCHEME)?;
    let (topic, state) = rest.split_once('/').map_or((rest, None), |(topic, state)| (topic, Some(state)));
    let state = state.map(str::parse).transpose().ok()?;
    Some(Request::Guide { topic: Topic::from_word(topic)?, state })
}

/// Lists the prompts that a person can choose.
pub(super) fn prompts() -> Value {
    let argument = |name: &str, description: &str, required: bool| json!({ "name": name, "description": description, "required": required });
    json!([{
        "name": PROMPT,
        "title": "Which office do I ask?",
        "description": "Finds the office for a question about a property, with its page and the reason.",
        "arguments": [
            argument("question", "What you want to know or do", true),
            argument("place", "Address, coordinates, or town or county with state", true),
        ],
    }])
}

/// Returns the text of a prompt.
///
/// # Errors
/// If there is no such prompt, or an argument is missing.
pub(super) fn prompt(params: &Map<String, Value>) -> Result<Value, Fault> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    if name != PROMPT {
        return Err(Fault::invalid_params(format!("Unknown prompt: {}", word(name))));
    }
    let argument = |name: &str| {
        let given = params.get("arguments").and_then(|arguments| arguments.get(name)).and_then(Value::as_str);
        given.ok_or_else(|| Fault::invalid_params(format!("the argument {name} is missing; give it as text")))
    };
    let question = echoed(argument("question")?, QUESTION_CHARS_MAX);
    let place = echoed(argument("place")?, PLACE_CHARS_MAX);
    let text = format!(
        "Question on a property: {question}\nPlace: {place}\n\nFind the governments of the place with resolve_jurisdiction, \
         then the page with find_official_resource. Answer with the office, its page, the reason and the source that the \
         tools give, and their caveats. If they do not say it, say so."
    );
    Ok(json!([{ "role": "user", "content": { "type": "text", "text": text } }]))
}

/// Completes a partial value for a parameter of the template. Other arguments have no completions.
pub(super) fn completion(params: &Map<String, Value>) -> Value {
    let text = |object: &str, key: &str| {
        params.get(object).and_then(|object| object.get(key)).and_then(Value::as_str).unwrap_or_default()
    };
    let (typed, uri) = (text("argument", "value").to_lowercase(), text("ref", "uri"));
    let begins = |word: &&str| word.to_lowercase().starts_with(&typed);
    let values: Vec<&str> = match text("argument", "name") {
        "topic" if uri == GUIDE_TEMPLATE => Topic::all().map(Topic::as_str).filter(begins).collect(),
        "state" if uri == GUIDE_TEMPLATE => StateCode::all().map(StateCode::usps).filter(begins).collect(),
        _ => Vec::new(),
    };
    let shown = &values[..values.len().min(VALUES_MAX)];
    json!({ "values": shown, "total": values.len(), "hasMore": shown.len() < values.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_resources_are_requests() {
        let guide = |topic, state: Option<&str>| Request::Guide {
            topic,
            state: state.map(|state| state.parse().unwrap()),
        };
        for (uri, request) in [
            ("topics://all", Some(Request::Topics)),
            ("guide://zoning", Some(guide(Topic::Zoning, None))),
            ("guide://zoning/MN", Some(guide(Topic::Zoning, Some("MN")))),
            ("guide://deeds/vt", Some(guide(Topic::RecorderDeeds, Some("VT")))),
            ("guide://zoning/", None),
            ("guide://zoning/ZZ", None),
            ("guide://fishing", None),
            ("guide://", None),
            ("topics://", None),
            ("file:///etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(request_of(uri), request, "{uri}");
        }
        let resources = resources();
        for resource in resources.as_array().unwrap().iter().skip(1) {
            assert!(request_of(resource["uri"].as_str().unwrap()).is_some(), "{resource}");
        }
    }

    #[test]
    fn parts_of_the_template_are_completed() {
        for (uri, name, typed, expected) in [
            (GUIDE_TEMPLATE, "topic", "so", json!(["soils"])),
            (GUIDE_TEMPLATE, "state", "v", json!(["VA", "VI", "VT"])),
            (GUIDE_TEMPLATE, "county", "", json!([])),
            ("guide://x", "topic", "", json!([])),
        ] {
            let params = json!({ "ref": { "type": "ref/resource", "uri": uri }, "argument": { "name": name, "value": typed } });
            let completion = completion(params.as_object().unwrap());
            let mut values: Vec<Value> = completion["values"].as_array().unwrap().clone();
            values.sort_by_key(Value::to_string);
            assert_eq!(json!(values), expected, "{name} {typed}");
        }
    }

    #[test]
    fn the_prompt_has_its_arguments() {
        let asked =
            json!({ "name": PROMPT, "arguments": { "question": "Who taxes me?", "place": "Austin, TX" } });
        let messages = prompt(asked.as_object().unwrap()).unwrap();
        let text = messages[0]["content"]["text"].as_str().unwrap();
        assert!(text.contains("Who taxes me?") && text.contains("Austin, TX"), "{text}");
        for asked in [
            json!({}),
            json!({ "name": "other" }),
            json!({ "name": PROMPT, "arguments": { "question": "x" } }),
        ] {
            assert_eq!(prompt(asked.as_object().unwrap()).unwrap_err().code, -32_602, "{asked}");
        }
    }
}
