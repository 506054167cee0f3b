//! Turns requests away before they queue.
//!
//! A service that is asked more than it can answer makes everybody wait, and in the end answers nobody in time. So the time
//! that work waits for a thread is measured all along ([`Valve::beat`]): a task sleeps for a moment again and again, and how late
//! it runs is how long everything else waits, too. A burst is borne for a moment; where work goes on to wait, new requests are told
//! `busy` at once, as CoDel (RFC 8289) drops packets, and then a share of them is let in that keeps work waiting for most of
//! the time that it may ([`AIM`]), found as PIE (RFC 8033) finds it. To let in all and none by turns would leave the threads
//! idle for a while and then make all wait for each other.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    task::Poll,
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

/// While all are let in, a wait counts only if so many requests began during it. One long job on a thread makes a task late,
/// too, and turning others away would not shorten it: then at most the job itself and the next one begin. Where work of 1 ms queues
/// for [`MAX_WAIT`], twenty begin.
const QUEUE_MIN: u64 = 4;

/// Requests are let in by so many parts of a whole.
const WHOLE: u32 = 1 << 16;

/// The smallest share that is looked for, so that it is seen when load goes.
const SMALLEST: f64 = 1.0 / 64.0;

/// The wait that is aimed at, as a part of the longest: with less, threads are idle one time in twenty, by chance.
const AIM: f64 = 0.75;

/// How much a wait beyond what is aimed at, as a part of that, takes from the share at once, and for good. Found with a queue of
/// 1 ms of work each and 1.5 to 6 times as much as can be done: 99.5 % of the time is used, and 99 of 100 wait less than 25 ms.
const AT_ONCE: f64 = 0.6;
const FOR_GOOD: f64 = 0.05;

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
    /// How many of [`WHOLE`] requests are let in.
    share: AtomicU32,
    /// How long work waited at the last beat, in microseconds.
    pub(super) waited_us: Count,
}

/// What came of weighing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// All are let in.
    ForAll,
    /// Some are turned away, not this one.
    ForThisOne(LetIn),
    /// This one is turned away.
    None,
}

/// On a request that was weighed when its connection came, and let in as one of this share: where less is let in by now, it is
/// weighed again, for the difference. To weigh it twice in full would let in the square of the share, and spend on refusals what
/// it takes to read requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LetIn {
    share: u32,
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
            share: AtomicU32::new(WHOLE),
            waited_us: Count::default(),
        }
    }

    /// Lets a request in that was or was not let in with its connection; `None` where it is to be told `busy`.
    pub(super) fn enter(&self, let_in: Option<LetIn>) -> Option<Inside<'_>> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        let inside = self.in_flight.fetch_add(1, Ordering::Relaxed);
        let entered = Inside(self);
        let weighed_as_one_of = let_in.map_or(WHOLE, |let_in| let_in.share);
        let has_room = self.weigh(weighed_as_one_of) != Room::None;
        (has_room && inside < self.in_flight_max).then_some(entered)
    }

    /// Whether there is room for the next connection that comes.
    pub(super) fn room(&self) -> Room {
        self.weigh(WHOLE)
    }

    /// Lets in so many of all that come that the share is what is left of so many.
    fn weigh(&self, left: u32) -> Room {
        match self.share.load(Ordering::Relaxed) {
            WHOLE => Room::ForAll,
            share if share >= left || fastrand::u32(..left) < share => Room::ForThisOne(LetIn { share }),
            _ => Room::None,
        }
    }

    /// Whether some of what comes is turned away.
    pub(super) fn is_shedding(&self) -> bool {
        self.share.load(Ordering::Relaxed) < WHOLE
    }

    /// Requests that are being answered.
    pub(super) fn in_flight(&self) -> u32 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Measures for ever how long work waits, and opens and closes the valve. To be run beside the threads that answer, such
    /// as by the thread that accepts connections: what it starts then waits behind all that they have to do.
    pub(super) async fn beat(self: &Arc<Valve>) {
        let (mut judge, mut seen, mut last) = (Judge::new(self.max_wait), 0, Duration::ZERO);
        let (mut sounding, mut told) = (Sounding::start(), None);
        loop {
            let load = self.begun.load(Ordering::Relaxed);
            let begun = load - std::mem::replace(&mut seen, load);
            let is_open = !self.is_shedding();
            sleep(if begun == 0 && is_open { IDLE_BEAT } else { BEAT }).await;
            let is_loaded = begun > 0 || !is_open;
            let begun_meanwhile = sounding.begun_since_due(self.begun.load(Ordering::Relaxed));
            let waited = if is_loaded { sounding.heard(last) } else { Some(Duration::ZERO) };
            if sounding.has_ended() {
                sounding = Sounding::start();
            }
            let Some(waited) = waited else { continue };
            last = waited;
            self.waited_us.set(u64::try_from(waited.as_micros()).unwrap_or(u64::MAX));
            let share = judge.hears(Instant::now(), waited, begun_meanwhile);
            self.share.store((share * f64::from(WHOLE)) as u32, Ordering::Relaxed);
            if share < 1.0 && told.is_none_or(|told: Instant| told.elapsed() >= TELL_AGAIN) {
                told = Some(Instant::now());
                tracing::warn!(waited_ms = waited.as_millis() as u64, "overloaded: turning requests away");
            }
        }
    }
}

