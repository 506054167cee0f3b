//! From a request to the whole response.
//!
//! A straight line of steps: host, method, path, key, limits, parameters, data. Only what needs a lookup or a door that
//! takes its time is waited for; the rest is answered at once, on the thread that read the request.

use std::{net::IpAddr, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::FutureExt as _;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::{HeaderMap, Method, Response, StatusCode, Version, header, http::request::Parts};
use tokio::time::timeout;

use super::{
    deprecation::{self, DEPRECATIONS, Deprecation},
    documents::{Document, Documents},
    door::{Admission, Body, BodyFault, Call, Door, Takes, whole},
    encoding,
    etag::ETag,
    headers::{self, Allowed},
    host::host_fault,
    limits::{Gate, Pass},
    path,
    request_id::RequestId,
};
use crate::{
    answers::{Answer, Answers, Lookup, Plan, RawParameters, Refusal, Request},
    edition::{CurrentEdition, Edition},
    encode::BodyParts,
    operations::{self, Operation},
    upstream::Desk,
    vocabulary::ProblemKind,
};

/// What answers a request, or tells what it needs: [`Answers::plan`] outside of tests.
pub type Planner = for<'a> fn(&'a Answers, &Request) -> Plan<'a>;

/// Most bytes of an unwanted request body that are read, only to be thrown away: a client that is cut off while it still
/// sends may never see the answer.
const UNWANTED_BYTES_MAX: usize = 64 * 1024;

/// How long the rest of such a body is waited for.
const UNWANTED_TIMEOUT: Duration = Duration::from_secs(1);

/// Seconds after which a client that found all connections taken may try again.
const FULL_RETRY_S: u32 = 5;

/// How long a body is waited for that a door takes.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Everything that a response is made of but the request: what is served, and what belongs to the process.
#[derive(Debug)]
pub struct Service {
    edition: CurrentEdition,
    documents: Documents,
    doors: Vec<Box<dyn Door>>,
    gate: Gate,
    desk: Desk,
    planner: Planner,
    deprecations: &'static [Deprecation],
}

impl Service {
    /// The service that begins with this edition, without limits, keys, lookups and further doors.
    pub fn new(edition: Edition) -> Service {
        Service {
            documents: Documents::new(edition.encoder().site()),
            edition: CurrentEdition::new(edition),
            doors: Vec::new(),
            gate: Gate::open(None),
            desk: Desk::closed(),
            planner: Answers::plan,
            deprecations: DEPRECATIONS,
        }
    }

    /// The same service behind this gate.
    pub fn with_gate(self, gate: Gate) -> Service {
        Service { gate, ..self }
    }

    /// The same service, which has things looked up at this desk.
    pub fn with_desk(self, desk: Desk) -> Service {
        Service { desk, ..self }
    }

    /// The same service with a further door. Operations and documents come first at their paths.
    pub fn with_door(mut self, door: Box<dyn Door>) -> Service {
        self.doors.push(door);
        self
    }

    /// The edition that is served, to swap it.
    pub fn edition(&self) -> &CurrentEdition {
        &self.edition
    }

    /// The same service with another planner, to test what an answer cannot be brought to do.
    #[doc(hidden)]
    pub fn with_planner(self, planner: Planner) -> Service {
        Service { planner, ..self }
    }

    /// The same service with other notices of removal.
    #[cfg(test)]
    pub(super) fn with_deprecations(self, deprecations: &'static [Deprecation]) -> Service {
        Service { deprecations, ..self }
    }

    /// Whether connections from this address carry the requests of many callers.
    pub(super) fn is_proxy(&self, peer: IpAddr) -> bool {
        self.gate.is_proxy(peer)
    }

