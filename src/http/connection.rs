//! Serves one connection, from its first byte to its last: its timeouts, and its end when the server stops. The
//! module `service` answers the requests.

use std::{
    convert::Infallible,
    net::IpAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http_body_util::{Either, combinators::BoxBody};
use hyper::{
    Request, Response,
    body::{Body as _, Frame, Incoming, SizeHint},
    header::{CONNECTION, HeaderValue, STRICT_TRANSPORT_SECURITY, TRANSFER_ENCODING},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::watch,
    time::{Instant, Sleep, sleep},
};

use super::{
    headers::CLOSE,
    overload::{
        Activity, ConnectionMetrics, ConnectionSlot, Doubtful, HEAD_BYTES_MAX, InFlight, PacedWrites,
        WatchedStream, has_bytes,
    },
    request_body::detach,
    respond::Body,
    service::Service,
};
use crate::{
    encode::BodyBuf,
    system::{AsSocket, LocalStream},
};

/// Time after a stop in which a connection without a request may still send one, because a request may be on the way.
/// A quarter of a second is the round trip to the other side of the earth.
pub(super) const FAREWELL: Duration = Duration::from_millis(250);

/// Pause before the next check whether the kernel holds unread bytes that the runtime has not reported yet. Chosen,
/// not measured.
const SOON: Duration = Duration::from_millis(2);

/// How long browsers use only https for this host: 180 days, because TLS scanners warn of a shorter time. Other hosts
/// of the operator are not included (RFC 6797, section 6.1).
const ALWAYS_HTTPS: HeaderValue = HeaderValue::from_static("max-age=15552000");

/// The byte stream of a connection.
pub(super) trait Transport: AsyncRead + AsyncWrite + AsSocket + Unpin + Send + 'static {
    /// Whether this service itself terminates TLS for the connection.
    const IS_SECURE: bool = false;
}

impl Transport for TcpStream {}
impl Transport for LocalStream {}

/// How long connections may stay open, by the state of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Without a time limit (normal operation).
    Serving,
    /// Until the next request is answered.
    Draining,
    /// Until the request in flight is answered.
    LastCall,
    /// Not at all: each connection is closed at once.
    Closed,
}

/// An open connection without its stream: the client's address, the service that answers it, and its slot. Counts as
/// open until it is dropped.
pub(super) struct Accepted {
    pub peer: IpAddr,
    pub activity: Arc<Activity>,
    pub service: Arc<Service>,
    pub idle_timeout: Duration,
    pub phase: watch::Receiver<Phase>,
    _slot: ConnectionSlot,
}

impl Drop for Accepted {
    fn drop(&mut self) {
        self.counts().open.one_less();
    }
}

impl Accepted {
    /// Counts a connection to which a slot was given.
    pub(super) fn new(
        peer: IpAddr,
        slot: ConnectionSlot,
        service: Arc<Service>,
        idle_timeout: Duration,
        phase: watch::Receiver<Phase>,
    ) -> Accepted {
        let counts = &service.metrics().connections;
        counts.served.one();
        counts.open.one();
        Accepted { peer, activity: Arc::clone(slot.activity()), service, idle_timeout, phase, _slot: slot }
    }

    pub(super) fn counts(&self) -> &ConnectionMetrics {
        &self.service.metrics().connections
    }

    /// Waits for a step before the first request, such as a handshake or a request head, but not beyond `end`.
    ///
    /// # Errors
    /// Returns the reason why the connection ends.
    pub(super) async fn first_step<T>(
        &mut self,
        step: impl Future<Output = T>,
        mut end: Pin<&mut Sleep>,
    ) -> Result<T, Cut> {
        let mut step = pin!(step);
        let mut is_leaving = false;
        loop {
            tokio::select! {
                biased;
                done = &mut step => {
                    if is_leaving {
                        // Marks the change of phase as unseen, so that the next step sees it as well.
                        self.phase.mark_changed();
                    }
                    return Ok(done);
                }
                changed = self.phase.changed() => match *self.phase.borrow_and_update() {
                    Phase::Serving | Phase::Draining if changed.is_ok() => {}
                    Phase::LastCall => {
                        is_leaving = true;
                        let until = end.deadline().min(Instant::now() + FAREWELL);
                        end.as_mut().reset(until);
                    }
                    _ => return Err(Cut::Stopped),
                },
                () = self.activity.evicted() => return Err(Cut::Evicted),
                () = end.as_mut() => return Err(if is_leaving { Cut::Stopping } else { Cut::Idle }),
            }
        }
    }
}

