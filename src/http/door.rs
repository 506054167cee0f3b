//! The interface of doors beside the operations, such as pages or a protocol with request bodies.

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

/// A door beside the operations. It gets the requests at its paths with their bodies, and may await lookups.
pub trait Door: Debug + Send + Sync {
    /// Returns the name under which its requests are counted.
    fn name(&self) -> &'static str {
        "door"
    }

    /// Returns counts of its caches.
    fn caches(&self) -> Vec<CacheFigures> {
        Vec::new()
    }

    /// Returns the requests that it takes at a path; `None` for paths of others.
    fn takes(&self, path: &str) -> Option<Takes>;

    /// Answers a request at one of its paths. The service adds the headers of every response.
    fn respond<'a>(&'a self, call: Call<'a>) -> Responding<'a>;

    /// Returns the pages that may read its response to a request: `*` for those of any site, one origin, or `None`.
    fn readers(&self, _head: &Parts, _edition: &Edition) -> Option<HeaderValue> {
        Some(HeaderValue::from_static("*"))
    }

    /// Returns its own response to a refused request, such as a page; `None` to send the problem itself.
    fn problem(&self, _head: &Parts, _edition: &Edition, _refusal: &Refusal) -> Option<Response<Body>> {
        None
    }
}

/// The future of a door's response.
pub type Responding<'a> = Pin<Box<dyn Future<Output = Result<Response<Body>, Refusal>> + Send + 'a>>;

/// The requests that a door takes at a path.
#[derive(Clone, Copy, Debug)]
pub struct Takes {
    /// Accepted methods; OPTIONS is always answered.
    pub methods: &'static [Method],
    /// Headers that a browser may send from another site, separated by commas.
    pub request_headers: &'static str,
    /// Most bytes of a request body that are read.
    pub body_bytes_max: usize,
}

/// A request at a door.
#[derive(Debug)]
pub struct Call<'a> {
    /// Method, target and headers.
    pub head: &'a Parts,
    /// The whole body, or the reason why it is missing.
    pub body: Result<Bytes, BodyFault>,
    /// The edition that the answer is made from.
    pub edition: Arc<Edition>,
    /// The id of the request, which is also in the response's header.
    pub request_id: &'a str,
    /// Access to limits, lookups and threads for long work.
    pub admission: Admission<'a>,
}

/// The reason why a request body is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyFault {
    /// The body is too long.
    #[error("the body is longer than {max} bytes")]
    TooLong {
        /// Most bytes that are read.
        max: usize,
    },
    /// The body did not arrive whole in time.
    #[error("the body did not arrive whole in time")]
    Broken,
}

/// Access of a request to its limits, to lookups, and to threads for long work.
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
    /// Sets the bucket that this call counts in. Tools and pages have limits of their own, by address only.
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

    /// Counts further uses of an admitted request that does the work of several.
    ///
    /// # Errors
    /// `rate-limited`.
    pub async fn admit_further(&mut self, uses: u32) -> Result<(), Refusal> {
        self.limiter.admit_further(uses, self.permit).await
    }

    /// Runs a lookup for an admitted request. It counts against the caller's limit unless the result is cached.
    ///
    /// # Errors
    /// `lookup-limit`.
    pub async fn look_up(&mut self, answers: &Answers, lookup: Lookup) -> Result<Found, Refusal> {
        self.lookups.run(answers, lookup, self.limiter.lookups(self.permit)).await
    }

    /// Answers an admitted request: as planned, or after the lookup that the plan needs.
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
            // Boxed, so that requests without lookups do not reserve its memory.
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
