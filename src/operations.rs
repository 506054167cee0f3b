//! The operations of the service: one table that the router, the cache headers, the OpenAPI document
//! and the command line read.

use schemars::{Schema, SchemaGenerator};

use crate::{
    answers::{
        Form, Given, PARAMETERS_MAX, Parameter, Refusal, Request, guides, places, resolve, screening, search,
    },
    wire::{
        Envelope, Guide, PlacePage, ProblemKind, ResolveResult, ResourcePage, Screening, SearchResult,
        TopicList,
    },
};

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
    /// What a reader of the document needs to know besides.
    pub description: &'static str,
    /// The group that it belongs to in the document.
    pub tag: &'static str,
    /// Parameters of the query and the path.
    pub parameters: &'static [Parameter],
    /// Parser of the parameters.
    pub parse: fn(&Given<'_>) -> Result<Request, Refusal>,
    /// Problems of its own; [`COMMON_PROBLEMS`] come on top.
    pub problems: &'static [ProblemKind],
    /// Schema of a success.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// A request that has an answer, below [`PREFIX`].
    pub example: &'static str,
}

impl Operation {
    /// The status of a problem in its answers. A topic that a path names and that is not one is not found; the same
    /// in a query is a bad request.
    pub fn status_of(&self, kind: ProblemKind) -> u16 {
        let names_topic = |parameter: &Parameter| parameter.in_path && parameter.form == Form::Topic;
        let is_in_path = kind == ProblemKind::UnknownTopic && self.parameters.iter().any(names_topic);
        if is_in_path { 404 } else { kind.status() }
    }

    /// Whether its answers come in pages, each with a cursor for the next.
    pub fn is_paged(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.form == Form::Opaque)
    }
}

/// Problems that any operation may answer with.
pub const COMMON_PROBLEMS: &[ProblemKind] = &[
    ProblemKind::BadParameter,
    ProblemKind::InvalidKey,
    ProblemKind::MethodNotAllowed,
    ProblemKind::RateLimited,
    ProblemKind::InternalError,
    ProblemKind::Busy,
];

/// Fifteen minutes.
const QUARTER_HOUR: &str = "public, max-age=900";

/// Which governments cover a point.
pub const RESOLVE: Operation = Operation {
    id: "resolve_jurisdiction",
    path: "/jurisdictions/resolve",
    cache_control: QUARTER_HOUR,
    summary: "Jurisdiction chain of a point, with the responsible body and office per function",
    description: "Takes exactly one of three inputs: lat and lon; address; place and state. Where an address or a \
                  name matches several candidates, the answer is 409 with the candidates in choices.",
    tag: "Jurisdictions",
    parameters: resolve::PARAMETERS,
    parse: resolve::parse,
    problems: &[
        ProblemKind::BadPoint,
        ProblemKind::UnknownState,
        ProblemKind::OutsideCoverage,
        ProblemKind::AddressNotFound,
        ProblemKind::PlaceNotFound,
        ProblemKind::Ambiguous,
        ProblemKind::LookupLimit,
        ProblemKind::UpstreamUnavailable,
    ],
    schema: SchemaGenerator::subschema_for::<Envelope<'static, ResolveResult<'static>>>,
    example: "/jurisdictions/resolve?lat=44.9773&lon=-93.2655",
};

/// Places and resources by name.
pub const SEARCH: Operation = Operation {
    id: "search",
    path: "/search",
    cache_control: QUARTER_HOUR,
    summary: "Places and resources by name",
    description: "Counties, cities, towns and townships, and web resources, best match first. Never people: a personal name \
                  finds places or nothing.",
    tag: "Search",
    parameters: search::PARAMETERS,
    parse: search::parse,
    problems: &[ProblemKind::UnknownState],
    schema: SchemaGenerator::subschema_for::<Envelope<'static, SearchResult<'static>>>,
    example: "/search?q=saint+paul&state=MN&limit=3",
};

/// One hour.
const HOUR: &str = "public, max-age=3600";

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
        description: "Give jurisdiction_id, or lat and lon with a topic. With a topic: resources of the place, of what \
                      it lies in and of the nation, the nearest first. Without: those of the place itself.",
        tag: "Directory",
        parameters: places::RESOURCES_PARAMETERS,
        parse: places::parse_resources,
        problems: &[
            ProblemKind::BadPoint,
            ProblemKind::BadCursor,
            ProblemKind::UnknownTopic,
            ProblemKind::UnknownJurisdiction,
            ProblemKind::OutsideCoverage,
        ],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, ResourcePage<'static>>>,
        example: "/resources?jurisdiction_id=county:27053&topic=parcel_map&limit=2",
    },
    Operation {
        id: "get_place",
        path: "/places/{jurisdiction_id}",
        cache_control: QUARTER_HOUR,
        summary: "Full directory for one place",
        description: "The place, what it lies in, its offices, the body for each function, and its own resources, \
                      which are paged.",
        tag: "Directory",
        parameters: places::PLACE_PARAMETERS,
        parse: places::parse_place,
        problems: &[ProblemKind::BadCursor, ProblemKind::UnknownJurisdiction, ProblemKind::NotFound],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, PlacePage<'static>>>,
        example: "/places/county:27053?limit=2",
    },
    Operation {
        id: "list_topics",
        path: "/topics",
        cache_control: DAY,
        summary: "Topics, the functions that they serve, and deprecated names",
        description: "The vocabulary of topics. Topics are only added, never renamed; deprecated names still work.",
        tag: "Guides",
        parameters: &[],
        parse: guides::parse_topics,
        problems: &[],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, TopicList<'static>>>,
        example: "/topics",
    },
    Operation {
        id: "get_guide",
        path: "/guides/{topic}",
        cache_control: DAY,
        summary: "Plain-language guide of a topic, with a state's own rules",
        description: "A topic without a guide answers with its description. With a state, its rules come along.",
        tag: "Guides",
        parameters: guides::PARAMETERS,
        parse: guides::parse,
        problems: &[ProblemKind::UnknownTopic, ProblemKind::UnknownState, ProblemKind::NotFound],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, Guide<'static>>>,
        example: "/guides/zoning?state=MN",
    },
    Operation {
        id: "screen_point",
        path: "/screening",
        cache_control: HOUR,
        summary: "Screening facts at a point, each with the office that decides",
        description: "A first look at flood zone, wetlands, soil, elevation, shoreland (Minnesota) and radon zone. Never \
                      an official determination. A fact that could not be checked has the status unknown.",
        tag: "Screening",
        parameters: screening::PARAMETERS,
        parse: screening::parse,
        problems: &[
            ProblemKind::BadPoint,
            ProblemKind::OutsideCoverage,
            ProblemKind::LookupLimit,
            ProblemKind::UpstreamUnavailable,
        ],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, Screening<'static>>>,
        example: "/screening?lat=44.9773&lon=-93.2655",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_operation_says_of_itself_follows_from_its_parameters() {
        for (id, unknown_topic, is_paged) in [
            ("resolve_jurisdiction", 400, false),
            ("list_resources", 400, true),
            ("get_place", 400, true),
            ("list_topics", 400, false),
            ("get_guide", 404, false),
            ("screen_point", 400, false),
            ("search", 400, false),
        ] {
            let operation = OPERATIONS.iter().find(|operation| operation.id == id).unwrap();
            assert_eq!(operation.status_of(ProblemKind::UnknownTopic), unknown_topic, "{id}");
            assert_eq!(operation.status_of(ProblemKind::UnknownState), 400, "{id}");
            assert_eq!(operation.is_paged(), is_paged, "{id}");
        }
    }
}
