//! Finds requests that other programs on their way may cut at different places.
//!
//! What one program takes for a body is then the next request for the other (RFC 9112 11.2). Two kinds are found here, as hyper
//! takes both: a request with both `Content-Length` and `Transfer-Encoding`, of which hyper drops the former before we see
//! it, and a head whose lines end in a bare line feed, which a recipient may take and need not (RFC 9112 2.2). No honest client
//! sends either. The bytes themselves are watched: the beginnings and ends of the lines of each head; a body is stepped over.

use std::{
    future::poll_fn,
    io::{self, IoSlice},
    mem::MaybeUninit,
    os::fd::AsFd,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use memchr::memchr;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::first_head::FirstHead;

/// The fields that say how long a body is.
const FIELDS: [&[u8]; 2] = [b"content-length:", b"transfer-encoding:"];

/// Marks a request that is refused for its framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubtful {
    /// It says its length twice.
    TwoLengths,
    /// A line of its head ends without a carriage return.
    BareLineFeed,
}

impl Doubtful {
    /// What is wrong.
    pub(super) fn detail(self) -> &'static str {
        match self {
            Doubtful::TwoLengths => "the request has both Content-Length and Transfer-Encoding; send one",
            Doubtful::BareLineFeed => {
                "a line of the request ends in a line feed alone; end each with a carriage return and a line feed"
            }
        }
    }
}

/// What was seen of heads since it was last asked, and what is to be seen at the end.
#[derive(Debug, Default)]
pub(super) struct Seen {
    length: AtomicBool,
    bare_line_feed: AtomicBool,
    /// The connection is to end as soon as nothing more waits to be read.
    is_leaving: AtomicBool,
    /// Bytes wait in the kernel that the runtime does not know of yet; looked for only while it is leaving.
    waits: AtomicBool,
}

impl Seen {
    /// Whether a `Content-Length` was read since this was last asked.
    pub(super) fn take_length(&self) -> bool {
        take(&self.length)
    }

    /// Whether a line feed alone ended a line since this was last asked.
    pub(super) fn take_bare_line_feed(&self) -> bool {
        take(&self.bare_line_feed)
    }

    /// From now on each read that finds nothing asks the kernel itself.
    pub(super) fn leaves(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
    }

    /// Whether bytes waited at the last read.
    pub(super) fn waits(&self) -> bool {
        self.waits.load(Ordering::Relaxed)
    }
}

fn take(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed) && flag.swap(false, Ordering::Relaxed)
}

/// Whether the kernel has bytes of a stream.
pub(super) fn has_bytes(stream: &impl AsFd) -> bool {
    SockRef::from(stream).peek(&mut [MaybeUninit::uninit()]).is_ok_and(|bytes| bytes > 0)
}

/// A stream whose first head comes whole, and whose heads are watched.
#[derive(Debug)]
pub(super) struct Watched<S> {
    stream: S,
    first_head: FirstHead,
    heads: Heads,
    seen: Arc<Seen>,
    has_bytes: fn(&S) -> bool,
}

impl<S> Watched<S> {
    /// A stream, and how the kernel is asked whether it has bytes.
    pub(super) fn new(stream: S, seen: Arc<Seen>, has_bytes: fn(&S) -> bool) -> Watched<S> {
        Watched { stream, first_head: FirstHead::default(), heads: Heads::default(), seen, has_bytes }
    }

    /// Waits until the first head is whole, or will never be.
    ///
    /// # Errors
    /// Where the stream cannot be read.
    pub(super) async fn first_head(&mut self) -> io::Result<()>
    where
        S: AsyncRead + Unpin,
    {
        poll_fn(|context| self.first_head.poll_whole(&mut self.stream, context)).await
    }

    pub(super) fn stream(&self) -> &S {
        &self.stream
    }
}

/// Where in the bytes of a connection we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// In a line of a head that is that of a field so far: which, and so many bytes.
    Name(usize, usize),
    /// In the value of `Content-Length`.
    Length,
    /// In the rest of a line that says no length.
    Rest,
    /// In a body, of which so many bytes are to come.
    Body(u64),
    /// In chunks, or what follows them: where these end is not looked for.
    Chunks,
}

/// The heads among the bytes of a connection.
#[derive(Debug)]
struct Heads {
    at: At,
    last: u8,
    /// Bytes of the line so far; more than two are not counted.
    line: usize,
    /// Whether a line of this head was whole.
    has_begun: bool,
    length: u64,
    is_chunked: bool,
}

impl Default for Heads {
    fn default() -> Heads {
        Heads { at: At::Name(0, 0), last: 0, line: 0, has_begun: false, length: 0, is_chunked: false }
    }
}

impl Heads {
    /// Goes on with these bytes.
    fn read(&mut self, mut bytes: &[u8], seen: &Seen) {
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
                At::Name(field, known) => self.name(field, known, bytes, seen),
                At::Length | At::Rest => self.rest_of_line(bytes, seen),
            };
            bytes = &bytes[used..];
        }
    }

    /// Goes on in a line that may be that of a field; how many bytes were used.
    fn name(&mut self, field: usize, known: usize, bytes: &[u8], seen: &Seen) -> usize {
        let field = if known == 0 { usize::from(bytes[0].eq_ignore_ascii_case(&b't')) } else { field };
        let rest = &FIELDS[field][known..];
        let used = rest.len().min(bytes.len());
        if !bytes[..used].eq_ignore_ascii_case(&rest[..used]) {
            // The end of the line may be among these.
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
                seen.length.store(true, Ordering::Relaxed);
            } else {
                self.is_chunked = true;
            }
        }
        used
    }

    /// Goes on to the end of a line; how many bytes were used.
    fn rest_of_line(&mut self, bytes: &[u8], seen: &Seen) -> usize {
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
            seen.bare_line_feed.store(true, Ordering::Relaxed);
        }
        (self.at, self.line) = (At::Name(0, 0), 0);
        if !is_empty {
            self.has_begun = true;
        } else if self.has_begun {
            let (length, is_chunked) = (self.length, self.is_chunked);
            *self = Heads::default();
            self.at = match (is_chunked, length) {
                (true, _) => At::Chunks,
                (false, 0) => At::Name(0, 0),
                (false, length) => At::Body(length),
            };
        }
        part.len() + 1
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        let read = this.first_head.poll_read(&mut this.stream, context, buffer);
        this.heads.read(&buffer.filled()[before..], &this.seen);
        if this.seen.is_leaving.load(Ordering::Relaxed) {
            let waits = read.is_pending() && (this.has_bytes)(&this.stream);
            this.seen.waits.store(waits, Ordering::Relaxed);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
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
            // A body may have any lines, and a head follows it.
            (post(lines_of_a_body.len()) + lines_of_a_body, true, false),
            (post(lines_of_a_body.len()) + lines_of_a_body + get, true, false),
            (post(lines_of_a_body.len()) + lines_of_a_body + "GET / HTTP/1.1\n", true, true),
            (post(0) + "GET / HTTP/1.1\n", true, true),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\n\n\n".to_owned(), false, false),
            ("\n\n\n".to_owned(), false, true),
            (String::new(), false, false),
        ] {
            for piece in 1..20 {
                let (mut heads, seen) = (Heads::default(), Seen::default());
                text.as_bytes().chunks(piece).for_each(|bytes| heads.read(bytes, &seen));
                let found = (seen.take_length(), seen.take_bare_line_feed());
                assert_eq!(found, (has_length, has_bare), "{text:?} in pieces of {piece}");
                assert!(!seen.take_length() && !seen.take_bare_line_feed());
            }
        }
    }
}
