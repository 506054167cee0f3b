//! The operations of the service: one table that the router, the cache headers and the command line read.

use crate::answers::{Given, PARAMETERS_MAX, Parameter, Refusal, Request, guides, places, resolve, search};

/// The path prefix of version 1.
pub const PREFIX: &str = "/v1";

/// An operation. All are asked by GET (and HEAD).
#[derive(Debug)]
pub struct Operation {
    /// Name, as in OpenAPI's `operationId`.
    pub id: &'static str,
    /// Path below [`PREFIX`]; a last segment in braces is a parameter.
    pub path: &'static str,
    /// `Cache-Control` of a success.
    pub cache_control: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Query parameters.
    pub parameters: &'static [Parameter],
    /// Parser of the parameters.
    pub parse: fn(&Given<'_>) -> Result<Request, Refusal>,
}

/// Fifteen minutes.
const QUARTER_HOUR: &str = "public, max-age=900";

/// Which governments cover a point.
pub const RESOLVE: Operation = Operation {
    id: "resolve_jurisdiction",
    path: "/jurisdictions/resolve",
    cache_control: QUARTER_HOUR,
    summary: "Jurisdiction chain of a point, with the responsible body and office per function",
    parameters: resolve::PARAMETERS,
    parse: resolve::parse,
};

/// Places and resources by name.
pub const SEARCH: Operation = Operation {
    id: "search",
    path: "/search",
    cache_control: QUARTER_HOUR,
    summary: "Places and resources by name",
    parameters: search::PARAMETERS,
    parse: search::parse,
};

/// One day.
const DAY: &str = "public, max-age=86400";

/// All operations.
pub const OPERATIONS: &[Operation] = &[
    RESOLVE,
    Operation {
        id: "list_resources",
        path: "/resources",
        cache_control: QUARTER_HOUR,
        summary: "Ranked official resources for a place or a point",
        parameters: places::RESOURCES_PARAMETERS,
        parse: places::parse_resources,
    },
    Operation {
        id: "get_place",
        path: "/places/{jurisdiction_id}",
        cache_control: QUARTER_HOUR,
        summary: "Full directory for one place",
        parameters: places::PLACE_PARAMETERS,
        parse: places::parse_place,
    },
    Operation {
        id: "list_topics",
        path: "/topics",
        cache_control: DAY,
        summary: "Topics, the functions that they serve, and deprecated names",
        parameters: &[],
        parse: guides::parse_topics,
    },
    Operation {
        id: "get_guide",
        path: "/guides/{topic}",
        cache_control: DAY,
        summary: "Plain-language guide of a topic, with a state's own rules",
        parameters: guides::PARAMETERS,
        parse: guides::parse,
    },
    SEARCH,
];

const _: () = {
    let mut at = 0;
    while at < OPERATIONS.len() {
        assert!(OPERATIONS[at].parameters.len() <= PARAMETERS_MAX);
        at += 1;
    }
};

/// The operation at a path, and the segment that is its parameter.
pub fn find(path: &str) -> Option<(&'static Operation, Option<&str>)> {
    let below = path.strip_prefix(PREFIX)?;
    OPERATIONS.iter().find_map(|operation| match operation.path.split_once('{') {
        None => (operation.path == below).then_some((operation, None)),
        Some((before, _)) => {
            let segment = below.strip_prefix(before)?;
            (!segment.is_empty() && !segment.contains('/')).then_some((operation, Some(segment)))
        }
    })
}
