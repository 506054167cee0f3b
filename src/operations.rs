//! The operations of the service: one table for the router, cache headers, the OpenAPI document and the command line.
//! Also has the statuses of problems.

use schemars::{Schema, SchemaGenerator};

use crate::wire::{
    AskResult, ChainList, CoverageReport, Download, Envelope, Guide, JurisdictionList, PlacePage,
    ResolveResult, ResourcePage, Screening, SearchResult, TopicList,
};
use platbook::{
    answers::{Form, PARAMETERS_MAX, Parameter, RawParameters, Refusal, Request, operations as parsers},
    vocabulary::ProblemKind,
};

/// The path prefix of version 1.
pub const PREFIX: &str = "/v1";

/// An operation, requested by GET or HEAD.
#[derive(Debug)]
pub struct Operation {
    /// Name, as in OpenAPI's `operationId`.
    pub id: &'static str,
    /// Name of the operation's command on the command line.
    pub command: &'static str,
    /// Parameters that the command takes by position. All others are options.
    pub positional: &'static [&'static str],
    /// Path below [`PREFIX`]; a last segment in braces is a parameter.
    pub path: &'static str,
    /// Seconds for which caches may keep a success.
    pub max_age_s: u32,
    /// Summary in one line.
    pub summary: &'static str,
    /// Further explanation for readers of the document.
    pub description: &'static str,
    /// The operation's group in the document.
    pub tag: &'static str,
    /// Parameters in the query and the path.
    pub parameters: &'static [Parameter],
    /// Function that parses the parameters.
    pub parse: fn(&RawParameters<'_>) -> Result<Request, Refusal>,
    /// Problems of this operation, in addition to [`COMMON_PROBLEMS`].
    pub problems: &'static [ProblemKind],
    /// Schema of a successful answer.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Path and query of a request that has an answer, below [`PREFIX`].
    pub example: &'static str,
}

/// Problems that any operation may have.
pub const COMMON_PROBLEMS: &[ProblemKind] = &[
    ProblemKind::BadParameter,
    ProblemKind::InvalidKey,
    ProblemKind::MethodNotAllowed,
    ProblemKind::RateLimited,
    ProblemKind::InternalError,
    ProblemKind::Busy,
];

/// Fifteen minutes, in seconds.
pub const QUARTER_HOUR_S: u32 = 900;

