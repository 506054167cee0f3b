//! Serves one connection of HTTP/2. Each stream becomes a request in the form of HTTP/1.1, and passes the same steps.
//!
//! Three limits bound the memory: the number of such connections, the windows of a connection, and the number of open
//! streams. A client that opens streams only to cancel them (CVE-2023-44487) is disconnected. Each stream would cost
//! the work of a request, although the client never reads a response.

use std::{
    convert::Infallible,
    io::{self, IoSlice},
    net::IpAddr,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use hyper::{
    Request, Response, Uri,
    body::Incoming,
    header::{CONNECTION, HOST, HeaderValue},
    server::conn::http2,
    service::service_fn,
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, sleep},
};

use super::{
    connection::{Accepted, FAREWELL, Phase, Transport, reset, respond},
    overload::{Activity, ConnectionMetrics, HEAD_BYTES_MAX, PacedWrites},
    respond::Body,
    service::Service,
};

/// Maximum number of connections of HTTP/2; further clients are offered only HTTP/1.1. After a request, a connection
/// of HTTP/2 takes 39 KiB, and one of HTTP/1.1 with TLS 25 KiB (measured with 1,000 of each, 2026-11-27). Unread
/// request bodies add up to 64 KiB per connection: 125 MiB for all.
const CONNECTIONS_MAX: u64 = 2_000;

/// Maximum number of open streams per connection: the lowest number that RFC 9113 advises (section 6.5.2). Limits by
/// address also apply to requests.
const STREAMS_MAX: u32 = 100;

/// Number of body bytes that a client may send before the service reads them, on a stream and on a connection. These
/// are the defaults of RFC 9113 (section 6.9.2). The longest body that any door accepts has 64 KiB.
const WINDOW_BYTES: u32 = 65_535;

/// Maximum number of streams that a client canceled before the service saw them: the default of `h2`, set here so
/// that it stays.
const RESETS_PENDING_MAX: usize = 20;

/// Maximum number of streams that the service resets for errors of the client (RUSTSEC-2024-0003). hyper allows
/// 1,024; a client that follows the protocol causes none.
const RESETS_FOR_ERRORS_MAX: usize = 100;

/// Number of canceled requests at which a client is disconnected, if it canceled more than half of its requests.
/// Envoy counts 500. Here a connection may have only 100 open, and answers take less than a millisecond.
const CANCELED_MAX: u32 = 200;

/// Number of response bytes that a client must read in half an idle timeout to count as reading: 6 KB a second.
const READING_BYTES: u64 = 32 * 1024;

/// Serves a connection until either side ends it, or until it has been idle for too long, as `serve_connection` does.
/// An idle client first gets a GOAWAY frame. The service disconnects the client after a pause, so that a request on
/// the way is not lost.
pub(super) async fn serve<S: Transport>(stream: S, _place: Place<'_>, mut accepted: Accepted) {
    let counts = &accepted.service.metrics().connections;
    let (service, peer) = (Arc::clone(&accepted.service), accepted.peer);
    let streams = Arc::new(Streams::default());
    let writes = PacedWrites::new(Arc::clone(service.write_turns()));
    let stream = FramedStream::new(stream, writes, &accepted.activity, &streams);
    let (activity_of_handler, streams_of_handler) = (Arc::clone(&accepted.activity), Arc::clone(&streams));
    let handler = service_fn(move |request| {
        let activity = Arc::clone(&activity_of_handler);
        stream_response::<S>(Arc::clone(&service), activity, Arc::clone(&streams_of_handler), peer, request)
    });
    let mut connection = pin!(protocol().serve_connection(TokioIo::new(stream), handler));
    let mut look = pin!(sleep(accepted.idle_timeout / 2));
    let (mut seen, mut read, mut is_leaving, mut is_stopping) = (0, 0, false, false);
    loop {
        tokio::select! {
            biased;
            _ = connection.as_mut() => return, // complete, or broken: the client is gone
            changed = accepted.phase.changed() => match *accepted.phase.borrow_and_update() {
                Phase::Serving if changed.is_ok() => {}
                Phase::Draining | Phase::LastCall if changed.is_ok() => {
                    (is_leaving, is_stopping) = (true, true);
                    (seen, read) = (accepted.activity.begun(), streams.written());
                    connection.as_mut().graceful_shutdown();
                    look.as_mut().reset(Instant::now() + FAREWELL);
                }
                _ => {
                    counts.stopped.one();
                    return;
                }
            },
            () = accepted.activity.evicted(), if !is_leaving => {
                if !accepted.activity.has_request() {
                    return streams.cut();
                }
                is_leaving = true;
                connection.as_mut().graceful_shutdown();
            }
            () = look.as_mut() => {
                let (begun, written) = (accepted.activity.begun(), streams.written());
                let is_idle = begun == seen && written - read < READING_BYTES && !accepted.activity.has_request();
                (seen, read) = (begun, written);
                let mut next = accepted.idle_timeout / 2;
                match (is_idle, is_leaving) {
                    // The last response may still be on the way.
                    (true, true) if is_stopping => return,
                    (true, true) => return streams.cut(),
                    (true, false) => {
                        counts.idle.one();
                        is_leaving = true;
                        connection.as_mut().graceful_shutdown();
                        next = FAREWELL;
                    }
                    (false, _) => {}
                }
                look.as_mut().reset(Instant::now() + next);
            }
        }
    }
}

