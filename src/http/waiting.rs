//! A server without a snapshot yet. It listens, so that a supervisor sees it live but not ready, and callers can try
//! again later. The service takes over the listener once there is a snapshot.

use std::{convert::Infallible, sync::Arc, time::Duration};

use hyper::{Request, Response, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    sync::Semaphore,
    time::{sleep, timeout},
};

use super::{
    headers,
    listener::{Incoming, Listener},
    overload::{Freshness, PrerenderedResponse, Probe, Readiness},
    request_id::RequestId,
    respond::{Body, busy},
};

/// Most concurrent connections; further ones wait in the kernel. Each has one request, answered at once. Chosen, not
/// measured.
const CONNECTIONS_MAX: usize = 256;

/// Longest time of a connection: a caller has its request ready. Chosen, not measured.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Pause after a failed accept. Chosen, not measured.
const PAUSE: Duration = Duration::from_millis(100);

/// Seconds after which callers may try again: fetching a snapshot of 59 MB takes a few. Chosen, not measured.
const RETRY_S: u32 = 10;

/// Answers callers until there is a snapshot.
#[derive(Debug)]
pub struct Waiting {
    no_data: PrerenderedResponse,
    freshness: Freshness,
    slots: Arc<Semaphore>,
}

impl Waiting {
    /// Makes the server. `site` is the public address of the service, which problems link to.
    pub fn new(site: &str) -> Waiting {
        let slots = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let no_data = busy(RETRY_S, format!("this service has no data yet; ask again in {RETRY_S} s"));
        let no_data = PrerenderedResponse::new(site, &no_data);
        Waiting { no_data, freshness: Freshness::default(), slots }
    }

    /// Returns the freshness that `/readyz` reports.
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// Serves connections of a listener forever.
    pub async fn serve(self: &Arc<Waiting>, listener: &Listener) {
        loop {
            match listener.next().await {
                Ok(Incoming::Network(stream, _)) => self.take(stream).await,
                Ok(Incoming::Local(stream)) => self.take(stream).await,
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Serves connections of a network address forever, such as the one for metrics.
    pub async fn serve_at(self: &Arc<Waiting>, listener: &TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => self.take(stream).await,
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Answers a connection once a slot is free.
    async fn take(self: &Arc<Waiting>, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await else { return };
        let waiting = Arc::clone(self);
        tokio::spawn(async move {
            let handler = service_fn(|request: Request<_>| {
                let response = waiting.respond(request);
                async move { Ok::<_, Infallible>(response) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), handler);
            // A client that does not send or read in time is cut off.
            let _ = timeout(CONNECTION_TIMEOUT, connection).await;
            drop(slot);
        });
    }

    fn respond<B>(&self, request: Request<B>) -> Response<Body> {
        let (head, _) = request.into_parts();
        let request_id = RequestId::of(&head.headers);
        let mut response = match Probe::requested(&head) {
            Some(probe) => probe.respond(Readiness::Waiting, &self.freshness, None, None),
            None => self.no_data.to_response(&request_id),
        };
        headers::add_common(response.headers_mut(), request_id, Some(headers::ANY));
        response
    }
}