    /// What a connection is told that there is no room for: a whole response, whatever was asked.
    pub(super) fn busy(&self) -> Vec<u8> {
        let refusal = Refusal::new(ProblemKind::Busy, "all connections are taken; ask again in a moment");
        let refusal = Refusal { retry_after_s: Some(FULL_RETRY_S), ..refusal };
        let (request_id, status) = (RequestId::of(&HeaderMap::new()), operations::status_of(refusal.kind));
        let body = self.edition.load().encoder().problem(&refusal, status).fill(request_id.as_str());
        let body = body.into_contiguous();
        let mut response = self.refused(&refusal, None, "/", &request_id);
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, headers::CLOSE);
        headers.insert(header::CONTENT_LENGTH, body.len().into());
        headers::add_common(headers, request_id);
        let mut text = format!("HTTP/1.1 {}\r\n", response.status()).into_bytes();
        for (name, value) in response.headers() {
            text.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
        }
        text.extend(b"\r\n");
        text.extend(body);
        text
    }

    /// The response to a request.
    pub(super) async fn respond<B>(&self, head: &Parts, body: B, peer: IpAddr) -> Response<Body>
    where
        B: hyper::body::Body<Data = Bytes> + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let request_id = RequestId::of(&head.headers);
        let mut pass = Pass::default();
        let path = path::normal(head.uri.path());
        let route = self.route(head, &path);
        let operation = match route {
            Ok(Route::Operation((operation, _))) => Some(operation),
            _ => None,
        };
        let is_unwanted = !body.is_end_stream() && !matches!(route, Ok(Route::Door(..)));
        let answered = async {
            let body = if is_unwanted { discard(head, body).await } else { Some(body) };
            match route? {
                Route::Options(allowed) => Ok(options(head, &allowed)),
                Route::Document(document) => Ok(self.documents.respond(document, &head.headers)),
                Route::Operation(asked) => {
                    self.gate.admit(&head.headers, peer, &mut pass)?;
                    self.answer(asked, head, &request_id, &mut pass).await
                }
                Route::Door(door, takes) => {
                    let body = match body {
                        Some(body) => read(body, takes.body_bytes_max).await,
                        None => Ok(Bytes::new()),
                    };
                    let edition = Arc::clone(&self.edition.load());
                    let admission =
                        Admission { gate: &self.gate, desk: &self.desk, head, peer, pass: &mut pass };
                    let request_id = request_id.as_str();
                    door.respond(Call { head, body, edition, request_id, admission }).await
                }
            }
        };
        // A panic is one request's failure, not the connection's.
        let outcome =
            AssertUnwindSafe(answered).catch_unwind().await.unwrap_or_else(|_| Err(internal_error()));
        let mut response = outcome.unwrap_or_else(|refusal| {
            let by_door = || operation.is_none().then(|| self.refused_by_door(head, &refusal)).flatten();
            by_door().unwrap_or_else(|| self.refused(&refusal, operation, &path, &request_id))
        });
        if let Some(operation) = operation {
            deprecation::add(self.deprecations, response.headers_mut(), operation.id);
        }
        self.gate.finish(pass, &head.headers, peer, &mut response);
        headers::add_common(response.headers_mut(), request_id);
        if is_unwanted {
            // Whether the body came whole or not, the connection ends after the answer.
            response.headers_mut().insert(header::CONNECTION, headers::CLOSE);
        }
        response
    }

    /// Answers an operation: at once, or when what it needs was looked up. The edition that planned it finishes it.
    async fn answer(
        &self,
        asked: Asked<'_>,
        head: &Parts,
        request_id: &RequestId,
        pass: &mut Pass,
    ) -> Result<Response<Body>, Refusal> {
        let (edition, request, lookup) = match self.answer_at_once(asked, head, request_id)? {
            AtOnce::Answered(response) => return Ok(response),
            AtOnce::Needs(edition, request, lookup) => (edition, request, lookup),
        };
        let found = self.desk.ask(lookup, || self.gate.admit_lookup(pass)).await?;
        let answer = edition.answers().finish(&request, found)?;
        Ok(respond_with(&edition, asked.0, head, request_id, &request, &answer))
    }

    fn answer_at_once(
        &self,
        (operation, segment): Asked<'_>,
        head: &Parts,
        request_id: &RequestId,
    ) -> Result<AtOnce, Refusal> {
        let edition = self.edition.load();
        if let Some(etag) = known_tag(&edition, head).filter(|tag| tag.is_known_to(&head.headers)) {
            return Ok(AtOnce::Answered(not_modified(etag, operation.max_age_s)));
        }
        let mut raw = RawParameters::from_query(operation.parameters, head.uri.query().unwrap_or_default())?;
        if let Some(segment) = segment {
            raw = raw.with_segment(segment)?;
        }
        let request = (operation.parse)(&raw)?;
        match (self.planner)(edition.answers(), &request) {
            Plan::Done(answer) => {
                let response = respond_with(&edition, operation, head, request_id, &request, &answer?);
                Ok(AtOnce::Answered(response))
            }
            Plan::Needs(lookup) => Ok(AtOnce::Needs(Arc::clone(&edition), request, lookup)),
        }
    }

    fn refused(
        &self,
        refusal: &Refusal,
        operation: Option<&Operation>,
        path: &str,
        request_id: &RequestId,
    ) -> Response<Body> {
        let status = operation.map_or_else(
            || operations::status_of(refusal.kind),
            |operation| operation.status_of(refusal.kind),
        );
        let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
        headers.insert(header::CONTENT_TYPE, headers::PROBLEM_JSON);
        headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
        if refusal.kind == ProblemKind::MethodNotAllowed {
            headers.insert(header::ALLOW, self.allowed(path).methods);
        }
        // Those of a limit are the caller's own: the gate adds them.
        if let Some(seconds) = refusal.retry_after_s {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        let body = self.edition.load().encoder().problem(refusal, status).fill(request_id.as_str());
        let status = StatusCode::from_u16(status).expect("the table of problems holds statuses");
        response(status, headers, body)
    }

    /// What a door says of a refused request.
    fn refused_by_door(&self, head: &Parts, refusal: &Refusal) -> Option<Response<Body>> {
        let edition = self.edition.load();
        self.doors.iter().find_map(|door| door.problem(head, &edition, refusal))
    }

    fn door_at(&self, path: &str) -> Option<(&dyn Door, Takes)> {
        self.doors.iter().find_map(|door| Some((&**door, door.takes(path)?)))
    }

    fn allowed(&self, path: &str) -> Allowed {
        self.door_at(path).map_or_else(Allowed::to_read, |(_, takes)| Allowed::at(&takes))
    }

    /// Host, method, path: in this order. A preflight is told what is allowed at any path: a browser shows its page no
    /// answer to a request after one that failed.
    fn route<'s>(&'s self, head: &Parts, path: &'s str) -> Result<Route<'s>, Refusal> {
        if let Some(fault) = host_fault(head.version, &head.headers) {
            return Err(Refusal::new(ProblemKind::BadParameter, fault));
        }
        let is_read = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&head.method);
        let door = if Document::at(path).is_none() && operations::find(path).is_none() {
            self.door_at(path)
        } else {
            None
        };
        let is_taken = door.map_or(is_read, |(_, takes)| {
            head.method == Method::OPTIONS || takes.methods.contains(&head.method)
        });
        if !is_taken {
            let methods = self.allowed(path).methods;
            let others = methods.to_str().unwrap_or_default().replace(", OPTIONS", " or OPTIONS");
            let detail = format!("{:.40} is not answered; ask with {others}", head.method.as_str());
            return Err(Refusal::new(ProblemKind::MethodNotAllowed, detail));
        }
        if head.uri.scheme().is_none() && head.uri.authority().is_some() {
            let detail = "the target of the request is a host; ask for a path such as /v1/topics";
            return Err(Refusal::new(ProblemKind::BadParameter, detail));
        }
        let document = Document::at(path).map(Route::Document);
        let operation = || operations::find(path).map(Route::Operation);
        let at_door = || door.map(|(door, takes)| Route::Door(door, takes));
        let route = document.or_else(operation).or_else(at_door);
        let is_options = head.method == Method::OPTIONS;
        if is_options && (route.is_some() || path == "*" || is_preflight(head)) {
            return Ok(Route::Options(self.allowed(path)));
        }
        let missing = || format!("no endpoint at {:.200}", head.uri.path());
        route.filter(|_| !is_options).ok_or_else(|| Refusal::new(ProblemKind::NotFound, missing()))
    }
}

