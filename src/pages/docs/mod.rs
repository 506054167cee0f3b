//! The page on the API: each operation with its parameters, fields and statuses beside runnable code and a real answer.
//!
//! Its content comes from the table of operations and the OpenAPI document, so the page is always up to date.

mod code;
mod fields;

use maud::{Markup, html};
use percent_encoding::percent_decode_str;
use serde::Serialize as _;
use serde_json::{Serializer, Value, ser::PrettyFormatter};

use super::{
    corrections::Corrections,
    layout::PageLayout,
    report,
    site::{Site, in_query},
};
use crate::{
    http::limits::{Bucket, Quota, Tier},
    openapi,
    operations::{COMMON_PROBLEMS, OPERATIONS, Operation, PREFIX},
};
use platbook::{
    answers::{Form, Parameter},
    vocabulary::ProblemKind,
    words::thousands,
};

pub(super) use code::Language;

/// Maximum number of lines of an answer on the page. The three longest answers have 400 to 700, and take a third of
/// the page over the wire.
const ANSWER_LINES_MAX: usize = 150;

/// Builds the page on the API, with code in one language.
pub(super) fn page(site: Site<'_>, language: Language) -> PageLayout {
    let document = openapi::document(site.origin());
    let body = html! {
        h1 { "API" }
        p.lead { "Every answer of these pages is there as JSON. No key is needed; a key raises the limits and changes nothing else." }
        p { "Send GET requests to paths below " code { (site.origin()) (PREFIX) } ". An " a href=(site.href("/openapi.json")) { "OpenAPI 3.1 document" }
            " describes all of it, and the " a href=(site.href("/changelog")) { "changelog" } " announces changes. " a href="#limits" { "Limits and keys" } ", " a href="#errors" { "errors" } ", "
            a href="#models" { "language models" } ", " a href="#bulk" { "whole files" } "." }
        @for (at, operation) in OPERATIONS.iter().enumerate() {
            details.part open[at == 0] {
                summary { h2 { (heading(operation)) } " " code { "GET " (PREFIX) (operation.path) } }
                (described(site, operation, language, &document))
            }
        }
        (errors(site, &document))
        (limits(site))
        (models(site))
        (bulk(site))
        (fields::shapes(&document))
    };
    PageLayout {
        json: Some("/openapi.json".to_owned()),
        ..PageLayout::new(
            "API",
            "The read-only JSON API: operations, parameters, fields, limits, errors, and examples that run.",
            "/docs",
            body,
        )
    }
}

/// Names an operation by its purpose for a caller.
fn heading(operation: &Operation) -> &'static str {
    match operation.id {
        "resolve_jurisdiction" => "Who does what at a point",
        "list_jurisdictions" => "List places",
        "list_offices" => "List offices",
        "list_chains" => "Many points at once",
        "get_download" => "Download the data",
        "list_resources" => "Official pages for a place or a point",
        "get_place" => "Everything on one place",
        "list_topics" => "Topics",
        "get_guide" => "A guide with the rules of a state",
        "screen_point" => "Flood zone, soil and more at a point",
        "search" => "Find a place by name",
        "get_coverage" => "How much is known",
        "ask" => "Read a free text and answer it",
        _ => operation.summary,
    }
}

fn described(site: Site<'_>, operation: &Operation, language: Language, document: &Value) -> Markup {
    let described = &document["paths"][operation.path]["get"];
    let answer = &described["responses"]["200"]["content"]["application/json"];
    html! {
        section.operation id=(operation.id) {
            div {
                p { (operation.description) }
                (parameters(operation.parameters))
                (statuses(site, operation))
                details { summary { "Fields of the answer" } (fields::of_answer(document, &answer["schema"])) }
            }
            div.code {
                (code::tabs(site, operation, language))
                pre tabindex="0" data-copy { code { (language.snippet(&format!("{}{PREFIX}{}", site.origin(), operation.example))) } }
                (tried(site, operation))
                @let example = &answer["examples"][operation.id]["value"];
                pre.answer tabindex="0" aria-label="Answer, shortened" { (beginning(&pretty(example))) }
            }
        }
    }
}

/// Returns JSON on several lines, indented by tabs: with two spaces instead, the page would be 3.5 kB longer over the
/// wire.
fn pretty(value: &Value) -> String {
    let mut text = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b"\t"));
    let written = value.serialize(&mut serializer);
    written.ok().and_then(|()| String::from_utf8(text).ok()).unwrap_or_default()
}

/// Returns the first lines of a text, with the number of further lines.
fn beginning(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    match lines.len().checked_sub(ANSWER_LINES_MAX).filter(|more| *more > 0) {
        Some(more) => {
            format!("{}\n… {more} more lines: run it to see all", lines[..ANSWER_LINES_MAX].join("\n"))
        }
        None => text.to_owned(),
    }
}

