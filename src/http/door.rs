//! Doors beside the operations: other ways to ask at the same address, such as pages or a protocol with request bodies.

use std::{fmt::Debug, future::Future, net::IpAddr, pin::Pin, sync::Arc};

use bytes::Bytes;
use hyper::{Method, Response, http::request::Parts};

use super::{
    limits::{Bucket, Permit, RateLimiter},
    overload::Offload,
    respond::Body,
};
use crate::{edition::Edition, upstream::Desk};
use platbook::answers::{Answer, Answers, CacheFigures, Found, Lookup, Plan, Refusal, Request};

/// A door beside the operations. It gets the requests at its paths, with their bodies, and may take its time.
pub trait Door: Debug + Send + Sync {
    /// The name that its requests are counted under.
    fn name(&self) -> &'static str {
        "door"
    }

    /// Its caches between requests.
    fn caches(&self) -> Vec<CacheFigures> {
        Vec::new()
    }

    /// The requests that it takes at a path; `None` where the path is not its own.
    fn takes(&self, path: &str) -> Option<Takes>;

    /// Answers a request at one of its paths. The service adds the headers of every response.
    fn respond<'a>(&'a self, call: Call<'a>) -> Responding<'a>;

    /// Its response to a request that was refused before a door took it; `None` where the problem itself is best.
    fn problem(&self, _head: &Parts, _edition: &Edition, _refusal: &Refusal) -> Option<Response<Body>> {
        None
    }
}

/// A response on its way.
pub type Responding<'a> = Pin<Box<dyn Future<Output = Result<Response<Body>, Refusal>> + Send + 'a>>;

/// The requests that a door takes at a path.
#[derive(Clone, Copy, Debug)]
pub struct Takes {
    /// Methods; OPTIONS is answered in any case.
    pub methods: &'static [Method],
    /// Headers that a browser may send from another site, apart by commas.
    pub request_headers: &'static str,
    /// Most bytes of a request body that are read.
    pub body_bytes_max: usize,
}

/// A request at a door.
#[derive(Debug)]
pub struct Call<'a> {
    /// Method, address and headers.
    pub head: &'a Parts,
    /// The body, whole, or why it is not there.
    pub body: Result<Bytes, BodyFault>,
    /// The edition that the answer is made from.
    pub edition: Arc<Edition>,
    /// The id of the request, which the response has in its header.
    pub request_id: &'a str,
    /// The way through the limits, and to what is looked up outside.
    pub admission: Admission<'a>,
}

/// Why a request body is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyFault {
    /// It is too long.
    #[error("the body is longer than {max} bytes")]
    TooLong {
        /// Most bytes that are read.
        max: usize,
    },
    /// It did not arrive whole, or not in time.
    #[error("the body did not arrive whole in time")]
    Broken,
}

/// The way of a request through the limits, to lookups, and to threads for long work.
#[derive(Debug)]
pub struct Admission<'a> {
    pub(super) limiter: &'a RateLimiter,
    pub(super) desk: &'a Desk,
    pub(super) offload: &'a Offload,
    pub(super) head: &'a Parts,
    pub(super) peer: IpAddr,
    pub(super) permit: &'a mut Permit,
}

impl Admission<'_> {
    /// Sets what this call counts as, where it is not a request: tools and pages have limits of their own, by address alone.
    pub fn counts_as(&mut self, bucket: Bucket) {
        self.permit.counts_as(bucket);
    }

    /// Counts the call.
    ///
    /// # Errors
    /// `invalid-key`, or `rate-limited`.
    pub fn admit(&mut self) -> Result<(), Refusal> {
        self.limiter.admit(&self.head.headers, self.peer, self.permit)
    }

    /// Counts a new outside lookup of an admitted request.
    ///
    /// # Errors
    /// `lookup-limit`.
    pub fn admit_lookup(&mut self) -> Result<(), Refusal> {
        self.limiter.admit_lookup(self.permit).map(|_| ())
    }

    /// Looks something up for these answers to an admitted request; only a new lookup counts.
    ///
    /// # Errors
    /// `lookup-limit`.
    pub async fn look_up(&mut self, answers: &Answers, lookup: Lookup) -> Result<Found, Refusal> {
        self.desk.ask(answers, lookup, || self.limiter.admit_lookup(self.permit)).await
    }

    /// Answers an admitted request: as planned, or with what the plan needs to have looked up.
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
            // In memory of its own, which most requests need not take.
            Plan::Needs(lookup) => answers.finish(request, Box::pin(self.look_up(answers, lookup)).await?),
        }
    }

    /// Does work that takes longer than a millisecond, on a thread that does not answer requests.
    ///
    /// # Errors
    /// `busy` where too much work waits.
    pub async fn offload<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.offload.run(self.limiter.caller_address(&self.head.headers, self.peer), work).await
    }
}
