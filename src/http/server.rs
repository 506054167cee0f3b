//! Accepting connections, and ending them in good order.

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    os::fd::AsFd,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpSocket, TcpStream, UnixStream},
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use super::{
    connection::{Phase, serve_connection},
    crowd::{Crowd, Seat},
    listener::{Incoming, Listener},
    service::Service,
    turning_away::{Asked, LOOK_AGAIN, Lobby, Newcomer, say_at_once, say_in_time},
    valve::{LetIn, Room},
    vitals::ConnectionCounts,
};

/// Connections that the kernel keeps until they are accepted. With tokio's 1,024, many at once would wait for a second try.
const BACKLOG: u32 = 4_096;

/// Bytes of answers that the kernel takes from us for one connection; it takes twice as many itself. Left alone it would
/// take megabytes for a client that asks and never reads.
const SEND_BYTES: usize = 128 * 1024;

/// How long a stopped server still takes connections and requests: those that clients have sent already are answered, and
/// told that the connection ends.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// How long the kernel may take to finish what clients have begun when no more are let in: the last segment of a handshake comes
/// a round trip after the first, most often within a tenth of a second.
const HANDSHAKES: Duration = Duration::from_millis(100);

/// How long a client that is turned away may take to read so, and how many are told at a time.
const TURN_AWAY_TIMEOUT: Duration = Duration::from_millis(500);
const TURNED_AWAY_MAX: usize = 256;

/// Waits after a failed accept: doubled from the first to the longest.
const ACCEPT_PAUSE_MIN: Duration = Duration::from_millis(5);
const ACCEPT_PAUSE_MAX: Duration = Duration::from_secs(1);

/// What a server takes on at most.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Open connections. Further ones are answered with `busy` and closed: to wait would help nobody.
    pub connections_max: u32,
    /// Open connections of one address (an IPv6 /64 is one), but for trusted proxies. Further ones are reset.
    pub connections_each_max: u32,
    /// How long a connection may go without a request that arrived whole, at most; at least half of it.
    pub idle_timeout: Duration,
    /// How long requests in flight may take to finish once the server is stopped.
    pub drain_timeout: Duration,
}

impl Default for Capacity {
    /// 10,000 half-sent requests were measured at 15 to 19 KiB each.
    fn default() -> Capacity {
        Capacity {
            connections_max: 10_000,
            connections_each_max: 1_024,
            idle_timeout: Duration::from_secs(10),
            drain_timeout: Duration::from_secs(8),
        }
    }
}

/// How a stopped server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every connection came to its end.
    Whole,
    /// Some were cut off at the deadline: hyper waits for a half-sent head as long as it may take.
    Cut,
}

/// Listens at an address.
///
/// # Errors
/// When the address is taken or not of this machine.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A service that is started again takes the place of the one before at once.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stop` completes, then finishes the requests that were sent.
pub async fn serve(
    listener: impl Into<Listener>,
    service: Arc<Service>,
    capacity: Capacity,
    stop: impl Future<Output = ()>,
) -> Drained {
    let listener = listener.into();
    let (phase, watched) = watch::channel(Phase::Serving);
    let mut house = House {
        slots: Arc::new(Semaphore::new(capacity.connections_max as usize)),
        crowd: Crowd::new(capacity.connections_each_max),
        turned_away: Arc::new(Semaphore::new(TURNED_AWAY_MAX)),
        lobby: Lobby::default(),
        service: Arc::clone(&service),
        idle_timeout: capacity.idle_timeout,
        watched,
    };
    let vitals = service.vitals();
    tokio::select! {
        () = house.take_all(&listener) => {}
        () = vitals.valve.beat() => {}
        () = stop => {}
    }
    vitals.is_draining();
    phase.send_replace(Phase::Draining);
    tokio::select! {
        () = house.take_all(&listener) => {}
        () = vitals.valve.beat() => {}
        () = sleep(GRACE) => {}
    }
    listener.take_no_more();
    tokio::select! {
        () = house.take_all(&listener) => {}
        () = vitals.valve.beat() => {}
        () = sleep(HANDSHAKES) => {}
    }
    listener.close().into_iter().for_each(|incoming| house.take_any(incoming));
    house.clear_lobby();
    drain(&house.slots, &phase, capacity).await
}

