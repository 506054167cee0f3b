//! The activity of a connection. The connection's task shares it with its stream, the handler of its requests, and
//! the slots.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
    task::Poll,
    time::{Duration, Instant},
};

use futures_util::task::AtomicWaker;

use super::admission::Admitted;

/// The activity of a connection: its requests, its last write, and whether it must end.
#[derive(Debug)]
pub(in crate::http) struct Activity {
    opened: Instant,
    /// Time when the kernel last accepted bytes of a response, in microseconds since `opened`.
    wrote_us: AtomicU64,
    /// Number of requests that began.
    begun: AtomicU64,
    /// Number of requests that have no response yet, plus bodies that are still being made.
    in_flight: AtomicU32,
    /// Set if the first request was admitted with the connection.
    is_admitted: AtomicBool,
    marks: Marks,
    /// Set when a newer connection takes the slot of this one.
    is_evicted: AtomicBool,
    /// Wakes the connection's task when the connection is evicted.
    waker: AtomicWaker,
    /// Position of the connection among the open ones, which `connection_slots` maintains.
    pub(super) position: AtomicUsize,
}

impl Default for Activity {
    fn default() -> Activity {
        Activity {
            opened: Instant::now(),
            wrote_us: AtomicU64::default(),
            begun: AtomicU64::default(),
            in_flight: AtomicU32::default(),
            is_admitted: AtomicBool::default(),
            marks: Marks::default(),
            is_evicted: AtomicBool::default(),
            waker: AtomicWaker::new(),
            position: AtomicUsize::default(),
        }
    }
}

impl Activity {
    /// Begins a request; the returned guard ends it.
    pub(in crate::http) fn begin(self: &Arc<Activity>) -> InFlight {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(self))
    }

    /// Returns the number of requests that began.
    pub(in crate::http) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Returns whether a request waits for its response.
    pub(in crate::http) fn has_request(&self) -> bool {
        self.in_flight.load(Ordering::Relaxed) > 0
    }

    /// Records that the first request was admitted with the connection.
    pub(in crate::http) fn admit_first(&self, _: Admitted) {
        self.is_admitted.store(true, Ordering::Relaxed);
    }

    /// Returns whether the first request was admitted with the connection; `None` from the second request on.
    pub(in crate::http) fn take_admitted(&self) -> Option<Admitted> {
        take(&self.is_admitted).then_some(Admitted)
    }

    pub(in crate::http) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Records that the kernel accepted bytes of a response.
    pub(in crate::http) fn wrote(&self) {
        let after_us = self.opened.elapsed().as_micros();
        self.wrote_us.store(u64::try_from(after_us).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns how long the connection has neither had a request nor written a response; `None` while it has a
    /// request. Bytes of a head do not count as activity, since a client may send one byte a second.
    pub(super) fn idle_at(&self, now: Instant) -> Option<Duration> {
        let wrote = Duration::from_micros(self.wrote_us.load(Ordering::Relaxed));
        let idle = now.saturating_duration_since(self.opened).saturating_sub(wrote);
        (!self.has_request()).then_some(idle)
    }

    /// Makes the connection end: at once if it is idle, or else after the response to its request.
    pub(super) fn evict(&self) {
        self.is_evicted.store(true, Ordering::Release);
        self.waker.wake();
    }

    pub(in crate::http) fn is_evicted(&self) -> bool {
        self.is_evicted.load(Ordering::Acquire)
    }

    /// Waits until the connection is evicted. Only the connection's own task may wait.
    pub(in crate::http) async fn evicted(&self) {
        poll_fn(|context| {
            self.waker.register(context.waker());
            if self.is_evicted() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

/// Counts a request in flight, or a body being made, until it is dropped.
#[derive(Debug)]
pub(in crate::http) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Flags that a stream sets while it reads the heads of requests.
#[derive(Debug, Default)]
pub(in crate::http) struct Marks {
    pub(super) content_length: AtomicBool,
    pub(super) bare_line_feed: AtomicBool,
    /// Set when the connection must end as soon as no more bytes wait to be read.
    pub(super) is_leaving: AtomicBool,
    /// Set, while the connection is leaving, if the kernel holds bytes that the runtime has not reported yet.
    pub(super) bytes_wait: AtomicBool,
}

impl Marks {
    /// Returns whether a `Content-Length` was read since the last call.
    pub(in crate::http) fn take_content_length(&self) -> bool {
        take(&self.content_length)
    }

    /// Returns whether a bare line feed ended a line since the last call.
    pub(in crate::http) fn take_bare_line_feed(&self) -> bool {
        take(&self.bare_line_feed)
    }

    /// From now on, makes each read that finds no bytes also check the kernel for bytes.
    pub(in crate::http) fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
    }

    /// Returns whether bytes waited at the last read.
    pub(in crate::http) fn bytes_wait(&self) -> bool {
        self.bytes_wait.load(Ordering::Relaxed)
    }
}

fn take(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed) && flag.swap(false, Ordering::Relaxed)
}