/// Returns the settings of HTTP/2.
fn protocol() -> http2::Builder<TokioExecutor> {
    let mut protocol = http2::Builder::new(TokioExecutor::new());
    protocol
        .max_concurrent_streams(STREAMS_MAX)
        .initial_stream_window_size(WINDOW_BYTES)
        .initial_connection_window_size(WINDOW_BYTES)
        // A longer list of headers gets the response 431.
        .max_header_list_size(HEAD_BYTES_MAX as u32)
        .max_pending_accept_reset_streams(RESETS_PENDING_MAX)
        .max_local_error_reset_streams(RESETS_FOR_ERRORS_MAX);
    protocol
}

/// Responds to the request of a stream.
async fn stream_response<S: Transport>(
    service: Arc<Service>,
    activity: Arc<Activity>,
    streams: Arc<Streams>,
    peer: IpAddr,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let unfinished = Unfinished::begin(streams);
    let mut response = respond::<S>(service, activity, peer, as_http_1(request), false).await?;
    unfinished.finish();
    // HTTP/2 has no `Connection` field (RFC 9113, section 8.2.2).
    response.headers_mut().remove(CONNECTION);
    Ok(response)
}

/// Gives a request the form that it has in HTTP/1.1: a path, and the host in a header. A request that also has a
/// different `Host` keeps both, and is refused for having two (RFC 9113, section 8.3.1).
fn as_http_1<B>(mut request: Request<B>) -> Request<B> {
    let authority = request.uri().authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok());
    if let Some(authority) = authority {
        let headers = request.headers_mut();
        if headers.get(HOST).is_some_and(|host| *host != authority) {
            headers.append(HOST, authority);
        } else {
            headers.insert(HOST, authority);
        }
    }
    if let Some(target) = request.uri().path_and_query().cloned() {
        *request.uri_mut() = Uri::from(target);
    }
    request
}

/// One of the [`CONNECTIONS_MAX`] places for connections of HTTP/2, taken before the handshake.
pub(super) struct Place<'c>(&'c ConnectionMetrics);

impl Place<'_> {
    /// Takes a place; `None` if all are taken.
    pub(super) fn take(counts: &ConnectionMetrics) -> Option<Place<'_>> {
        counts.http_2.one();
        let place = Place(counts);
        (counts.http_2.get() <= CONNECTIONS_MAX).then_some(place)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.http_2.one_less();
    }
}

/// Counts of the streams of a connection.
#[derive(Debug, Default)]
struct Streams {
    begun: AtomicU32,
    canceled: AtomicU32,
    /// Number of bytes that the kernel accepted from this connection.
    written: AtomicU64,
    is_cut: AtomicBool,
}

