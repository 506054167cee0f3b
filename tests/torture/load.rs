use std::{
    collections::BTreeMap,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use crate::client::{Answer, Make, ask, connect_from, once_from, other};

/// Number of answers by status; 0 stands for no answer.
pub type Statuses = BTreeMap<u16, usize>;

/// Number of addresses of clients that open a connection for each request. At 200 requests a second each sends at
/// most two a minute, so no limit counts against them.
const ADDRESSES: u32 = 10_000;

/// Number of addresses of clients that keep their connections: each has only a few connections.
const KEEPERS: u32 = 200;

/// The results of a load.
#[derive(Default)]
pub struct Load {
    /// Times until answers with a status below 500.
    pub accepted: Vec<Duration>,
    /// Times until answers with 503.
    pub refused: Vec<Duration>,
    /// Number of answers with 503 that say when to come back.
    pub says_when: usize,
    /// Number of broken connections, missing answers, and further statuses from 500 on.
    pub failed: usize,
    /// Delays of requests at departure: the client shares the machine with the service.
    pub late: Vec<Duration>,
    pub statuses: Statuses,
}

impl Load {
    fn add(&mut self, since: Instant, answer: &io::Result<Answer>) {
        let took = since.elapsed();
        let status = answer.as_ref().map_or(0, |answer| answer.status);
        *self.statuses.entry(status).or_default() += 1;
        match answer {
            Ok(answer) if status == 503 => {
                self.refused.push(took);
                self.says_when += usize::from(answer.says_when);
            }
            Ok(_) if status < 500 => self.accepted.push(took),
            _ => self.failed += 1,
        }
    }

    /// Adds the results of another load.
    pub fn append(&mut self, other: Load) {
        self.accepted.extend(other.accepted);
        self.refused.extend(other.refused);
        self.says_when += other.says_when;
        self.failed += other.failed;
        self.late.extend(other.late);
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
    }

    pub fn offered(&self) -> usize {
        self.accepted.len() + self.refused.len() + self.failed
    }

    /// Requests without a 200.
    pub fn without_200(&self) -> usize {
        self.offered() - self.statuses.get(&200).copied().unwrap_or(0)
    }

    /// Requests without a useful answer: a status from 500 on, or none.
    pub fn not_served(&self) -> usize {
        self.refused.len() + self.failed
    }

    pub fn p99_ms(&self) -> f64 {
        percentile_ms(&self.accepted, 99)
    }
}

/// Statuses with their counts, as text.
pub fn statuses_text(statuses: &Statuses) -> String {
    let text = |(status, count): (&u16, &usize)| match status {
        0 => format!("{count} x none"),
        status => format!("{count} x {status}"),
    };
    statuses.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The time in milliseconds that `percent` of a hundred do not exceed; NaN without times.
pub fn percentile_ms(times: &[Duration], percent: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

/// The results to which several clients add.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Load>>);

impl Shared {
    fn locked(&self) -> MutexGuard<'_, Load> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, since: Instant, answer: &io::Result<Answer>) {
        self.locked().add(since, answer);
    }

    fn add_late(&self, due: Instant) {
        let late = due.elapsed();
        self.locked().late.push(late);
    }

    fn take(&self) -> Load {
        std::mem::take(&mut self.locked())
    }
}

/// Number of clients that send one request after the other. With twice as many, and requests of a millisecond, each
/// would wait nearly as long as the service allows.
const CLIENTS: usize = 8;

/// Sends requests from a number on for this time, as fast as answers come. Opens a closed connection again.
pub async fn as_fast_as_answered(
    to: SocketAddr,
    make: Make,
    from: usize,
    time: Duration,
    is_kept: bool,
) -> Load {
    let (load, until) = (Shared::default(), Instant::now() + time);
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let load = load.clone();
            tokio::spawn(async move {
                let address = other(client as u32);
                let mut stream = connect_from(address, to).await?;
                for number in (from + client..).step_by(CLIENTS) {
                    let due = Instant::now();
                    if due >= until {
                        break;
                    }
                    if !is_kept {
                        stream = connect_from(address, to).await?;
                    }
                    let answer = ask(&mut stream, &make(number)).await;
                    load.add(due, &answer);
                    if answer.map_or(true, |answer| answer.closes) {
                        stream = connect_from(address, to).await?;
                    }
                }
                io::Result::Ok(())
            })
        })
        .collect();
    for client in clients {
        let _ = client.await;
    }
    load.take()
}

/// Sends requests at this rate a second on new connections from many addresses, without waiting for earlier ones. The
/// time of a request begins when it leaves, because a late client is not the service's fault.
pub async fn load_of_new(to: SocketAddr, make: Make, from: usize, rate: f64, time: Duration) -> Load {
    let (load, begin) = (Shared::default(), Instant::now());
    let mut asked = Vec::new();
    for number in 0..(rate * time.as_secs_f64()) as usize {
        let due = begin + Duration::from_secs_f64(number as f64 / rate);
        sleep_until(due).await;
        let load = load.clone();
        asked.push(tokio::spawn(async move {
            load.add_late(due);
            let number = from + number;
            let request = make(number);
            let begin = Instant::now();
            let answer = once_from(other(number as u32 % ADDRESSES), to, &request).await;
            load.add(begin, &answer);
        }));
    }
    for one in asked {
        let _ = one.await;
    }
    load.take()
}

/// Sends requests at this rate a second over `connections` that stay open; opens a closed one again. The time of a
/// request begins when it is due, because a connection carries one request at a time: a late answer delays the next.
///
/// # Errors
/// If a first connection is refused.
pub async fn load_of_kept(
    to: SocketAddr,
    make: Make,
    from: usize,
    rate: f64,
    time: Duration,
    connections: u32,
) -> io::Result<Load> {
    let load = Shared::default();
    let mut streams = Vec::new();
    for client in 0..connections {
        streams.push(connect_from(other(client % KEEPERS), to).await?);
    }
    let begin = Instant::now();
    let mut clients = Vec::new();
    for (client, mut stream) in (0..connections).zip(streams) {
        let load = load.clone();
        clients.push(tokio::spawn(async move {
            let each = f64::from(connections) / rate;
            let first = each * f64::from(client) / f64::from(connections);
            for turn in 0.. {
                let after = first + each * f64::from(turn);
                if after > time.as_secs_f64() {
                    break;
                }
                let due = begin + Duration::from_secs_f64(after);
                sleep_until(due).await;
                load.add_late(due);
                let number = from + (turn * connections + client) as usize;
                let answer = ask(&mut stream, &make(number)).await;
                load.add(due, &answer);
                if answer.map_or(true, |answer| answer.closes) {
                    stream = connect_from(other(client % KEEPERS), to).await?;
                }
            }
            io::Result::Ok(())
        }));
    }
    for client in clients {
        let _ = client.await;
    }
    Ok(load.take())
}
