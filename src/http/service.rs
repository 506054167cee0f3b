//! From the head of a request to the whole response, without waiting for anything.

use std::{
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind},
};

use http_body_util::Full;
use hyper::{HeaderMap, Method, Response, StatusCode, header, http::request::Parts};

use super::{
    deprecation::{self, DEPRECATIONS, Deprecation},
    encoding,
    etag::ETag,
    headers,
    host::host_fault,
    known_tags::KnownTags,
    limits::{Gate, Pass},
    pages::{Page, Pages},
    path,
    request_id::RequestId,
};
use crate::{
    answers::{Answers, Given, Refusal, Reply, Request},
    operations::{self, Operation},
    wire::{ProblemKind, Rope, RopeBuf},
};

/// What turns a request into a reply; [`Answers::answer`] outside of tests.
pub type Answerer = for<'a> fn(&'a Answers, &Request) -> Result<Reply<'a>, Refusal>;

pub(super) type Body = Full<RopeBuf>;

/// Everything that a response is made of but the request.
#[derive(Debug)]
pub struct Service {
    answers: Answers,
    answerer: Answerer,
    pages: Pages,
    gate: Gate,
    tags: KnownTags,
    deprecations: &'static [Deprecation],
}

impl Service {
    /// The service that gives these answers, without limits and keys.
    pub fn new(answers: Answers) -> Service {
        let pages = Pages::new(answers.site());
        Service {
            answers,
            answerer: Answers::answer,
            pages,
            gate: Gate::open(None),
            tags: KnownTags::new(),
            deprecations: DEPRECATIONS,
        }
    }

    /// The same service behind this gate.
    pub fn with_gate(self, gate: Gate) -> Service {
        Service { gate, ..self }
    }

    /// The same service with other answers, to test what an answer cannot be brought to do.
    #[doc(hidden)]
    pub fn with_answerer(self, answerer: Answerer) -> Service {
        Service { answerer, ..self }
    }

    /// The same service with other notices of removal.
    #[cfg(test)]
    pub(super) fn with_deprecations(self, deprecations: &'static [Deprecation]) -> Service {
        Service { deprecations, ..self }
    }

    /// The response to a request; its body, if any, plays no part.
    pub(super) fn respond(&self, head: &Parts, peer: IpAddr) -> Response<Body> {
        let request_id = RequestId::of(&head.headers);
        let mut pass = Pass::default();
        let path = path::normal(head.uri.path());
        let route = route(head, &path);
        let operation = match route {
            Ok(Route::Operation((operation, _))) => Some(operation.id),
            _ => None,
        };
        let outcome = route.and_then(|route| match route {
            Route::Options => Ok(options(head)),
            Route::Page(page) => guarded(|| Ok(self.pages.respond(page, &head.headers))),
            Route::Operation(asked) => {
                self.gate.admit(&head.headers, peer, &mut pass)?;
                guarded(|| self.answer(asked, head, &request_id))
            }
        });
        let mut response = outcome.unwrap_or_else(|refusal| self.refused(&refusal, &request_id));
        if let Some(operation) = operation {
            deprecation::add(self.deprecations, response.headers_mut(), operation);
        }
        self.gate.finish(pass, &head.headers, peer, &mut response);
        headers::add_common(response.headers_mut(), request_id);
        response
    }

    fn answer(
        &self,
        (operation, segment): Asked<'_>,
        head: &Parts,
        request_id: &RequestId,
    ) -> Result<Response<Body>, Refusal> {
        let is_conditional = head.headers.contains_key(header::IF_NONE_MATCH);
        if is_conditional
            && let Some(etag) = self.tags.get(&head.uri).filter(|tag| tag.is_known_to(&head.headers))
        {
            return Ok(not_modified(etag, operation));
        }
        let query = head.uri.query().unwrap_or_default();
        let mut given = Given::from_query(operation.parameters, query)?;
        if let Some(segment) = segment {
            given = given.with_segment(segment)?;
        }
        let request = (operation.parse)(&given)?;
        let reply = (self.answerer)(&self.answers, &request)?;
        let json = reply.to_json();
        let etag = ETag::of_hash(json.hash());
        let next = reply.next_cursor();
        if is_conditional && next.is_none() && request.is_of_snapshot_alone() {
            self.tags.keep(&head.uri, etag);
        }
        let mut response = if etag.is_known_to(&head.headers) {
            not_modified(etag, operation)
        } else {
            success(etag, operation, head, json.fill(request_id.as_str()))
        };
        if let Some(cursor) = next {
            headers::add_next(response.headers_mut(), self.answers.site(), &head.uri, cursor);
        }
        Ok(response)
    }