/// What connections share.
struct House {
    slots: Arc<Semaphore>,
    crowd: Arc<Crowd>,
    turned_away: Arc<Semaphore>,
    lobby: Lobby,
    service: Arc<Service>,
    idle_timeout: Duration,
    watched: watch::Receiver<Phase>,
}

impl House {
    /// Takes connections for ever.
    async fn take_all(&mut self, listener: &Listener) {
        let service = Arc::clone(&self.service);
        loop {
            let mut next = pin!(accept(listener, &service.vitals().connections));
            let incoming = loop {
                tokio::select! {
                    incoming = &mut next => break incoming,
                    () = sleep(LOOK_AGAIN), if !self.lobby.is_empty() => self.look_again(),
                }
            };
            self.look_again();
            self.take_any(incoming);
        }
    }

    fn take_any(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Network(stream, peer) => self.take(stream, peer),
            Incoming::Local(stream) => self.take_local(stream),
        }
    }

    /// Who waits in the lobby may have asked by now.
    fn look_again(&mut self) {
        for newcomer in self.lobby.leaving() {
            self.take_in_need(newcomer);
        }
    }

    /// Serves all who wait in the lobby.
    fn clear_lobby(&mut self) {
        for newcomer in self.lobby.all() {
            self.serve_newcomer(newcomer);
        }
    }

    /// Serves a connection at a socket file. What it has sent cannot be looked at before it is read, so that even where too
    /// much is to be done it is served like any other.
    fn take_local(&self, stream: UnixStream) {
        let peer = Ipv4Addr::LOCALHOST.into();
        let Some(seat) = self.seat(peer) else {
            self.counts().crowded.one();
            return;
        };
        match Arc::clone(&self.slots).try_acquire_owned() {
            Ok(slot) => self.serve(stream, peer, None, (slot, seat)),
            Err(_) => {
                let Ok(permit) = Arc::clone(&self.turned_away).try_acquire_owned() else { return };
                self.counts().full.one();
                self.say_busy(async { Ok(stream) }, (permit, seat));
            }
        }
    }

    /// Serves a connection, or turns it away where there is no room.
    fn take(&mut self, stream: TcpStream, peer: IpAddr) {
        let Some(seat) = self.seat(peer) else {
            self.counts().crowded.one();
            // Without a reset the kernel would keep what it has of the connection for a minute.
            let _ = stream.set_zero_linger();
            return;
        };
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok();
        match (slot, self.service.vitals().valve.room()) {
            (Some(slot), Room::ForAll) => self.serve(stream, peer, None, (slot, seat)),
            (Some(slot), Room::ForThisOne(let_in)) => self.serve(stream, peer, Some(let_in), (slot, seat)),
            // What is said at once is said past the runtime, which has too much to do.
            (slot, _) => {
                if let Ok(stream) = stream.into_std() {
                    self.take_in_need(Newcomer::new(stream, peer, slot, seat));
                }
            }
        }
    }

    /// Takes a connection where all slots are taken, or too much is to be done.
    fn take_in_need(&mut self, newcomer: Newcomer) {
        match (newcomer.asked(), &newcomer.slot) {
            (Asked::Request, Some(_)) => {
                self.counts().overloaded.one();
                say_at_once(&newcomer.stream, &self.service.overloaded());
            }
            (Asked::Request, None) => self.say_full_at_once(&newcomer),
            (Asked::Probe, Some(_)) => self.serve_newcomer(newcomer),
            (Asked::Nothing, Some(_)) => {
                if let Some(newcomer) = self.lobby.take(newcomer) {
                    self.serve_newcomer(newcomer);
                }
            }
            (asked, None) => match Arc::clone(&self.turned_away).try_acquire_owned() {
                Ok(permit) if asked == Asked::Probe => {
                    self.serve_again(newcomer.stream, newcomer.peer, (permit, newcomer.seat));
                }
                Ok(permit) => {
                    self.counts().full.one();
                    let Newcomer { stream, seat, .. } = newcomer;
                    self.say_busy(async { TcpStream::from_std(stream) }, (permit, seat));
                }
                // Nobody waits until it is read: most read it all the same.
                Err(_) => self.say_full_at_once(&newcomer),
            },
        }
    }

    fn say_full_at_once(&self, newcomer: &Newcomer) {
        self.counts().full.one();
        say_at_once(&newcomer.stream, &self.service.busy());
    }

    fn serve_newcomer(&self, newcomer: Newcomer) {
        let Newcomer { stream, peer, slot, seat, .. } = newcomer;
        self.serve_again(stream, peer, (slot, seat));
    }

    fn serve_again<S: Send + 'static>(&self, stream: std::net::TcpStream, peer: IpAddr, place: S) {
        if let Ok(stream) = TcpStream::from_std(stream) {
            self.serve(stream, peer, None, place);
        }
    }

    /// Says `busy` to a client that has not asked yet, and waits until it has read that.
    fn say_busy<C, S: Send + 'static>(
        &self,
        stream: impl Future<Output = io::Result<C>> + Send + 'static,
        place: S,
    ) where
        C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let answer = self.service.busy();
        tokio::spawn(async move {
            // A client that does not wait for it knows without it.
            let _ = timeout(TURN_AWAY_TIMEOUT, async { say_in_time(stream.await?, &answer).await }).await;
            drop(place);
        });
    }

    fn serve<C, S: Send + 'static>(&self, stream: C, peer: IpAddr, first: Option<LetIn>, place: S)
    where
        C: AsyncRead + AsyncWrite + AsFd + Unpin + Send + 'static,
    {
        // Where the system refuses, only memory and latency are lost. A socket file knows no delay.
        let socket = SockRef::from(&stream);
        let _ = socket.set_send_buffer_size(SEND_BYTES);
        let _ = socket.set_tcp_nodelay(true);
        let (service, watched, idle_timeout) =
            (Arc::clone(&self.service), self.watched.clone(), self.idle_timeout);
        let counted = Counted::new(&self.service);
        tokio::spawn(async move {
            serve_connection(stream, peer, first, service, idle_timeout, watched).await;
            drop((counted, place));
        });
    }

    /// A seat, or none needed; `None` where the address has all that it may have.
    fn seat(&self, peer: IpAddr) -> Option<Option<Seat>> {
        if self.service.is_proxy(peer) { Some(None) } else { self.crowd.seat(peer).map(Some) }
    }

    fn counts(&self) -> &ConnectionCounts {
        &self.service.vitals().connections
    }
}

