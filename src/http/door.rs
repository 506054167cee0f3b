//! Doors: interfaces beside the operations, such as pages for people or a protocol with request bodies.

use std::{fmt::Debug, future::Future, net::IpAddr, pin::Pin, sync::Arc};

use bytes::Bytes;
use hyper::{Method, Response, header::HeaderValue, http::request::Parts};

use super::{
    limits::{Bucket, Permit, RateLimiter},
    overload::Offload,
    respond::Body,
};
use crate::{edition::Edition, upstream::Lookups};
use platbook::answers::{Answer, Answers, CacheFigures, Found, Lookup, Plan, Refusal, Request};

/// An interface beside the operations. A door gets the requests to its paths with their bodies, and may await
/// lookups.
pub trait Door: Debug + Send + Sync {
    /// Returns the name under which the door's requests are counted.
    fn name(&self) -> &'static str {
        "door"
    }

    /// Returns the figures of the door's caches.
    fn caches(&self) -> Vec<CacheFigures> {
        Vec::new()
    }

    /// Returns which requests the door accepts at a path; `None` for a path of another door or operation.
    fn takes(&self, path: &str) -> Option<Takes>;

    /// Answers a request to one of the door's paths. The service adds the headers that every response has.
    fn respond<'a>(&'a self, call: Call<'a>) -> Responding<'a>;

    /// Returns the web pages that may read the response to a request: `*` for pages of any site, one origin, or
    /// `None`.
    fn readers(&self, _head: &Parts, _edition: &Edition) -> Option<HeaderValue> {
        Some(HeaderValue::from_static("*"))
    }

    /// Returns the door's own response to a refused request, such as a page; `None` to send the problem as JSON.
    fn problem(&self, _head: &Parts, _edition: &Edition, _refusal: &Refusal) -> Option<Response<Body>> {
        None
    }
}

/// The future of a door's response.
pub type Responding<'a> = Pin<Box<dyn Future<Output = Result<Response<Body>, Refusal>> + Send + 'a>>;

/// The requests that a door accepts at a path.
#[derive(Clone, Copy, Debug)]
pub struct Takes {
    /// Accepted methods. OPTIONS is always answered as well.
    pub methods: &'static [Method],
    /// Headers that a page of another site may send, separated by commas.
    pub request_headers: &'static str,
    /// Maximum length of a request body, in bytes.
    pub body_bytes_max: usize,
}

/// A request to a door.
#[derive(Debug)]
pub struct Call<'a> {
    /// Method, target and headers.
    pub head: &'a Parts,
    /// The whole body, or the reason why it is missing.
    pub body: Result<Bytes, BodyFault>,
    /// The edition from which to answer.
    pub edition: Arc<Edition>,
    /// The id of the request, which is also in the response's header.
    pub request_id: &'a str,
    /// Access to limits, lookups, and threads for long work.
    pub admission: Admission<'a>,
}

/// The reason why a request body is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyFault {
    /// The body is too long.
    #[error("the body is longer than {max} bytes")]
    TooLong {
        /// Maximum length in bytes.
        max: usize,
    },
    /// The whole body did not arrive in time.
    #[error("the body did not arrive whole in time")]
    Broken,
}

/// Access for a request to its limits, to lookups, and to threads for long work.
#[derive(Debug)]
pub struct Admission<'a> {
    pub(super) limiter: &'a RateLimiter,
    pub(super) lookups: &'a Lookups,
    pub(super) offload: &'a Offload,
    pub(super) head: &'a Parts,
    pub(super) peer: IpAddr,
    pub(super) permit: &'a mut Permit,
}

impl Admission<'_> {
    /// Sets the bucket in which this call counts. Tools and pages have their own limits, which count by address only.
    pub fn counts_as(&mut self, bucket: Bucket) {
        self.permit.counts_as(bucket);
    }

    /// Counts the call against its caller's limit.
    ///
    /// # Errors
    /// `invalid-key`, or `rate-limited`.
    pub async fn admit(&mut self) -> Result<(), Refusal> {
        self.limiter.admit(&self.head.headers, self.peer, self.permit).await
    }

    /// Counts further uses for an admitted request that does the work of several requests.
    ///
    /// # Errors
    /// `rate-limited`.
    pub async fn admit_further(&mut self, uses: u32) -> Result<(), Refusal> {
        self.limiter.admit_further(uses, self.permit).await
    }

    /// Runs a lookup for an admitted request. The lookup counts against the caller's limit unless the result is
    /// cached.
    ///
    /// # Errors
    /// `lookup-limit`.
    pub async fn look_up(&mut self, answers: &Answers, lookup: Lookup) -> Result<Found, Refusal> {
        self.lookups.run(answers, lookup, self.limiter.lookups(self.permit)).await
    }

    /// Answers an admitted request. Runs the lookup first if the plan needs one.
    ///
    /// # Errors
    /// If the request has no answer, or `lookup-limit`.
    pub async fn answer<'e>(
        &mut self,
        answers: &'e Answers,
        request: &Request,
        plan: Plan<'e>,
    ) -> Result<Answer<'e>, Refusal> {
        match plan {
            Plan::Done(answer) => answer,
            // The lookup is boxed, so that requests without lookups do not reserve memory for it.
            Plan::Needs(lookup) => answers.finish(request, Box::pin(self.look_up(answers, lookup)).await?),
        }
    }

    /// Runs work of more than a millisecond on a thread that does not answer requests.
    ///
    /// # Errors
    /// `busy` if too much work waits.
    pub async fn offload<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.offload.run(self.limiter.caller_address(&self.head.headers, self.peer), work).await
    }
}