/// An operation, and the segment of the path that is its parameter.
type Asked<'p> = (&'static Operation, Option<&'p str>);

/// What is asked for.
enum Route<'p> {
    /// Which methods are there.
    Options(Allowed),
    /// A document.
    Document(Document),
    /// An answer.
    Operation(Asked<'p>),
    /// What another door gives.
    Door(&'p dyn Door, Takes),
}

/// What came of a request without waiting.
enum AtOnce {
    Answered(Response<Body>),
    Needs(Arc<Edition>, Request, Lookup),
}

/// The tag of an answer that the client has asked about before.
fn known_tag(edition: &Edition, head: &Parts) -> Option<ETag> {
    let is_conditional = head.headers.contains_key(header::IF_NONE_MATCH);
    let question = head.uri.path_and_query().filter(|_| is_conditional)?;
    edition.tags().get(question.as_str()).map(ETag::of_hash)
}

fn respond_with(
    edition: &Edition,
    operation: &Operation,
    head: &Parts,
    request_id: &RequestId,
    request: &Request,
    answer: &Answer<'_>,
) -> Response<Body> {
    let encoded = edition.encode(answer);
    let etag = ETag::of_hash(encoded.hash());
    let next = answer.next_cursor();
    let is_conditional = head.headers.contains_key(header::IF_NONE_MATCH);
    if is_conditional && next.is_none() && request.is_of_snapshot_alone() {
        let question = head.uri.path_and_query().map_or("", |question| question.as_str());
        edition.tags().keep(question, encoded.hash());
    }
    let max_age_s = answer.lifetime_s.map_or(operation.max_age_s, |own| own.min(operation.max_age_s));
    let mut response = if is_conditional && etag.is_known_to(&head.headers) {
        not_modified(etag, max_age_s)
    } else {
        success(etag, max_age_s, head, encoded.fill(request_id.as_str()))
    };
    if let Some(cursor) = next {
        headers::add_next(response.headers_mut(), edition.encoder().site(), &head.uri, operation, cursor);
    }
    response
}

/// Reads the rest of a body that nobody wants. Who waits to be asked for it is not asked: hyper would do so as soon as
/// the body is read.
async fn discard<B>(head: &Parts, body: B) -> Option<B>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let expected = head.headers.get(header::EXPECT);
    let is_held_back = head.version >= Version::HTTP_11
        && expected.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    if !is_held_back {
        let _ = timeout(UNWANTED_TIMEOUT, Limited::new(body, UNWANTED_BYTES_MAX).collect()).await;
    }
    None
}