/// An open connection, among those that are counted.
struct Counted(Arc<Service>);

impl Counted {
    fn new(service: &Arc<Service>) -> Counted {
        let counts = &service.vitals().connections;
        counts.taken.one();
        counts.open.one();
        Counted(Arc::clone(service))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.vitals().connections.open.one_less();
    }
}

/// All slots are free when all connections have ended.
async fn drain(slots: &Semaphore, phase: &watch::Sender<Phase>, capacity: Capacity) -> Drained {
    phase.send_replace(Phase::LastCall);
    let drained = timeout(capacity.drain_timeout, slots.acquire_many(capacity.connections_max)).await;
    phase.send_replace(Phase::Closed);
    if drained.is_ok() { Drained::Whole } else { Drained::Cut }
}

/// The next connection, and where it comes from. Out of file descriptors or memory, the listener pauses instead of spinning.
async fn accept(listener: &Listener, counts: &ConnectionCounts) -> Incoming {
    let mut pause = ACCEPT_PAUSE_MIN;
    loop {
        match listener.next().await {
            Ok(incoming) => return incoming,
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                counts.accept_errors.one();
                tracing::error!(%error, ?pause, "cannot accept a connection; trying again after a pause");
                sleep(pause).await;
                pause = (pause * 2).min(ACCEPT_PAUSE_MAX);
            }
        }
    }
}

/// Errors of a connection that was given up before it was accepted.
fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
