use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, Interest},
    net::TcpStream,
    runtime::{Builder, Runtime},
    sync::Semaphore,
    time::{Instant, sleep},
};

use crate::{
    client::{Make, ask, connect_from, connect_narrow, other},
    load::Statuses,
};

/// Clients that do harm, all in the same way.
#[derive(Clone, Copy)]
pub struct Attack {
    pub connections: u32,
    /// Number of addresses that the clients use, in turn.
    pub addresses: u32,
    pub what: What,
}

/// The behavior of each connection.
#[derive(Clone, Copy)]
pub enum What {
    /// Sends a request, waits for this time, and sends the next. Opens a closed connection again.
    Ask(Make, Duration),
    /// Sends these bytes and then nothing, until the service closes the connection. The client may read the last
    /// answers, and may repeat all that.
    Hold { bytes: fn() -> Vec<u8>, reads: bool, again: bool },
}

impl What {
    /// Holds a connection until the service closes it.
    pub const fn hold(bytes: fn() -> Vec<u8>) -> What {
        What::Hold { bytes, reads: true, again: false }
    }

    /// Holds a connection, and opens it again whenever it is closed.
    pub const fn hold_again(bytes: fn() -> Vec<u8>) -> What {
        What::Hold { bytes, reads: true, again: true }
    }

    /// Holds a connection and reads nothing of the answers.
    pub const fn read_nothing(bytes: fn() -> Vec<u8>) -> What {
        What::Hold { bytes, reads: false, again: false }
    }

    /// The bytes that hold a connection; empty for clients that send requests.
    fn bytes(&self) -> Vec<u8> {
        match self {
            What::Ask(..) => Vec::new(),
            What::Hold { bytes, .. } => bytes(),
        }
    }
}

/// Maximum number of connections that are being opened at the same time: a kernel refuses to queue more than some
/// hundreds.
const OPENING: usize = 64;

/// Time that a client waits after a refused connection.
const REFUSED: Duration = Duration::from_millis(100);

/// The first number of an attacker's address; good clients have lower numbers.
const FIRST: u32 = 1_000_000;

/// Attackers at work, on a thread of their own; dropping this ends them.
pub struct Attackers {
    runtime: Option<Runtime>,
    state: Arc<State>,
    connections: u32,
}

struct State {
    statuses: Mutex<Statuses>,
    in_place: AtomicU32,
    opening: Semaphore,
}

impl Attackers {
    /// Starts the attackers. Each round has new addresses, which no limit has counted yet.
    pub fn start(attacks: &[Attack], to: SocketAddr, round: u32) -> io::Result<Attackers> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let state = Arc::new(State {
            statuses: Mutex::default(),
            in_place: AtomicU32::new(0),
            opening: Semaphore::new(OPENING),
        });
        let mut first = FIRST + round * attacks.iter().map(|attack| attack.addresses).sum::<u32>();
        for attack in attacks {
            let bytes: Arc<[u8]> = attack.what.bytes().into();
            for number in 0..attack.connections {
                let from = other(first + number % attack.addresses);
                let (state, bytes) = (Arc::clone(&state), Arc::clone(&bytes));
                let (what, every) = (attack.what, attack.connections as usize);
                runtime.spawn(async move {
                    match what {
                        What::Ask(make, pause) => {
                            state.ask((from, to), (number as usize, every, make), pause).await;
                        }
                        What::Hold { reads, again, .. } => {
                            state.hold((from, to), &bytes, reads, again).await;
                        }
                    }
                });
            }
            first += attack.addresses;
        }
        let connections = attacks.iter().map(|attack| attack.connections).sum();
        Ok(Attackers { runtime: Some(runtime), state, connections })
    }

    /// Waits until each attacker has tried its first connection, for at most `patience`.
    pub async fn in_place(&self, patience: Duration) {
        let begin = Instant::now();
        while self.state.in_place.load(Ordering::Relaxed) < self.connections && begin.elapsed() < patience {
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// The statuses of the attackers' answers so far.
    pub fn statuses(&self) -> Statuses {
        self.state.statuses.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Attackers {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl State {
    fn count(&self, status: u16) {
        *self.statuses.lock().unwrap_or_else(PoisonError::into_inner).entry(status).or_default() += 1;
    }

    async fn open(&self, from: Ipv4Addr, to: SocketAddr, is_narrow: bool) -> io::Result<TcpStream> {
        let _permit = self.opening.acquire().await;
        match is_narrow {
            true => connect_narrow(from, to).await,
            false => connect_from(from, to).await,
        }
    }

    /// Sends requests from the first number on, in steps.
    async fn ask(
        &self,
        (from, to): (Ipv4Addr, SocketAddr),
        (first, step, make): (usize, usize, Make),
        pause: Duration,
    ) {
        let mut stream = self.open(from, to, false).await;
        self.in_place.fetch_add(1, Ordering::Relaxed);
        for number in (first..).step_by(step) {
            let begin = Instant::now();
            let answer = match &mut stream {
                Ok(stream) => ask(stream, &make(number)).await,
                Err(error) => Err(error.kind().into()),
            };
            self.count(answer.as_ref().map_or(0, |answer| answer.status));
            let pause = if answer.is_err() { pause.max(REFUSED) } else { pause };
            sleep(pause.saturating_sub(begin.elapsed())).await;
            if answer.map_or(true, |answer| answer.closes) {
                stream = self.open(from, to, false).await;
            }
        }
    }

    async fn hold(&self, (from, to): (Ipv4Addr, SocketAddr), bytes: &[u8], reads: bool, again: bool) {
        let mut is_first = true;
        while std::mem::take(&mut is_first) || again {
            let stream = self.open(from, to, !reads).await;
            self.in_place.fetch_add(1, Ordering::Relaxed);
            if let Ok(mut stream) = stream
                && stream.write_all(bytes).await.is_ok()
            {
                // A connection that nobody reads shows its end only as an error.
                let _ = match reads {
                    true => stream.read(&mut [0; 64]).await.map(drop),
                    false => stream.ready(Interest::ERROR).await.map(drop),
                };
            }
            sleep(REFUSED).await;
        }
    }
}