/// Reads a body that a door takes.
async fn read<B>(body: B, max: usize) -> Result<Bytes, BodyFault>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match timeout(BODY_TIMEOUT, Limited::new(body, max).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BodyFault::TooLong { max }),
        Ok(Err(_)) | Err(_) => Err(BodyFault::Broken),
    }
}

fn options(head: &Parts, allowed: &Allowed) -> Response<Body> {
    let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
    headers.insert(header::ALLOW, allowed.methods.clone());
    headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
    if is_preflight(head) {
        headers::add_preflight(&mut headers, allowed);
    }
    response(StatusCode::NO_CONTENT, headers, BodyParts::default())
}

fn is_preflight(head: &Parts) -> bool {
    head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn success(etag: ETag, max_age_s: u32, head: &Parts, mut body: BodyParts) -> Response<Body> {
    let mut headers = headers::success(etag.header(), max_age_s);
    if let Some(packed) = encoding::pack(&head.headers, &body) {
        headers.insert(header::CONTENT_ENCODING, packed.coding);
        body = packed.bytes.into();
    }
    response(StatusCode::OK, headers, body)
}

fn not_modified(etag: ETag, max_age_s: u32) -> Response<Body> {
    let headers = headers::not_modified(etag.header(), max_age_s);
    response(StatusCode::NOT_MODIFIED, headers, BodyParts::default())
}

fn internal_error() -> Refusal {
    Refusal::new(ProblemKind::InternalError, "an error of this service, not of the request; ask again later")
}

fn response(status: StatusCode, headers: HeaderMap, body: BodyParts) -> Response<Body> {
    let mut response = Response::new(whole(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
