use std::{collections::HashMap, sync::LazyLock};

use jsonschema::Validator;
use platbook_service::{openapi, operations};
use serde_json::{Value, json};

use crate::{
    encodings::unpacked,
    harness::{Response, SITE},
};

/// The document, and a validator for each body that it describes.
struct Contract {
    document: Value,
    /// Validators by path and status.
    bodies: HashMap<(String, u16), Validator>,
    /// The validator of a problem at a path without an operation.
    problem: Validator,
}

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    let mut document = openapi::document(SITE);
    close_words(&mut document);
    let mut bodies = HashMap::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (status, response) in operations["get"]["responses"].as_object().unwrap() {
            let content = resolved(&document, response)["content"].as_object().cloned().unwrap_or_default();
            for media in content.values() {
                bodies
                    .insert((path.clone(), status.parse().unwrap()), validator(&document, &media["schema"]));
            }
        }
    }
    let problem = validator(&document, &json!({ "$ref": "#/components/schemas/Problem" }));
    Contract { document, bodies, problem }
});

/// Clients must accept unknown words, but this service uses only words in the document.
fn close_words(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(close_words),
        Value::Object(fields) => {
            fields.values_mut().for_each(close_words);
            if let Some(words) = fields.get("x-extensible-enum").cloned() {
                fields.insert("enum".to_owned(), words);
            }
        }
        _ => {}
    }
}

fn validator(document: &Value, schema: &Value) -> Validator {
    let whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "allOf": [schema],
        "components": document["components"],
    });
    jsonschema::options().should_validate_formats(true).build(&whole).unwrap()
}

fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}

/// Fails if the document does not allow a response. In the document, `address` replaces the site.
pub fn check(method: &str, target: &str, response: &Response, address: &str) {
    let asked = format!("{method} {target}");
    // hyper answers these requests itself, without a body: the head was too long or not HTTP.
    if [414, 431].contains(&response.status) || response.status == 400 && response.headers.len() <= 3 {
        return;
    }
    let Some(path) = documented_path(target) else {
        if response.header("content-type") == "application/problem+json" && method != "HEAD" {
            check_body(&CONTRACT.problem, &asked, response, address);
        }
        return;
    };
    if method == "OPTIONS" && response.status == 204 {
        return;
    }
    // A path with a slash at its end or with capitals redirects to the documented path.
    if response.status == 308 {
        let location = response.header("location");
        assert!(location != target && documented_path(location).is_some(), "{asked}: leads to {location:?}");
        return;
    }
    let documented = &CONTRACT.document["paths"][&path]["get"]["responses"][response.status.to_string()];
    assert!(documented.is_object(), "{asked}: {} is not documented", response.status);
    let documented = resolved(&CONTRACT.document, documented);
    check_headers(documented, &asked, response);
    let media = documented["content"].as_object().and_then(|content| content.keys().next());
    assert_eq!(response.header("content-type"), media.map_or("", String::as_str), "{asked}");
    if method == "HEAD" {
        return;
    }
    if media.is_some_and(|media| media == "application/problem+json") {
        let examples = &documented["content"]["application/problem+json"]["examples"];
        let kind = response.json()["type"].as_str().unwrap_or_default().replace("/problems/", "");
        assert!(examples[&kind].is_object(), "{asked}: {kind} is not documented for {}", response.status);
    }
    match CONTRACT.bodies.get(&(path, response.status)) {
        Some(validator) => check_body(validator, &asked, response, address),
        None => assert_eq!(response.body, "", "{asked}"),
    }
}

/// Fails if the document does not allow the output of the command line for an operation.
pub fn check_printed(path: &str, printed: &str) {
    let body: Value = serde_json::from_str(printed).unwrap();
    check_value(&CONTRACT.bodies[&(path.to_owned(), 200)], path, &body);
}

/// The path in the document that matches a target.
fn documented_path(target: &str) -> Option<String> {
    let below_scheme =
        target.strip_prefix("http://").map(|rest| &rest[rest.find('/').unwrap_or(rest.len())..]);
    let path = below_scheme.unwrap_or(target).split('?').next()?;
    if path.strip_prefix(operations::PREFIX).unwrap_or(path) == "/openapi.json" {
        return Some("/openapi.json".to_owned());
    }
    operations::find(path).map(|(operation, _)| operation.path.to_owned())
}

fn check_headers(documented: &Value, asked: &str, response: &Response) {
    for (name, header) in documented["headers"].as_object().unwrap() {
        let header = resolved(&CONTRACT.document, header);
        let Some(value) = response.headers.get(&name.to_lowercase()) else {
            assert_ne!(header["required"], true, "{asked}: {name} is missing");
            continue;
        };
        let schema = jsonschema::validator_for(&header["schema"]).unwrap();
        assert!(schema.is_valid(&json!(value)), "{asked}: {name}: {value}");
    }
}

fn check_body(validator: &Validator, asked: &str, response: &Response, address: &str) {
    let body: Value = serde_json::from_str(&unpacked(response).replace(address, SITE)).unwrap();
    check_value(validator, asked, &body);
}

fn check_value(validator: &Validator, asked: &str, body: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(body)
        .map(|error| {
            format!("{}: {}", error.instance_path(), error.to_string().chars().take(300).collect::<String>())
        })
        .collect();
    assert!(errors.is_empty(), "{asked}: the body is not as documented:\n{}", errors.join("\n"));
}
