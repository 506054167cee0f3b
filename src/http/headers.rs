//! Header values that answers share.

use std::sync::LazyLock;

use hyper::{
    HeaderMap, Uri,
    header::{self, HeaderName, HeaderValue},
};

use super::request_id::{RequestId, X_REQUEST_ID};
use crate::{answers::is_pair_of, wire::ProblemKind};

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
pub(super) const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
pub(super) const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");
pub(super) const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// Room for the headers of any answer, so that the map grows once.
pub(super) const HEADERS_MAX: usize = 14;

const EMPTY: HeaderValue = HeaderValue::from_static("");
const ANY: HeaderValue = HeaderValue::from_static("*");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("Accept-Encoding");
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Deprecation, Sunset",
);

/// The headers of a 304, with the values that vary still empty: a copy is cheaper than as many insertions.
static NOT_MODIFIED: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = HeaderMap::with_capacity(HEADERS_MAX);
    headers.insert(header::ETAG, EMPTY);
    headers.insert(header::CACHE_CONTROL, EMPTY);
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.insert(header::VARY, ACCEPT_ENCODING);
    headers.insert(HeaderName::from_static(X_REQUEST_ID), EMPTY);
    headers
});

/// Those of a 200.
static SUCCESS: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = NOT_MODIFIED.clone();
    headers.insert(header::CONTENT_TYPE, JSON);
    headers
});

/// Headers of a 200; [`add_common`] gives them the request id.
pub(super) fn success(etag: HeaderValue, cache_control: &'static str) -> HeaderMap {
    filled(&SUCCESS, etag, cache_control)
}

/// Headers of a 304, likewise: those of the 200 that speak of the answer and not of its body.
pub(super) fn not_modified(etag: HeaderValue, cache_control: &'static str) -> HeaderMap {
    filled(&NOT_MODIFIED, etag, cache_control)
}

fn filled(base: &HeaderMap, etag: HeaderValue, cache_control: &'static str) -> HeaderMap {
    let mut headers = base.clone();
    headers.insert(header::ETAG, etag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    headers
}

/// Headers of every answer: browsers on any site may read it, and it says which request it belongs to.
pub(super) fn add_common(headers: &mut HeaderMap, request_id: RequestId) {
    if !headers.contains_key(header::VARY) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        headers.insert(header::VARY, ACCEPT_ENCODING);
    }
    headers.insert(HeaderName::from_static(X_REQUEST_ID), request_id.into_header());
}

/// Seconds after which a client may ask again for what is not there now: a lookup ends soon, an outside service that
/// is down stays so for a while. Those of a limit are the caller's own.
pub(super) fn retry_after(problem: ProblemKind) -> Option<HeaderValue> {
    match problem {
        ProblemKind::Busy => Some(HeaderValue::from_static("5")),
        ProblemKind::UpstreamUnavailable => Some(HeaderValue::from_static("60")),
        _ => None,
    }
}

/// Headers of the answer to a browser's preflight. `Authorization` stays out: keys do not belong on web pages.
pub(super) fn add_preflight(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD"));
    let allowed = HeaderValue::from_static("If-None-Match, X-Request-Id");
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
}

/// `Link` to the next page: the same question with the cursor of that page. What stands in a request line but not in
/// an address is percent-encoded.
pub(super) fn add_next(headers: &mut HeaderMap, site: &str, asked: &Uri, cursor: &str) {
    let mut link = format!("<{site}{}?", asked.path());
    let pairs = asked.query().unwrap_or_default().split('&');
    for pair in pairs.filter(|pair| !pair.is_empty() && !is_pair_of(pair, "cursor")) {
        for byte in pair.bytes() {
            match byte {
                b'!'..=b'~' if !b"\"<>\\^`{|}".contains(&byte) => link.push(char::from(byte)),
                _ => link.push_str(&format!("%{byte:02X}")),
            }
        }
        link.push('&');
    }
    link.push_str(&format!("cursor={cursor}>; rel=\"next\""));
    if let Ok(link) = HeaderValue::from_str(&link) {
        headers.append(header::LINK, link);
    }
}
