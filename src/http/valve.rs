//! Turns requests away before they queue.
//!
//! A service that is asked more than it can answer makes everybody wait, and in the end answers nobody in time. So the time
//! that work waits for a thread is measured all along ([`Valve::beat`]): a task sleeps for a moment again and again, and how late
//! it runs is how long everything else waits, too. A burst is borne for a moment; where work goes on to wait, new requests are told
//! `busy` at once until it waits no longer, as CoDel (RFC 8289) does for packets.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep, sleep_until};

use crate::counts::Count;

/// How long work may wait for a thread, unless it is set otherwise.
pub const MAX_WAIT: Duration = Duration::from_millis(20);

/// How long a burst may make work wait longer than that.
const BURST: Duration = Duration::from_millis(100);

/// How long after that no further burst is borne.
const WARY: Duration = Duration::from_secs(2);

/// Overload comes and goes many times a second: how long it is not told again.
const TELL_AGAIN: Duration = Duration::from_secs(60);

/// How often the wait is measured while requests come, and while none do.
///
/// A beat without a request ends what was heard of waiting: some hundred requests a second are load, whatever else keeps the
/// machine busy, and fewer are none.
const BEAT: Duration = Duration::from_millis(4);
const IDLE_BEAT: Duration = Duration::from_millis(50);

/// Lets requests in, or not.
#[derive(Debug)]
pub(super) struct Valve {
    in_flight_max: u32,
    max_wait: Duration,
    in_flight: AtomicU32,
    begun: AtomicU64,
    is_closed: AtomicBool,
    /// How long work waited at the last beat, in microseconds.
    pub(super) waited_us: Count,
}

/// A request that is being answered, as long as this lives.
#[derive(Debug)]
pub(super) struct Inside<'v>(&'v Valve);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Valve {
    /// An open one. At most so many requests are answered side by side; most of them wait for others. Work may wait so long.
    pub(super) fn new(in_flight_max: u32, max_wait: Duration) -> Valve {
        Valve {
            in_flight_max,
            max_wait,
            in_flight: AtomicU32::new(0),
            begun: AtomicU64::new(0),
            is_closed: AtomicBool::new(false),
            waited_us: Count::default(),
        }
    }

    /// Lets a request in; `None` where it is to be told `busy`.
    pub(super) fn enter(&self) -> Option<Inside<'_>> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        let inside = self.in_flight.fetch_add(1, Ordering::Relaxed);
        let entered = Inside(self);
        (inside < self.in_flight_max && !self.is_closed()).then_some(entered)
    }

    /// Whether new work is turned away.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Requests that are being answered.
    pub(super) fn in_flight(&self) -> u32 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Measures for ever how long work waits, and opens and closes the valve. To be run beside the threads that answer, such
    /// as by the thread that accepts connections: what it starts then waits behind all that they have to do.
    pub(super) async fn beat(self: &Arc<Valve>) {
        let (mut judge, mut seen) = (Judge::new(self.max_wait), 0);
        let (mut sounding, mut told) = (Sounding::start(), None);
        loop {
            let load = self.begun.load(Ordering::Relaxed);
            let begun = load - std::mem::replace(&mut seen, load);
            let is_open = !self.is_closed();
            sleep(if begun == 0 && is_open { IDLE_BEAT } else { BEAT }).await;
            let waited = sounding.waited();
            if sounding.has_ended() {
                sounding = Sounding::start();
            }
            self.waited_us.set(u64::try_from(waited.as_micros()).unwrap_or(u64::MAX));
            let is_loaded = begun > 0 || !is_open;
            let must_close = judge.hears(Instant::now(), if is_loaded { waited } else { Duration::ZERO });
            self.is_closed.store(must_close, Ordering::Relaxed);
            if must_close && told.is_none_or(|told: Instant| told.elapsed() >= TELL_AGAIN) {
                told = Some(Instant::now());
                tracing::warn!(waited_ms = waited.as_millis() as u64, "overloaded: turning requests away");
            }
        }
    }
}

