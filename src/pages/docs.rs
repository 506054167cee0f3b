//! The page on the interface for programs, from the table of operations, with examples that run against this service.

use maud::{Markup, html};

use super::{layout::PageLayout, site::Site};
use crate::operations::{COMMON_PROBLEMS, OPERATIONS, Operation, PREFIX};
use platbook::{answers::Parameter, vocabulary::ProblemKind};

/// Builds the page on the interface for programs.
pub(super) fn page(site: Site<'_>) -> PageLayout {
    let body = html! {
        h1 { "The interface for programs" }
        p.lead { "Every answer of these pages is there as JSON. No key is needed; a key raises the limits and changes nothing else." }
        p { "Ask by GET below " code { (site.origin()) (PREFIX) } ". The whole is described by an "
            a href=(site.href("/openapi.json")) { "OpenAPI 3.1 document" } ". The " a href=(site.href("/changelog")) { "changelog" } " announces changes." }
        (start(site))
        nav aria-label="Operations" { ul { @for operation in OPERATIONS {
            li { a href=(format!("#{}", operation.id)) { (operation.summary) } }
        } } }
        @for operation in OPERATIONS { (described(site, operation)) }
        (limits(site))
    };
    PageLayout {
        json: Some("/openapi.json".to_owned()),
        ..PageLayout::new(
            "The interface for programs",
            "The read-only JSON interface: operations, parameters, problems, and examples that run.",
            "/docs",
            body,
        )
    }
}

fn start(site: Site<'_>) -> Markup {
    html! {
        pre tabindex="0" { code { "curl '" (site.origin()) (PREFIX) (OPERATIONS[0].example) "'" } }
        p { "Read the " code { "notices" } " of an answer: they say where a line is near, what is missing, and how old it is. Match problems on "
            code { "type" } ", not on text: " a href=(site.href("/problems")) { "all types" } "." }
    }
}

fn described(site: Site<'_>, operation: &Operation) -> Markup {
    let target = site.href(&format!("{PREFIX}{}", operation.example));
    html! {
        section.operation id=(operation.id) {
            h2 { (operation.summary) }
            p { code { "GET " (PREFIX) (operation.path) } }
            p { (operation.description) }
            (parameters(operation.parameters))
            p.try {
                a href=(target) data-try { "Try " code { (PREFIX) (operation.example) } }
            }
            pre.answer hidden tabindex="0" {}
            p.status { "Problems of its own: " (problems(site, operation)) }
        }
    }
}

fn parameters(parameters: &[Parameter]) -> Markup {
    html! {
        @if !parameters.is_empty() {
            dl { @for parameter in parameters {
                dt { code { (parameter.name) } @if parameter.required { " (required)" } @if parameter.in_path { ", in the path" } }
                dd { (parameter.description) @if !parameter.example.is_empty() { ". Example: " code { (parameter.example) } } }
            } }
        }
    }
}

fn problems(site: Site<'_>, operation: &Operation) -> Markup {
    let kinds: Vec<ProblemKind> =
        operation.problems.iter().copied().filter(|kind| !COMMON_PROBLEMS.contains(kind)).collect();
    html! {
        @if kinds.is_empty() { "none" }
        @for (at, kind) in kinds.iter().enumerate() {
            @if at > 0 { ", " }
            a href=(site.href(&format!("/problems/{}", kind.slug()))) { (kind.slug()) }
        }
        "."
    }
}

fn limits(site: Site<'_>) -> Markup {
    html! {
        section {
            h2 { "Limits" }
            p { "Without a key 30 requests a minute and 1,000 a day for each network address. " code { "RateLimit" } " headers say what is left; over a \
                 limit the answer is " a href=(site.href("/problems/rate-limited")) { "rate-limited" } " with " code { "Retry-After" } "." }
            h2 { "Outlines" }
            p { "The outline of any jurisdiction is a GeoJSON file: "
                a href=(site.href("/boundaries/county:27053.geojson")) { code { "/boundaries/county:27053.geojson" } } "." }
        }
    }
}
