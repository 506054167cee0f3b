//! Makes the whole response to a request.
//!
//! The steps are host, method, path, key, limits, parameters, data. Only lookups and long work are awaited. All other
//! work runs on the thread that read the request.

use std::{
    any::Any,
    net::{IpAddr, Ipv4Addr},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::FutureExt as _;
use http_body_util::Full;
use hyper::{
    Method, Response, StatusCode,
    header::{self, HeaderValue},
    http::request::Parts,
};

use super::{
    access_log::{AccessLog, Line},
    changes::{self, CHANGES, Change},
    documents::{Document, Documents},
    door::{Admission, Call, Door, Takes},
    headers::{self, Allowed},
    host::host_fault,
    limits::{Bucket, Permit, RateLimiter},
    overload::{
        AddressQuota, AdmissionController, Admitted, Doubtful, Endpoint, EndpointFigures, Health, MAX_WAIT,
        Metrics, Offload, Probe, Rejections, WriteTurns, overloaded,
    },
    path, request_body,
    request_id::RequestId,
    respond::{Body, is_preflight, moved, options, problem, respond_again, respond_with, whole},
};
use crate::{
    edition::{CurrentEdition, Edition},
    operations::{self, OPERATIONS, Operation},
    upstream::Lookups,
};
use platbook::{
    answers::{Answers, Plan, RawParameters, Refusal, Request},
    vocabulary::ProblemKind,
};

/// Plans an answer: [`Answers::plan`] outside of tests.
pub type Planner = for<'a> fn(&'a Answers, &Request) -> Plan<'a>;

/// Everything besides the request that a response depends on: the served data and the state of the process.
#[derive(Debug)]
pub struct Service {
    edition: CurrentEdition,
    documents: Documents,
    doors: Vec<Box<dyn Door>>,
    limiter: RateLimiter,
    lookups: Lookups,
    bodies: Arc<AddressQuota>,
    write_turns: Arc<WriteTurns>,
    planner: Planner,
    changes: &'static [Change],
    access_log: AccessLog,
    health: Health,
    metrics: Metrics,
    admission: AdmissionController,
    rejections: Rejections,
    offload: Offload,
}

/// Gives other tasks access to the handle that swaps the edition.
impl AsRef<CurrentEdition> for Service {
    fn as_ref(&self) -> &CurrentEdition {
        &self.edition
    }
}

impl Service {
    /// Makes a service for this edition, without limits, keys, lookups or further doors.
    pub fn new(edition: Edition) -> Service {
        Service {
            documents: Documents::new(edition.encoder().site()),
            rejections: Rejections::new(edition.encoder().site()),
            edition: CurrentEdition::new(edition),
            doors: Vec::new(),
            limiter: RateLimiter::unlimited(None),
            lookups: Lookups::closed(),
            bodies: request_body::budget(),
            write_turns: Arc::default(),
            planner: Answers::plan,
            changes: CHANGES,
            access_log: AccessLog::Off,
            health: Health::default(),
            metrics: Metrics::new(),
            admission: AdmissionController::new(MAX_WAIT),
            offload: Offload::default(),
        }
    }

    /// Returns the service with this rate limiter.
    pub fn with_limiter(self, limiter: RateLimiter) -> Service {
        Service { limiter, ..self }
    }

    /// Returns the service with these lookups.
    pub fn with_lookups(self, lookups: Lookups) -> Service {
        Service { lookups, ..self }
    }

    /// Returns the service with a further door. At the paths of operations and documents, these take precedence.
    pub fn with_door(mut self, door: Box<dyn Door>) -> Service {
        self.doors.push(door);
        self
    }

    /// Returns the service with an access log, which gets a line for each request.
    pub fn with_access_log(self, access_log: AccessLog) -> Service {
        Service { access_log, ..self }
    }

    /// Returns the service with another maximum wait. The service rejects requests while work waits longer for a
    /// thread.
    pub fn with_max_wait(self, max_wait: Duration) -> Service {
        Service { admission: AdmissionController::new(max_wait), ..self }
    }

    /// Returns the readiness of the service and the freshness of its snapshot.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Returns the counts of connections and requests.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the counts and durations of requests, by endpoint.
    pub fn endpoints(&self) -> Vec<EndpointFigures> {
        self.metrics.read(|door| self.door_name(door))
    }

    /// Returns the controller that rejects requests in overload.
    pub fn admission(&self) -> &AdmissionController {
        &self.admission
    }

    /// Returns the rate limiter, which has the limits of callers.
    pub fn limiter(&self) -> &RateLimiter {
        &self.limiter
    }

    /// Returns the threads for long work of pages and documents.
    pub fn offload(&self) -> &Offload {
        &self.offload
    }