/// A task that does nothing but tell how late it ran. It sleeps first, as who is started from elsewhere would pass by the
/// requests that were read; and then it takes its place behind them, as the runtime lets the last who was woken run first.
struct Sounding {
    due: Instant,
    ran_after_us: Arc<AtomicU64>,
    /// How many requests had begun when it was first seen to be due.
    begun_when_due: Option<u64>,
}

impl Sounding {
    fn start() -> Sounding {
        let due = Instant::now() + BEAT;
        let ran_after_us = Arc::new(AtomicU64::new(u64::MAX));
        let sounding = Sounding { due, ran_after_us, begun_when_due: None };
        let ran_after_us = Arc::clone(&sounding.ran_after_us);
        tokio::spawn(async move {
            sleep_until(due).await;
            behind_all().await;
            let waited_us = u64::try_from(due.elapsed().as_micros()).unwrap_or(u64::MAX - 1);
            ran_after_us.store(waited_us, Ordering::Relaxed);
        });
        sounding
    }

    /// Of the requests that began until now, those that began since it was due.
    fn begun_since_due(&mut self, begun: u64) -> u64 {
        if Instant::now() < self.due {
            return 0;
        }
        begun - *self.begun_when_due.get_or_insert(begun)
    }

    fn has_ended(&self) -> bool {
        self.ran_after_us.load(Ordering::Relaxed) != u64::MAX
    }

    /// How long it waited. While it waits that is not known, but where it waits longer than the last one did.
    fn heard(&self, last: Duration) -> Option<Duration> {
        match self.ran_after_us.load(Ordering::Relaxed) {
            u64::MAX => Some(self.due.elapsed()).filter(|waited| *waited > last),
            waited_us => Some(Duration::from_micros(waited_us)),
        }
    }
}

/// Lets all run that are ready now. A task that wakes itself while it runs goes to the end of the queue of its thread, where
/// `yield_now` would have it woken like one that waited for the network.
async fn behind_all() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Decides from one wait after the other how many of the requests are let in.
#[derive(Debug)]
struct Judge {
    max_wait: Duration,
    late_since: Option<Instant>,
    wary_until: Option<Instant>,
    /// The share that may be right in the long run: 1 is all.
    usual: f64,
    /// What is let in now.
    share: f64,
}

impl Judge {
    fn new(max_wait: Duration) -> Judge {
        Judge { max_wait, late_since: None, wary_until: None, usual: 1.0, share: 1.0 }
    }