impl Streams {
    /// Returns whether the client cancels most of its requests.
    fn is_flood(&self) -> bool {
        let canceled = self.canceled.load(Ordering::Relaxed);
        canceled >= CANCELED_MAX && canceled > self.begun.load(Ordering::Relaxed) / 2
    }

    fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Makes the connection end with a reset, so that the kernel keeps no state for it.
    fn cut(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
    }
}

/// Counts a request as canceled if this value is dropped before the response is ready.
struct Unfinished(Option<Arc<Streams>>);

impl Unfinished {
    fn begin(streams: Arc<Streams>) -> Unfinished {
        streams.begun.fetch_add(1, Ordering::Relaxed);
        Unfinished(Some(streams))
    }

    fn finish(mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(streams) = &self.0 {
            streams.canceled.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A connection that carries frames. Connections take turns to write long responses.
struct FramedStream<S: Transport> {
    stream: S,
    writes: PacedWrites,
    /// Number of requests that had begun at the last flush.
    begun: u64,
    activity: Arc<Activity>,
    streams: Arc<Streams>,
}

impl<S: Transport> FramedStream<S> {
    fn new(
        stream: S,
        writes: PacedWrites,
        activity: &Arc<Activity>,
        streams: &Arc<Streams>,
    ) -> FramedStream<S> {
        let (activity, streams) = (Arc::clone(activity), Arc::clone(streams));
        FramedStream { stream, writes, begun: 0, activity, streams }
    }
}

impl<S: Transport> Drop for FramedStream<S> {
    fn drop(&mut self) {
        if self.streams.is_cut.load(Ordering::Relaxed) {
            reset(&self.stream);
        }
    }
}

impl<S: Transport> AsyncRead for FramedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.streams.is_flood() {
            self.streams.cut();
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: Transport> AsyncWrite for FramedStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let written = this.writes.write(Pin::new(&mut this.stream), context, parts);
        if let Poll::Ready(Ok(bytes)) = written {
            this.activity.wrote();
            this.streams.written.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Flushes the stream. `h2` flushes after each frame, so a flush does not mean that a response has ended. A
    /// response counts as ended if a further request has begun since the last flush.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let begun = this.activity.begun();
        if std::mem::replace(&mut this.begun, begun) == begun {
            this.writes.end_frame();
        } else {
            this.writes.end_response();
        }
        Pin::new(&mut this.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_gets_the_form_of_http_1() {
        for (target, host, path, hosts) in [
            ("https://a.example/v1/topics?lang=en", None, "/v1/topics?lang=en", &["a.example"][..]),
            ("https://a.example/", Some("a.example"), "/", &["a.example"]),
            ("https://a.example/", Some("b.example"), "/", &["b.example", "a.example"]),
            ("https://u@a.example:1/x", None, "/x", &["u@a.example:1"]),
            ("/x", Some("a.example"), "/x", &["a.example"]),
            ("/x", None, "/x", &[]),
            ("a.example:443", None, "a.example:443", &["a.example:443"]),
        ] {
            let mut request = Request::get(target);
            if let Some(host) = host {
                request = request.header(HOST, host);
            }
            let request = as_http_1(request.body(()).unwrap());
            let found: Vec<_> =
                request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap()).collect();
            assert_eq!(
                (request.uri().to_string().as_str(), found.as_slice()),
                (path, hosts),
                "{target} {host:?}"
            );
        }
    }

    #[test]
    fn a_client_that_cancels_most_requests_is_a_flood() {
        for (finished, canceled, expected) in
            [(0, 199, false), (0, 200, true), (200, 200, false), (199, 200, true), (10_000, 5_000, false)]
        {
            let streams = Arc::new(Streams::default());
            for number in 0..finished + canceled {
                let unfinished = Unfinished::begin(Arc::clone(&streams));
                if number < finished {
                    unfinished.finish();
                }
            }
            assert_eq!(streams.is_flood(), expected, "{finished} finished, {canceled} canceled");
        }
    }
}
