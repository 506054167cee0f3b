//! The readiness of the service, and `/healthz` and `/readyz`, which report it to supervisors and load balancers.
//!
//! These requests (probes) count against no limit and are never rejected: a busy service is alive.

#[cfg(feature = "tls")]
use std::sync::{Arc, OnceLock};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use hyper::{
    HeaderMap, Method, Response, StatusCode,
    header::{self, HeaderValue},
    http::request::Parts,
};
use serde_json::json;

use crate::http::{
    headers,
    respond::{Body, whole},
};
#[cfg(feature = "tls")]
use crate::tls::Tls;
use platbook::directory::Directory;

/// The health of a service.
#[derive(Debug, Default)]
pub struct Health {
    freshness: Freshness,
    is_warm: AtomicBool,
    is_draining: AtomicBool,
    #[cfg(feature = "tls")]
    tls: OnceLock<Arc<Tls>>,
}

/// Whether supervisors should send requests to this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// No: there is no snapshot to answer from yet.
    Waiting,
    /// Yes: the first answers are quick.
    Ready,
    /// No: caches that the first answers need are still being filled.
    Warming,
    /// No: the service is being stopped.
    Draining,
}

impl Readiness {
    /// Returns the word for the state in `/readyz`.
    pub fn as_str(self) -> &'static str {
        match self {
            Readiness::Waiting => "waiting",
            Readiness::Ready => "ready",
            Readiness::Warming => "warming",
            Readiness::Draining => "draining",
        }
    }
}

impl Health {
    /// Returns the source of the snapshot, and why a newer snapshot of the source is not served.
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// Records that the warm-up has finished.
    pub fn set_warm(&self) {
        self.is_warm.store(true, Ordering::Release);
    }

    /// Sets the certificate that the metrics report on.
    #[cfg(feature = "tls")]
    pub fn set_tls(&self, tls: Arc<Tls>) {
        let _ = self.tls.set(tls);
    }

    /// Returns the TLS state with the certificate; `None` without TLS.
    #[cfg(feature = "tls")]
    pub fn tls(&self) -> Option<&Tls> {
        self.tls.get().map(|tls| &**tls)
    }

    pub(in crate::http) fn set_draining(&self) {
        self.is_draining.store(true, Ordering::Release);
    }

    /// Returns the readiness of the service.
    pub fn readiness(&self) -> Readiness {
        match (self.is_draining.load(Ordering::Acquire), self.is_warm.load(Ordering::Acquire)) {
            (true, _) => Readiness::Draining,
            (false, true) => Readiness::Ready,
            (false, false) => Readiness::Warming,
        }
    }
}

/// The source of the served snapshot, and the outcome of the last check for a newer one. The texts contain no address
/// or folder, since anyone may read them in `/readyz`.
#[derive(Debug, Default)]
pub struct Freshness(Mutex<Looked>);

/// The source of the served snapshot, and the result of the last check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// The source's name; `None` until [`Freshness::serves`] sets it.
    pub source: Option<&'static str>,
    /// The reason why the snapshot that the source now has is not served; `None` if it is served, according to the
    /// last check.
    pub behind: Option<&'static str>,
}

impl Freshness {
    /// Sets the source of the snapshot.
    pub fn serves(&self, source: &'static str) {
        self.change(|looked| looked.source = Some(source));
    }

    /// Sets the reason why the snapshot that the source now has is not served; `None` if it is served.
    pub fn is_behind(&self, why: Option<&'static str>) {
        self.change(|looked| looked.behind = why);
    }

    /// Returns the current values.
    pub fn get(&self) -> Looked {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Looked)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A request for the health of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Probe {
    /// `/healthz`: is the process alive?
    Health,
    /// `/readyz`: should requests be sent here?
    Readiness,
}

impl Probe {
    /// Returns the probe of a request; `None` for other requests.
    pub(in crate::http) fn requested(head: &Parts) -> Option<Probe> {
        let is_read = head.method == Method::GET || head.method == Method::HEAD;
        Probe::at(head.uri.path()).filter(|_| is_read)
    }

    fn at(path: &str) -> Option<Probe> {
        match path {
            "/healthz" => Some(Probe::Health),
            "/readyz" => Some(Probe::Readiness),
            _ => None,
        }
    }

    /// Returns whether a connection begins with a request for a probe.
    pub(super) fn begins(bytes: &[u8]) -> bool {
        // The last word may be incomplete, unless a space follows it.
        let mut words =
            bytes.split_inclusive(|byte| *byte == b' ').filter_map(|word| word.strip_suffix(b" "));
        let is_read = matches!(words.next(), Some(b"GET" | b"HEAD"));
        let path = words.next().and_then(|path| std::str::from_utf8(path).ok());
        is_read && path.is_some_and(|path| Probe::at(path).is_some())
    }

    /// Returns the response: 200, or 503 if requests should go to another server. `limits` says how servers share
    /// limits; `None` if they do not share them. `directory` is `None` before the first snapshot.
    pub(in crate::http) fn respond(
        self,
        readiness: Readiness,
        freshness: &Freshness,
        limits: Option<&'static str>,
        directory: Option<&Directory>,
    ) -> Response<Body> {
        let (status, body) = match self {
            Probe::Health => (StatusCode::OK, json!({ "status": "alive" })),
            Probe::Readiness => {
                let is_ready = readiness == Readiness::Ready;
                let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
                let Looked { source, behind } = freshness.get();
                let mut body = json!({ "status": readiness.as_str() });
                for (name, value) in [
                    ("as_of", directory.map(Directory::as_of)),
                    ("snapshot", directory.map(Directory::snapshot_id)),
                    ("source", source),
                    ("behind", behind),
                    ("limits", limits),
                ] {
                    if let Some(value) = value {
                        body[name] = value.into();
                    }
                }
                (status, body)
            }
        };
        let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
        let mut response = Response::new(whole(body.to_string() + "\n"));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_recognized_by_their_first_bytes() {
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