/// A task that does nothing but tell how late it ran. It sleeps first: who is woken comes behind all requests that were read
/// with it, while a task that is started from elsewhere would pass them by.
struct Sounding {
    due: Instant,
    ran_after_us: Arc<AtomicU64>,
}

impl Sounding {
    fn start() -> Sounding {
        let due = Instant::now() + BEAT;
        let sounding = Sounding { due, ran_after_us: Arc::new(AtomicU64::new(u64::MAX)) };
        let ran_after_us = Arc::clone(&sounding.ran_after_us);
        tokio::spawn(async move {
            sleep_until(due).await;
            let waited_us = u64::try_from(due.elapsed().as_micros()).unwrap_or(u64::MAX - 1);
            ran_after_us.store(waited_us, Ordering::Relaxed);
        });
        sounding
    }

    fn has_ended(&self) -> bool {
        self.ran_after_us.load(Ordering::Relaxed) != u64::MAX
    }

    /// How long it waited, or waits already.
    fn waited(&self) -> Duration {
        match self.ran_after_us.load(Ordering::Relaxed) {
            u64::MAX => self.due.elapsed(),
            waited_us => Duration::from_micros(waited_us),
        }
    }
}

/// Decides from one wait after the other whether requests are to be turned away.
#[derive(Debug)]
struct Judge {
    max_wait: Duration,
    late_since: Option<Instant>,
    wary_until: Option<Instant>,
}

impl Judge {
    fn new(max_wait: Duration) -> Judge {
        Judge { max_wait, late_since: None, wary_until: None }
    }

    fn hears(&mut self, now: Instant, waited: Duration) -> bool {
        if waited <= self.max_wait {
            self.late_since = None;
            return false;
        }
        let late_since = *self.late_since.get_or_insert(now);
        let is_wary = self.wary_until.is_some_and(|until| now < until);
        let must_close = is_wary || now - late_since >= BURST;
        if must_close {
            self.wary_until = Some(now + WARY);
        }
        must_close
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many milliseconds work had waited how many, and whether requests are then turned away.
    type Waits = [(&'static str, &'static [(u64, u64, bool)])];
    const WAITS: &Waits = &[
        ("no load", &[(0, 1, false), (10, 20, false), (500, 20, false)]),
        ("a burst", &[(0, 300, false), (50, 250, false), (90, 80, false), (100, 5, false)]),
        (
            "load that stays",
            &[(0, 30, false), (50, 60, false), (100, 90, true), (110, 30, true), (120, 5, false)],
        ),
        (
            "a burst after a burst",
            &[(0, 90, false), (60, 5, false), (70, 90, false), (160, 90, false), (171, 90, true)],
        ),
        (
            "load that comes back at once",
            &[(0, 30, false), (100, 30, true), (110, 5, false), (120, 30, true)],
        ),
        (
            "load that comes back later",
            &[(0, 30, false), (100, 30, true), (110, 5, false), (2_101, 30, false)],
        ),
    ];

    #[test]
    fn waiting_that_stays_closes_the_valve() {
        let start = Instant::now();
        for (what, waits) in WAITS {
            let mut judge = Judge::new(MAX_WAIT);
            for (after_ms, waited_ms, closes) in *waits {
                let now = start + Duration::from_millis(*after_ms);
                let closed = judge.hears(now, Duration::from_millis(*waited_ms));
                assert_eq!(closed, *closes, "{what}, after {after_ms} ms");
            }
        }
    }

    #[test]
    fn so_many_are_inside_and_no_more() {
        let valve = Valve::new(2, MAX_WAIT);
        let inside = [valve.enter(), valve.enter()];
        assert!(inside.iter().all(Option::is_some) && valve.enter().is_none());
        assert_eq!(valve.in_flight(), 2);
        drop(inside);
        assert!(valve.in_flight() == 0 && valve.enter().is_some());
        valve.is_closed.store(true, Ordering::Relaxed);
        assert!(valve.enter().is_none());
    }
}
