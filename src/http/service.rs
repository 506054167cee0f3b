//! From a request to the whole response.
//!
//! A straight line of steps: host, method, path, key, limits, parameters, data. Only what needs a lookup or a door that
//! takes its time is waited for; the rest is answered at once, on the thread that read the request.

use std::{
    any::Any,
    net::IpAddr,
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::FutureExt as _;
use hyper::{HeaderMap, Method, Response, StatusCode, header, http::request::Parts};

use super::{
    access_log::{AccessLog, Line},
    body_budget::BodyBudget,
    deprecation::{self, DEPRECATIONS, Deprecation},
    documents::{Document, Documents},
    door::{Admission, Body, Call, Door, Takes},
    framing::Doubtful,
    headers::{self, Allowed},
    host::host_fault,
    limits::{Bucket, Gate, Pass},
    offload::Offload,
    path,
    probe::Probe,
    ready_refusal::{ReadyRefusal, SHED_RETRY_S, any_retry, full, internal_error, overloaded},
    request_body::{discard, take},
    request_id::RequestId,
    respond::{is_preflight, options, respond_again, respond_with, response},
    tally::{Surface, SurfaceFigures},
    valve::LetIn,
    vitals::Vitals,
};
use crate::{
    edition::{CurrentEdition, Edition},
    operations::{self, OPERATIONS, Operation},
    upstream::Desk,
};
use platbook::{
    answers::{Answers, Lookup, Plan, RawParameters, Refusal, Request},
    vocabulary::ProblemKind,
};

/// What answers a request, or tells what it needs: [`Answers::plan`] outside of tests.
pub type Planner = for<'a> fn(&'a Answers, &Request) -> Plan<'a>;

/// Everything that a response is made of but the request: what is served, and what belongs to the process.
#[derive(Debug)]
pub struct Service {
    edition: CurrentEdition,
    documents: Documents,
    doors: Vec<Box<dyn Door>>,
    gate: Gate,
    desk: Desk,
    bodies: Arc<BodyBudget>,
    planner: Planner,
    deprecations: &'static [Deprecation],
    access_log: AccessLog,
    vitals: Vitals,
    offload: Offload,
    /// What is told where no slot is free, and where work waits too long; made when it is first needed.
    full: OnceLock<ReadyRefusal>,
    shed: [OnceLock<ReadyRefusal>; SHED_RETRY_S.len()],
}

/// What is served can be swapped from elsewhere.
impl AsRef<CurrentEdition> for Service {
    fn as_ref(&self) -> &CurrentEdition {
        &self.edition
    }
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
            bodies: Arc::default(),
            planner: Answers::plan,
            deprecations: DEPRECATIONS,
            access_log: AccessLog::Off,
            vitals: Vitals::new(),
            offload: Offload::default(),
            full: OnceLock::new(),
            shed: [const { OnceLock::new() }; SHED_RETRY_S.len()],
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

    /// The same service, which writes a line for each request.
    pub fn with_access_log(self, access_log: AccessLog) -> Service {
        Service { access_log, ..self }
    }

    /// The same service, which turns requests away where work goes on to wait longer than this for a thread.
    pub fn with_max_wait(self, max_wait: Duration) -> Service {
        Service { vitals: self.vitals.with_max_wait(max_wait), ..self }
    }

    /// How it is, and what was counted.
    pub fn vitals(&self) -> &Vitals {
        &self.vitals
    }

    /// How requests were answered, by what they asked for.
    pub fn surfaces(&self) -> Vec<SurfaceFigures> {
        self.vitals.tally.read(|door| self.door_name(door))
    }

    /// Who may ask, and how much.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Long work of pages and documents that was done on threads of its own: jobs done, jobs refused, jobs that wait.
    pub fn offloaded(&self) -> [u64; 3] {
        [self.offload.done(), self.offload.refused(), self.offload.waiting() as u64]
    }

    /// Where things are looked up.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The doors beside the operations.
    pub fn doors(&self) -> impl Iterator<Item = &dyn Door> {
        self.doors.iter().map(|door| &**door)
    }

    /// The answer to a probe, if the request is one: `/healthz` or `/readyz`.
    pub fn probed(&self, head: &Parts) -> Option<Response<Body>> {
        let probe = Probe::of(head)?;
        let mut response = probe.answer(&self.vitals, &self.edition.load());
        headers::add_common(response.headers_mut(), RequestId::of(&head.headers));
        Some(response)
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
        self.full.get_or_init(|| self.ready(&full())).to_bytes()
    }