/// The operation that finds the governments that cover a point.
pub const RESOLVE: Operation = Operation {
    id: "resolve_jurisdiction",
    command: "resolve",
    positional: &["lat", "lon"],
    path: "/jurisdictions/resolve",
    max_age_s: QUARTER_HOUR_S,
    summary: "Governments that cover a point, and the body and office for each function",
    description: "Takes exactly one input: lat and lon; address; place and state; or jurisdiction_id. An address may also be \
                  a ZIP code, or a town with its state. If an address, a name or a ZIP code matches several candidates, the \
                  answer is 409 with the candidates in choices.",
    tag: "Jurisdictions",
    parameters: parsers::RESOLVE,
    parse: parsers::parse_resolve,
    problems: &[
        ProblemKind::BadPoint,
        ProblemKind::UnknownState,
        ProblemKind::UnknownJurisdiction,
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

/// The operation that finds places and resources by name.
pub const SEARCH: Operation = Operation {
    id: "search",
    command: "search",
    positional: &["q"],
    path: "/search",
    max_age_s: QUARTER_HOUR_S,
    summary: "Places and resources by name",
    description: "Counties, cities, towns and townships, and web resources, best match first. Never people: a personal name \
                  finds places or nothing.",
    tag: "Search",
    parameters: parsers::SEARCH,
    parse: parsers::parse_search,
    problems: &[ProblemKind::UnknownState],
    schema: SchemaGenerator::subschema_for::<Envelope<'static, SearchResult<'static>>>,
    example: "/search?q=saint+paul&state=MN&limit=3",
};

/// One hour, in seconds.
pub const HOUR_S: u32 = 3_600;

/// One day, in seconds.
pub const DAY_S: u32 = 86_400;

/// All operations, in the order of the document.
pub const OPERATIONS: &[Operation] = &[
    RESOLVE,
    Operation {
        id: "list_jurisdictions",
        command: "list jurisdictions",
        positional: &[],
        path: "/jurisdictions",
        max_age_s: QUARTER_HOUR_S,
        summary: "Jurisdictions of a state, a type or an area, page by page",
        description: "Jurisdictions that meet every given condition, in the order of their ids, names or numbers of people. With a \
                      function, each has the body that performs it there, with its office and best page.",
        tag: "Jurisdictions",
        parameters: parsers::JURISDICTIONS,
        parse: parsers::parse_jurisdictions,
        problems: &[ProblemKind::BadCursor, ProblemKind::UnknownState, ProblemKind::UnknownJurisdiction],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, JurisdictionList<'static>>>,
        example: "/jurisdictions?state=WY&type=county&order=population&limit=2",
    },
    Operation {
        id: "list_offices",
        command: "list offices",
        positional: &[],
        path: "/offices",
        max_age_s: QUARTER_HOUR_S,
        summary: "Bodies that perform a function, each once with its office, page by page",
        description: "Counties, towns, cities, districts and states that perform the function somewhere in their area, in \
                      the order of their ids. A page may have fewer than limit; next_cursor says whether it is the last.",
        tag: "Directory",
        parameters: parsers::OFFICES,
        parse: parsers::parse_offices,
        problems: &[ProblemKind::BadCursor, ProblemKind::UnknownState, ProblemKind::UnknownJurisdiction],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, JurisdictionList<'static>>>,
        example: "/offices?function=recording&state=WY&limit=2",
    },
    Operation {
        id: "list_chains",
        command: "chains",
        positional: &["points"],
        path: "/jurisdictions/chains",
        max_age_s: QUARTER_HOUR_S,
        summary: "Governments and bodies of up to a hundred points, a row for each",
        description: "Rows of ids, in the order of the points, without pages. A text that is not a point, or a point \
                      that is not covered, is a row with its error. Each ten points count as one request against the limits.",
        tag: "Jurisdictions",
        parameters: parsers::CHAINS,
        parse: parsers::parse_chains,
        problems: &[],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, ChainList<'static>>>,
        example: "/jurisdictions/chains?points=44.9773,-93.2655;41.8781,-87.6298",
    },
    Operation {
        id: "list_resources",
        command: "resources",
        positional: &["jurisdiction_id"],
        path: "/resources",
        max_age_s: QUARTER_HOUR_S,
        summary: "Ranked official resources for a place or a point",
        description: "Give jurisdiction_id, or lat and lon with a topic. With a topic: resources of the place, of what \
                      it lies in and of the nation, the nearest first. Without: those of the place itself.",
        tag: "Directory",
        parameters: parsers::RESOURCES,
        parse: parsers::parse_resources,
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
        command: "place",
        positional: &["jurisdiction_id"],
        path: "/places/{jurisdiction_id}",
        max_age_s: QUARTER_HOUR_S,
        summary: "Full directory for one place",
        description: "The place, what it lies in, its offices, the body for each function, and its own resources, \
                      which are paged.",
        tag: "Directory",
        parameters: parsers::PLACE,
        parse: parsers::parse_place,
        problems: &[ProblemKind::BadCursor, ProblemKind::UnknownJurisdiction, ProblemKind::NotFound],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, PlacePage<'static>>>,
        example: "/places/county:27053?limit=2",
    },
    Operation {
        id: "list_topics",
        command: "topics",
        positional: &[],
        path: "/topics",
        max_age_s: DAY_S,
        summary: "Topics, the functions that they serve, and deprecated names",
        description: "The vocabulary of topics. Topics are only added, never renamed; deprecated names still work.",
        tag: "Guides",
        parameters: &[],
        parse: parsers::parse_topics,
        problems: &[],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, TopicList<'static>>>,
        example: "/topics",
    },
    Operation {
        id: "get_guide",
        command: "guide",
        positional: &["topic"],
        path: "/guides/{topic}",
        max_age_s: DAY_S,
        summary: "Plain-language guide of a topic, with a state's own rules",
        description: "For a topic without a guide, the answer is the description of the topic. With a state, the answer has its rules as well.",
        tag: "Guides",
        parameters: parsers::GUIDE,
        parse: parsers::parse_guide,
        problems: &[ProblemKind::UnknownTopic, ProblemKind::UnknownState, ProblemKind::NotFound],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, Guide<'static>>>,
        example: "/guides/zoning?state=MN",
    },
    Operation {
        id: "screen_point",
        command: "screen",
        positional: &["lat", "lon"],
        path: "/screening",
        max_age_s: HOUR_S,
        summary: "Screening facts at a point, each with the office that decides",
        description: "A first look at flood zone, wetlands, soil, elevation, shoreland (Minnesota) and radon zone. Never \
                      an official determination. A fact that could not be checked has the status unknown. Give lat and lon. A \
                      place, or jurisdiction_id, gives the radon zone of its county; the other facts are unknown then.",
        tag: "Screening",
        parameters: parsers::SCREENING,
        parse: parsers::parse_screening,
        problems: &[
            ProblemKind::BadPoint,
            ProblemKind::UnknownState,
            ProblemKind::UnknownJurisdiction,
            ProblemKind::OutsideCoverage,
            ProblemKind::PlaceNotFound,
            ProblemKind::Ambiguous,
            ProblemKind::LookupLimit,
            ProblemKind::UpstreamUnavailable,
        ],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, Screening<'static>>>,
        example: "/screening?lat=44.9773&lon=-93.2655",
    },
    SEARCH,
    Operation {
        id: "get_download",
        command: "download",
        positional: &[],
        path: "/download",
        max_age_s: QUARTER_HOUR_S,
        summary: "The file behind all answers: its digest and size, where it is published, its tables",
        description: "For users who want all data at once. This service sends answers and no files. The snapshot is in the program \
                      platbook, and at the address where the operator publishes it, if one is configured.",
        tag: "Directory",
        parameters: &[],
        parse: parsers::parse_download,
        problems: &[],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, Download<'static>>>,
        example: "/download",
    },
    Operation {
        id: "get_coverage",
        command: "coverage",
        positional: &["state"],
        path: "/coverage",
        max_age_s: QUARTER_HOUR_S,
        summary: "How much is known and how fresh it is, for the nation or a state",
        description: "Percentages of people for whom office, page and telephone of each job are known. Also outlines by layer with \
                      their years, and checks of links and rules. Without a state, the answer has a line for each state as well.",
        tag: "Directory",
        parameters: parsers::COVERAGE,
        parse: parsers::parse_coverage,
        problems: &[ProblemKind::UnknownState],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, CoverageReport<'static>>>,
        example: "/coverage?state=MN",
    },
    Operation {
        id: "ask",
        command: "ask",
        positional: &["q"],
        path: "/ask",
        max_age_s: QUARTER_HOUR_S,
        summary: "Answer for a free text: coordinates, a map link, a ZIP code, an address or a place",
        description: "For coordinates or an address, the governments and offices are in resolve. For a ZIP code, its counties \
                      are in counties; for a name, the matches are in places and resources. If an address is not found, places \
                      has the places of its town. If several addresses match, the answer is 409 with choices.",
        tag: "Search",
        parameters: parsers::ASK,
        parse: parsers::parse_ask,
        problems: &[
            ProblemKind::BadPoint,
            ProblemKind::OutsideCoverage,
            ProblemKind::AddressNotFound,
            ProblemKind::Ambiguous,
            ProblemKind::LookupLimit,
            ProblemKind::UpstreamUnavailable,
        ],
        schema: SchemaGenerator::subschema_for::<Envelope<'static, AskResult>>,
        example: "/ask?q=building+permit+55415",
    },
];

const _: () = {
    let mut at = 0;
    while at < OPERATIONS.len() {
        assert!(OPERATIONS[at].parameters.len() <= PARAMETERS_MAX);
        at += 1;
    }
};

/// The status of each problem, in the order of [`ProblemKind`].
const STATUSES: [(ProblemKind, u16); 18] = {
    use ProblemKind as P;
    [
        (P::BadParameter, 400),
        (P::BadPoint, 400),
        (P::BadCursor, 400),
        (P::UnknownTopic, 400),
        (P::UnknownState, 400),
        (P::InvalidKey, 401),
        (P::UnknownJurisdiction, 404),
        (P::OutsideCoverage, 404),
        (P::AddressNotFound, 404),
        (P::PlaceNotFound, 404),
        (P::NotFound, 404),
        (P::MethodNotAllowed, 405),
        (P::Ambiguous, 409),
        (P::RateLimited, 429),
        (P::LookupLimit, 429),
        (P::InternalError, 500),
        (P::Busy, 503),
        (P::UpstreamUnavailable, 503),
    ]
};

/// Returns the status of a problem, unless an operation overrides it.
pub fn status_of(kind: ProblemKind) -> u16 {
    STATUSES[kind as usize].1
}

impl Operation {
    /// Returns the status of a problem of this operation. An unknown topic in the path yields 404.
    pub fn status_of(&self, kind: ProblemKind) -> u16 {
        let names_topic = |parameter: &Parameter| parameter.in_path && parameter.form == Form::Topic;
        match kind {
            ProblemKind::UnknownTopic if self.parameters.iter().any(names_topic) => 404,
            _ => status_of(kind),
        }
    }

    /// Returns whether the operation's answers are paged.
    pub fn is_paged(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.is_cursor)
    }
}

/// Returns the operation at a path and the path segment that is its parameter; `None` at other paths.
pub fn find(path: &str) -> Option<(&'static Operation, Option<&str>)> {
    let below = path.strip_prefix(PREFIX)?;
    let before_segment = |path: &'static str| Some(path.strip_suffix('}')?.split_once('{')?.0);
    OPERATIONS.iter().find_map(|operation| match before_segment(operation.path) {
        None => (operation.path == below).then_some((operation, None)),
        Some(before) => {
            let segment = below.strip_prefix(before)?;
            (!segment.is_empty() && !segment.contains('/')).then_some((operation, Some(segment)))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_stands_at_its_problem() {
        for (at, (kind, status)) in STATUSES.into_iter().enumerate() {
            assert_eq!(kind as usize, at, "{kind:?}");
            assert!((400..600).contains(&status));
        }
    }

    #[test]
    fn a_topic_in_the_path_is_not_found() {
        for operation in OPERATIONS {
            let expected = if operation.path == "/guides/{topic}" { 404 } else { 400 };
            assert_eq!(operation.status_of(ProblemKind::UnknownTopic), expected, "{}", operation.path);
        }
    }
}
