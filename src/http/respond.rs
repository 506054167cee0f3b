//! Makes responses from answers and refusals.

use std::convert::Infallible;

use http_body_util::{Either, Full, combinators::BoxBody};
use hyper::{HeaderMap, Response, StatusCode, header, http::request::Parts};

use super::{
    encoding,
    etag::ETag,
    headers::{self, Allowed},
    request_id::RequestId,
};
use crate::{
    edition::Edition,
    encode::{self, BodyBuf, BodyParts, Encoded},
    operations::{DAY_S, Operation},
};
use platbook::{
    answers::{Answer, Refusal, Request},
    vocabulary::ProblemKind,
};

/// The body of a response: whole or streamed.
pub type Body = Either<Full<BodyBuf>, BoxBody<BodyBuf, Infallible>>;

/// Makes a body that is sent as a whole.
pub fn whole(body: impl Into<BodyParts>) -> Body {
    Either::Left(Full::new(body.into().into_buf()))
}

/// Makes the refusal of a request that may succeed after `retry_s` seconds.
pub(super) fn busy(retry_s: u32, detail: impl Into<String>) -> Refusal {
    Refusal { retry_after_s: Some(retry_s), ..Refusal::new(ProblemKind::Busy, detail) }
}

/// Renders the problem of a refusal. The request id and the headers that every response has are added later. `site`
/// is the public address of the service.
pub(super) fn problem(site: &str, refusal: &Refusal, status: u16) -> Response<Encoded> {
    let mut response = Response::new(encode::problem(site, refusal, status));
    *response.status_mut() = StatusCode::from_u16(status).expect("the table of problems holds statuses");
    let headers = response.headers_mut();
    headers.reserve(headers::HEADERS_MAX);
    headers.insert(header::CONTENT_TYPE, headers::PROBLEM_JSON);
    headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
    // The rate limiter sets the retry times of limits, which depend on the caller.
    if let Some(seconds) = refusal.retry_after_s {
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// Returns the response to a request whose answer is cached; `None` if it is not cached.
pub(super) fn respond_again(
    edition: &Edition,
    operation: &Operation,
    head: &Parts,
    request_id: &RequestId,
) -> Option<Response<Body>> {
    let encoded = edition.cached(head.uri.path_and_query()?.as_str())?;
    Some(encoded_response(encoded, operation.max_age_s, head, request_id))
}

pub(super) fn respond_with(
    edition: &Edition,
    operation: &Operation,
    head: &Parts,
    request_id: &RequestId,
    request: &Request,
    answer: &Answer<'_>,
) -> Response<Body> {
    let encoded = edition.encode(answer);
    let next = answer.next_cursor();
    // Answers for points are too many to cache, and share most of their text. A client that revalidates such an
    // answer will probably do so again.
    let comes_again = request.is_of_snapshot_alone()
        // A cached answer would count as one request.
        && request.weight() == 1
        && (!matches!(request.undated(), Request::Resolve { .. }) || head.headers.contains_key(header::IF_NONE_MATCH));
    if let Some(question) = head.uri.path_and_query().filter(|_| comes_again && next.is_none()) {
        edition.cache(question.as_str(), &encoded);
    }
    let max_age_s = answer.lifetime_s.map_or(operation.max_age_s, |own| own.min(operation.max_age_s));
    let mut response = encoded_response(encoded, max_age_s, head, request_id);
    if let Some(cursor) = next {
        headers::add_next(response.headers_mut(), edition.encoder().site(), &head.uri, operation, cursor);
    }
    response
}

/// Returns the whole body, or `304` if the client already has it.
fn encoded_response(
    encoded: Encoded,
    max_age_s: u32,
    head: &Parts,
    request_id: &RequestId,
) -> Response<Body> {
    let etag = ETag::of_hash(encoded.hash());
    if etag.is_known_to(&head.headers) {
        not_modified(etag, max_age_s)
    } else {
        success(etag, max_age_s, head, encoded.fill(request_id.as_str()))
    }
}

pub(super) fn options(head: &Parts, allowed: &Allowed) -> Response<Body> {
    let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
    headers.insert(header::ALLOW, allowed.methods.clone());
    headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
    if is_preflight(head) {
        headers::add_preflight(&mut headers, allowed);
    }
    response(StatusCode::NO_CONTENT, headers, BodyParts::default())
}

/// Returns the redirect to the usual spelling of a path. Clients may keep it for a day.
pub(super) fn moved(site: &str, path: &str, query: Option<&str>) -> Response<Body> {
    let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
    headers.insert(header::LOCATION, headers::location(site, path, query));
    headers.insert(header::CACHE_CONTROL, headers::cache_control(DAY_S));
    response(StatusCode::PERMANENT_REDIRECT, headers, BodyParts::default())
}

pub(super) fn is_preflight(head: &Parts) -> bool {
    head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

pub(super) fn success(etag: ETag, max_age_s: u32, head: &Parts, mut body: BodyParts) -> Response<Body> {
    let mut headers = headers::success(etag.header(), max_age_s);
    if let Some(packed) = encoding::pack(&head.headers, &body) {
        headers.insert(header::CONTENT_ENCODING, packed.coding);
        body = packed.bytes.into();
    }
    response(StatusCode::OK, headers, body)
}

pub(super) fn not_modified(etag: ETag, max_age_s: u32) -> Response<Body> {
    let headers = headers::not_modified(etag.header(), max_age_s);
    response(StatusCode::NOT_MODIFIED, headers, BodyParts::default())
}

pub(super) fn response(status: StatusCode, headers: HeaderMap, body: BodyParts) -> Response<Body> {
    let mut response = Response::new(whole(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
