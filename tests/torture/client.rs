use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// Maximum time to wait for anything: twice the 10 s after which the service closes a silent connection.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A cheap request: one point.
pub const GOOD: &str = "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655";

/// Makes the request with this number.
pub type Make = fn(usize) -> Vec<u8>;

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Whether the answer has `Retry-After`.
    pub says_when: bool,
    /// Whether the service closes the connection with the answer.
    pub closes: bool,
    pub body: Vec<u8>,
}

impl Answer {
    fn read(head: &[u8], body: Vec<u8>) -> Answer {
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        Answer {
            status: head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0),
            says_when: head.contains("\r\nretry-after: "),
            closes: head.contains("\r\nconnection: close"),
            body,
        }
    }
}

/// A loopback address of its own for each number below 4,000,000.
pub fn other(number: u32) -> Ipv4Addr {
    Ipv4Addr::from(0x7F00_0000 + (1 + number / 250) * 256 + 2 + number % 250)
}

pub async fn connect_from(from: Ipv4Addr, to: SocketAddr) -> io::Result<TcpStream> {
    connect(TcpSocket::new_v4()?, from, to).await
}

/// Opens a connection with a small receive buffer, into which answers hardly fit.
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

pub fn get(target: &str) -> Vec<u8> {
    format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n").into_bytes()
}

/// A message to the front end for language models.
pub fn message(json: &str) -> Vec<u8> {
    let length = json.len();
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    format!("{head}Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n{json}")
        .into_bytes()
}

/// Reads one answer, status line to body.
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
            let body = bytes.split_off(end + 4);
            return Ok(Answer::read(&bytes, body));
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// Sends a request and reads its answer, which may come before the request has left.
pub async fn ask(stream: &mut TcpStream, request: &[u8]) -> io::Result<Answer> {
    timeout(PATIENCE, async {
        let sent = stream.write_all(request).await;
        match receive(stream).await {
            Ok(answer) => Ok(answer),
            Err(error) => sent.and(Err(error)),
        }
    })
    .await?
}

/// Sends one request on a connection of its own.
pub async fn once(to: SocketAddr, request: &[u8]) -> io::Result<Answer> {
    once_from(Ipv4Addr::LOCALHOST, to, request).await
}

pub async fn once_from(from: Ipv4Addr, to: SocketAddr, request: &[u8]) -> io::Result<Answer> {
    let mut stream = connect_from(from, to).await?;
    ask(&mut stream, request).await
}