    /// What a new connection is told while work waits too long.
    pub(super) fn overloaded(&self) -> Vec<u8> {
        self.shed().to_bytes()
    }

    fn shed(&self) -> &ReadyRefusal {
        let number = any_retry();
        self.shed[number].get_or_init(|| self.ready(&overloaded(SHED_RETRY_S[number])))
    }

    fn ready(&self, refusal: &Refusal) -> ReadyRefusal {
        let body = self.edition.load().encoder().problem(refusal, operations::status_of(refusal.kind));
        let response = self.refused(refusal, None, "/", &RequestId::generated());
        ReadyRefusal::new(response.status(), response.headers(), body)
    }

    /// The response to a request.
    pub(super) async fn respond<B>(&self, head: &Parts, body: B, peer: IpAddr) -> Response<Body>
    where
        B: hyper::body::Body<Data = Bytes> + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if let Some(response) = self.probed(head) {
            return response;
        }
        let started = Instant::now();
        let request_id = RequestId::of(&head.headers);
        let mut pass = Pass::default();
        let path = path::normal(head.uri.path());
        let route = self.route(head, &path);
        let surface = route.as_ref().map_or(Surface::Unknown, Route::surface);
        let operation = match route {
            Ok(Route::Operation((operation, _))) => Some(operation),
            _ => None,
        };
        let has_body = !body.is_end_stream();
        let mut is_unread = has_body && !matches!(route, Ok(Route::Door(_)));
        let let_in = head.extensions.get::<LetIn>().copied();
        let mut response = match (self.vitals.valve.enter(let_in), operation) {
            (None, Some(_)) => self.shed().to_response(&request_id),
            (inside, _) => {
                let outcome = if inside.is_some() {
                    let answered = self.answered(route, head, body, peer, &request_id, &mut pass);
                    // A panic is one request's failure, not the connection's.
                    let outcome = AssertUnwindSafe(answered).catch_unwind().await;
                    outcome.unwrap_or_else(|panic| Err(self.panicked(&*panic, surface, &request_id)))
                } else {
                    Err(overloaded(SHED_RETRY_S[any_retry()]))
                };
                // What is refused before a door has taken it is not read to its end.
                is_unread |= has_body && outcome.is_err();
                outcome.unwrap_or_else(|refusal| {
                    let by_door =
                        || operation.is_none().then(|| self.refused_by_door(head, &refusal)).flatten();
                    by_door().unwrap_or_else(|| self.refused(&refusal, operation, &path, &request_id))
                })
            }
        };
        if let Some(operation) = operation {
            deprecation::add(self.deprecations, response.headers_mut(), operation.id);
        }
        let tier = pass.tier();
        self.gate.finish(pass, &head.headers, peer, &mut response);
        let has_bad_host =
            response.status() == StatusCode::BAD_REQUEST && host_fault(head.version, &head.headers).is_some();
        if is_unread || has_bad_host {
            // Whether the body came whole or not, and whoever the request was meant for, the connection ends here.
            response.headers_mut().insert(header::CONNECTION, headers::CLOSE);
        }
        let took = started.elapsed();
        self.vitals.tally.add(surface, response.status(), took);
        if self.access_log != AccessLog::Off {
            let asked = surface.name(|door| self.door_name(door));
            let address = self.gate.caller_address(&head.headers, peer);
            let line = Line { request_id: request_id.as_str(), asked, took, tier, address };
            line.write(self.access_log, head, &response);
        }
        headers::add_common(response.headers_mut(), request_id);
        response
    }

    /// What comes of a request at the end of its way, in the order in which it may be refused.
    async fn answered<B>(
        &self,
        route: Result<Route<'_>, Refusal>,
        head: &Parts,
        body: B,
        peer: IpAddr,
        request_id: &RequestId,
        pass: &mut Pass,
    ) -> Result<Response<Body>, Refusal>
    where
        B: hyper::body::Body<Data = Bytes> + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let is_wanted = matches!(route, Ok(Route::Door(_)));
        let body = if is_wanted || body.is_end_stream() { Some(body) } else { discard(head, body).await };
        match route? {
            Route::Options(allowed) => Ok(options(head, &allowed)),
            Route::Document(document) => {
                self.gate.admit_beside(Bucket::Messages, &head.headers, peer, pass)?;
                let caller = self.gate.caller_address(&head.headers, peer);
                // In memory of its own, as lookups are.
                Box::pin(self.documents.respond(document, &head.headers, &self.offload, caller)).await
            }
            Route::Operation(asked) => {
                self.gate.admit(&head.headers, peer, pass)?;
                self.answer(asked, head, request_id, pass).await
            }
            Route::Door(DoorAt { door, takes, .. }) => {
                let body = match body {
                    Some(body) => take(&takes, (head, peer), body, (&self.gate, &self.bodies), pass).await?,
                    None => Ok(Bytes::new()),
                };
                let edition = Arc::clone(&self.edition.load());
                let (gate, desk, offload) = (&self.gate, &self.desk, &self.offload);
                let admission = Admission { gate, desk, offload, head, peer, pass };
                let request_id = request_id.as_str();
                door.respond(Call { head, body, edition, request_id, admission }).await
            }
        }
    }

    /// Counts and tells a panic. Its text may hold what was asked, unless it was written down here.
    fn panicked(&self, panic: &(dyn Any + Send), surface: Surface, request_id: &RequestId) -> Refusal {
        self.vitals.panics.one();
        let asked = surface.name(|door| self.door_name(door));
        let fixed = panic.downcast_ref::<&'static str>();
        let reason = fixed.copied().unwrap_or("withheld; --log-level debug tells it");
        tracing::error!(request_id = request_id.as_str(), asked, reason, "a request failed by a panic");
        if let Some(reason) = panic.downcast_ref::<String>() {
            tracing::debug!(request_id = request_id.as_str(), reason, "the text of the panic");
        }
        internal_error()
    }

    fn door_name(&self, at: usize) -> &'static str {
        self.doors.get(at).map_or("door", |door| door.name())
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
        // In memory of its own: a lookup is large, and each connection has room for what it waits for.
        let asking = Box::pin(self.desk.ask(edition.answers(), lookup, || self.gate.admit_lookup(pass)));
        let found = asking.await?;
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
        if let Some(response) = respond_again(&edition, operation, head, request_id) {
            return Ok(AtOnce::Answered(response));
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

    fn door_at(&self, path: &str) -> Option<DoorAt<'_>> {
        let mut doors = self.doors.iter().enumerate();
        doors.find_map(|(number, door)| Some(DoorAt { number, door: &**door, takes: door.takes(path)? }))
    }

    fn allowed(&self, path: &str) -> Allowed {
        self.door_at(path).map_or_else(Allowed::to_read, |at| Allowed::at(&at.takes))
    }

    /// Host, framing, method, path: in this order. A preflight is told what is allowed at any path: a browser shows its page no
    /// answer to a request after one that failed.
    fn route<'s>(&'s self, head: &Parts, path: &'s str) -> Result<Route<'s>, Refusal> {
        if let Some(fault) = host_fault(head.version, &head.headers) {
            return Err(Refusal::new(ProblemKind::BadParameter, fault));
        }
        if let Some(doubtful) = head.extensions.get::<Doubtful>() {
            return Err(Refusal::new(ProblemKind::BadParameter, doubtful.detail()));
        }
        let is_read = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&head.method);
        let door = if Document::at(path).is_none() && operations::find(path).is_none() {
            self.door_at(path)
        } else {
            None
        };
        let is_taken = door
            .as_ref()
            .map_or(is_read, |at| head.method == Method::OPTIONS || at.takes.methods.contains(&head.method));
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
        let at_door = || door.map(Route::Door);
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
    Door(DoorAt<'p>),
}

/// A door, its number, and what it takes at a path.
struct DoorAt<'s> {
    number: usize,
    door: &'s dyn Door,
    takes: Takes,
}

impl Route<'_> {
    /// As what a request counts.
    fn surface(&self) -> Surface {
        match self {
            Route::Options(_) | Route::Document(_) => Surface::Document,
            Route::Door(at) => Surface::Door(at.number),
            Route::Operation((operation, _)) => {
                let at = OPERATIONS.iter().position(|one| one.id == operation.id);
                at.map_or(Surface::Unknown, Surface::Operation)
            }
        }
    }
}

/// What came of a request without waiting.
enum AtOnce {
    Answered(Response<Body>),
    Needs(Arc<Edition>, Request, Lookup),
}
