//! Fields of answers with their types, from the schemas of the OpenAPI document.

use maud::{Markup, html};
use serde_json::Value;

/// The prefix of references to schemas in the document.
const SCHEMAS: &str = "#/components/schemas/";

/// The end of the names of JSON types that wrap an answer: their fields are the same for all operations.
const ENVELOPE: &str = "Envelope";

/// Lists the fields of an answer: those in its data, and those around the data.
pub(super) fn of_answer(document: &Value, schema: &Value) -> Markup {
    let envelope = named(document, schema);
    let data = named(document, &envelope["properties"]["data"]);
    html! {
        p { "Around the data: " code { "sources" } ", " code { "as_of" } ", " code { "request_id" } ", " code { "notices" } ". In " code { "data" } ":" }
        (fields(data))
    }
}

/// Lists all JSON types, folded.
pub(super) fn shapes(document: &Value) -> Markup {
    let schemas = document["components"]["schemas"].as_object();
    html! {
        details.part #shapes {
            summary { h2 { "Shapes" } " of which the answers consist" }
            @for (name, schema) in schemas.into_iter().flatten().filter(|(name, _)| !name.ends_with(ENVELOPE)) {
                h3 id=(id(name)) { code { (name) } }
                @if let Some(text) = schema["description"].as_str() { p { (text) } }
                @if schema["properties"].is_object() { (fields(schema)) } @else { p { (kind(schema)) } }
            }
        }
    }
}

fn id(name: &str) -> String {
    format!("shape-{name}")
}

fn fields(schema: &Value) -> Markup {
    let required = |name: &str| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    html! {
        dl { @for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            dt { code { (name) } " " span.host { (kind(field)) @if !required(name) { ", may be left out" } } }
            @if let Some(text) = field["description"].as_str() { dd { (text) } }
        } }
    }
}

/// Names the type of a field, with links to JSON types. Adds "or null" if the field may be null.
fn kind(schema: &Value) -> Markup {
    if let Some(name) = reference(schema) {
        return html! { a href=(format!("#{}", id(name))) { (name) } };
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return html! { @for (at, choice) in choices.iter().enumerate() { @if at > 0 { " or " } (kind(choice)) } };
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().map(|word| word.as_str().unwrap_or("null")).collect();
        return html! { "one of " (words.join(", ")) };
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => html! { "array of " (self::kind(&schema["items"])) },
        Value::String(kind) => html! { (kind) },
        Value::Array(kinds) => {
            let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
            html! { (kinds.join(" or ")) }
        }
        _ => match schema.get("const").and_then(Value::as_str) {
            Some(word) => html! { code { (word) } },
            None => html! { "any" },
        },
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(SCHEMAS)
}

/// Follows a schema's reference to the schema that it names.
fn named<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match reference(schema) {
        Some(name) => &document["components"]["schemas"][name],
        None => schema,
    }
}
