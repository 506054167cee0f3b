//! Answers that the service gave to the example of each operation, with long lists cut short.
//!
//! `make examples` takes them anew.

use serde_json::Value;

/// Where the examples were taken.
const SITE: &str = "https://platbook.example";

/// Operation and answer.
const ANSWERS: &[(&str, &str)] = &[
    ("resolve_jurisdiction", include_str!("examples/resolve_jurisdiction.json")),
    ("list_resources", include_str!("examples/list_resources.json")),
    ("get_place", include_str!("examples/get_place.json")),
    ("list_topics", include_str!("examples/list_topics.json")),
    ("get_guide", include_str!("examples/get_guide.json")),
    ("search", include_str!("examples/search.json")),
    ("ask", include_str!("examples/ask.json")),
    ("screen_point", include_str!("examples/screen_point.json")),
];

/// The answer to the example of an operation, as a service at this address gives it.
pub(super) fn answer(operation: &str, site: &str) -> Value {
    let found = ANSWERS.iter().find(|(id, _)| *id == operation);
    let text = found.map_or("{}", |(_, text)| text).replace(SITE, site);
    serde_json::from_str(&text).expect("the examples are JSON")
}

/// The problem of a name that several places have, as a service at this address gives it.
pub(super) fn ambiguous(site: &str) -> Value {
    let text = include_str!("examples/ambiguous.json").replace(SITE, site);
    serde_json::from_str(&text).expect("the examples are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::OPERATIONS;

    #[test]
    fn every_operation_has_an_example() {
        for operation in OPERATIONS {
            assert!(answer(operation.id, SITE)["data"].is_object(), "{}", operation.id);
        }
    }
}