/// Shows a form with the parameters of the example, which a reader can edit and send.
fn tried(site: Site<'_>, operation: &Operation) -> Markup {
    let given = given_in_example(operation);
    let value =
        |name: &str| given.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str());
    html! {
        form.try action=(site.href(&format!("/docs/{}", operation.id))) method="get" data-try {
            @for parameter in operation.parameters.iter().filter(|parameter| !parameter.is_cursor) {
                @let id = format!("{}-{}", operation.id, parameter.name);
                label for=(id) { code { (parameter.name) } }
                input id=(id) name=(parameter.name) type="text" value=(value(parameter.name)) maxlength=(parameter.chars_max) autocomplete="off" spellcheck="false" required[parameter.required];
            }
            button type="submit" { "Run it" }
            p.live role="status" data-status {}
        }
    }
}

/// Returns the parameters of an operation's example, decoded.
fn given_in_example(operation: &Operation) -> Vec<(String, String)> {
    let (path, query) = operation.example.split_once('?').unwrap_or((operation.example, ""));
    let decoded = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let of_query = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut given: Vec<(String, String)> =
        of_query.map(|(name, value)| (name.to_owned(), decoded(value))).collect();
    if let Some(parameter) = operation.parameters.iter().find(|parameter| parameter.in_path) {
        let last = path.rsplit('/').next().unwrap_or_default();
        given.push((parameter.name.to_owned(), decoded(last)));
    }
    given
}

/// Returns the API address of an operation with the parameters of a form. Omits empty parameters; one of the others
/// may belong in the path. `None` for an unknown operation.
pub(super) fn address(id: &str, query: &str) -> Option<String> {
    let operation = OPERATIONS.iter().find(|operation| operation.id == id)?;
    let in_path =
        operation.parameters.iter().find(|parameter| parameter.in_path).map(|parameter| parameter.name);
    let pairs =
        query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(_, value)| !value.is_empty());
    let known =
        pairs.filter(|(name, _)| operation.parameters.iter().any(|parameter| parameter.name == *name));
    let (segments, others): (Vec<_>, Vec<_>) = known.partition(|(name, _)| Some(*name) == in_path);
    let mut address = format!("{PREFIX}{}", operation.path);
    if let Some(name) = in_path {
        let segment = segments.first().map_or("", |(_, value)| *value).replace('+', " ");
        let segment = percent_decode_str(&segment).decode_utf8_lossy();
        address = address.replace(&format!("{{{name}}}"), &in_query(&segment));
    }
    let query: Vec<String> = others.iter().map(|(name, value)| format!("{name}={value}")).collect();
    Some(if query.is_empty() { address } else { format!("{address}?{}", query.join("&")) })
}

fn parameters(parameters: &[Parameter]) -> Markup {
    html! {
        @if !parameters.is_empty() {
            h3 { "Parameters" }
            dl { @for parameter in parameters {
                dt { code { (parameter.name) } " " span.host { (form(parameter)) @if parameter.required { ", required" } @if parameter.in_path { ", in the path" } } }
                dd { (parameter.description) "." @if !parameter.example.is_empty() && !parameter.is_cursor { " Example: " code { (parameter.example) } } }
            } }
        }
    }
}

fn form(parameter: &Parameter) -> String {
    match parameter.form {
        Form::Text | Form::Opaque => format!("string, at most {} characters", parameter.chars_max),
        Form::Degrees { max } => format!("number, -{max} to {max}"),
        Form::Whole { min, max, default } => format!("integer, {min} to {max}, {default} by default"),
        Form::Id => "jurisdiction id".to_owned(),
        Form::State => "two letters".to_owned(),
        Form::Topic => "topic".to_owned(),
        Form::Day => "YYYY-MM-DD".to_owned(),
        Form::Word(words) => format!("one of {}", words.join(", ")),
    }
}

/// Lists the statuses of an operation. Another part of the page lists problems that all operations share.
fn statuses(site: Site<'_>, operation: &Operation) -> Markup {
    let mut kinds: Vec<(u16, ProblemKind)> = operation
        .problems
        .iter()
        .filter(|kind| !COMMON_PROBLEMS.contains(kind))
        .map(|kind| (operation.status_of(*kind), *kind))
        .collect();
    kinds.sort_by_key(|(status, _)| *status);
    html! {
        details {
            summary { "Statuses" }
            table { tbody {
                tr { th scope="row" { "200" } td { "The answer" } }
                @for (status, kind) in kinds { (problem_row(site, status, kind)) }
            } }
        }
    }
}

fn problem_row(site: Site<'_>, status: u16, kind: ProblemKind) -> Markup {
    html! {
        tr { th scope="row" { (status) }
            td { a href=(site.href(&format!("/problems/{}", kind.slug()))) { (kind.slug()) } ": " (kind.title()) } }
    }
}

