//! Problem responses of operations.

use serde_json::{Map, Value, json};

use super::{examples, headers};
use crate::{
    operations::{COMMON_PROBLEMS, Operation, status_of},
    wire::ProblemType,
    wire::help_with,
};
use platbook::vocabulary::ProblemKind;

/// Returns the problem responses of an operation, by status.
pub(super) fn responses(operation: &Operation, site: &str) -> Map<String, Value> {
    let mut kinds: Vec<(u16, ProblemKind)> =
        COMMON_PROBLEMS.iter().map(|kind| (status_of(*kind), *kind)).collect();
    kinds.extend(operation.problems.iter().map(|kind| (operation.status_of(*kind), *kind)));
    let mut statuses: Vec<u16> = kinds.iter().map(|(status, _)| *status).collect();
    statuses.sort_unstable();
    statuses.dedup();
    let response = |status: u16| {
        let of_status: Vec<ProblemKind> =
            ProblemKind::all().filter(|kind| kinds.contains(&(status, *kind))).collect();
        let response = match of_status[..] {
            [kind] if COMMON_PROBLEMS.contains(&kind) => reference(kind),
            _ => problem_response(status, &of_status, site),
        };
        (status.to_string(), response)
    };
    statuses.into_iter().map(response).collect()
}

/// Returns the problem responses of paths other than operations, which do not accept keys.
pub(super) fn of_pages() -> impl Iterator<Item = (String, Value)> {
    use ProblemKind as P;
    let kinds = [P::BadParameter, P::MethodNotAllowed, P::RateLimited, P::InternalError];
    kinds.into_iter().map(|kind| (status_of(kind).to_string(), reference(kind)))
}

fn reference(kind: ProblemKind) -> Value {
    json!({ "$ref": format!("#/components/responses/{}", component(kind)) })
}

/// Returns the responses that all operations share.
pub(super) fn shared(site: &str) -> Value {
    let shared = COMMON_PROBLEMS
        .iter()
        .map(|kind| (component(*kind), problem_response(status_of(*kind), &[*kind], site)));
    let mut responses: Map<String, Value> = shared.collect();
    responses.insert("NotModified".into(), not_modified());
    Value::Object(responses)
}

/// Returns the response 304, for a client that already has the answer.
fn not_modified() -> Value {
    json!({
        "description": "The answer is still the one that If-None-Match names. No body.",
        "headers": headers::of_responses(["ETag", "CacheControl", "Deprecation", "Sunset", "Link"]),
    })
}

/// Returns the name of a problem's component: `RateLimited` for `rate-limited`.
fn component(kind: ProblemKind) -> String {
    let capitalized = |word: &str| word[..1].to_uppercase() + &word[1..];
    kind.slug().split('-').map(capitalized).collect()
}

fn problem_response(status: u16, kinds: &[ProblemKind], site: &str) -> Value {
    let said: Vec<String> =
        kinds.iter().map(|kind| format!("- `{}`: {}", kind.slug(), help_with(*kind).meaning)).collect();
    let examples: Map<String, Value> = kinds
        .iter()
        .map(|kind| {
            (
                kind.slug().to_owned(),
                json!({ "summary": kind.title(), "value": example(status, *kind, site) }),
            )
        })
        .collect();
    json!({
        "description": said.join("\n"),
        "headers": headers::of_responses(own_headers(status).iter().copied()),
        "content": {
            "application/problem+json": {
                // All problems share one schema, since client generators make a type for each schema.
                "schema": { "$ref": "#/components/schemas/Problem" },
                "examples": examples,
            },
        },
    })
}

/// Returns the headers that a problem has in addition to those of every response. A 405 announces no deprecation,
/// since it is sent before the operation is known.
fn own_headers(status: u16) -> &'static [&'static str] {
    match status {
        401 => &["NoStore", "Authenticate", "Deprecation", "Sunset"],
        405 => &["NoStore", "Allow"],
        429 => &["NoStore", "RetryAfter", "Deprecation", "Sunset"],
        503 => &["NoStore", "RetryLater", "Deprecation", "Sunset"],
        _ => &["NoStore", "Deprecation", "Sunset"],
    }
}

fn example(status: u16, kind: ProblemKind, site: &str) -> Value {
    if kind == ProblemKind::Ambiguous {
        return examples::ambiguous(site);
    }
    json!({
        "type": ProblemType(kind).to_string(),
        "title": kind.title(),
        "status": status,
        "detail": help_with(kind).detail,
        "request_id": "te2znxmxmnr3ke0gfz82ekzc",
    })
}
