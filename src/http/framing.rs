//! Finds requests that say their length twice.
//!
//! Where a request has both `Content-Length` and `Transfer-Encoding`, two programs on its way may cut it at different places,
//! and what one takes for a body is the next request for the other (RFC 9112 11.2). hyper goes by the latter, drops the former
//! before we see it, and closes the connection. Such a request is no honest one, so it is refused; for that the
//! bytes themselves are watched for a line that begins with `Content-Length:`.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::first_head::FirstHead;

const LENGTH: &[u8] = b"content-length:";

/// Marks a request that says its length twice.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoLengths;

/// Whether a `Content-Length` was read since it was last asked.
#[derive(Debug, Default)]
pub(super) struct LengthSeen(AtomicBool);

impl LengthSeen {
    /// Says it, and begins anew.
    pub(super) fn take(&self) -> bool {
        self.0.load(Ordering::Relaxed) && self.0.swap(false, Ordering::Relaxed)
    }
}

/// A stream whose first head comes whole, and whose lines are watched.
#[derive(Debug)]
pub(super) struct Watched<S> {
    stream: S,
    first_head: FirstHead,
    line: Line,
    seen: Arc<LengthSeen>,
}

impl<S> Watched<S> {
    pub(super) fn new(stream: S, seen: Arc<LengthSeen>) -> Watched<S> {
        Watched { stream, first_head: FirstHead::default(), line: Line::default(), seen }
    }

    pub(super) fn into_stream(self) -> S {
        self.stream
    }
}

/// How far the line that is being read is that of a length: so many bytes, or `None` where it is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line(Option<usize>);

impl Default for Line {
    fn default() -> Line {
        Line(Some(0))
    }
}

impl Line {
    /// Goes on with these bytes; whether one of the lines is that of a length.
    fn reads(&mut self, mut bytes: &[u8]) -> bool {
        let mut is_found = false;
        while !bytes.is_empty() {
            let Some(known) = self.0 else {
                let Some(end) = memchr(b'\n', bytes) else { return is_found };
                bytes = &bytes[end + 1..];
                self.0 = Some(0);
                continue;
            };
            let rest = &LENGTH[known..];
            let here = rest.len().min(bytes.len());
            if bytes[..here].eq_ignore_ascii_case(&rest[..here]) {
                let is_whole = here == rest.len();
                is_found |= is_whole;
                self.0 = (!is_whole).then_some(known + here);
                bytes = &bytes[here..];
            } else {
                // The end of the line may be among these.
                self.0 = None;
            }
        }
        is_found
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
        if this.line.reads(&buffer.filled()[before..]) {
            this.seen.0.store(true, Ordering::Relaxed);
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
    fn lines_of_lengths_are_found_however_they_are_cut() {
        for (text, is_found) in [
            ("GET / HTTP/1.1\r\nContent-Length: 3\r\n", true),
            ("GET / HTTP/1.1\nCONTENT-LENGTH:3\n", true),
            ("content-length: 1", true),
            ("GET /content-length: HTTP/1.1\r\nHost: x\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nX-Content-Length: 3\r\n", false),
            ("GET / HTTP/1.1\r\nContent-Lengthy: 3\r\n", false),
            ("GET / HTTP/1.1\r\nContent-\nContent-Length: 3\r\n", true),
            ("\n\n\n", false),
            ("", false),
        ] {
            for piece in 1..20 {
                let mut line = Line::default();
                let found = text.as_bytes().chunks(piece).filter(|bytes| line.reads(bytes)).count() > 0;
                assert_eq!(found, is_found, "{text:?} in pieces of {piece}");
            }
        }
    }
}
