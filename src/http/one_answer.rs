//! Small servers that answer one request on each connection. They serve while there is no snapshot yet, and redirect
//! callers from http to https.

use std::{convert::Infallible, sync::Arc, time::Duration};

use hyper::{
    Request, Response, body::Incoming, http::request::Parts, server::conn::http1, service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::Semaphore,
    time::timeout,
};

use super::respond::Body;

/// Maximum number of concurrent connections; further ones wait in the kernel. Each has one request, answered at once.
/// Chosen, not measured.
const CONNECTIONS_MAX: usize = 256;

/// Maximum duration of a connection: a caller has its request ready. Chosen, not measured.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Pause after a failed accept. Chosen, not measured.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// The connections of a server that answers one request on each.
#[derive(Debug)]
pub(super) struct OneAnswer {
    slots: Arc<Semaphore>,
}

impl Default for OneAnswer {
    fn default() -> OneAnswer {
        OneAnswer { slots: Arc::new(Semaphore::new(CONNECTIONS_MAX)) }
    }
}

impl OneAnswer {
    /// Answers the request of a connection once a slot is free. `open` returns the stream of the connection, for
    /// example after a handshake.
    pub(super) async fn take<S>(
        &self,
        open: impl Future<Output = Option<S>> + Send + 'static,
        respond: impl Fn(&Parts) -> Response<Body> + Send + Sync + 'static,
    ) where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await else { return };
        tokio::spawn(async move {
            let connection = async {
                let stream = open.await?;
                let handler = service_fn(|request: Request<Incoming>| {
                    let response = respond(&request.into_parts().0);
                    async move { Ok::<_, Infallible>(response) }
                });
                let mut protocol = http1::Builder::new();
                protocol.timer(TokioTimer::new()).keep_alive(false);
                protocol.serve_connection(TokioIo::new(stream), handler).await.ok()
            };
            // A client that does not send or read in time is disconnected.
            let _ = timeout(CONNECTION_TIMEOUT, connection).await;
            drop(slot);
        });
    }
}
