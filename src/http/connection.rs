//! One connection, from its first byte to its last.

use std::{
    convert::Infallible,
    net::IpAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use http_body_util::{BodyExt, Limited};
use hyper::{
    Request, Response, Version,
    body::{Body as _, Incoming},
    header,
    http::request::Parts,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{
    net::TcpStream,
    sync::watch,
    time::{Instant, sleep, timeout},
};

use super::{
    headers,
    service::{Body, Service},
};

/// Most bytes that are buffered of a request head: a query of the longest parameters, every character escaped,
/// takes 4 KiB, browsers' own headers about 2 KiB.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Most bytes of a request body that are read, only to be thrown away: no operation takes one, but a client
/// that is cut off while it still sends may never see the answer.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// How long the rest of such a body is waited for.
const BODY_TIMEOUT: Duration = Duration::from_secs(1);

/// Whether connections may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Yes.
    Serving,
    /// Until the request in flight is answered.
    Draining,
    /// No.
    Closed,
}

/// Serves a connection until either side ends it, or until no request was answered for a while.
///
/// hyper's own header timeout arms and disarms a timer for every request.
/// Here one timer per connection looks twice per `idle_timeout` whether the count of answers has moved. So a
/// connection that is silent, sends half a request or does not take its answers ends after at least half of
/// `idle_timeout` and at most the whole.
pub(super) async fn serve_connection(
    stream: TcpStream,
    peer: IpAddr,
    service: Arc<Service>,
    idle_timeout: Duration,
    mut phase: watch::Receiver<Phase>,
) {
    let answered = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&answered);
    let handler =
        service_fn(move |request| respond(Arc::clone(&service), Arc::clone(&counter), peer, request));
    // hyper's own limit of 100 headers stands: setting another one makes it allocate per request.
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        // Head and body leave in one vectored write: no body is copied behind its head.
        .writev(true)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), handler);
    let mut connection = pin!(connection);
    let mut look = pin!(sleep(idle_timeout / 2));
    let mut seen = 0;
    loop {
        tokio::select! {
            biased;
            // A broken connection has nobody left to be told.
            _ = connection.as_mut() => return,
            changed = phase.changed() => {
                if changed.is_err() || *phase.borrow_and_update() == Phase::Closed {
                    return;
                }
                connection.as_mut().graceful_shutdown();
            }
            () = look.as_mut() => {
                let earlier = std::mem::replace(&mut seen, answered.load(Ordering::Relaxed));
                if seen == earlier {
                    return;
                }
                look.as_mut().reset(Instant::now() + idle_timeout / 2);
            }
        }
    }
}

async fn respond(
    service: Arc<Service>,
    answered: Arc<AtomicU64>,
    peer: IpAddr,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    answered.fetch_add(1, Ordering::Relaxed);
    let (head, body) = request.into_parts();
    if body.is_end_stream() {
        return Ok(service.respond(&head, peer));
    }
    // Whether it came whole or not, the connection ends after the answer. Who waits to be asked for it is not asked:
    // hyper would do so as soon as the body is read.
    if !is_held_back(&head) {
        let _ = timeout(BODY_TIMEOUT, Limited::new(body, BODY_BYTES_MAX).collect()).await;
    }
    let mut response = service.respond(&head, peer);
    response.headers_mut().insert(header::CONNECTION, headers::CLOSE);
    Ok(response)
}

/// Whether the client sends its body only when told to (RFC 9110 10.1.1).
fn is_held_back(head: &Parts) -> bool {
    let expected = head.headers.get(header::EXPECT);
    head.version >= Version::HTTP_11
        && expected.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}