    /// Returns the outside lookups of the service.
    pub fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    /// Returns the doors beside the operations.
    pub fn doors(&self) -> impl Iterator<Item = &dyn Door> {
        self.doors.iter().map(|door| &**door)
    }

    /// Returns the response to a probe, `/healthz` or `/readyz`; `None` for other requests.
    pub fn probed(&self, head: &Parts) -> Option<Response<Body>> {
        let (probe, edition) = (Probe::requested(head)?, self.edition.load());
        let directory = edition.answers().directory();
        let sharing = self.limiter.sharing();
        let limits = sharing.as_ref().map(|sharing| sharing.divided.unwrap_or("shared"));
        let (readiness, freshness) = (self.health.readiness(), self.health.freshness());
        let mut response = probe.respond(readiness, freshness, limits, Some(directory));
        headers::add_common(response.headers_mut(), RequestId::of(&head.headers), Some(headers::ANY));
        Some(response)
    }

    /// Returns the handle that swaps the edition.
    pub fn edition(&self) -> &CurrentEdition {
        &self.edition
    }

    /// Returns the service with another planner, to test faults that do not occur in real answers.
    #[doc(hidden)]
    pub fn with_planner(self, planner: Planner) -> Service {
        Service { planner, ..self }
    }

    /// Returns the service with another table of changes.
    #[cfg(test)]
    pub(super) fn with_changes(self, changes: &'static [Change]) -> Service {
        Service { changes, ..self }
    }

    /// Returns whether the address is a trusted proxy, which forwards requests of many callers.
    pub(super) fn is_proxy(&self, peer: IpAddr) -> bool {
        self.limiter.is_proxy(peer)
    }

    /// Returns the prerendered responses for rejections.
    pub(super) fn rejections(&self) -> &Rejections {
        &self.rejections
    }

    /// Returns the turns in which connections write long responses.
    pub(super) fn write_turns(&self) -> &Arc<WriteTurns> {
        &self.write_turns
    }

    /// Returns the response to a request, as a connection from this machine would get it. For benches.
    #[doc(hidden)]
    pub async fn respond_in_process(&self, request: hyper::Request<Full<Bytes>>) -> Response<Body> {
        let (head, body) = request.into_parts();
        self.respond(&head, body, IpAddr::V4(Ipv4Addr::LOCALHOST)).await
    }

