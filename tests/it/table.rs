//! Sends requests of every kind, and checks the responses: `table.toml`.

use std::{collections::BTreeMap, net::SocketAddr};

use platbook_service::{
    http::{
        Capacity,
        limits::{Clock, ManualClock, Proxies, RateLimiter, Table},
    },
    keys::{KeyClass, KeyRing, KeysFile},
    operations::{OPERATIONS, PREFIX},
};

use crate::harness::{Client, Response, Server, service};

/// Further targets that are tested like the example of each operation: target, type, lifetime.
const FURTHER_TARGETS: [[&str; 3]; 4] = [
    ["/v1/jurisdictions/resolve?place=Plano&state=TX", "application/json", "public, max-age=900"],
    ["/v1/resources?lat=44.9773&lon=-93.2655&topic=zoning", "application/json", "public, max-age=900"],
    ["/openapi.json", "application/json", "public, max-age=900"],
    ["/v1/openapi.json", "application/json", "public, max-age=900"],
];

/// Checks each row of the table. A row has the request line, then in any order
/// - `> Name: value`, a header of the request (`> Host` sends no Host, which is else `x`);
/// - `@ times N`, `@ pause S`: the request is repeated N times, S seconds apart;
/// - the status, with the slug of its problem;
/// - `name: value`, a header of the response. A `*` ends a value that is only a beginning, and `-` means that the header
///   is missing. `body:` is a text in the body.
///
/// `{TEXT*N}` stands for a text N times in a row. The rows of `every_target` are templates: each is sent to every
/// `$target`, with its `$type` and `$lifetime`.
///
/// Sections with names that begin with `limited` have a service of their own. It has limits, the keys `$standard`,
/// `$partner` and `$revoked`, and a clock that moves only in pauses. If the name has `proxy`, it trusts this machine as a
/// proxy.
#[test]
fn every_row_is_answered_so() {
    let table: BTreeMap<String, Vec<Vec<String>>> = toml::from_str(include_str!("table.toml")).unwrap();
    let mut faults = Vec::new();
    for (section, rows) in &table {
        let target = if section.starts_with("limited") { Target::limited(section) } else { Target::shared() };
        for row in rows.iter().flat_map(|row| spelt_out(section, row)) {
            let found = target.faults_of(&row).into_iter();
            faults.extend(found.map(|fault| format!("[{section}] {row:?}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// Expands a row. In the section `every_target` it becomes one row for each target; other rows stay as they are.
fn spelt_out(section: &str, row: &[String]) -> Vec<Vec<String>> {
    let row: Vec<String> = row.iter().map(|entry| repeated(entry)).collect();
    if section != "every_target" {
        return vec![row];
    }
    let examples: Vec<[String; 2]> = OPERATIONS
        .iter()
        .map(|operation| {
            let lifetime = format!("public, max-age={}", operation.max_age_s);
            [format!("{PREFIX}{}", operation.example), lifetime]
        })
        .collect();
    let operations =
        examples.iter().map(|[example, lifetime]| [example.as_str(), "application/json", lifetime.as_str()]);
    let fill = |[target, kind, lifetime]: [&str; 3]| {
        let entry = |entry: &String| {
            entry.replace("$target", target).replace("$type", kind).replace("$lifetime", lifetime)
        };
        row.iter().map(entry).collect()
    };
    operations.chain(FURTHER_TARGETS).map(fill).collect()
}

/// Expands `{TEXT*N}` in an entry to the text N times.
fn repeated(entry: &str) -> String {
    let parts = entry.split_once('{').and_then(|(before, rest)| {
        let (inner, after) = rest.split_once('}')?;
        let (text, times) = inner.split_once('*')?;
        Some(format!("{before}{}{after}", text.repeat(times.parse().ok()?)))
    });
    parts.unwrap_or_else(|| entry.to_owned())
}

/// The server that answers a section's rows.
struct Target {
    address: SocketAddr,
    /// The section's own server, which stops when this is dropped, and the folder of its keys.
    _own: Option<(Server, tempfile::TempDir)>,
    clock: ManualClock,
    /// The keys of that server's service, by name.
    keys: Vec<(&'static str, String)>,
}

impl Target {
    fn shared() -> Target {
        Target {
            address: Server::shared().address,
            _own: None,
            clock: ManualClock::default(),
            keys: Vec::new(),
        }
    }

    fn limited(section: &str) -> Target {
        let folder = tempfile::tempdir().unwrap();
        let file = || KeysFile::at(folder.path().join("keys.json"));
        let now = || "2026-11-21T00:00:00Z".to_owned();
        let key = |class| file().add(class, "", now()).unwrap();
        let (_, standard) = key(KeyClass::Standard);
        let (_, partner) = key(KeyClass::Partner);
        let (id, revoked) = key(KeyClass::Standard);
        file().revoke(id, now()).unwrap();
        let ring = KeyRing::open(file()).unwrap();
        let clock = ManualClock::default();
        let trusted =
            if section.contains("proxy") { vec!["127.0.0.0/8".parse().unwrap()] } else { Vec::new() };
        let limiter = RateLimiter::limited(Table::new(), Some(ring), Proxies::new(trusted));
        let limiter = limiter.with_clock(Box::new(clock.clone()));
        let server = Server::start(service().with_limiter(limiter), Capacity::default());
        let keys = vec![("$standard", standard), ("$partner", partner), ("$revoked", revoked)];
        Target { address: server.address, _own: Some((server, folder)), clock, keys }
    }

    fn faults_of(&self, row: &[String]) -> Vec<String> {
        let (request, entries) = row.split_first().unwrap();
        let of_kind = |mark: &'static str| entries.iter().filter_map(move |entry| entry.strip_prefix(mark));
        let order = |name: &str| {
            let mut values = of_kind("@ ").filter_map(|order| order.strip_prefix(name));
            values.next().map(|number| number.trim().parse::<u64>().unwrap())
        };
        let mut faults = Vec::new();
        for _ in 0..order("times").unwrap_or(1) {
            self.clock.set(self.clock.now_ms() + 1000 * order("pause").unwrap_or(0));
            let response = self.ask(request, of_kind("> "));
            for entry in entries.iter().filter(|entry| !entry.starts_with(['>', '@'])) {
                let fault = match entry.split_once(": ") {
                    Some((name, value)) => header_fault(&response, name, value),
                    None => status_fault(&response, request, entry),
                };
                faults.extend(fault);
            }
        }
        faults
    }

    fn ask<'a>(&self, request: &str, headers: impl Iterator<Item = &'a str>) -> Response {
        let mut lines: Vec<&str> = headers.collect();
        if !lines.iter().any(|line| line.to_lowercase().starts_with("host")) {
            lines.push("Host: x");
        }
        lines.retain(|line| *line != "Host");
        let mut head = format!("{request} HTTP/1.1\r\n");
        lines.iter().for_each(|line| head.push_str(&format!("{line}\r\n")));
        for (name, key) in &self.keys {
            head = head.replace(name, key);
        }
        let mut client = Client::connect(self.address);
        client.send(&format!("{head}\r\n"));
        client.receive(request.starts_with("HEAD "))
    }
}

fn status_fault(response: &Response, request: &str, expected: &str) -> Option<String> {
    let (status, slug) = expected.split_once(' ').unwrap_or((expected, ""));
    let start = || response.body.chars().take(300).collect::<String>();
    if response.status.to_string() != status {
        return Some(format!("status {}: {}", response.status, start()));
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
    let right = problem["type"] == format!("/problems/{slug}")
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
