//! The byte stream of a connection below hyper: holds back the first head until it is complete, and watches all
//! heads.
//!
//! hyper allocates a buffer of 8 KiB for a connection, and a second one as soon as it has read a byte. Thousands of
//! clients that send half a head would occupy more than a hundred megabytes (`make torture`, half heads). So hyper
//! gets a connection only with its first head. Before that, a connection takes only the memory of its bytes. Bytes
//! that cannot be a head are passed on at once, so that hyper can respond. Long responses are written in turns
//! ([`PacedWrites`]).
//!
//! Two kinds of requests are marked, since proxies may split them differently (RFC 9112, section 11.2) and hyper
//! accepts both. The first has both `Content-Length` and `Transfer-Encoding`; hyper drops the former before a handler
//! sees it. The second has a line that ends in a bare line feed, which a recipient may accept (RFC 9112, section
//! 2.2). No honest client sends either. The stream watches the lines of each head, and skips bodies.

use std::{
    future::poll_fn,
    io::{self, IoSlice},
    mem::MaybeUninit,
    pin::Pin,
    sync::{Arc, atomic::Ordering},
    task::{Context, Poll, ready},
};

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{
    activity::{Activity, Marks},
    paced_writes::PacedWrites,
    reject::peek,
};
use crate::system::AsSocket;

/// Maximum length of a request head, in bytes. A query of the longest parameters takes 4 KiB with every character
/// escaped, and browsers' own headers about 2 KiB. hyper refuses a longer first head.
pub(in crate::http) const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Number of bytes of a first head to read at a time, on the stack: nearly all heads are shorter.
const READ_BYTES: usize = 2 * 1024;

/// Number of bytes by which the memory of a first head grows. Doubling would take a third more memory for 9,900 heads
/// of 8 KB. A client that sends byte by byte causes 32 copies.
const GROWTH_BYTES: usize = 512;

/// The header fields that set the length of a body.
const FIELDS: [&[u8]; 2] = [b"content-length:", b"transfer-encoding:"];

/// The reason why a request is refused for its framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Doubtful {
    /// Two fields set the length of the request's body.
    TwoLengths,
    /// A line of the request's head ends without a carriage return.
    BareLineFeed,
}

impl Doubtful {
    /// Returns the text of the refusal.
    pub(in crate::http) fn detail(self) -> &'static str {
        match self {
            Doubtful::TwoLengths => "the request has both Content-Length and Transfer-Encoding; send one",
            Doubtful::BareLineFeed => {
                "a line of the request ends in a line feed alone; end each with a carriage return and a line feed"
            }
        }
    }
}

/// Returns whether bytes of a stream wait in the kernel.
pub(in crate::http) fn has_bytes(stream: &impl AsSocket) -> bool {
    peek(stream, &mut [0]) > 0
}

/// A stream that holds back its first head until it is complete, and watches all heads.
#[derive(Debug)]
pub(in crate::http) struct WatchedStream<S> {
    stream: S,
    /// Bytes of the first head, which the stream has watched already.
    held: Vec<u8>,
    /// Whether the stream waits for more bytes of the first head.
    is_held_back: bool,
    heads: Heads,
    activity: Arc<Activity>,
    writes: PacedWrites,
    has_bytes: fn(&S) -> bool,
}

impl<S> WatchedStream<S> {
    /// Makes a stream. `has_bytes` checks whether the kernel holds bytes; tests replace it.
    pub(in crate::http) fn new(
        stream: S,
        activity: Arc<Activity>,
        writes: PacedWrites,
        has_bytes: fn(&S) -> bool,
    ) -> WatchedStream<S> {
        WatchedStream {
            stream,
            held: Vec::new(),
            is_held_back: true,
            heads: Heads::default(),
            activity,
            writes,
            has_bytes,
        }
    }

    /// Waits until the first head is complete, or until its bytes cannot become a head.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub(in crate::http) async fn first_head(&mut self) -> io::Result<()>
    where
        S: AsyncRead + Unpin,
    {
        poll_fn(|context| {
            while self.is_held_back {
                // The buffer is on the stack: nearly all connections wait here without having sent a byte.
                let mut bytes = [MaybeUninit::uninit(); READ_BYTES];
                let mut buffer = ReadBuf::uninit(&mut bytes);
                ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
                self.hold(buffer.filled());
            }
            Poll::Ready(Ok(()))
        })
        .await
    }

    pub(in crate::http) fn stream(&self) -> &S {
        &self.stream
    }

    /// Adds these bytes to the held ones. Ends the wait once the head is complete, or cannot be a head.
    fn hold(&mut self, bytes: &[u8]) {
        let length = self.held.len() + bytes.len();
        if length > self.held.capacity() {
            self.held.reserve_exact(length.next_multiple_of(GROWTH_BYTES) - self.held.len());
        }
        self.held.extend_from_slice(bytes);
        self.heads.read(bytes, self.activity.marks());
        self.is_held_back = !bytes.is_empty()
            && self.held.len() < HEAD_BYTES_MAX
            && begins_head(&self.held)
            && !self.heads.has_read_one;
    }
}