    /// Returns the whole response to a request.
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
        let mut permit = Permit::default();
        let path = path::normal(head.uri.path());
        let route = self.route(head, &path);
        let endpoint = route.as_ref().map_or(Endpoint::Unknown, Route::endpoint);
        let operation = match route {
            Ok(Route::Operation((operation, _))) => Some(operation),
            _ => None,
        };
        let has_body = !body.is_end_stream();
        let mut is_unread = has_body && !matches!(route, Ok(Route::Door(_)));
        let admitted = head.extensions.get::<Admitted>().copied();
        let mut response = match (self.admission.admit(admitted), operation) {
            (None, Some(_)) => self.rejections.overloaded().to_response(&request_id),
            (in_flight, _) => {
                let outcome = if in_flight.is_some() {
                    let answered = self.answered(route, head, body, peer, &request_id, &mut permit);
                    // A panic makes one request fail, but not the connection.
                    let outcome = AssertUnwindSafe(answered).catch_unwind().await;
                    outcome.unwrap_or_else(|panic| Err(self.panicked(&*panic, endpoint, &request_id)))
                } else {
                    Err(overloaded())
                };
                // The body of a request that is refused before a door takes it is not read to the end.
                is_unread |= has_body && outcome.is_err();
                outcome.unwrap_or_else(|refusal| {
                    let by_door =
                        || operation.is_none().then(|| self.refused_by_door(head, &refusal)).flatten();
                    let mut response =
                        by_door().unwrap_or_else(|| self.refused(&refusal, operation, &request_id));
                    if refusal.kind == ProblemKind::MethodNotAllowed {
                        response.headers_mut().insert(header::ALLOW, self.allowed(&path).methods);
                    }
                    response
                })
            }
        };
        if let Some(operation) = operation {
            let edition = self.edition.load();
            changes::add(self.changes, response.headers_mut(), operation.id, edition.encoder().site());
        }
        let tier = permit.tier();
        self.limiter.finish(permit, &head.headers, peer, &mut response);
        let has_bad_host =
            response.status() == StatusCode::BAD_REQUEST && host_fault(head.version, &head.headers).is_some();
        if is_unread || has_bad_host {
            // The rest of the body may follow, or requests for another host, so the connection ends.
            response.headers_mut().insert(header::CONNECTION, headers::CLOSE);
        }
        let took = started.elapsed();
        self.metrics.add(endpoint, response.status(), took);
        if self.access_log != AccessLog::Off {
            let asked = endpoint.name(|door| self.door_name(door));
            let address = self.limiter.caller_address(&head.headers, peer);
            let line = Line { request_id: request_id.as_str(), asked, took, tier, address };
            line.write(self.access_log, head, &response);
        }
        let readers = if operation.is_some() { Some(headers::ANY) } else { self.readers(head, &path) };
        headers::add_common(response.headers_mut(), request_id, readers);
        response
    }

    /// Returns which web pages may read the response at a path: those of any site, unless the door at the path
    /// restricts them.
    fn readers(&self, head: &Parts, path: &str) -> Option<HeaderValue> {
        self.door_at(path).map_or(Some(headers::ANY), |at| at.door.readers(head, &self.edition.load()))
    }

    /// Answers an admitted request. The first check that fails determines the error.
    async fn answered<B>(
        &self,
        route: Result<Route<'_>, Refusal>,
        head: &Parts,
        body: B,
        peer: IpAddr,
        request_id: &RequestId,
        permit: &mut Permit,
    ) -> Result<Response<Body>, Refusal>
    where
        B: hyper::body::Body<Data = Bytes> + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let is_wanted = matches!(route, Ok(Route::Door(_)));
        let body = if is_wanted || body.is_end_stream() {
            Some(body)
        } else {
            request_body::discard(head, body).await
        };
        let (limiter, lookups, offload) = (&self.limiter, &self.lookups, &self.offload);
        match route? {
            Route::Options(allowed) => Ok(options(head, &allowed)),
            Route::Moved(path) => Ok(moved(self.edition.load().encoder().site(), &path, head.uri.query())),
            Route::Document(document) => {
                let caller = limiter.caller_address(&head.headers, peer);
                // The future is boxed, so that it does not enlarge the future of every connection.
                Box::pin(async {
                    limiter.admit_beside(Bucket::Messages, &head.headers, peer, permit).await?;
                    self.documents.respond(document, &head.headers, offload, caller).await
                })
                .await
            }
            Route::Operation(asked) => {
                let admission = Admission { limiter, lookups, offload, head, peer, permit };
                // The future is boxed, because a plan is large and would otherwise enlarge the future of every
                // connection.
                Box::pin(self.answer(asked, request_id, admission)).await
            }
            Route::Door(DoorAt { door, takes, .. }) => {
                let body = match body {
                    Some(body) => {
                        let budgets = (limiter, &self.bodies);
                        Box::pin(request_body::take(&takes, (head, peer), body, budgets, permit)).await?
                    }
                    None => Ok(Bytes::new()),
                };
                let edition = Arc::clone(&self.edition.load());
                let admission = Admission { limiter, lookups, offload, head, peer, permit };
                let request_id = request_id.as_str();
                door.respond(Call { head, body, edition, request_id, admission }).await
            }
        }
    }

    /// Counts and logs a panic. The panic's text may contain parts of the request, so it is withheld unless it is a
    /// literal.
    fn panicked(&self, panic: &(dyn Any + Send), endpoint: Endpoint, request_id: &RequestId) -> Refusal {
        self.metrics.panics.one();
        let asked = endpoint.name(|door| self.door_name(door));
        let fixed = panic.downcast_ref::<&'static str>();
        let reason = fixed.copied().unwrap_or("withheld; --log-level debug shows it");
        tracing::error!(request_id = request_id.as_str(), asked, reason, "a request ended in a panic");
        if let Some(reason) = panic.downcast_ref::<String>() {
            tracing::debug!(request_id = request_id.as_str(), reason, "the text of the panic");
        }
        let detail = "an error of this service, not of the request; ask again later";
        Refusal::new(ProblemKind::InternalError, detail)
    }

    fn door_name(&self, at: usize) -> &'static str {
        self.doors.get(at).map_or("door", |door| door.name())
    }

    /// Admits a request for an operation and answers it. The edition that planned the answer finishes it.
    async fn answer(
        &self,
        (operation, segment): Asked<'_>,
        request_id: &RequestId,
        mut admission: Admission<'_>,
    ) -> Result<Response<Body>, Refusal> {
        admission.admit().await?;
        let (head, edition) = (admission.head, Arc::clone(&self.edition.load()));
        if let Some(response) = respond_again(&edition, operation, head, request_id) {
            return Ok(response);
        }
        let mut raw = RawParameters::from_query(operation.parameters, head.uri.query().unwrap_or_default())?;
        if let Some(segment) = segment {
            raw = raw.with_segment(segment)?;
        }
        let request = (operation.parse)(&raw)?;
        admission.admit_further(request.weight() - 1).await?;
        let plan = (self.planner)(edition.answers(), &request);
        let answer = admission.answer(edition.answers(), &request, plan).await?;
        Ok(respond_with(&edition, operation, head, request_id, &request, &answer))
    }

    fn refused(
        &self,
        refusal: &Refusal,
        operation: Option<&Operation>,
        request_id: &RequestId,
    ) -> Response<Body> {
        let status = operation.map_or_else(
            || operations::status_of(refusal.kind),
            |operation| operation.status_of(refusal.kind),
        );
        let edition = self.edition.load();
        let response = problem(edition.encoder().site(), refusal, status);
        response.map(|body| whole(body.fill(request_id.as_str())))
    }

    /// Returns a door's own response to a refused request; `None` to send the problem as JSON.
    fn refused_by_door(&self, head: &Parts, refusal: &Refusal) -> Option<Response<Body>> {
        let edition = self.edition.load();
        self.doors.iter().find_map(|door| door.problem(head, &edition, refusal))
    }

    fn door_at(&self, path: &str) -> Option<DoorAt<'_>> {
        let mut doors = self.doors.iter().enumerate();
        doors.find_map(|(number, door)| Some(DoorAt { number, door: &**door, takes: door.takes(path)? }))
    }

    fn allowed(&self, path: &str) -> Allowed {
        self.door_at(path)
            .map_or_else(Allowed::to_read, |at| Allowed::at_door(at.takes.methods, at.takes.request_headers))
    }

    /// Checks host, framing, method and path, in this order. A preflight succeeds at any path: after a failed
    /// preflight, a browser hides the response from the page that requested it.
    fn route<'s>(&'s self, head: &Parts, path: &'s str) -> Result<Route<'s>, Refusal> {
        if let Some(fault) = host_fault(head.version, &head.headers) {
            return Err(Refusal::bad_parameter(fault));
        }
        if let Some(doubtful) = head.extensions.get::<Doubtful>() {
            return Err(Refusal::bad_parameter(doubtful.detail()));
        }
        let document = || Document::at(path).map(Route::Document);
        let moved = || path::usual(path).map(Route::Moved);
        let operation = || operations::find(path).map(Route::Operation);
        let door = || self.door_at(path).map(Route::Door);
        let route = document().or_else(moved).or_else(operation).or_else(door);
        let is_options = head.method == Method::OPTIONS;
        let is_taken = is_options
            || match &route {
                Some(Route::Door(at)) => at.takes.methods.contains(&head.method),
                _ => head.method == Method::GET || head.method == Method::HEAD,
            };
        if !is_taken {
            let methods = self.allowed(path).methods;
            let others = methods.to_str().unwrap_or_default().replace(", OPTIONS", " or OPTIONS");
            let detail = format!("{:.40} is not answered; ask with {others}", head.method.as_str());
            return Err(Refusal::new(ProblemKind::MethodNotAllowed, detail));
        }
        if head.uri.scheme().is_none() && head.uri.authority().is_some() {
            let detail = "the target of the request is a host; ask for a path such as /v1/topics";
            return Err(Refusal::bad_parameter(detail));
        }
        if is_options && (route.is_some() || path == "*" || is_preflight(head)) {
            return Ok(Route::Options(self.allowed(path)));
        }
        let missing = || format!("no endpoint at {:.200}", head.uri.path());
        route.filter(|_| !is_options).ok_or_else(|| Refusal::new(ProblemKind::NotFound, missing()))
    }
}

/// An operation, with the path segment that is its parameter, if any.
type Asked<'p> = (&'static Operation, Option<&'p str>);

/// The target that a request was found to have.
enum Route<'p> {
    /// `OPTIONS`: the methods that the path accepts.
    Options(Allowed),
    /// The usual spelling of the path, for a redirect.
    Moved(String),
    /// A request for a document.
    Document(Document),
    /// An operation, with the path segment that is its parameter.
    Operation(Asked<'p>),
    /// A path of a further door.
    Door(DoorAt<'p>),
}

/// A door, its number, and the requests that it accepts at a path.
struct DoorAt<'s> {
    number: usize,
    door: &'s dyn Door,
    takes: Takes,
}

impl Route<'_> {
    /// Returns the endpoint for which a request counts.
    fn endpoint(&self) -> Endpoint {
        match self {
            Route::Options(_) | Route::Moved(_) | Route::Document(_) => Endpoint::Document,
            Route::Door(at) => Endpoint::Door(at.number),
            Route::Operation((operation, _)) => {
                let at = OPERATIONS.iter().position(|one| one.id == operation.id);
                at.map_or(Endpoint::Unknown, Endpoint::Operation)
            }
        }
    }
}
