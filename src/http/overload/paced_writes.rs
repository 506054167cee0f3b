//! Makes connections with long responses take turns to write, so that many of them at once do not delay other
//! answers.
//!
//! The kernel takes 256 KiB of a response at once, and goes on taking while the client reads. Without turns, 300
//! outlines of 1.4 MB would keep a thread busy for half a second, and admission control would reject other requests.
//! A connection writes the first [`FREE_BYTES`] of a response at once, and most responses are shorter. For more
//! bytes, the connection needs a turn. Few connections have a turn at a time. After [`TURN_BYTES`], the connection
//! passes its turn to the first in the queue, and queues again.

use std::{
    collections::VecDeque,
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use futures_util::task::AtomicWaker;
use tokio::io::AsyncWrite;

/// Number of bytes of a response that need no turn: the answer for a point has 11 KB, most pages less than 32 KB.
const FREE_BYTES: usize = 32 * 1024;

/// Number of bytes that a turn allows: the kernel copies them in some 30 us, about the time of a quick answer.
const TURN_BYTES: usize = 32 * 1024;

/// Maximum number of connections that have a turn at the same time. These connections and those that they wake occupy
/// a thread for 0.5 ms.
const TURNS_MAX: usize = 4;

/// The turns of all connections.
#[derive(Debug, Default)]
pub(in crate::http) struct WriteTurns(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    taken: usize,
    waiting: VecDeque<Arc<Waiter>>,
}

/// A connection that waits for a turn, or has one.
#[derive(Debug, Default)]
struct Waiter {
    waker: AtomicWaker,
    has_turn: AtomicBool,
}

/// A turn, or a place in the queue for one. Dropping it passes the turn to the next connection.
#[derive(Debug)]
struct Turn {
    turns: Arc<WriteTurns>,
    waiter: Arc<Waiter>,
}

impl WriteTurns {
    fn state(&self) -> MutexGuard<'_, State> {
        // Each change is complete, so poisoning can be ignored.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(self: &Arc<WriteTurns>) -> Turn {
        let waiter = Arc::new(Waiter::default());
        let mut state = self.state();
        state.waiting.push_back(Arc::clone(&waiter));
        state.fill();
        Turn { turns: Arc::clone(self), waiter }
    }
}

impl State {
    /// Gives free turns to the first connections in the queue.
    fn fill(&mut self) {
        while self.taken < TURNS_MAX {
            let Some(next) = self.waiting.pop_front() else { return };
            self.taken += 1;
            next.has_turn.store(true, Ordering::Release);
            next.waker.wake();
        }
    }
}

impl Turn {
    /// Waits until this connection has the turn.
    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        self.waiter.waker.register(context.waker());
        if self.waiter.has_turn.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }

    /// Ends the turn, and queues for another one behind all others.
    fn end(&self) {
        let mut state = self.turns.state();
        self.waiter.has_turn.store(false, Ordering::Release);
        state.taken -= 1;
        state.waiting.push_back(Arc::clone(&self.waiter));
        state.fill();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        if self.waiter.has_turn.load(Ordering::Acquire) {
            state.taken -= 1;
            state.fill();
        } else {
            state.waiting.retain(|one| !Arc::ptr_eq(one, &self.waiter));
        }
    }
}

/// The writes of one connection.
#[derive(Debug)]
pub(in crate::http) struct PacedWrites {
    turns: Arc<WriteTurns>,
    /// The turn that the connection has or waits for; `None` while it writes its free bytes.
    turn: Option<Turn>,
    /// Number of bytes that the connection may write before it needs a turn, or the next one.
    left: usize,
}

impl PacedWrites {
    pub(in crate::http) fn new(turns: Arc<WriteTurns>) -> PacedWrites {
        PacedWrites { turns, turn: None, left: FREE_BYTES }
    }

    /// Writes some bytes of these parts. Waits for a turn first if the connection needs one.
    pub(in crate::http) fn write<S: AsyncWrite>(
        &mut self,
        stream: Pin<&mut S>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.left == 0 {
            match &self.turn {
                Some(turn) => turn.end(),
                None => self.turn = Some(self.turns.request()),
            }
            self.left = TURN_BYTES;
            // Other tasks run first, even if this connection already has its turn. A task that wakes itself goes to
            // the end of the queue.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if let Some(turn) = &self.turn {
            ready!(turn.poll(context));
        }
        let outcome = write_up_to(self.left, stream, context, parts);
        match &outcome {
            Poll::Ready(Ok(bytes)) => self.left -= bytes,
            // The kernel accepts no more bytes, so the turn goes to another connection.
            _ if self.turn.is_some() => (self.turn, self.left) = (None, 0),
            _ => {}
        }
        outcome
    }

    /// Records that a response was written completely.
    pub(in crate::http) fn end_response(&mut self) {
        (self.turn, self.left) = (None, FREE_BYTES);
    }

