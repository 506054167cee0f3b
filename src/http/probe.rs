//! `/healthz` and `/readyz`: what a supervisor and a load balancer ask. They count against no limit and are never shed.

use hyper::{
    HeaderMap, Method, Response, StatusCode,
    header::{self, HeaderValue},
    http::request::Parts,
};
use serde_json::json;

use super::{
    door::{Body, whole},
    headers,
    vitals::{Freshness, Looked, Readiness, Vitals},
};
use crate::edition::Edition;
use platbook::directory::Directory;

/// What a probe asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    /// Does the process live?
    Health,
    /// Should requests be sent here?
    Readiness,
}

impl Probe {
    /// The probe that a request is.
    pub(super) fn of(head: &Parts) -> Option<Probe> {
        let is_read = head.method == Method::GET || head.method == Method::HEAD;
        Probe::at(head.uri.path()).filter(|_| is_read)
    }

    /// The probe at a path.
    fn at(path: &str) -> Option<Probe> {
        match path {
            "/healthz" => Some(Probe::Health),
            "/readyz" => Some(Probe::Readiness),
            _ => None,
        }
    }

    /// Whether the first bytes of a connection are those of a probe.
    pub(super) fn begins(bytes: &[u8]) -> bool {
        // A word that nothing follows may go on.
        let mut words =
            bytes.split_inclusive(|byte| *byte == b' ').filter_map(|word| word.strip_suffix(b" "));
        let is_read = matches!(words.next(), Some(b"GET" | b"HEAD"));
        let path = words.next().and_then(|path| std::str::from_utf8(path).ok());
        is_read && path.is_some_and(|path| Probe::at(path).is_some())
    }

    /// The answer of a service: 200, or 503 where requests should go elsewhere.
    pub(super) fn answer(self, vitals: &Vitals, edition: &Edition) -> Response<Body> {
        self.respond(vitals.readiness(), vitals.freshness(), Some(edition.answers().directory()))
    }

    /// The answer while there is no snapshot.
    pub(super) fn answer_waiting(self, freshness: &Freshness) -> Response<Body> {
        self.respond(Readiness::Waiting, freshness, None)
    }

    fn respond(
        self,
        readiness: Readiness,
        freshness: &Freshness,
        directory: Option<&Directory>,
    ) -> Response<Body> {
        let (status, said) = match self {
            Probe::Health => (StatusCode::OK, json!({ "status": "alive" })),
            Probe::Readiness => {
                let is_ready = readiness == Readiness::Ready;
                let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
                let Looked { source, behind } = freshness.get();
                let mut said = json!({ "status": readiness.as_str() });
                for (name, value) in [
                    ("as_of", directory.map(Directory::as_of)),
                    ("snapshot", directory.map(Directory::snapshot_id)),
                    ("source", source),
                    ("behind", behind),
                ] {
                    if let Some(value) = value {
                        said[name] = value.into();
                    }
                }
                (status, said)
            }
        };
        let mut response = Response::new(whole(said.to_string() + "\n"));
        *response.status_mut() = status;
        *response.headers_mut() = headers();
        response
    }
}

fn headers() -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_told_by_their_first_bytes() {
        for (bytes, is_probe) in [
            ("GET /healthz HTTP/1.1\r\n", true),
            ("HEAD /readyz HTTP/1.0\r\n", true),
            ("GET /healthz", false),
            ("GET /health", false),
            ("GET /healthz?x HTTP/1.1\r\n", false),
            ("POST /healthz HTTP/1.1\r\n", false),
            ("GET  /healthz", false),
            ("", false),
            ("\u{0}\u{ff}", false),
        ] {
            assert_eq!(Probe::begins(bytes.as_bytes()), is_probe, "{bytes:?}");
        }
    }
}
