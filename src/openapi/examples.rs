//! Recorded answers of the service to the example request of each operation, with long lists shortened.
//!
//! `make examples` records new answers.

use serde_json::Value;

/// The public address of the recorded service. In answers, the address of the described service replaces it.
const SITE: &str = "https://platbook.example";

/// Ids of operations with their recorded answers.
const ANSWERS: &[(&str, &str)] = &[
    ("resolve_jurisdiction", include_str!("examples/resolve_jurisdiction.json")),
    ("list_jurisdictions", include_str!("examples/list_jurisdictions.json")),
    ("list_offices", include_str!("examples/list_offices.json")),
    ("list_chains", include_str!("examples/list_chains.json")),
    ("get_coverage", include_str!("examples/get_coverage.json")),
    ("get_download", include_str!("examples/get_download.json")),
    ("list_resources", include_str!("examples/list_resources.json")),
    ("get_place", include_str!("examples/get_place.json")),
    ("list_topics", include_str!("examples/list_topics.json")),
    ("get_guide", include_str!("examples/get_guide.json")),
    ("search", include_str!("examples/search.json")),
    ("ask", include_str!("examples/ask.json")),
    ("screen_point", include_str!("examples/screen_point.json")),
];

/// Returns the answer to an operation's example request, as a service at this address gives it.
pub(super) fn answer(operation: &str, site: &str) -> Value {
    let found = ANSWERS.iter().find(|(id, _)| *id == operation);
    let text = found.map_or("{}", |(_, text)| text).replace(SITE, site);
    serde_json::from_str(&text).expect("the examples are JSON")
}

/// Returns the problem of an ambiguous name, as a service at this address gives it.
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
