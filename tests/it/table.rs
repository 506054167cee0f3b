//! Requests of every kind and what comes back: `table.toml`.

use std::collections::BTreeMap;

use crate::harness::{Client, Response, SITE, Server};

/// Fewer would mean that cases got lost.
const CASES_MIN: usize = 200;

/// A row: the request line, then in any order `> Name: value` headers of the request, the status (with the slug of
/// its problem), and `name: value` headers of the response. A `*` ends a value of which only the beginning is meant,
/// `-` means that the header is not there, and `body:` a text that is in the body.
#[test]
fn every_row_is_answered_so() {
    let table: BTreeMap<String, Vec<Vec<String>>> = toml::from_str(include_str!("table.toml")).unwrap();
    let mut faults = Vec::new();
    for (section, rows) in &table {
        for row in rows {
            faults.extend(faults_of(row).into_iter().map(|fault| format!("[{section}] {row:?}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    let cases: usize = table.values().map(Vec::len).sum();
    assert!(cases >= CASES_MIN, "{cases} cases");
}

fn faults_of(row: &[String]) -> Vec<String> {
    let (request, expected) = row.split_first().unwrap();
    let response = ask(request, expected.iter().filter_map(|entry| entry.strip_prefix("> ")));
    let mut faults = Vec::new();
    for entry in expected.iter().filter(|entry| !entry.starts_with('>')) {
        let fault = match entry.split_once(": ") {
            Some((name, value)) => header_fault(&response, name, value),
            None => status_fault(&response, request, entry),
        };
        faults.extend(fault);
    }
    faults
}

/// With `Host: x` where the row has no Host of its own; `> Host` alone sends none.
fn ask<'a>(request: &str, headers: impl Iterator<Item = &'a str>) -> Response {
    let mut lines: Vec<&str> = headers.collect();
    if !lines.iter().any(|line| line.to_lowercase().starts_with("host")) {
        lines.push("Host: x");
    }
    lines.retain(|line| *line != "Host");
    let (method, target) = request.split_once(' ').unwrap();
    let mut client = Client::connect(Server::shared().address);
    client.send(
        &format!("{method} {target} HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"))
            .replace("\r\n\r\n\r\n", "\r\n\r\n"),
    );
    client.receive(method == "HEAD")
}

fn status_fault(response: &Response, request: &str, expected: &str) -> Option<String> {
    let (status, slug) = expected.split_once(' ').unwrap_or((expected, ""));
    if response.status.to_string() != status {
        return Some(format!(
            "status {}: {}",
            response.status,
            response.body.chars().take(300).collect::<String>()
        ));
    }
    let content_type = response.header("content-type");
    if slug.is_empty() {
        return (content_type == "application/problem+json").then(|| "a problem".to_owned());
    }
    if content_type != "application/problem+json" || response.header("cache-control") != "no-store" {
        return Some(format!("no problem, or one that is kept: {content_type}"));
    }
    if request.starts_with("HEAD ") {
        return None;
    }
    let problem = response.json();
    let right = problem["type"] == format!("{SITE}/problems/{slug}")
        && problem["status"] == response.status
        && problem["request_id"] == response.header("x-request-id");
    (!right).then(|| problem.to_string())
}

fn header_fault(response: &Response, name: &str, expected: &str) -> Option<String> {
    if name == "body" {
        let fault = || format!("not in the body: {}", response.body.chars().take(300).collect::<String>());
        return (!response.body.contains(expected)).then(fault);
    }
    let value = response.headers.get(name);
    let right = match (expected.strip_suffix('*'), value) {
        (_, None) => expected == "-",
        (Some(start), Some(value)) => value.starts_with(start),
        (None, Some(value)) => value == expected,
    };
    (!right).then(|| format!("{name}: {value:?}"))
}
