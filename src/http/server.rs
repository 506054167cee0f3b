//! Accepting connections, and ending them in good order.

use std::{future::Future, io, net::IpAddr, pin::pin, sync::Arc, time::Duration};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use super::{
    connection::{Phase, serve_connection},
    service::Service,
};

/// Waits after a failed accept: doubled from the first to the longest.
const ACCEPT_PAUSE_MIN: Duration = Duration::from_millis(5);
const ACCEPT_PAUSE_MAX: Duration = Duration::from_secs(1);

/// What a server takes on at most.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Open connections. Further ones wait in the kernel's queue: an idle connection ends after `idle_timeout`,
    /// so their turn comes.
    pub connections_max: u32,
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
            idle_timeout: Duration::from_secs(10),
            drain_timeout: Duration::from_secs(10),
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

/// Serves until `stop` completes, then finishes the requests in flight.
pub async fn serve(
    listener: TcpListener,
    service: Arc<Service>,
    capacity: Capacity,
    stop: impl Future<Output = ()>,
) -> Drained {
    let slots = Arc::new(Semaphore::new(capacity.connections_max as usize));
    let (phase, watched) = watch::channel(Phase::Serving);
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            let slot = Arc::clone(&slots).acquire_owned().await.expect("the semaphore is never closed");
            (accept(&listener).await, slot)
        };
        let ((stream, peer), slot) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let (service, watched) = (Arc::clone(&service), watched.clone());
        tokio::spawn(async move {
            serve_connection(stream, peer, service, capacity.idle_timeout, watched).await;
            drop(slot);
        });
    }
    drop(listener);
    drain(&slots, &phase, capacity).await
}

/// All slots are free when all connections have ended.
async fn drain(slots: &Semaphore, phase: &watch::Sender<Phase>, capacity: Capacity) -> Drained {
    phase.send_replace(Phase::Draining);
    let drained = timeout(capacity.drain_timeout, slots.acquire_many(capacity.connections_max)).await;
    phase.send_replace(Phase::Closed);
    if drained.is_ok() { Drained::Whole } else { Drained::Cut }
}

/// The next connection, and where it comes from. Out of file descriptors or memory, the listener pauses instead of spinning.
async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr) {
    let mut pause = ACCEPT_PAUSE_MIN;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Only latency is lost where the system refuses.
                let _ = stream.set_nodelay(true);
                return (stream, peer.ip());
            }
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