    fn refused(&self, refusal: &Refusal, request_id: &RequestId) -> Response<Body> {
        let status = StatusCode::from_u16(refusal.status).expect("the problem table holds statuses");
        let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
        headers.insert(header::CONTENT_TYPE, headers::PROBLEM_JSON);
        headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
        if status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(header::ALLOW, headers::METHODS);
        }
        if let Some(seconds) = headers::retry_after(refusal.kind) {
            headers.insert(header::RETRY_AFTER, seconds);
        }
        response(status, headers, refusal.to_json(self.answers.site()).fill(request_id.as_str()))
    }
}

/// An operation, and the segment of the path that is its parameter.
type Asked<'p> = (&'static Operation, Option<&'p str>);

/// What is asked for.
enum Route<'p> {
    /// Which methods are there.
    Options,
    /// A page.
    Page(Page),
    /// An answer.
    Operation(Asked<'p>),
}

/// Host, method, path: in this order. A preflight is told what is allowed at any path: a browser shows its page no
/// answer to a request after one that failed.
fn route<'p>(head: &Parts, path: &'p str) -> Result<Route<'p>, Refusal> {
    if let Some(fault) = host_fault(head.version, &head.headers) {
        return Err(Refusal::new(ProblemKind::BadParameter, fault));
    }
    if ![Method::GET, Method::HEAD, Method::OPTIONS].contains(&head.method) {
        let detail = format!("{} is not answered; ask with GET, HEAD or OPTIONS", head.method);
        return Err(Refusal::new(ProblemKind::MethodNotAllowed, detail));
    }
    if head.uri.scheme().is_none() && head.uri.authority().is_some() {
        let detail = "the target of the request is a host; ask for a path such as /v1/topics";
        return Err(Refusal::new(ProblemKind::BadParameter, detail));
    }
    let route = match (Page::at(path), operations::find(path)) {
        (Some(page), _) => Some(Route::Page(page)),
        (None, operation) => operation.map(Route::Operation),
    };
    match (route, head.method == Method::OPTIONS) {
        (Some(_), true) => Ok(Route::Options),
        (None, true) if path == "*" || is_preflight(head) => Ok(Route::Options),
        (Some(route), false) => Ok(route),
        (None, _) => {
            Err(Refusal::new(ProblemKind::NotFound, format!("no endpoint at {:.200}", head.uri.path())))
        }
    }
}

/// A panic is one request's failure, not the connection's.
fn guarded(answer: impl FnOnce() -> Result<Response<Body>, Refusal>) -> Result<Response<Body>, Refusal> {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Err(internal_error()))
}

fn options(head: &Parts) -> Response<Body> {
    let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
    headers.insert(header::ALLOW, headers::METHODS);
    headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
    if is_preflight(head) {
        headers::add_preflight(&mut headers);
    }
    response(StatusCode::NO_CONTENT, headers, Rope::default())
}

fn is_preflight(head: &Parts) -> bool {
    head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn success(etag: ETag, operation: &Operation, head: &Parts, mut body: Rope) -> Response<Body> {
    let mut headers = headers::success(etag.header(), operation.cache_control);
    if let Some(packed) = encoding::pack(&head.headers, &body) {
        headers.insert(header::CONTENT_ENCODING, packed.coding);
        body = packed.bytes.into();
    }
    response(StatusCode::OK, headers, body)
}

fn not_modified(etag: ETag, operation: &Operation) -> Response<Body> {
    let headers = headers::not_modified(etag.header(), operation.cache_control);
    response(StatusCode::NOT_MODIFIED, headers, Rope::default())
}

fn internal_error() -> Refusal {
    Refusal::new(ProblemKind::InternalError, "an error of this service, not of the request; ask again later")
}

fn response(status: StatusCode, headers: HeaderMap, body: Rope) -> Response<Body> {
    let mut response = Response::new(Full::new(body.into_buf()));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