    /// Records that a part of a response was written, and that another part may follow. The turn goes to the next
    /// connection. The written bytes still count for the response.
    #[cfg(feature = "tls")]
    pub(in crate::http) fn end_frame(&mut self) {
        self.turn = None;
    }
}

/// Writes at most this many bytes of these parts.
fn write_up_to<S: AsyncWrite>(
    bytes_max: usize,
    stream: Pin<&mut S>,
    context: &mut Context<'_>,
    parts: &[IoSlice<'_>],
) -> Poll<io::Result<usize>> {
    let begin = parts.iter().position(|part| !part.is_empty()).unwrap_or(parts.len());
    let parts = &parts[begin..];
    let mut bytes = 0;
    let fits = |part: &&IoSlice<'_>| {
        bytes += part.len();
        bytes <= bytes_max
    };
    match (parts.iter().take_while(fits).count(), parts.first()) {
        (0, Some(long)) => stream.poll_write(context, &long[..bytes_max]),
        (count, _) => stream.poll_write_vectored(context, &parts[..count]),
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    /// A stream that accepts this many more bytes.
    struct Room(usize);

    impl AsyncWrite for Room {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Poll::Pending } else { Poll::Ready(Ok(taken)) }
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    /// A connection that sends a response of this many bytes.
    struct Sender {
        writes: PacedWrites,
        room: Room,
        left: usize,
    }

    impl Sender {
        fn new(turns: &Arc<WriteTurns>, bytes: usize, room: usize) -> Sender {
            Sender { writes: PacedWrites::new(Arc::clone(turns)), room: Room(room), left: bytes }
        }

        /// Writes as hyper does, until it must wait or has written all bytes. Returns the number of bytes that it
        /// wrote.
        fn poll(&mut self) -> usize {
            let (before, bytes) = (self.left, vec![0; self.left]);
            while self.left > 0 {
                let at = bytes.len() - self.left;
                let parts = [IoSlice::new(&[]), IoSlice::new(&bytes[at..]), IoSlice::new(&[])];
                let mut context = Context::from_waker(Waker::noop());
                match self.writes.write(Pin::new(&mut self.room), &mut context, &parts) {
                    Poll::Ready(written) => self.left -= written.unwrap(),
                    Poll::Pending => return before - self.left,
                }
            }
            self.writes.end_response();
            before
        }

        fn has_turn(&self) -> bool {
            self.writes.turn.as_ref().is_some_and(|turn| turn.waiter.has_turn.load(Ordering::Acquire))
        }
    }

    const LONG: usize = FREE_BYTES + 10 * TURN_BYTES;

    #[test]
    fn short_responses_need_no_turn_and_long_ones_take_turns() {
        let turns = Arc::default();
        let mut long: Vec<Sender> = (0..50).map(|_| Sender::new(&turns, LONG, usize::MAX)).collect();
        assert!(long.iter_mut().all(|sender| sender.poll() == FREE_BYTES), "the first bytes leave at once");
        let mut polls = 0;
        while long.iter().any(|sender| sender.left > 0) {
            for at in 0..long.len() {
                assert!(long[at].poll() <= TURN_BYTES);
                assert!(long.iter().filter(|sender| sender.has_turn()).count() <= TURNS_MAX);
                // A short response is written at once, whatever waits in the queue.
                assert_eq!(Sender::new(&turns, FREE_BYTES, usize::MAX).poll(), FREE_BYTES);
            }
            let left = || long.iter().map(|sender| sender.left);
            let (most, least) = (left().max().unwrap(), left().min().unwrap());
            assert!(most - least <= 2 * TURN_BYTES, "all get on: {least} to {most}");
            polls += 1;
            assert!(polls < 1_000);
        }
        let state = turns.state();
        assert_eq!((state.taken, state.waiting.len()), (0, 0));
    }

    #[test]
    fn a_client_that_does_not_read_or_goes_away_holds_no_turn() {
        let turns = Arc::default();
        let mut slow: Vec<Sender> =
            (0..20).map(|_| Sender::new(&turns, LONG, FREE_BYTES + TURN_BYTES)).collect();
        let gone: Vec<Sender> = (0..20)
            .map(|_| {
                let mut sender = Sender::new(&turns, LONG, usize::MAX);
                sender.poll();
                sender
            })
            .collect();
        let poll_all = |slow: &mut Vec<Sender>| {
            for sender in (0..100).flat_map(|_| 0..20) {
                slow[sender].poll();
            }
        };
        poll_all(&mut slow);
        assert!(slow.iter().any(|sender| sender.left == LONG - FREE_BYTES), "those that left hold the turns");
        drop(gone);
        poll_all(&mut slow);
        assert!(slow.iter().all(|sender| sender.left == LONG - FREE_BYTES - TURN_BYTES));
        let mut quick = Sender::new(&turns, LONG, usize::MAX);
        assert!((0..100).any(|_| quick.poll() > 0 && quick.left == 0), "slow clients do not delay it");
    }
}
