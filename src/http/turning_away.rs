//! Telling clients that there is no room, at as little cost as may be.

use std::{
    collections::VecDeque,
    io::{self, Read as _, Write as _},
    net::{IpAddr, Shutdown, TcpStream},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    sync::OwnedSemaphorePermit,
};

use super::{crowd::Seat, probe::Probe};

/// Most bytes that are read of a request before it is turned away at once.
const HEAD_BYTES_USUAL: usize = 4 * 1024;

/// How often the lobby is looked at, and how long somebody may be there before a thread waits for the request instead. A busy
/// runtime may take half of that to tell that time has passed.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_millis(25);

/// How many may be there: each look asks the kernel about each of them.
const LOBBY_MAX: usize = 256;

/// A connection that came while there was no room.
#[derive(Debug)]
pub(super) struct Newcomer {
    pub(super) stream: TcpStream,
    pub(super) peer: IpAddr,
    /// Its place among all connections; none where all are taken.
    pub(super) slot: Option<OwnedSemaphorePermit>,
    /// Its place among those of its address, where these are counted.
    pub(super) seat: Option<Seat>,
    came: Instant,
}

impl Newcomer {
    pub(super) fn new(
        stream: TcpStream,
        peer: IpAddr,
        slot: Option<OwnedSemaphorePermit>,
        seat: Option<Seat>,
    ) -> Newcomer {
        Newcomer { stream, peer, slot, seat, came: Instant::now() }
    }

    pub(super) fn asked(&self) -> Asked {
        Asked::of(&self.stream)
    }
}

/// Where newcomers wait who have asked nothing yet. Most ask within a moment; to see that here costs a tenth of what it costs
/// when a thread reads and parses a request only to refuse it, and they are told sooner.
#[derive(Debug, Default)]
pub(super) struct Lobby {
    waiting: VecDeque<Newcomer>,
    looked: Option<Instant>,
}

impl Lobby {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Lets somebody wait; gives back who has waited long enough, and whom there is no room for.
    pub(super) fn take(&mut self, newcomer: Newcomer) -> Option<Newcomer> {
        if self.waiting.len() >= LOBBY_MAX || newcomer.came.elapsed() >= PATIENCE {
            return Some(newcomer);
        }
        self.waiting.push_back(newcomer);
        None
    }

    /// All, where it is time to look at them again.
    pub(super) fn leaving(&mut self) -> VecDeque<Newcomer> {
        if self.is_empty() || self.looked.is_some_and(|looked| looked.elapsed() < LOOK_AGAIN) {
            return VecDeque::new();
        }
        self.looked = Some(Instant::now());
        self.all()
    }

    /// All.
    pub(super) fn all(&mut self) -> VecDeque<Newcomer> {
        std::mem::take(&mut self.waiting)
    }
}

/// What a new connection has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Nothing,
    /// For `/healthz` or `/readyz`, which are always answered.
    Probe,
    Request,
}

impl Asked {
    fn of(stream: &TcpStream) -> Asked {
        let mut begin = [0; 32];
        match stream.peek(&mut begin) {
            Ok(0) | Err(_) => Asked::Nothing,
            Ok(bytes) if Probe::begins(&begin[..bytes]) => Asked::Probe,
            Ok(_) => Asked::Request,
        }
    }
}

/// Answers without waiting. What the client has sent is read and thrown away: else the kernel would reset the connection, and
/// the client might not see the answer.
pub(super) fn say_at_once(mut stream: &TcpStream, answer: &[u8]) {
    let mut thrown_away = [0; HEAD_BYTES_USUAL];
    let _ = stream.read(&mut thrown_away);
    // A new connection has room for an answer. One that has not is given up.
    let _ = stream.write_all(answer);
    // Before the kernel resets it for what was not read, the client sees that it ends well.
    let _ = stream.shutdown(Shutdown::Both);
}

/// Answers, and reads what the client sends until it has seen the answer.
pub(super) async fn say_in_time(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: &[u8],
) -> io::Result<()> {
    stream.write_all(answer).await?;
    stream.shutdown().await?;
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    /// A client, and its connection as the server sees it.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stream = listener.accept().unwrap().0;
        stream.set_nonblocking(true).unwrap();
        (client, stream)
    }

    fn newcomer(stream: TcpStream) -> Newcomer {
        Newcomer::new(stream, Ipv4Addr::LOCALHOST.into(), None, None)
    }

    #[test]
    fn who_is_turned_away_reads_the_answer_to_its_end_however_much_was_asked() {
        for bytes in [16, HEAD_BYTES_USUAL, HEAD_BYTES_USUAL + 2_000] {
            let (mut client, stream) = pair();
            client.write_all(&vec![b'x'; bytes]).unwrap();
            say_at_once(&stream, b"busy");
            drop(stream);
            let mut answer = String::new();
            let end = client.read_to_string(&mut answer);
            assert_eq!((end.ok(), answer.as_str()), (Some(4), "busy"), "{bytes} bytes asked");
        }
    }

    #[test]
    fn what_a_newcomer_asked_is_seen_and_left_to_be_read() {
        for (sent, asked) in [
            ("", Asked::Nothing),
            ("G", Asked::Request),
            ("GET /v1/topics HTTP/1.1\r\n", Asked::Request),
            ("GET /healthz HTTP/1.1\r\n", Asked::Probe),
        ] {
            let (mut client, stream) = pair();
            client.write_all(sent.as_bytes()).unwrap();
            let newcomer = newcomer(stream);
            assert_eq!([newcomer.asked(), newcomer.asked()], [asked; 2], "{sent:?}");
        }
    }

    #[test]
    fn the_lobby_holds_so_many_for_so_long() {
        let (client, stream) = pair();
        let mut lobby = Lobby::default();
        let another = || newcomer(stream.try_clone().unwrap());
        assert!((0..LOBBY_MAX).all(|_| lobby.take(another()).is_none()) && !lobby.is_empty());
        assert!(lobby.take(another()).is_some(), "it is full");
        assert_eq!(lobby.leaving().len(), LOBBY_MAX);
        assert!(lobby.is_empty() && lobby.leaving().is_empty());
        let patient = Newcomer { came: Instant::now().checked_sub(PATIENCE).unwrap(), ..another() };
        assert!(lobby.take(patient).is_some(), "it has waited long enough");
        drop(client);
    }

    #[test]
    fn the_lobby_is_not_looked_at_all_the_time() {
        let (client, stream) = pair();
        let mut lobby = Lobby::default();
        let mut looks = 0;
        let begin = Instant::now();
        for _ in 0..1_000 {
            if lobby.is_empty() {
                lobby.take(newcomer(stream.try_clone().unwrap()));
            }
            looks += u128::from(!lobby.leaving().is_empty());
        }
        assert!(looks >= 1 && looks <= 1 + begin.elapsed().as_millis() / LOOK_AGAIN.as_millis(), "{looks}");
        drop(client);
    }
}
