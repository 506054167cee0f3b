//! A server that has no snapshot yet. The server listens, so that a supervisor sees it live but not ready, and
//! callers can try again later. The service takes over the listener once there is a snapshot.

use std::{future::ready, sync::Arc};

use hyper::{Response, http::request::Parts};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    time::sleep,
};

use super::{
    headers,
    listener::{Incoming, Listener},
    one_answer::{OneAnswer, PAUSE},
    overload::{Freshness, PrerenderedResponse, Probe, Readiness},
    request_id::RequestId,
    respond::{Body, busy},
};

/// Seconds after which callers may try again: fetching a snapshot of 59 MB takes a few seconds. Chosen, not measured.
const RETRY_S: u32 = 10;

/// Answers callers until there is a snapshot.
#[derive(Debug)]
pub struct Waiting {
    no_data: PrerenderedResponse,
    freshness: Freshness,
    connections: OneAnswer,
}

impl Waiting {
    /// Makes the server. `site` is the public address of the service, to which problems link.
    pub fn new(site: &str) -> Waiting {
        let no_data = busy(RETRY_S, format!("this service has no data yet; ask again in {RETRY_S} s"));
        let no_data = PrerenderedResponse::new(site, &no_data);
        Waiting { no_data, freshness: Freshness::default(), connections: OneAnswer::default() }
    }

    /// Returns the source of the awaited snapshot and the result of the last check, which `/readyz` reports.
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// Serves connections of a listener forever.
    pub async fn serve(self: &Arc<Waiting>, listener: &Listener) {
        loop {
            match listener.next().await {
                Ok(Incoming::Network(stream, _)) => self.take(ready(Some(stream))).await,
                Ok(Incoming::Local(stream)) => self.take(ready(Some(stream))).await,
                #[cfg(feature = "tls")]
                Ok(Incoming::Secure(stream, _, tls)) => self.take(super::secure::open(stream, tls)).await,
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Serves connections of another network listener forever, such as the one for metrics.
    pub async fn serve_at(self: &Arc<Waiting>, listener: &TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => self.take(ready(Some(stream))).await,
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Answers the request of a connection once a slot is free.
    async fn take<S>(self: &Arc<Waiting>, open: impl Future<Output = Option<S>> + Send + 'static)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let waiting = Arc::clone(self);
        self.connections.take(open, move |head| waiting.respond(head)).await;
    }

    fn respond(&self, head: &Parts) -> Response<Body> {
        let request_id = RequestId::of(&head.headers);
        let mut response = match Probe::requested(head) {
            Some(probe) => probe.respond(Readiness::Waiting, &self.freshness, None, None),
            None => self.no_data.to_response(&request_id),
        };
        headers::add_common(response.headers_mut(), request_id, Some(headers::ANY));
        response
    }
}
