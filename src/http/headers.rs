//! Headers that responses share, and their values.

use std::sync::LazyLock;

use hyper::{
    HeaderMap, Method, Uri,
    header::{self, HeaderName, HeaderValue},
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{
    date,
    request_id::{RequestId, X_REQUEST_ID},
};
use crate::operations::{DAY_S, HOUR_S, Operation, QUARTER_HOUR_S};
use platbook::answers::is_pair_of;

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
pub(super) const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// Forbids browsers to treat JSON as another type.
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");
pub(super) const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// Capacity for the headers of any answer, so that the map grows only once.
pub(super) const HEADERS_MAX: usize = 15;

const EMPTY: HeaderValue = HeaderValue::from_static("");
/// The value of `Access-Control-Allow-Origin` that lets pages of any site read a response.
pub(super) const ANY: HeaderValue = HeaderValue::from_static("*");
const BY_ORIGIN: HeaderValue = HeaderValue::from_static("Accept-Encoding, Origin");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("Accept-Encoding");
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Deprecation, Sunset",
);

/// The headers of a 304. Values that vary are empty and filled in later. Copying this map is cheaper than inserting
/// each header.
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

/// The headers of a 200, with the same values empty.
static SUCCESS: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = NOT_MODIFIED.clone();
    headers.insert(header::CONTENT_TYPE, JSON);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
    headers
});

/// Returns the headers of a 200, without those that [`add_common`] adds, such as the request id.
pub(super) fn success(etag: HeaderValue, max_age_s: u32) -> HeaderMap {
    filled(&SUCCESS, etag, max_age_s)
}

/// Returns the headers of a 304: those of the 200, except for the headers that describe a body.
pub(super) fn not_modified(etag: HeaderValue, max_age_s: u32) -> HeaderMap {
    filled(&NOT_MODIFIED, etag, max_age_s)
}

fn filled(base: &HeaderMap, etag: HeaderValue, max_age_s: u32) -> HeaderMap {
    let mut headers = base.clone();
    headers.insert(header::ETAG, etag);
    headers.insert(header::CACHE_CONTROL, cache_control(max_age_s));
    headers
}

/// Returns the value of `Cache-Control` for a success. The usual lifetimes are constants; a shorter one is formatted.
pub(super) fn cache_control(max_age_s: u32) -> HeaderValue {
    match max_age_s {
        QUARTER_HOUR_S => HeaderValue::from_static("public, max-age=900"),
        HOUR_S => HeaderValue::from_static("public, max-age=3600"),
        DAY_S => HeaderValue::from_static("public, max-age=86400"),
        _ => HeaderValue::try_from(format!("public, max-age={max_age_s}")).expect("a number is plain ASCII"),
    }
}

/// Adds the headers that every response has: its request id, its date, and the web pages that may read it. `readers`
/// applies only if the response does not name its readers itself.
pub(super) fn add_common(headers: &mut HeaderMap, request_id: RequestId, readers: Option<HeaderValue>) {
    if !headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN) {
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
        if readers.as_ref().is_some_and(|readers| readers == "*") {
            headers.entry(header::VARY).or_insert(ACCEPT_ENCODING);
        } else {
            headers.insert(header::VARY, BY_ORIGIN);
        }
        if let Some(readers) = readers {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, readers);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }
    headers.insert(HeaderName::from_static(X_REQUEST_ID), request_id.into_header());
    if let Some(date) = date::date() {
        headers.insert(header::DATE, date);
    }
}

/// The methods and headers that a path accepts, for `Allow` and for a browser's preflight.
pub(super) struct Allowed {
    /// All methods that the path accepts.
    pub(super) methods: HeaderValue,
    /// The methods that a web page of another site may use.
    pub(super) from_pages: HeaderValue,
    /// Headers that a web page of another site may send. `Authorization` is excluded, since keys do not belong on web
    /// pages.
    pub(super) request_headers: &'static str,
}

impl Allowed {
    /// Returns the methods and headers of operations and documents.
    pub(super) fn to_read() -> Allowed {
        Allowed {
            methods: HeaderValue::from_static("GET, HEAD, OPTIONS"),
            from_pages: HeaderValue::from_static("GET, HEAD"),
            request_headers: "If-None-Match, X-Request-Id",
        }
    }

    /// Returns the methods and headers of a door.
    pub(super) fn at_door(methods: &[Method], request_headers: &'static str) -> Allowed {
        let methods: Vec<&str> = methods.iter().map(Method::as_str).collect();
        let list = |text: String| HeaderValue::try_from(text).expect("methods are plain ASCII");
        Allowed {
            from_pages: list(methods.join(", ")),
            methods: list(format!("{}, OPTIONS", methods.join(", "))),
            request_headers,
        }
    }
}

/// Adds the headers of the response to a browser's preflight.
pub(super) fn add_preflight(headers: &mut HeaderMap, allowed: &Allowed) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, allowed.from_pages.clone());
    let request_headers = HeaderValue::from_static(allowed.request_headers);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, request_headers);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
}

/// Characters that may occur in a request line but not in an address (RFC 3986).
const NOT_IN_ADDRESSES: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Returns the address of a path of this service. The address has no host, because callers may reach a service behind a
/// proxy by a host other than its public one.
pub(super) fn location(site: &str, path: &str, query: Option<&str>) -> HeaderValue {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    let prefix = host.find('/').map_or("", |at| &host[at..]);
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    let target = format!("{path}{query}");
    let target = utf8_percent_encode(&target, NOT_IN_ADDRESSES);
    HeaderValue::try_from(format!("{prefix}{target}")).unwrap_or(HeaderValue::from_static("/"))
}

/// Adds the `Link` to the next page: the same query with the cursor of that page. Characters outside of RFC 3986 are
/// percent-encoded. Parameters that the operation does not have are omitted, because an access token or thousands of
/// braces must not be sent back.
pub(super) fn add_next(
    headers: &mut HeaderMap,
    site: &str,
    asked: &Uri,
    operation: &Operation,
    cursor: &str,
) {
    let is_known = |pair: &str| {
        let mut names = operation.parameters.iter().map(|parameter| parameter.name);
        names.any(|name| name != "cursor" && is_pair_of(pair, name))
    };
    let mut link = format!("<{site}{}?", asked.path());
    let pairs = asked.query().unwrap_or_default().split('&');
    for pair in pairs.filter(|pair| is_known(pair)) {
        link.extend(utf8_percent_encode(pair, NOT_IN_ADDRESSES));
        link.push('&');
    }
    link.push_str(&format!("cursor={cursor}>; rel=\"next\""));
    if let Ok(link) = HeaderValue::from_str(&link) {
        headers.append(header::LINK, link);
    }
}
