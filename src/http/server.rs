//! Accepts connections within limits, and ends them without lost requests when the server stops.

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt as _;
use socket2::SockRef;
#[cfg(feature = "tls")]
use tokio::net::TcpStream;
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::watch,
    time::{Instant, sleep, timeout},
};

#[cfg(feature = "tls")]
use super::secure::serve_secure;
use super::{
    connection::{Accepted, Phase, Transport, reset, serve_connection},
    limits::Caller,
    listener::{Incoming, Listener},
    overload::{
        Admitted, ConnectionMetrics, ConnectionSlot, ConnectionSlots, Exceeded, Sent, at_once, in_time,
        run_last,
    },
    service::Service,
};
use crate::system::AsSocket;
#[cfg(feature = "tls")]
use crate::tls::Tls;

/// Number of connections that the kernel queues until they are accepted. With tokio's 1,024, clients in a burst would
/// have to retry.
const BACKLOG: u32 = 4_096;

/// Size of the kernel's send buffer for one connection, in bytes; the kernel doubles it for its own use. By default,
/// it would buffer megabytes for a client that never reads.
const SEND_BYTES: usize = 128 * 1024;

/// Number of connections of a burst that are accepted at a time. Each costs some 50 us, so that other work waits for
/// less than a millisecond. With all of 9,900 accepted at once, admission rejected 2 to 42 of 2,400 requests on other
/// connections. With portions of 16 or 64, admission rejected none in seven runs (`make torture`, 2026-11-26).
const PORTION: usize = 16;

/// Maximum time to wait until a portion has run. Expensive requests take longer: they count as load, which admission
/// controls.
const PORTION_WAIT: Duration = Duration::from_millis(5);

/// Time for which connections may arrive without a pause before they count as load: 9,900 of them take 350 ms.
const BURST: Duration = Duration::from_millis(500);

/// Time for which a stopped server still accepts connections and requests. The server answers requests that were
/// already sent, with `Connection: close`. Chosen, not measured.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// Time that the kernel gets to finish handshakes that clients have begun. A handshake takes one round trip, usually
/// less than a tenth of a second.
const HANDSHAKES: Duration = Duration::from_millis(100);

/// Maximum time that a rejected client has to read the response and close, if it has sent nothing yet. Chosen, not
/// measured.
const REJECT_TIMEOUT: Duration = Duration::from_millis(500);

/// Number of connections beyond the maximum, for rejected clients and probes. With 256 slots held for half a second
/// each, the server can reject some 500 clients a second. Each takes some 16 KiB. Further clients are rejected
/// without waiting for their request.
const RESERVE_MAX: usize = 256;

/// Pauses after a failed accept. They double from the shortest to the longest. Chosen, not measured.
const ACCEPT_PAUSE_MIN: Duration = Duration::from_millis(5);
const ACCEPT_PAUSE_MAX: Duration = Duration::from_secs(1);

/// Limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Maximum number of open connections. Further ones get 503 `busy` and are closed.
    pub connections_max: u32,
    /// Maximum number of open connections of one address (an IPv6 /64 counts as one), except for trusted proxies.
    /// Further ones are reset.
    pub connections_each_max: u32,
    /// A connection without a complete request ends after half to all of this time.
    pub idle_timeout: Duration,
    /// Time without a request after which a connection may lose its slot to a new one if all slots are taken.
    pub evictable_after: Duration,
    /// Maximum time that a stopped server gives requests in flight to finish.
    pub drain_timeout: Duration,
}

impl Default for Capacity {
    /// Returns limits for 10,000 connections: half-sent requests were measured at 15 to 19 KiB each. The second of
    /// `evictable_after` is four round trips to the other side of the earth. In this time, a client can send its
    /// request, or a slow one can continue to read a response.
    ///
    /// The allocator keeps the memory of a wave of connections for the next wave. After three waves of 9,900
    /// connections with a request each, the allocator kept 203 MiB. After as many unfinished heads of 8 KB, the
    /// allocator kept 23 of 103 MiB. With `glibc.malloc.mmap_threshold=8192`, the values were 110 and 21 MiB. But
    /// with this option, unfinished heads took 137 MiB and the processor was busy a third longer, so the service does
    /// not set it.
    fn default() -> Capacity {
        Capacity {
            connections_max: 10_000,
            connections_each_max: 1_024,
            idle_timeout: Duration::from_secs(10),
            evictable_after: Duration::from_secs(1),
            drain_timeout: Duration::from_secs(8),
        }
    }
}

