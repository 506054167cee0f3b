//! Waits for the first head of a connection until it is whole.
//!
//! hyper takes a buffer of 8 KiB for a connection that it is given, and a second as soon as it has read a byte. Thousands of
//! clients that send half a head and no more would so hold more than a hundred megabytes. So a connection is not hyper's before
//! its first head is here: until then it takes the room of its own bytes. What is no head of HTTP goes on at once, so that
//! hyper can say so; and whatever comes behind the first head is passed on as it comes.

use std::{
    io,
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
};

use memchr::{memchr, memchr_iter};
use tokio::io::{AsyncRead, ReadBuf};

/// More than that is not waited for: hyper's own buffer has the room of four times as much.
const HELD_MAX: usize = 2 * 1024;

/// What has come of the first head of a stream.
#[derive(Debug, Default)]
pub(super) struct FirstHead {
    held: Vec<u8>,
    /// The head is whole, or will never be.
    is_over: bool,
}

impl FirstHead {
    /// Reads from the stream until its first head is whole, or will never be.
    ///
    /// # Errors
    /// Where the stream cannot be read.
    pub(super) fn poll_whole(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while !self.is_over {
            // On the stack: nearly all connections wait here without a byte.
            let mut bytes = [MaybeUninit::uninit(); HELD_MAX];
            let mut buffer = ReadBuf::uninit(&mut bytes);
            ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer))?;
            self.is_over = !self.hold(buffer.filled());
        }
        Poll::Ready(Ok(()))
    }

    /// Reads what was held, then from the stream.
    pub(super) fn poll_read(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.held.is_empty() {
            return Pin::new(stream).poll_read(context, buffer);
        }
        let here = self.held.len().min(buffer.remaining());
        buffer.put_slice(&self.held[..here]);
        self.held.drain(..here);
        if self.held.is_empty() {
            self.held = Vec::new();
        }
        Poll::Ready(Ok(()))
    }

    /// Keeps these bytes back; whether there is more to wait for.
    fn hold(&mut self, bytes: &[u8]) -> bool {
        // The end of a head may begin in what came before.
        let seen = self.held.len().saturating_sub(2);
        self.held.extend_from_slice(bytes);
        !bytes.is_empty()
            && self.held.len() < HELD_MAX
            && begins_head(&self.held)
            && !ends_head(&self.held[seen..])
    }
}

/// Whether these may be the first bytes of a head: a first line in capitals, which says its protocol at its end.
fn begins_head(bytes: &[u8]) -> bool {
    let is_method = bytes.first().is_some_and(u8::is_ascii_uppercase);
    is_method
        && memchr(b'\n', bytes).is_none_or(|end| {
            let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
            line.ends_with(b" HTTP/1.1") || line.ends_with(b" HTTP/1.0")
        })
}

/// Whether an empty line is among these.
fn ends_head(bytes: &[u8]) -> bool {
    memchr_iter(b'\n', bytes).any(|end| matches!(bytes[end + 1..], [b'\n', ..] | [b'\r', b'\n', ..]))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;
    use crate::http::framing::Watched;

    /// Sends a text in pieces of so many bytes: what was read before the last of it had come, and all that was read.
    async fn read_in_pieces(text: &[u8], piece: usize) -> (usize, Vec<u8>) {
        let (mut client, server) = duplex(64 << 10);
        let mut server = Watched::new(server, Default::default(), |_| false);
        let (mut read, mut before_the_last) = (Vec::new(), 0);
        for bytes in text.chunks(piece) {
            before_the_last = read.len();
            client.write_all(bytes).await.unwrap();
            if !matches!(server.first_head().now_or_never(), Some(Ok(()))) {
                continue;
            }
            // Small steps: what is kept back is passed on piece by piece, too.
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
    async fn nothing_of_a_first_head_comes_before_its_end_and_then_all_of_it() {
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n", "a".repeat(HELD_MAX));
        for (text, is_held) in [
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", true),
            ("GET /?q=%20 HTTP/1.0\n\n", true),
            ("GET / HTTP/1.1\r\nHost: x\r\nAccept:", true),
            ("GE", true),
            ("OPTIONS * HTTP/1.1\r\nHost: x\r\n", true),
            // What is no head goes on at once.
            ("\x16\x03\x01\x02\x00\x01\x00", false),
            ("GET /\r\nHost: x\r\n", false),
            ("hello", false),
            ("\r\n\r\nGET / HTTP/1.1\r\n\r\n", false),
            // So does what follows the first head.
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