/// Returns whether these may be the first bytes of a head. A head begins with a method in capitals, and its first line
/// ends with the protocol.
fn begins_head(bytes: &[u8]) -> bool {
    let is_method = bytes.first().is_some_and(u8::is_ascii_uppercase);
    is_method
        && memchr(b'\n', bytes).is_none_or(|end| {
            let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
            line.ends_with(b" HTTP/1.1") || line.ends_with(b" HTTP/1.0")
        })
}

/// The current position within the bytes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// In a line of a head that so far matches a field's name: the field's index in [`FIELDS`], and the number of
    /// matching bytes.
    Name(usize, usize),
    /// In the value of `Content-Length`.
    Length,
    /// In the rest of a line that sets no length.
    Rest,
    /// In a body, with the number of remaining bytes.
    Body(u64),
    /// In chunks or after them: the stream does not search for their end.
    Chunks,
}

impl Default for At {
    fn default() -> At {
        At::Name(0, 0)
    }
}

/// Finds the heads among the bytes of a connection.
#[derive(Debug, Default)]
struct Heads {
    at: At,
    last: u8,
    /// Number of bytes in the line so far, counted up to 3.
    line: usize,
    /// Whether at least one line of this head is complete.
    has_begun: bool,
    length: u64,
    is_chunked: bool,
    /// Whether at least one head is complete.
    has_read_one: bool,
}

impl Heads {
    /// Examines the next bytes of the connection.
    fn read(&mut self, mut bytes: &[u8], marks: &Marks) {
        while !bytes.is_empty() {
            let used = match self.at {
                At::Chunks => return,
                At::Body(left) => {
                    let used = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    self.at = match left - used as u64 {
                        0 => At::Name(0, 0),
                        left => At::Body(left),
                    };
                    used
                }
                At::Name(field, known) => self.name(field, known, bytes, marks),
                At::Length | At::Rest => self.rest_of_line(bytes, marks),
            };
            bytes = &bytes[used..];
        }
    }

    /// Continues a line that may begin with a field's name; returns the number of bytes used.
    fn name(&mut self, field: usize, known: usize, bytes: &[u8], marks: &Marks) -> usize {
        let field = if known == 0 { usize::from(bytes[0].eq_ignore_ascii_case(&b't')) } else { field };
        let rest = &FIELDS[field][known..];
        let used = rest.len().min(bytes.len());
        if !bytes[..used].eq_ignore_ascii_case(&rest[..used]) {
            // These bytes may include the end of the line.
            self.at = At::Rest;
            return 0;
        }
        (self.last, self.line) = (bytes[used - 1], 3);
        self.at = At::Name(field, known + used);
        if used == rest.len() {
            self.at = At::Rest;
            if field == 0 {
                self.at = At::Length;
                self.length = 0;
                marks.content_length.store(true, Ordering::Relaxed);
            } else {
                self.is_chunked = true;
            }
        }
        used
    }

