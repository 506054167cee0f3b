//! Doors beside the operations: other ways to ask at the same address, such as pages or a protocol with request bodies.

use std::{convert::Infallible, fmt::Debug, future::Future, net::IpAddr, pin::Pin, sync::Arc};

use bytes::Bytes;
use http_body_util::{Either, Full, combinators::BoxBody};
use hyper::{Method, Response, http::request::Parts};

use super::{
    limits::{Bucket, Gate, Pass},
    offload::Offload,
};
use crate::{
    edition::Edition,
    encode::{BodyBuf, BodyParts},
    upstream::Desk,
};
use platbook::answers::{Answers, CacheFigures, Found, Lookup, Refusal};

/// The body of a response: whole, or as it comes.
pub type Body = Either<Full<BodyBuf>, BoxBody<BodyBuf, Infallible>>;

/// A whole body.
pub fn whole(body: impl Into<BodyParts>) -> Body {
    Either::Left(Full::new(body.into().into_buf()))
}

/// A door beside the operations. It gets the requests at its paths, with their bodies, and may take its time.
pub trait Door: Debug + Send + Sync {
    /// What its requests are counted as.
    fn name(&self) -> &'static str {
        "door"
    }

    /// What it keeps between requests.
    fn caches(&self) -> Vec<CacheFigures> {
        Vec::new()
    }

    /// What it takes at a path; `None` where the path is not its own.
    fn takes(&self, path: &str) -> Option<Takes>;

    /// Answers a request at one of its paths. The service adds the headers of every response.
    fn respond<'a>(&'a self, call: Call<'a>) -> Responding<'a>;

    /// What it says of a request that was refused before anyone took it; `None` where the problem itself is best.
    fn problem(&self, _head: &Parts, _edition: &Edition, _refusal: &Refusal) -> Option<Response<Body>> {
        None
    }
}

/// A response on its way.
pub type Responding<'a> = Pin<Box<dyn Future<Output = Result<Response<Body>, Refusal>> + Send + 'a>>;

/// What a door takes at a path.
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

/// Counts the requests and lookups of a call, has things looked up, and has long work done.
#[derive(Debug)]
pub struct Admission<'a> {
    pub(super) gate: &'a Gate,
    pub(super) desk: &'a Desk,
    pub(super) offload: &'a Offload,
    pub(super) head: &'a Parts,
    pub(super) peer: IpAddr,
    pub(super) pass: &'a mut Pass,
}

impl Admission<'_> {
    /// What this call counts as, where that is no request: tools and pages have limits of their own, by address alone.
    pub fn counts_as(&mut self, bucket: Bucket) {
        self.pass.counts_as(bucket);
    }

    /// Counts the call.
    ///
    /// # Errors
    /// `invalid-key`, or `rate-limited`.
    pub fn admit(&mut self) -> Result<(), Refusal> {
        self.gate.admit(&self.head.headers, self.peer, self.pass)
    }

    /// Counts a new outside lookup of an admitted request.
    ///
    /// # Errors
    /// `lookup-limit`.
    pub fn admit_lookup(&mut self) -> Result<(), Refusal> {
        self.gate.admit_lookup(self.pass).map(|_| ())
    }

    /// Looks something up for these answers to an admitted request; only a new lookup counts.
    ///
    /// # Errors
    /// `lookup-limit`.
    pub async fn look_up(&mut self, answers: &Answers, lookup: Lookup) -> Result<Found, Refusal> {
        self.desk.ask(answers, lookup, || self.gate.admit_lookup(self.pass)).await
    }

    /// Does work that takes longer than a millisecond, on a thread that answers nobody.
    ///
    /// # Errors
    /// `busy` where too much work waits.
    pub async fn offload<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.offload.run(self.gate.caller_address(&self.head.headers, self.peer), work).await
    }
}
