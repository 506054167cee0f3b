//! The paths of the OpenAPI document: one for each operation, and one for the document itself.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::{examples, headers, problems};
use crate::{
    operations::{OPERATIONS, Operation},
    wire::schema,
};
use platbook::{
    answers::{Form, Parameter, RawParameters},
    vocabulary::{TOPIC_ALIASES, Topic},
};

/// Pattern for a text that is not blank and has no control characters.
const TEXT_PATTERN: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";

/// Returns the paths of all operations and of the document itself.
pub(super) fn paths(generator: &mut SchemaGenerator, site: &str) -> Value {
    let mut paths = Map::new();
    for operation in OPERATIONS {
        paths.insert(operation.path.to_owned(), json!({ "get": get(operation, generator, site) }));
    }
    paths.insert("/openapi.json".to_owned(), json!({ "get": description() }));
    Value::Object(paths)
}

fn get(operation: &Operation, generator: &mut SchemaGenerator, site: &str) -> Value {
    let link = operation.is_paged().then_some("Link");
    let mut responses = Map::new();
    let success = json!({
        "description": "The answer.",
        "headers": headers::of_responses(headers::OF_SUCCESS.into_iter().chain(link)),
        "content": {
            "application/json": {
                "schema": (operation.schema)(generator),
                "examples": {
                    operation.id: { "summary": operation.example, "value": examples::answer(operation.id, site) },
                },
            },
        },
    });
    responses.insert("200".to_owned(), success);
    responses.insert("304".to_owned(), json!({ "$ref": "#/components/responses/NotModified" }));
    responses.extend(problems::responses(operation, site));
    let parameters =
        operation.parameters.iter().map(|one| parameter(operation, one)).chain(headers::of_requests());
    json!({
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": parameters.collect::<Value>(),
        "responses": responses,
    })
}

fn parameter(operation: &Operation, parameter: &Parameter) -> Value {
    let mut described = json!({
        "name": parameter.name,
        "in": if parameter.in_path { "path" } else { "query" },
        "required": parameter.required,
        "description": format!("{}.", parameter.description),
        "schema": form(parameter),
    });
    if let Some(example) = example(operation, parameter) {
        described["example"] = example;
    }
    described
}

/// Returns the schema of a parameter's values.
fn form(parameter: &Parameter) -> Value {
    let aliases = TOPIC_ALIASES.iter().map(|(alias, _)| *alias);
    match parameter.form {
        Form::Text => {
            json!({ "type": "string", "minLength": 1, "maxLength": parameter.chars_max, "pattern": TEXT_PATTERN })
        }
        Form::Opaque => json!({ "type": "string", "maxLength": parameter.chars_max }),
        Form::Degrees { max } => json!({ "type": "number", "minimum": whole(-max), "maximum": whole(max) }),
        Form::Whole { min, max, default } => {
            json!({ "type": "integer", "minimum": min, "maximum": max, "default": default })
        }
        Form::Id => {
            json!({ "type": "string", "pattern": schema::ID_PATTERN, "maxLength": parameter.chars_max })
        }
        Form::State => json!({ "type": "string", "pattern": schema::STATE_PATTERN }),
        Form::Day => json!({ "type": "string", "format": "date", "pattern": schema::DAY_PATTERN }),
        Form::Word(words) => json!({ "type": "string", "enum": words }),
        Form::Topic => {
            json!({ "type": "string", "enum": Topic::all().map(Topic::as_str).chain(aliases).collect::<Vec<_>>() })
        }
    }
}

/// Returns a parameter's value in the operation's example request, as a number or a text. `None` if that request does
/// not set the parameter. All examples of an operation thus work together: none is a cursor, and only one parameter
/// names a place.
fn example(operation: &Operation, parameter: &Parameter) -> Option<Value> {
    let (path, query) = operation.example.split_once('?').unwrap_or((operation.example, ""));
    let text = if parameter.in_path {
        path.rsplit('/').next().map(str::to_owned)
    } else {
        let given = RawParameters::from_query(operation.parameters, query).ok()?;
        given.get(parameter.name).map(str::to_owned)
    }?;
    Some(match parameter.form {
        Form::Degrees { .. } | Form::Whole { .. } => {
            serde_json::from_str(&text).expect("the example of a number is one")
        }
        _ => json!(text),
    })
}

fn whole(number: f64) -> i64 {
    number as i64
}

/// Returns the path item of the document itself.
fn description() -> Value {
    let mut description = json!({
        "operationId": "get_openapi",
        "tags": ["Description"],
        "summary": "This document",
        "description": "The OpenAPI 3.1 description of the interface. It is also there without the version prefix. It \
                        takes no key. It counts apart from requests: 300 a minute and 50,000 a day for each network address.",
        "security": [],
        "parameters": headers::of_requests(),
        "responses": {
            "200": {
                "description": "The document.",
                "headers": headers::of_responses(["ETag", "CacheControl", "ContentEncoding"]),
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": { "openapi": { "type": "string", "pattern": r"^3\.1\.\d+$", "examples": ["3.1.0"] } },
                            "required": ["openapi"],
                        },
                        "examples": { "get_openapi": { "summary": "/openapi.json", "value": { "openapi": "3.1.0" } } },
                    },
                },
            },
        },
    });
    let responses = description["responses"].as_object_mut().expect("the responses are an object");
    responses.insert("304".to_owned(), json!({ "$ref": "#/components/responses/NotModified" }));
    responses.extend(problems::of_pages());
    description
}