/// How the connections of a stopped server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every connection ended without being cut off.
    Whole,
    /// Some connections were cut off at the deadline: hyper waits for a half-sent head until its timeout.
    Cut,
}

/// Listens at an address.
///
/// # Errors
/// Fails if the address is taken, or does not belong to this machine.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restarted service can take over the address at once.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stop` completes, then answers the requests that were already sent.
pub async fn serve(
    listener: impl Into<Listener>,
    service: Arc<Service>,
    capacity: Capacity,
    stop: impl Future<Output = ()>,
) -> Drained {
    let listener = listener.into();
    let (phase, watched) = watch::channel(Phase::Serving);
    let server = Server {
        slots: ConnectionSlots::new(
            capacity.connections_max as usize,
            capacity.connections_each_max as usize,
            capacity.evictable_after,
        ),
        reserve: ConnectionSlots::new(RESERVE_MAX, RESERVE_MAX, Duration::MAX),
        service,
        idle_timeout: capacity.idle_timeout,
        watched,
    };
    server.accept_until(&listener, stop).await;
    server.service.health().set_draining();
    phase.send_replace(Phase::Draining);
    server.accept_until(&listener, sleep(GRACE)).await;
    listener.take_no_more();
    server.accept_until(&listener, sleep(HANDSHAKES)).await;
    listener.close().into_iter().for_each(|incoming| server.take(incoming));
    drop(server);
    phase.send_replace(Phase::LastCall);
    // Each connection holds a receiver for as long as it is open.
    let drained = timeout(capacity.drain_timeout, phase.closed()).await;
    phase.send_replace(Phase::Closed);
    if drained.is_ok() { Drained::Whole } else { Drained::Cut }
}

/// Accepts connections, and holds the data that all connections share.
struct Server {
    slots: Arc<ConnectionSlots>,
    reserve: Arc<ConnectionSlots>,
    service: Arc<Service>,
    idle_timeout: Duration,
    watched: watch::Receiver<Phase>,
}

impl Server {
    /// Accepts connections until `end` completes, and controls admission during this time.
    async fn accept_until(&self, listener: &Listener, end: impl Future<Output = ()>) {
        tokio::select! {
            () = self.take_all(listener) => {}
            () = self.service.admission().control() => {}
            () = end => {}
        }
    }

    /// Accepts connections forever. In a burst, each portion runs before the next is accepted. The other connections
    /// wait in the kernel, so that requests on open connections do not wait behind all of the burst.
    async fn take_all(&self, listener: &Listener) {
        let mut burst = None;
        loop {
            for _ in 0..PORTION {
                let incoming = match accept(listener, self.metrics()).now_or_never() {
                    Some(incoming) => incoming,
                    None => {
                        burst = None;
                        accept(listener, self.metrics()).await
                    }
                };
                self.take(incoming);
            }
            let began = *burst.get_or_insert_with(Instant::now);
            if began.elapsed() < BURST && !self.service.admission().is_shedding() {
                let _ = timeout(PORTION_WAIT, tokio::spawn(run_last())).await;
            }
        }
    }

    fn take(&self, incoming: Incoming) {
        match incoming {
            Incoming::Network(stream, peer) => self.serve_or_reject(stream, peer),
            Incoming::Local(stream) => self.serve_or_reject(stream, Ipv4Addr::LOCALHOST.into()),
            #[cfg(feature = "tls")]
            Incoming::Secure(stream, peer, tls) => self.secure_or_reset(stream, peer, tls),
        }
    }

    /// Takes a slot for a connection of this address.
    fn take_slot(&self, peer: IpAddr) -> Result<ConnectionSlot, Exceeded> {
        // A trusted proxy forwards the requests of many addresses, so its connections count only in total.
        let address = (!self.service.is_proxy(peer)).then(|| Caller::of_address(peer).identity());
        let taken = self.slots.take(address)?;
        if taken.has_evicted {
            self.metrics().evicted.one();
        }
        Ok(taken.slot)
    }