/// Serves a connection until either side ends it, or until it has been idle for too long.
///
/// hyper's own header timeout arms and disarms a timer for every request. Instead, one timer per connection fires
/// twice per `idle_timeout`. The timer checks whether a request is in flight, or has begun since the last check. A
/// connection that is silent, sends half a request or does not read its responses ends after half to all of
/// `idle_timeout`. Such a connection ends with a reset, so that the kernel drops unread bytes. A connection that
/// waits for a slow answer stays open. An evicted connection ends at once if it is idle, or else after its response.
pub(super) async fn serve_connection<S: Transport>(stream: S, mut accepted: Accepted) {
    let writes = PacedWrites::new(Arc::clone(accepted.service.write_turns()));
    let mut stream = WatchedStream::new(stream, Arc::clone(&accepted.activity), writes, has_bytes);
    if !first_head(&mut stream, &mut accepted).await {
        return;
    }
    // The fields stay in `accepted`: each move of a field would enlarge the future.
    let counts = &accepted.service.metrics().connections;
    let (service, phase, peer) = (Arc::clone(&accepted.service), accepted.phase.clone(), accepted.peer);
    let activity = Arc::clone(&accepted.activity);
    let handler = service_fn(move |request| {
        let is_last = *phase.borrow() != Phase::Serving;
        respond::<S>(Arc::clone(&service), Arc::clone(&activity), peer, request, is_last)
    });
    let mut connection = protocol().serve_connection(TokioIo::new(stream), handler);
    let mut look = pin!(sleep(accepted.idle_timeout / 2));
    let (mut seen, mut is_leaving, mut is_last) = (0, false, false);
    loop {
        tokio::select! {
            biased;
            _ = &mut connection => return, // complete, or broken: the client is gone
            changed = accepted.phase.changed() => {
                match *accepted.phase.borrow_and_update() {
                    Phase::Serving | Phase::Draining if changed.is_ok() => {}
                    // hyper would close an idle connection at once, and would reset it if an unread request has
                    // arrived.
                    Phase::LastCall => {
                        accepted.activity.marks().leave();
                        is_leaving = true;
                        look.as_mut().reset(Instant::now() + SOON);
                    }
                    _ => {
                        counts.stopped.one();
                        return;
                    }
                }
            }
            () = accepted.activity.evicted(), if !is_last => {
                if !accepted.activity.has_request() {
                    reset(connection.into_parts().io.into_inner().stream());
                    return;
                }
                is_last = true;
            }
            () = look.as_mut() => {
                if is_leaving && accepted.activity.marks().bytes_wait() {
                    look.as_mut().reset(Instant::now() + SOON);
                    continue;
                }
                if std::mem::take(&mut is_leaving) {
                    Pin::new(&mut connection).graceful_shutdown();
                } else {
                    let earlier = std::mem::replace(&mut seen, accepted.activity.begun());
                    if seen == earlier && !accepted.activity.has_request() {
                        counts.idle.one();
                        reset(connection.into_parts().io.into_inner().stream());
                        return;
                    }
                }
                look.as_mut().reset(Instant::now() + accepted.idle_timeout / 2);
            }
        }
    }
}

/// Returns the settings of HTTP/1. They leave hyper's own limit of 100 headers: with another limit, hyper allocates
/// for every request.
fn protocol() -> http1::Builder {
    let mut protocol = http1::Builder::new();
    protocol
        .header_read_timeout(None)
        // Head and body leave in one vectored write, so the body is not copied into the buffer of the head.
        .writev(true)
        // A client that closes its sending side after a request still gets the response.
        .half_close(true)
        .max_buf_size(HEAD_BYTES_MAX);
    protocol
}

