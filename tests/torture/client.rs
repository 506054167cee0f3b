use std::{
    error::Error,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::{Instant, sleep_until, timeout},
};

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub says_when: bool,
}

/// An address of this machine, as good as any other client's.
pub fn other(number: u32) -> Ipv4Addr {
    Ipv4Addr::from(0x7F00_0000 + (1 + number / 250) * 256 + 2 + number % 250)
}

pub async fn connect_from(from: Ipv4Addr, to: SocketAddr) -> io::Result<TcpStream> {
    connect(TcpSocket::new_v4()?, from, to).await
}

/// A connection whose answers hardly find room on the client's side.
pub async fn connect_narrow(from: Ipv4Addr, to: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(1)?;
    connect(socket, from, to).await
}

async fn connect(socket: TcpSocket, from: Ipv4Addr, to: SocketAddr) -> io::Result<TcpStream> {
    socket.bind((from, 0).into())?;
    let stream = timeout(PATIENCE, socket.connect(to)).await??;
    stream.set_nodelay(true)?;
    Ok(stream)
}

pub fn request(target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n")
}

/// Reads one answer.
pub async fn receive(stream: &mut TcpStream) -> io::Result<Answer> {
    let mut bytes = Vec::with_capacity(32 << 10);
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            let whole = end + 4 + length.unwrap_or(0);
            while bytes.len() < whole {
                if stream.read_buf(&mut bytes).await? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
            return Ok(Answer { status, says_when: head.contains("\r\nretry-after: ") });
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

pub async fn ask(stream: &mut TcpStream, request: &str) -> io::Result<Answer> {
    timeout(PATIENCE, async {
        stream.write_all(request.as_bytes()).await?;
        receive(stream).await
    })
    .await?
}

/// One request on a connection of its own.
pub async fn once(to: SocketAddr, target: &str) -> io::Result<Answer> {
    once_from(Ipv4Addr::LOCALHOST, to, target).await
}

pub async fn once_from(from: Ipv4Addr, to: SocketAddr, target: &str) -> io::Result<Answer> {
    let mut stream = connect_from(from, to).await?;
    ask(&mut stream, &request(target)).await
}

/// What came of a load.
#[derive(Default)]
pub struct Load {
    /// Times from when a request was due to its answer.
    pub accepted: Vec<Duration>,
    pub refused: Vec<Duration>,
    /// Refusals that say when to come back.
    pub says_when: usize,
    /// Connections that were broken, and answers that never came.
    pub failed: usize,
    /// How late requests left: the client shares the machine with the service.
    pub late: Vec<Duration>,
}

impl Load {
    fn add(&mut self, due: Instant, answer: io::Result<Answer>) {
        let took = due.elapsed();
        match answer {
            Ok(Answer { status: 503, says_when }) => {
                self.refused.push(took);
                self.says_when += usize::from(says_when);
            }
            Ok(_) => self.accepted.push(took),
            Err(_) => self.failed += 1,
        }
    }

    /// Adds what came of another load.
    pub fn append(&mut self, other: Load) {
        self.accepted.extend(other.accepted);
        self.refused.extend(other.refused);
        self.says_when += other.says_when;
        self.failed += other.failed;
        self.late.extend(other.late);
    }

    pub fn offered(&self) -> usize {
        self.accepted.len() + self.refused.len() + self.failed
    }
}

/// The time that so many of a hundred do not exceed, in milliseconds.
pub fn percentile_ms(times: &[Duration], percent: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

pub type Shared = Arc<Mutex<Load>>;

fn locked(load: &Shared) -> MutexGuard<'_, Load> {
    load.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn take(load: Shared) -> Load {
    std::mem::take(&mut locked(&load))
}

fn add(load: &Shared, due: Instant, answer: io::Result<Answer>) {
    locked(load).add(due, answer);
}

fn add_late(load: &Shared, due: Instant) {
    let late = due.elapsed();
    locked(load).late.push(late);
}

/// Clients that ask one request after the other; each asks others. Twice as many, with questions of a millisecond, would wait
/// nearly as long as the service lets them.
const CLIENTS: usize = 8;

/// What comes of what they ask in that time. A connection that is closed is opened again.
pub async fn as_fast_as_answered(
    to: SocketAddr,
    targets: &'static [String],
    time: Duration,
    is_kept: bool,
) -> Load {
    let (load, until) = (Shared::default(), Instant::now() + time);
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let load = Arc::clone(&load);
            tokio::spawn(async move {
                let from = other(client as u32);
                let mut stream = connect_from(from, to).await?;
                for target in targets.iter().cycle().skip(client).step_by(CLIENTS) {
                    let due = Instant::now();
                    if due >= until {
                        break;
                    }
                    if !is_kept {
                        stream = connect_from(from, to).await?;
                    }
                    let answer = ask(&mut stream, &request(target)).await;
                    let is_broken = answer.is_err();
                    add(&load, due, answer);
                    if is_broken {
                        stream = connect_from(from, to).await?;
                    }
                }
                io::Result::Ok(())
            })
        })
        .collect();
    for client in clients {
        let _ = client.await;
    }
    take(load)
}

/// Requests at this rate on new connections, whatever becomes of those before.
pub async fn load_of_new(to: SocketAddr, targets: &'static [String], rate: f64, time: Duration) -> Load {
    let (load, begin) = (Shared::default(), Instant::now());
    let mut asked = Vec::new();
    for (number, target) in targets.iter().cycle().take((rate * time.as_secs_f64()) as usize).enumerate() {
        let due = begin + Duration::from_secs_f64(number as f64 / rate);
        sleep_until(due).await;
        let load = Arc::clone(&load);
        asked.push(tokio::spawn(async move {
            add_late(&load, due);
            add(&load, due, once_from(other(number as u32 % 200), to, target).await);
        }));
    }
    for one in asked {
        let _ = one.await;
    }
    take(load)
}

/// Requests at this rate, spread over so many connections that are kept; a connection that is closed is opened again.
pub async fn load_of_kept(
    to: SocketAddr,
    targets: &'static [String],
    rate: f64,
    time: Duration,
    connections: u32,
) -> Result<Load, Box<dyn Error>> {
    let load = Shared::default();
    let begin = Instant::now() + Duration::from_secs(1);
    let mut clients = Vec::new();
    for client in 0..connections {
        let load = Arc::clone(&load);
        let mut stream = connect_from(other(client % 200), to).await?;
        clients.push(tokio::spawn(async move {
            let each = f64::from(connections) / rate;
            let first = each * f64::from(client) / f64::from(connections);
            for (number, target) in
                targets.iter().cycle().skip(client as usize).step_by(connections as usize).enumerate()
            {
                let after = first + each * number as f64;
                if after > time.as_secs_f64() {
                    break;
                }
                let due = begin + Duration::from_secs_f64(after);
                sleep_until(due).await;
                add_late(&load, due);
                let answer = ask(&mut stream, &request(target)).await;
                let is_broken = answer.is_err();
                add(&load, due, answer);
                if is_broken {
                    stream = connect_from(other(client % 200), to).await?;
                }
            }
            io::Result::Ok(())
        }));
    }
    for client in clients {
        let _ = client.await;
    }
    Ok(take(load))
}