fn errors(site: Site<'_>, document: &Value) -> Markup {
    let ambiguous = &document["paths"]["/jurisdictions/resolve"]["get"]["responses"]["409"]["content"]["application/problem+json"]
        ["examples"]["ambiguous"]["value"];
    html! {
        section.operation #errors {
            div {
                h2 { "Errors" }
                p { "Every error is a problem document (RFC 9457). Match on " code { "type" } ", not on text. " a href=(site.href("/problems")) { "All types" } "." }
                p { "Any operation may answer with these:" }
                table { tbody { @for kind in COMMON_PROBLEMS { (problem_row(site, crate::operations::status_of(*kind), *kind)) } } }
                p { "Read the " code { "notices" } " of an answer as well: they say where a line is near, what is missing, and how old it is." }
            }
            div.code { pre tabindex="0" { (pretty(ambiguous)) } }
        }
    }
}

fn limits(site: Site<'_>) -> Markup {
    html! {
        section #limits {
            h2 { "Limits and keys" }
            table {
                thead { tr { th scope="col" { "For each caller" } th scope="col" { "Requests" } th scope="col" { "Lookups outside: addresses and screening" } } }
                tbody { @for (name, tier) in ["Without a key", "Standard key", "Partner key"].into_iter().zip(Tier::ALL) {
                    tr { th scope="row" { (name) } @for bucket in [Bucket::Requests, Bucket::Lookups] { td { (quota(bucket.quota(tier))) } } }
                } }
            }
            p { "Headers " code { "RateLimit" } " and " code { "RateLimit-Policy" } " say what is left. Over a limit the answer is "
                a href=(site.href("/problems/rate-limited")) { "rate-limited" } ": wait " code { "Retry-After" } " seconds." }
            p { "Send a key from a server as " code { "Authorization: Bearer KEY" } ". "
                @match site.corrections() {
                    Corrections::Project => { "Whoever runs this server gives keys: " code { "platbook keys add" } "." }
                    own => { a href=(own.link(&report::key(site))) rel="nofollow" { "Ask the operator for a key" } ", and say what it is for." }
                }
            }
            p { "Answers carry " code { "ETag" } " and " code { "Cache-Control" } ": send " code { "If-None-Match" } " and pay nothing for what you have. CORS is open to every origin." }
        }
    }
}

fn quota(quota: Quota) -> String {
    format!("{} a minute, {} a day", thousands(quota.minute.into()), thousands(quota.day.into()))
}

fn models(site: Site<'_>) -> Markup {
    html! {
        section #models {
            h2 { "Language models (MCP)" }
            p { "The same answers are tools of the Model Context Protocol, over HTTP without a key:" }
            pre tabindex="0" data-copy { code { (pretty(&serde_json::json!({ "mcpServers": { "platbook": { "type": "http", "url": format!("{}/mcp", site.origin()) } } }))) } }
            p { "On a machine of your own, " code { "platbook mcp" } " serves them over standard input and output." }
        }
    }
}

fn bulk(site: Site<'_>) -> Markup {
    html! {
        section #bulk {
            h2 { "Whole files" }
            p { "The outline of any jurisdiction is a GeoJSON file: "
                a href=(site.href("/boundaries/county:27053.geojson")) { code { "/boundaries/county:27053.geojson" } } "." }
            p { "For a file of points, run the program yourself. It needs no network and does hundreds of thousands of points a second:" }
            pre tabindex="0" data-copy { code { "platbook resolve --csv points.csv --output answers.csv" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_become_addresses_of_the_api() {
        for (id, query, expected) in [
            (
                "resolve_jurisdiction",
                "lat=44.9&lon=-93&address=",
                "/v1/jurisdictions/resolve?lat=44.9&lon=-93",
            ),
            ("get_place", "jurisdiction_id=county%3A27053&limit=2", "/v1/places/county:27053?limit=2"),
            ("get_place", "jurisdiction_id=..%2F..%2Fx&limit=", "/v1/places/..%2F..%2Fx"),
            ("get_guide", "topic=zoning&state=MN&other=1", "/v1/guides/zoning?state=MN"),
            ("list_topics", "", "/v1/topics"),
        ] {
            assert_eq!(address(id, query).as_deref(), Some(expected), "{id} {query}");
        }
        assert_eq!(address("nothing", ""), None);
    }

    /// A form that is sent without edits requests the example.
    #[test]
    fn forms_show_the_example() {
        for operation in OPERATIONS {
            let given = given_in_example(operation);
            let pairs: Vec<String> =
                given.iter().map(|(name, value)| format!("{name}={}", in_query(value))).collect();
            let plain =
                |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
            let address = address(operation.id, &pairs.join("&")).unwrap();
            assert_eq!(plain(&address), plain(&format!("{PREFIX}{}", operation.example)), "{}", operation.id);
        }
    }
}
