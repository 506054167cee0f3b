//! Accepting connections, and ending them in good order.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    os::fd::AsFd,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpSocket},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::{Instant, sleep, sleep_until, timeout},
};

use super::{
    connection::{Phase, serve_connection},
    crowd::{Crowd, Seat},
    listener::Listener,
    service::Service,
};

/// Connections that the kernel keeps until they are accepted. With tokio's 1,024, many at once would wait for a second try.
const BACKLOG: u32 = 4_096;

/// Bytes of answers that the kernel takes from us for one connection; it takes twice as many itself. Left alone it would
/// take megabytes for a client that asks and never reads.
const SEND_BYTES: usize = 128 * 1024;

/// How long a stopped server still takes connections and requests: those that clients have sent already are answered, and
/// told that the connection ends.
pub(super) const GRACE: Duration = Duration::from_millis(500);

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
    listener: impl Listener,
    service: Arc<Service>,
    capacity: Capacity,
    stop: impl Future<Output = ()>,
) -> Drained {
    let (phase, watched) = watch::channel(Phase::Serving);
    let house = House {
        slots: Arc::new(Semaphore::new(capacity.connections_max as usize)),
        crowd: Crowd::new(capacity.connections_each_max),
        turned_away: Arc::new(Semaphore::new(TURNED_AWAY_MAX)),
        service,
        idle_timeout: capacity.idle_timeout,
        watched,
    };
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            (stream, peer) = accept(&listener) => house.take(stream, peer),
            () = &mut stop => break,
        }
    }
    phase.send_replace(Phase::Draining);
    let last_call = Instant::now() + GRACE;
    loop {
        tokio::select! {
            (stream, peer) = accept(&listener) => house.take(stream, peer),
            () = sleep_until(last_call) => break,
        }
    }
    drop(listener);
    drain(&house.slots, &phase, capacity).await
}

/// What connections share.
struct House {
    slots: Arc<Semaphore>,
    crowd: Arc<Crowd>,
    turned_away: Arc<Semaphore>,
    service: Arc<Service>,
    idle_timeout: Duration,
    watched: watch::Receiver<Phase>,
}

impl House {
    /// Serves a connection, or turns it away where there is no room.
    fn take<S>(&self, stream: S, peer: IpAddr)
    where
        S: AsyncRead + AsyncWrite + AsFd + Unpin + Send + 'static,
    {
        let Some(seat) = self.seat(peer) else {
            // Without a reset the kernel would keep what it has of the connection for a minute.
            let _ = SockRef::from(&stream).set_linger(Some(Duration::ZERO));
            return;
        };
        let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() else {
            self.turn_away(stream);
            return;
        };
        // Where the system refuses, only memory is lost.
        let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BYTES);
        let (service, watched, idle_timeout) =
            (Arc::clone(&self.service), self.watched.clone(), self.idle_timeout);
        tokio::spawn(async move {
            serve_connection(stream, peer, service, idle_timeout, watched).await;
            let _: (OwnedSemaphorePermit, Option<Seat>) = (slot, seat);
        });
    }

    /// A seat, or none needed; `None` where the address has all that it may have.
    fn seat(&self, peer: IpAddr) -> Option<Option<Seat>> {
        if self.service.is_proxy(peer) { Some(None) } else { self.crowd.seat(peer).map(Some) }
    }

    /// Says `busy`. The client's request is read and thrown away: else the kernel would reset the connection, and the
    /// client might not see the answer.
    fn turn_away(&self, mut stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let Ok(permit) = Arc::clone(&self.turned_away).try_acquire_owned() else { return };
        let answer = self.service.busy();
        tokio::spawn(async move {
            let told = async {
                stream.write_all(&answer).await?;
                stream.shutdown().await?;
                while stream.read(&mut [0; 1024]).await? > 0 {}
                io::Result::Ok(())
            };
            // A client that does not wait for it knows without it.
            let _ = timeout(TURN_AWAY_TIMEOUT, told).await;
            drop(permit);
        });
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
async fn accept<L: Listener>(listener: &L) -> (L::Stream, IpAddr) {
    let mut pause = ACCEPT_PAUSE_MIN;
    loop {
        match listener.next().await {
            Ok(connection) => return connection,
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                eprintln!("platbook: cannot accept a connection ({error}); trying again in {pause:?}");
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