    /// The share that is let in now that work waited so long, while so many requests began.
    fn hears(&mut self, now: Instant, waited: Duration, begun: u64) -> f64 {
        if waited > self.max_wait && begun < QUEUE_MIN && self.share == 1.0 {
            return self.share;
        }
        let mut is_wary = self.share < 1.0 || self.wary_until.is_some_and(|until| now < until);
        if waited > self.max_wait {
            let late_since = *self.late_since.get_or_insert(now);
            if !is_wary && now - late_since >= BURST {
                (is_wary, self.usual) = (true, 0.5);
            }
            if is_wary {
                self.wary_until = Some(now + WARY);
            }
        } else {
            self.late_since = None;
        }
        if is_wary {
            self.weigh(waited);
        }
        self.share
    }

    /// The next share. What is usual is not learned while nothing is let in: the wait then tells of what came before.
    fn weigh(&mut self, waited: Duration) {
        let aim = AIM * self.max_wait.as_secs_f64();
        let spare = 1.0 - waited.as_secs_f64() / aim;
        if self.share > 0.0 {
            self.usual = (self.usual * (1.0 + FOR_GOOD * spare.max(-2.0))).clamp(SMALLEST, 1.0);
        }
        self.share = (self.usual * (1.0 + AT_ONCE * spare)).clamp(0.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many milliseconds work had waited how many, and what share in hundredths is then let in.
    type Waits = [(&'static str, &'static [(u64, u64, u32)])];
    const WAITS: &Waits = &[
        ("no load", &[(0, 1, 100), (10, 20, 100), (500, 20, 100)]),
        ("a burst", &[(0, 300, 100), (50, 250, 100), (90, 80, 100), (100, 5, 100)]),
        ("load that stays", &[(0, 40, 100), (50, 60, 100), (100, 90, 0), (110, 40, 0), (120, 5, 63)]),
        (
            "load that waits as long as is aimed at",
            &[(0, 40, 100), (100, 40, 0), (110, 15, 45), (114, 15, 45), (118, 18, 39), (122, 15, 45)],
        ),
        (
            "load that has gone",
            &[
                (0, 40, 100),
                (100, 40, 0),
                (104, 0, 73),
                (108, 0, 77),
                (112, 0, 80),
                (116, 0, 84),
                (120, 0, 89),
            ],
        ),
        ("a burst after a burst", &[(0, 90, 100), (60, 5, 100), (70, 90, 100), (160, 90, 100), (171, 90, 0)]),
        (
            "load that comes back at once",
            &[(0, 40, 100), (100, 40, 0), (110, 0, 73), (120, 40, 0), (130, 40, 0), (140, 15, 42)],
        ),
    ];

    #[test]
    fn waiting_that_stays_lets_less_in() {
        let start = Instant::now();
        for (what, waits) in WAITS {
            let mut judge = Judge::new(MAX_WAIT);
            for (after_ms, waited_ms, expected) in *waits {
                let now = start + Duration::from_millis(*after_ms);
                let share = judge.hears(now, Duration::from_millis(*waited_ms), QUEUE_MIN);
                assert_eq!((share * 100.0) as u32, *expected, "{what}, after {after_ms} ms");
            }
        }
    }

    /// Waits in milliseconds, one for each beat, and how many requests began during each; what share is then let in.
    #[test]
    fn one_long_job_is_no_queue() {
        let alone = (0..100).map(|beat| (beat * 4, 1));
        let two_clients = (0..100).map(|beat| (30 + beat % 2 * 30, 2));
        let behind_a_job = (0..38).map(|beat| (beat * 4, 0)).chain([(180, 30), (2, 1), (2, 1)]);
        let queue = (0..100).map(|_| (40, 40));
        let check = |what: &str, waits: Vec<(u64, u64)>, is_open: bool| {
            let (mut judge, start) = (Judge::new(MAX_WAIT), Instant::now());
            let shares = waits.into_iter().enumerate().map(|(beat, (waited_ms, begun))| {
                judge.hears(start + BEAT * beat as u32, Duration::from_millis(waited_ms), begun)
            });
            assert_eq!(shares.fold(1.0, f64::min) == 1.0, is_open, "{what}");
        };
        check("a job of 400 ms and nobody else", alone.collect(), true);
        check("two clients with long jobs", two_clients.collect(), true);
        check("thirty requests that came during one job", behind_a_job.collect(), true);
        check("a queue", queue.collect(), false);
    }

    #[test]
    fn a_burst_is_borne_again_when_all_was_well_for_a_while() {
        let (mut judge, start) = (Judge::new(MAX_WAIT), Instant::now());
        let mut hears = |after_ms, waited_ms| {
            judge.hears(start + Duration::from_millis(after_ms), Duration::from_millis(waited_ms), QUEUE_MIN)
        };
        assert!(hears(0, 40) == 1.0 && hears(100, 40) == 0.0);
        let calm = (104..2_000).step_by(4).map(|after_ms| hears(after_ms, 0));
        assert_eq!(calm.last(), Some(1.0));
        assert!(hears(2_050, 40) < 1.0, "within the time it is wary");
        assert_eq!((2_054..5_000).step_by(4).map(|after_ms| hears(after_ms, 0)).last(), Some(1.0));
        assert_eq!(hears(5_000, 40), 1.0);
    }

    /// What comes is so many times what can be done; what is let in and not yet done waits.
    #[test]
    fn the_share_of_what_can_be_done_is_found() {
        for times in [1.2, 1.5, 3.0, 6.0, 20.0] {
            let (mut judge, start) = (Judge::new(MAX_WAIT), Instant::now());
            let (mut queue_s, mut done_s, mut longest_s) = (0.0, 0.0, 0.0_f64);
            for beat in 0..10_000_u32 {
                let share = judge.hears(start + BEAT * beat, Duration::from_secs_f64(queue_s), QUEUE_MIN);
                let waiting_s = queue_s + times * share * BEAT.as_secs_f64();
                queue_s = (waiting_s - BEAT.as_secs_f64()).max(0.0);
                if beat >= 1_000 {
                    done_s += waiting_s - queue_s;
                    longest_s = longest_s.max(queue_s);
                }
            }
            let used = done_s / (9_000.0 * BEAT.as_secs_f64());
            assert!(used > 0.99 && longest_s < 0.02, "{times} times: {used} is used, {longest_s} s waited");
        }
    }

    #[test]
    fn so_many_are_inside_and_no_more() {
        let valve = Valve::new(2, MAX_WAIT);
        let inside = [valve.enter(None), valve.enter(None)];
        assert!(inside.iter().all(Option::is_some) && valve.enter(None).is_none());
        assert_eq!(valve.in_flight(), 2);
        drop(inside);
        assert!(valve.in_flight() == 0 && valve.enter(None).is_some() && !valve.is_shedding());
        valve.share.store(WHOLE / 4, Ordering::Relaxed);
        let entered = (0..40_000).filter(|_| valve.enter(None).is_some()).count();
        assert!((9_000..11_000).contains(&entered) && valve.is_shedding(), "{entered} of 40,000");
        valve.share.store(0, Ordering::Relaxed);
        assert!(valve.enter(None).is_none());
    }

    #[test]
    fn who_was_let_in_with_a_connection_is_weighed_for_what_has_changed_since() {
        let valve = Valve::new(u32::MAX, MAX_WAIT);
        for (then, now, expected) in
            [(4, 4, 0.25), (4, 8, 0.125), (4, 2, 0.25), (2, 4, 0.25), (1, 2, 0.5), (2, 1, 0.5)]
        {
            let entered = (0..40_000).filter(|_| {
                valve.share.store(WHOLE / then, Ordering::Relaxed);
                let let_in = match valve.room() {
                    Room::ForAll => None,
                    Room::ForThisOne(let_in) => Some(let_in),
                    Room::None => return false,
                };
                valve.share.store(WHOLE / now, Ordering::Relaxed);
                valve.enter(let_in).is_some()
            });
            let share = entered.count() as f64 / 40_000.0;
            assert!((share - expected).abs() < 0.02, "one of {then}, then one of {now}: {share}");
        }
    }
}