    /// Serves a connection, or rejects it if a limit is reached or work waits too long.
    fn serve_or_reject(&self, stream: impl Transport, peer: IpAddr) {
        match self.take_slot(peer) {
            Ok(slot) => self.serve_or_shed(stream, peer, slot),
            Err(Exceeded::Total) => self.reject_full(stream, peer),
            Err(Exceeded::Each) => {
                self.metrics().address_full.one();
                // Without a reset, the kernel would keep state for the connection for a minute.
                reset(&stream);
            }
        }
    }

    /// In overload, decides about a connection before its request is read, which costs least, if the request has
    /// already arrived. A connection without a request is served, and admission decides when its request arrives.
    fn serve_or_shed(&self, stream: impl Transport, peer: IpAddr, slot: ConnectionSlot) {
        let admission = self.service.admission();
        if !admission.is_shedding() || Sent::on(&stream) != Sent::Request {
            self.serve(stream, peer, slot);
        } else if admission.draws() {
            slot.activity().admit_first(Admitted);
            self.serve(stream, peer, slot);
        } else {
            self.metrics().overloaded.one();
            at_once(&stream, &self.service.rejections().overloaded().to_bytes());
        }
    }

    /// Rejects a connection because all slots are taken by connections with requests. A probe is still served.
    fn reject_full(&self, stream: impl Transport, peer: IpAddr) {
        let (sent, slot) = (Sent::on(&stream), self.reserve.take(None).map(|taken| taken.slot));
        if sent != Sent::Probe || slot.is_err() {
            self.metrics().full.one();
        }
        let response = self.service.rejections().full.to_bytes();
        match (sent, slot) {
            (Sent::Probe, Ok(slot)) => self.serve(stream, peer, slot),
            (Sent::Nothing, Ok(slot)) => {
                tokio::spawn(async move {
                    let _ = timeout(REJECT_TIMEOUT, in_time(stream, &response)).await;
                    drop(slot);
                });
            }
            _ => at_once(&stream, &response),
        }
    }

    /// Serves a connection with TLS, or resets it in the cases in which a connection without TLS gets a rejection. A
    /// response would need a handshake, which takes more time than most answers. In overload, admission decides about
    /// the connection at once, and not again about its first request.
    #[cfg(feature = "tls")]
    fn secure_or_reset(&self, stream: TcpStream, peer: IpAddr, tls: Arc<Tls>) {
        let (admission, metrics) = (self.service.admission(), self.metrics());
        let slot = match self.take_slot(peer) {
            Ok(slot) if !admission.is_shedding() => slot,
            Ok(slot) if admission.draws() => {
                slot.activity().admit_first(Admitted);
                slot
            }
            rejected => {
                match rejected {
                    Ok(_) => metrics.overloaded.one(),
                    Err(Exceeded::Total) => metrics.full.one(),
                    Err(Exceeded::Each) => metrics.address_full.one(),
                }
                return reset(&stream);
            }
        };
        let accepted = self.accept(&stream, peer, slot);
        tokio::spawn(serve_secure(stream, tls, accepted));
    }

    fn serve(&self, stream: impl Transport, peer: IpAddr, slot: ConnectionSlot) {
        let accepted = self.accept(&stream, peer, slot);
        tokio::spawn(serve_connection(stream, accepted));
    }

    /// Sets the options of a connection. Errors are ignored, since they only cost memory or latency. A socket file
    /// has no TCP options.
    fn accept(&self, stream: &impl AsSocket, peer: IpAddr, slot: ConnectionSlot) -> Accepted {
        let socket = SockRef::from(stream);
        let _ = socket.set_send_buffer_size(SEND_BYTES);
        let _ = socket.set_tcp_nodelay(true);
        Accepted::new(peer, slot, Arc::clone(&self.service), self.idle_timeout, self.watched.clone())
    }

    fn metrics(&self) -> &ConnectionMetrics {
        &self.service.metrics().connections
    }
}

/// Returns the next connection. Pauses before each new attempt while the system has no file descriptors or memory
/// left.
async fn accept(listener: &Listener, metrics: &ConnectionMetrics) -> Incoming {
    let mut pause = ACCEPT_PAUSE_MIN;
    loop {
        match listener.next().await {
            Ok(incoming) => return incoming,
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                metrics.accept_errors.one();
                tracing::error!(%error, ?pause, "cannot accept a connection; trying again after a pause");
                sleep(pause).await;
                pause = (pause * 2).min(ACCEPT_PAUSE_MAX);
            }
        }
    }
}

/// Returns whether the error is that of a connection that the client closed before it was accepted.
fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