    /// Continues to the end of a line; returns the number of bytes used.
    fn rest_of_line(&mut self, bytes: &[u8], marks: &Marks) -> usize {
        let end = memchr(b'\n', bytes);
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if self.at == At::Length {
            for digit in part.iter().filter(|byte| byte.is_ascii_digit()) {
                self.length = self.length.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            }
        }
        self.line = (self.line + part.len()).min(3);
        self.last = part.last().copied().unwrap_or(self.last);
        if end.is_none() {
            return bytes.len();
        }
        let is_empty = self.line == 0 || (self.line == 1 && self.last == b'\r');
        if self.line == 0 || self.last != b'\r' {
            marks.bare_line_feed.store(true, Ordering::Relaxed);
        }
        (self.at, self.line) = (At::Name(0, 0), 0);
        if !is_empty {
            self.has_begun = true;
        } else if self.has_begun {
            let (length, is_chunked) = (self.length, self.is_chunked);
            *self = Heads { has_read_one: true, ..Heads::default() };
            self.at = match (is_chunked, length) {
                (true, _) => At::Chunks,
                (false, 0) => At::Name(0, 0),
                (false, length) => At::Body(length),
            };
        }
        part.len() + 1
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WatchedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if !this.held.is_empty() {
            let bytes = this.held.len().min(buffer.remaining());
            buffer.put_slice(&this.held[..bytes]);
            this.held = this.held.split_off(bytes);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        let marks = this.activity.marks();
        this.heads.read(&buffer.filled()[before..], marks);
        if marks.is_leaving.load(Ordering::Relaxed) {
            let wait = read.is_pending() && (this.has_bytes)(&this.stream);
            marks.bytes_wait.store(wait, Ordering::Relaxed);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WatchedStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let written = this.writes.write(Pin::new(&mut this.stream), context, parts);
        if matches!(written, Poll::Ready(Ok(_))) {
            this.activity.wrote();
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Flushes the stream. hyper flushes once it has written all its bytes.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.writes.end_response();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[test]
    fn lengths_and_bare_line_feeds_are_found_however_they_are_cut() {
        let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        let lines_of_a_body = "a\nb\r\n\nContent-Length: 9\n\n";
        let post = |length: usize| format!("POST / HTTP/1.1\r\ncontent-LENGTH: {length}\r\n\r\n");
        for (text, has_length, has_bare) in [
            (get.repeat(3), false, false),
            ("\r\n\r\n".to_owned() + get, false, false),
            ("GET / HTTP/1.1\r\nContent-Length: 3\r\n".to_owned(), true, false),
            ("GET / HTTP/1.1\nCONTENT-LENGTH:3\n".to_owned(), true, true),
            ("content-length: 1".to_owned(), true, false),
            ("GET /content-length: HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), false, false),
            ("GET / HTTP/1.1\r\nX-Content-Length: 3\r\n".to_owned(), false, false),
            ("GET / HTTP/1.1\r\nContent-Lengthy: 3\r\n".to_owned(), false, false),
            ("GET / HTTP/1.1\r\nContent-\r\nContent-Length: 3\r\n".to_owned(), true, false),
            ("GET / HTTP/1.1\r\nHost: x\n\r\n".to_owned(), false, true),
            ("GET / HTTP/1.1\r\nHost: x\r\n\n".to_owned(), false, true),
            ("GET / HTTP/1.1\r\nHost: x\r\r\n\r\n".to_owned(), false, false),
            (get.to_owned() + "GET / HTTP/1.1\n", false, true),
            // A body may contain any lines, and another head may follow it.
            (post(lines_of_a_body.len()) + lines_of_a_body, true, false),
            (post(lines_of_a_body.len()) + lines_of_a_body + get, true, false),
            (post(lines_of_a_body.len()) + lines_of_a_body + "GET / HTTP/1.1\n", true, true),
            (post(0) + "GET / HTTP/1.1\n", true, true),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\n\n\n".to_owned(), false, false),
            ("\n\n\n".to_owned(), false, true),
            (String::new(), false, false),
        ] {
            for piece in 1..20 {
                let (mut heads, marks) = (Heads::default(), Marks::default());
                text.as_bytes().chunks(piece).for_each(|bytes| heads.read(bytes, &marks));
                let found = (marks.take_content_length(), marks.take_bare_line_feed());
                assert_eq!(found, (has_length, has_bare), "{text:?} in pieces of {piece}");
                assert!(!marks.take_content_length() && !marks.take_bare_line_feed());
            }
        }
    }

    /// Sends a text in pieces of this many bytes. Returns the bytes read before the last piece, and all bytes read.
    async fn read_in_pieces(text: &[u8], piece: usize) -> (usize, Vec<u8>) {
        let (mut client, server) = duplex(64 << 10);
        let mut server =
            WatchedStream::new(server, Default::default(), PacedWrites::new(Default::default()), |_| false);
        let (mut read, mut before_the_last) = (Vec::new(), 0);
        for bytes in text.chunks(piece) {
            before_the_last = read.len();
            client.write_all(bytes).await.unwrap();
            if !matches!(server.first_head().now_or_never(), Some(Ok(()))) {
                continue;
            }
            // Reads in small steps: held bytes are passed on piece by piece as well.
            let mut step = [0; 7];
            while let Some(count) = server.read(&mut step).now_or_never() {
                read.extend_from_slice(&step[..count.unwrap()]);
            }
        }
        drop(client);
        server.first_head().await.unwrap();
        server.read_to_end(&mut read).await.unwrap();
        (before_the_last, read)
    }

    #[tokio::test]
    async fn a_first_head_is_held_until_it_is_whole() {
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n", "a".repeat(HEAD_BYTES_MAX));
        for (text, is_held) in [
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", true),
            ("GET /?q=%20 HTTP/1.0\n\n", true),
            ("GET / HTTP/1.1\r\nHost: x\r\nAccept:", true),
            ("GE", true),
            ("OPTIONS * HTTP/1.1\r\nHost: x\r\n", true),
            // Bytes that are not a head are passed on at once.
            ("\x16\x03\x01\x02\x00\x01\x00", false),
            ("GET /\r\nHost: x\r\n", false),
            ("hello", false),
            ("\r\n\r\nGET / HTTP/1.1\r\n\r\n", false),
            // Bytes after the first head are passed on at once, too.
            ("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost", false),
            ("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nnine b", false),
            (&long, false),
            ("", true),
        ] {
            for piece in [1, 2, 3, 5, 8, 13, 4_096] {
                let (before_the_last, read) = read_in_pieces(text.as_bytes(), piece).await;
                assert_eq!(read, text.as_bytes(), "{text:.60} in pieces of {piece}");
                if is_held {
                    assert_eq!(before_the_last, 0, "{text:.60} in pieces of {piece}");
                } else if piece == 1 {
                    assert!(before_the_last > 0, "{text:.60}");
                }
            }
        }
    }
}