/// Waits half to all of the idle timeout for the first request head of a connection. Returns whether a head arrived,
/// or bytes that cannot be one.
async fn first_head<S: AsyncRead + AsSocket + Unpin>(
    stream: &mut WatchedStream<S>,
    accepted: &mut Accepted,
) -> bool {
    let end = pin!(first_wait(accepted.idle_timeout));
    let waited = accepted.first_step(stream.first_head(), end).await;
    match waited {
        Ok(read) => read.is_ok(),
        Err(cut) => {
            cut.end(stream.stream(), accepted.counts());
            false
        }
    }
}

/// Returns the end of the wait for a first head or handshake, at a random time. Without the randomness, thousands of
/// connections that opened together would end together, and delay other connections.
pub(super) fn first_wait(idle_timeout: Duration) -> Sleep {
    sleep(idle_timeout.mul_f64(0.5 + fastrand::f64() / 2.0))
}

/// The reason why a connection ends before its first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// The client was idle for too long.
    Idle,
    /// A new connection took the slot of this one.
    Evicted,
    /// The server stops, and the client has sent no bytes.
    Stopping,
    /// The server stops, and its deadline has passed.
    Stopped,
}

impl Cut {
    /// Counts the end of the connection. Ends it with a reset if the client is the cause.
    pub(super) fn end(self, stream: &impl AsSocket, counts: &ConnectionMetrics) {
        match self {
            Cut::Idle => {
                counts.idle.one();
                reset(stream);
            }
            Cut::Evicted => reset(stream),
            Cut::Stopping => {}
            Cut::Stopped => counts.stopped.one(),
        }
    }
}

/// Makes a connection end with a reset, so that the kernel keeps no state for it.
pub(super) fn reset(stream: &impl AsSocket) {
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
}

/// Responds to a request on a connection. The last response of a connection has `Connection: close`.
pub(super) async fn respond<S: Transport>(
    service: Arc<Service>,
    activity: Arc<Activity>,
    peer: IpAddr,
    request: Request<Incoming>,
    is_last: bool,
) -> Result<Response<Body>, Infallible> {
    let (admitted, in_flight) = (activity.take_admitted(), activity.begin());
    let (mut head, body) = request.into_parts();
    if !body.is_end_stream() {
        detach(&mut head);
    }
    if let Some(admitted) = admitted {
        head.extensions.insert(admitted);
    }
    let marks = activity.marks();
    let (has_length, has_bare) = (marks.take_content_length(), marks.take_bare_line_feed());
    if has_length && head.headers.contains_key(TRANSFER_ENCODING) {
        head.extensions.insert(Doubtful::TwoLengths);
    } else if has_bare {
        head.extensions.insert(Doubtful::BareLineFeed);
    }
    let mut response = service.respond(&head, body, peer).await;
    if is_last || has_bare || activity.is_evicted() {
        response.headers_mut().insert(CONNECTION, CLOSE);
    }
    if S::IS_SECURE {
        response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, ALWAYS_HTTPS);
    }
    Ok(response.map(|body| match body {
        Either::Left(whole) => Either::Left(whole),
        Either::Right(stream) => Either::Right(BoxBody::new(Coming { stream, _in_flight: in_flight })),
    }))
}

/// A streamed body. The connection does not count as idle until the body ends.
struct Coming {
    stream: BoxBody<BodyBuf, Infallible>,
    _in_flight: InFlight,
}

impl hyper::body::Body for Coming {
    type Data = BodyBuf;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<BodyBuf>, Infallible>>> {
        Pin::new(&mut self.stream).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.stream.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.stream.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size_of_future<A, B, C>(_: fn(A, B) -> C) -> usize {
        size_of::<C>()
    }

    /// Ten thousand connections must fit in memory, in addition to 16 KiB of hyper's buffers each. The wait for a
    /// first head takes some 100 bytes, and saves 8 KiB of these buffers during that time.
    #[test]
    fn a_connection_takes_little_room() {
        let request = size_of_future(|(service, activity, peer), (request, is_last)| {
            respond::<TcpStream>(service, activity, peer, request, is_last)
        });
        let connection = size_of_future(serve_connection::<TcpStream>);
        assert!(request <= 2_100 && connection <= 1_552, "{request} and {connection} bytes");
    }
}
