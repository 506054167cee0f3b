//! The OpenAPI 3.1 document, generated from the table of operations and the JSON types of answers.
//!
//! This module repeats no part of the interface. Paths, parameters, bounds, lifetimes and problems come from
//! [`crate::operations`], and schemas from [`crate::wire`].

mod examples;
mod headers;
mod paths;
mod problems;
mod schemas;

use serde_json::{Value, json};

use crate::operations::{OPERATIONS, PREFIX};

/// The version of the interface.
const VERSION: &str = "1.0.0";

/// Groups of operations, in the order of the document.
const TAGS: [(&str, &str); 6] = [
    ("Jurisdictions", "Which governments cover a place."),
    ("Directory", "Offices and official web resources."),
    ("Guides", "Topics, and plain-language guides with the rules of a state."),
    ("Screening", "First facts on a point. Never an official determination."),
    ("Search", "Places and resources by name."),
    ("Description", "This document."),
];

const DESCRIPTION: &str = "\
A read-only directory of official government offices and resources for property, land and GIS questions in the United \
States. It says which governments cover a place, which office does each property job there, and its official pages.

No key is needed; a key only raises the limits. Only GET, HEAD and OPTIONS are answered. The service is a guide, not an \
authority: the named office has the final say. It never searches for people; do not send personal names.

Fields, topics and endpoints are added without notice: ignore what you do not know. Match errors on `type`, not on text. \
Two errors end the connection without a body and the usual headers. They are 400 for bytes that are not an HTTP request, \
and 431 for a head of over 16 KiB or 100 fields.";

/// Makes the document for a service at this address.
pub fn document(site: &str) -> Value {
    let site = site.trim_end_matches('/');
    let used = |tag: &str| tag == "Description" || OPERATIONS.iter().any(|operation| operation.tag == tag);
    let tags = TAGS.into_iter().filter(|(tag, _)| used(tag));
    let mut generator = schemas::generator();
    let paths = paths::paths(&mut generator, site);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Property and Land Directory Service",
            "version": VERSION,
            "summary": "Which governments cover a place, and which office does each property job there.",
            "description": DESCRIPTION,
            "contact": { "name": "platbook", "url": site },
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": format!("{site}{PREFIX}"), "description": "This service" }],
        "security": [{}, { "key": [] }],
        "tags": tags.map(|(name, description)| json!({ "name": name, "description": description })).collect::<Value>(),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key. It raises the limits and changes nothing else. Send it from a server; \
                                    keep it off web pages.",
                },
            },
            "parameters": headers::request(),
            "headers": headers::response(site),
            "responses": problems::shared(site),
            "schemas": schemas::definitions(generator, site),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_tag_and_path() {
        let document = document("https://platbook.example/");
        for operation in OPERATIONS {
            assert!(TAGS.iter().any(|(tag, _)| *tag == operation.tag), "{}", operation.id);
            assert_eq!(document["paths"][operation.path]["get"]["operationId"], operation.id);
        }
    }

    #[test]
    fn every_component_is_described() {
        let document = document("https://platbook.example");
        let components = document["components"].as_object().expect("there are components");
        for (kind, named) in components {
            for (name, component) in named.as_object().into_iter().flatten() {
                assert!(
                    component["description"].as_str().is_some_and(|text| text.len() > 1),
                    "{kind} {name}"
                );
            }
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn walk(value: &Value, root: &Value) {
            match value {
                Value::Object(map) => {
                    if let Some(Value::String(reference)) = map.get("$ref") {
                        let pointer =
                            reference.strip_prefix('#').expect("references stay inside the document");
                        assert!(root.pointer(pointer).is_some(), "{reference}");
                    }
                    map.values().for_each(|inner| walk(inner, root));
                }
                Value::Array(items) => items.iter().for_each(|inner| walk(inner, root)),
                _ => {}
            }
        }
        let document = document("https://platbook.example");
        walk(&document, &document);
    }
}
