//! Rejects a share of the requests while work waits too long for a thread.
//!
//! [`QueueDelayProbe`] measures how long work waits: a task sleeps for a moment, then waits for a thread as all other
//! work does. [`PieController`] computes from these delays the share of requests to admit. The controller tolerates a
//! burst, then keeps the delay at [`TARGET`] of the maximum, as PIE does (RFC 8033). Switching between all requests
//! and none would oscillate: threads idle, then queues build. At three times capacity, its goodput was 76 to 90 %,
//! against 87 to 95 % with shares.

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

/// Maximum time that work waits for a thread by default: twenty of the most expensive requests of `make torture`, 1
/// ms each.
pub const MAX_WAIT: Duration = Duration::from_millis(20);

/// Time for which a burst may make work wait longer than [`MAX_WAIT`]. CoDel allows 100 ms (RFC 8289). At three times
/// capacity, requests accepted in this time wait up to twice as long, and are more than 1 % of seven seconds. Their
/// 99th percentile was 60 to 83 ms with 100 ms, 46 to 64 with 75, and 47 to 60 with 60 (`make torture`, 2026-11-27).
/// In a simulation, it is 78 ms with 60 and 47 with 40, and as many requests are answered.
const BURST: Duration = Duration::from_millis(40);

/// Time after the last long delay in which no further burst is tolerated. Without it, the controller would restart
/// each time a queue empties by chance. At 1.2 to 1.5 times capacity, the 99th percentile of waits would then be 82
/// ms instead of 26 ms. This was simulated with Poisson arrivals and requests of 1 ms.
const STAYS_ACTIVE: Duration = Duration::from_secs(2);

/// A delay counts only if at least this many requests start during it, as long as all requests are admitted. One long
/// job on a thread delays the probe as well, and rejecting others would not shorten it. In that case, only the job
/// and at most one more request start. In a queue of 1 ms requests, twenty start during [`MAX_WAIT`].
const QUEUE_MIN: u64 = 4;

/// Maximum number of requests in flight, nearly all of which wait for lookups. Each takes up to 2,100 bytes (a test
/// in `connection.rs`) besides its lookup: 16 MiB in all.
const IN_FLIGHT_MAX: u32 = 8_192;

/// The denominator of the admitted share.
const WHOLE: u32 = 1 << 16;

/// Lower bound of the learned share; above zero, so that recovery is noticed.
const SHARE_MIN: f64 = 1.0 / 64.0;

/// The delay to maintain, as a part of the maximum. This was simulated at three times capacity. The 99th percentile
/// of the first seven seconds is 45 ms; with 0.75, it would be 50. Threads are busy 99.1 % of the time; with 0.5,
/// they would be busy 98.5 %.
const TARGET: f64 = 0.6;

/// The reduction of the share, at once and of the learned share, for a delay of twice the target. Found by simulating
/// a queue of 1 ms requests at 1.5 to 6 times capacity.
const PROPORTIONAL_GAIN: f64 = 0.6;
const INTEGRAL_GAIN: f64 = 0.05;

/// Time after which the log repeats a warning of overload: overload comes and goes many times a second.
const WARN_AGAIN: Duration = Duration::from_secs(60);

/// Pauses between measurements of the delay: while requests arrive, and while none do. A longer pause would add to
/// [`BURST`]. A period without a request resets the measured delay. Below 250 requests a second such periods are
/// frequent, and then other programs make the probe late.
const PERIOD: Duration = Duration::from_millis(4);
const IDLE_PERIOD: Duration = Duration::from_millis(10);

/// Decides which requests are admitted.
#[derive(Debug)]
pub struct AdmissionController {
    in_flight_max: u32,
    max_wait: Duration,
    in_flight: AtomicU32,
    /// Number of requests that have arrived since the start.
    arrived: AtomicU64,
    /// The admitted share, as a fraction of [`WHOLE`].
    share: AtomicU32,
    /// The queue delay as last measured, in microseconds.
    delay_us: Count,
}

/// Marks the first request of a connection that was admitted in overload, so that the controller does not decide
/// about it again. Deciding twice would admit the square of the share.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) struct Admitted;

/// An admitted request; dropping it ends the request.
#[derive(Debug)]
pub(in crate::http) struct InFlight<'c>(&'c AdmissionController);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

impl AdmissionController {
    /// Makes a controller that keeps the queue delay below `max_wait`.
    pub(in crate::http) fn new(max_wait: Duration) -> AdmissionController {
        AdmissionController {
            in_flight_max: IN_FLIGHT_MAX,
            max_wait,
            in_flight: AtomicU32::new(0),
            arrived: AtomicU64::new(0),
            share: AtomicU32::new(WHOLE),
            delay_us: Count::default(),
        }
    }

    /// Admits a request, or returns `None` to reject it.
    pub(in crate::http) fn admit(&self, admitted: Option<Admitted>) -> Option<InFlight<'_>> {
        self.arrived.fetch_add(1, Ordering::Relaxed);
        let in_flight = self.in_flight.fetch_add(1, Ordering::Relaxed);
        let request = InFlight(self);
        let is_admitted = admitted.is_some() || self.draws();
        (is_admitted && in_flight < self.in_flight_max).then_some(request)
    }

    /// Decides at random whether the next request or connection is admitted, with the probability of the admitted
    /// share.
    pub(in crate::http) fn draws(&self) -> bool {
        let share = self.share.load(Ordering::Relaxed);
        share == WHOLE || fastrand::u32(..WHOLE) < share
    }

    /// Returns whether the controller currently rejects a share of the requests.
    pub fn is_shedding(&self) -> bool {
        self.share.load(Ordering::Relaxed) < WHOLE
    }

    /// Returns the number of requests that are being answered.
    pub fn in_flight(&self) -> u32 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Returns the seconds that work waited for a thread at the last measurement.
    pub fn queue_delay_s(&self) -> f64 {
        self.delay_us.get() as f64 / 1e6
    }

    /// Measures the queue delay and sets the admitted share, forever. Must not run on a worker thread. The thread
    /// that accepts connections may run it, since its probes then wait behind all work.
    pub(in crate::http) async fn control(&self) {
        let (mut pie, mut seen, mut last) = (PieController::new(self.max_wait), 0, Duration::ZERO);
        let (mut probe, mut warned) = (QueueDelayProbe::start(), None);
        loop {
            let arrived = self.arrived.load(Ordering::Relaxed);
            let is_idle = std::mem::replace(&mut seen, arrived) == arrived && !self.is_shedding();
            sleep(if is_idle { IDLE_PERIOD } else { PERIOD }).await;
            let arrived_meanwhile = probe.arrived_since_due(self.arrived.load(Ordering::Relaxed));
            let delay = if is_idle { Some(Duration::ZERO) } else { probe.delay(last) };
            if probe.has_run() {
                probe = QueueDelayProbe::start();
            }
            let Some(delay) = delay else { continue };
            last = delay;
            self.delay_us.set(u64::try_from(delay.as_micros()).unwrap_or(u64::MAX));
            let share = pie.update(Instant::now(), delay, arrived_meanwhile);
            self.share.store((share * f64::from(WHOLE)) as u32, Ordering::Relaxed);
            if share < 1.0 && warned.is_none_or(|warned: Instant| warned.elapsed() >= WARN_AGAIN) {
                warned = Some(Instant::now());
                tracing::warn!(waited_ms = delay.as_millis() as u64, "overloaded: rejecting requests");
            }
        }
    }
}

/// A task that measures how late it runs. It sleeps first: the runtime would schedule a task from another thread
/// ahead of requests that were read already.
struct QueueDelayProbe {
    due: Instant,
    delay_us: Arc<AtomicU64>,
    /// Number of requests that had arrived when the probe was first found to be due.
    arrived_when_due: Option<u64>,
}

impl QueueDelayProbe {
    fn start() -> QueueDelayProbe {
        let (due, delay_us) = (Instant::now() + PERIOD, Arc::new(AtomicU64::new(u64::MAX)));
        let probe = QueueDelayProbe { due, delay_us: Arc::clone(&delay_us), arrived_when_due: None };
        tokio::spawn(async move {
            sleep_until(due).await;
            run_last().await;
            let us = u64::try_from(due.elapsed().as_micros()).unwrap_or(u64::MAX - 1);
            delay_us.store(us, Ordering::Relaxed);
        });
        probe
    }

    /// Returns how many of the `arrived` requests arrived since the probe was due.
    fn arrived_since_due(&mut self, arrived: u64) -> u64 {
        if Instant::now() < self.due {
            return 0;
        }
        arrived - *self.arrived_when_due.get_or_insert(arrived)
    }

    fn has_run(&self) -> bool {
        self.delay_us.load(Ordering::Relaxed) != u64::MAX
    }

    /// Returns how late the probe ran. `None` if it has not run and is not yet later than the `last` delay.
    fn delay(&self, last: Duration) -> Option<Duration> {
        match self.delay_us.load(Ordering::Relaxed) {
            u64::MAX => Some(self.due.elapsed()).filter(|delay| *delay > last),
            us => Some(Duration::from_micros(us)),
        }
    }
}

/// Yields until all tasks that are ready now have run. A task that wakes itself while it runs goes to the end of its
/// thread's queue. `yield_now` would wake the task like a network event, which measures too short a delay.
pub(in crate::http) async fn run_last() {
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

/// Computes the admitted share from successive delays.
#[derive(Debug)]
struct PieController {
    max_wait: Duration,
    late_since: Option<Instant>,
    active_until: Option<Instant>,
    /// The share that fitted the capacity over the last delays; 1 means all requests.
    learned: f64,
    /// The share that is currently admitted.
    share: f64,
}

impl PieController {
    fn new(max_wait: Duration) -> PieController {
        PieController { max_wait, late_since: None, active_until: None, learned: 1.0, share: 1.0 }
    }

    /// Returns the share to admit after this delay. `arrived` is the number of requests that arrived during the
    /// delay.
    fn update(&mut self, now: Instant, delay: Duration, arrived: u64) -> f64 {
        if self.share == 1.0 && delay > self.max_wait && arrived < QUEUE_MIN {
            return self.share;
        }
        let mut is_active = self.share < 1.0 || self.active_until.is_some_and(|until| now < until);
        if delay <= self.max_wait {
            self.late_since = None;
        } else {
            if !is_active && now - *self.late_since.get_or_insert(now) >= BURST {
                (is_active, self.learned) = (true, 0.5);
            }
            self.active_until = is_active.then(|| now + STAYS_ACTIVE);
        }
        if is_active {
            self.adjust(delay);
        }
        self.share
    }

    /// Adjusts the share. The learned share stays unchanged while no request is admitted: the delay is then that of
    /// earlier requests.
    fn adjust(&mut self, delay: Duration) {
        let spare = 1.0 - delay.as_secs_f64() / (TARGET * self.max_wait.as_secs_f64());
        if self.share > 0.0 {
            self.learned = (self.learned * (1.0 + INTEGRAL_GAIN * spare.max(-2.0))).clamp(SHARE_MIN, 1.0);
        }
        self.share = (self.learned * (1.0 + PROPORTIONAL_GAIN * spare)).clamp(0.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps: milliseconds since the start, the delay in milliseconds, and the expected share in hundredths.
    type Waits = [(&'static str, &'static [(u64, u64, u32)])];
    const WAITS: &Waits = &[
        ("no load", &[(0, 1, 100), (10, 20, 100), (500, 20, 100)]),
        ("a burst", &[(0, 300, 100), (30, 250, 100), (35, 80, 100), (80, 5, 100)]),
        ("load that stays", &[(0, 40, 100), (35, 60, 100), (100, 90, 0), (110, 40, 0), (120, 5, 60)]),
        (
            "load that waits as long as is aimed at",
            &[(0, 40, 100), (100, 40, 0), (110, 12, 45), (114, 12, 45), (118, 15, 37), (122, 12, 44)],
        ),
        (
            "load that has gone",
            &[
                (0, 40, 100),
                (100, 40, 0),
                (104, 0, 72),
                (108, 0, 75),
                (112, 0, 79),
                (116, 0, 83),
                (120, 0, 87),
            ],
        ),
        ("a burst after a burst", &[(0, 90, 100), (39, 5, 100), (70, 90, 100), (109, 90, 100), (111, 90, 0)]),
        (
            "load that comes back at once",
            &[(0, 40, 100), (100, 40, 0), (110, 0, 72), (120, 40, 0), (130, 40, 0), (140, 12, 40)],
        ),
    ];

    #[test]
    fn a_delay_that_stays_reduces_the_share() {
        let start = Instant::now();
        for (what, waits) in WAITS {
            let mut pie = PieController::new(MAX_WAIT);
            for (after_ms, waited_ms, expected) in *waits {
                let now = start + Duration::from_millis(*after_ms);
                let share = pie.update(now, Duration::from_millis(*waited_ms), QUEUE_MIN);
                assert_eq!((share * 100.0) as u32, *expected, "{what}, after {after_ms} ms");
            }
        }
    }

    #[test]
    fn a_burst_is_tolerated_again_when_delays_were_short_for_a_while() {
        let (mut pie, start) = (PieController::new(MAX_WAIT), Instant::now());
        let mut update = |after_ms, delay_ms| {
            pie.update(start + Duration::from_millis(after_ms), Duration::from_millis(delay_ms), QUEUE_MIN)
        };
        assert!(update(0, 40) == 1.0 && update(100, 40) == 0.0);
        assert_eq!((104..2_000).step_by(4).map(|after_ms| update(after_ms, 0)).last(), Some(1.0));
        assert!(update(2_050, 40) < 1.0, "while it stays active");
        assert_eq!((2_054..5_000).step_by(4).map(|after_ms| update(after_ms, 0)).last(), Some(1.0));
        assert_eq!(update(5_000, 40), 1.0);
    }

    /// Lists delays in milliseconds, one per period, with the number of requests that arrived during each, and
    /// whether all are admitted.
    #[test]
    fn one_long_job_is_not_a_queue() {
        let alone = (0..100).map(|period| (period * 4, 1));
        let two_clients = (0..100).map(|period| (30 + period % 2 * 30, 2));
        let behind_a_job = (0..38).map(|period| (period * 4, 0)).chain([(180, 30), (2, 1), (2, 1)]);
        let queue = (0..100).map(|_| (40, 40));
        let check = |what: &str, waits: Vec<(u64, u64)>, is_open: bool| {
            let (mut pie, start) = (PieController::new(MAX_WAIT), Instant::now());
            let shares = waits.into_iter().enumerate().map(|(period, (waited_ms, begun))| {
                pie.update(start + PERIOD * period as u32, Duration::from_millis(waited_ms), begun)
            });
            assert_eq!(shares.fold(1.0, f64::min) == 1.0, is_open, "{what}");
        };
        check("a job of 400 ms and nobody else", alone.collect(), true);
        check("two clients with long jobs", two_clients.collect(), true);
        check("thirty requests that came during one job", behind_a_job.collect(), true);
        check("a queue", queue.collect(), false);
    }

    /// Simulates a queue at a multiple of capacity, in which admitted requests wait for their answers.
    #[test]
    fn the_share_that_fits_capacity_is_found() {
        for times in [1.2, 1.5, 3.0, 6.0, 20.0] {
            let (mut pie, start) = (PieController::new(MAX_WAIT), Instant::now());
            let (mut queue_s, mut done_s, mut longest_s) = (0.0, 0.0, 0.0_f64);
            for period in 0..10_000_u32 {
                let share = pie.update(start + PERIOD * period, Duration::from_secs_f64(queue_s), QUEUE_MIN);
                let waiting_s = queue_s + times * share * PERIOD.as_secs_f64();
                queue_s = (waiting_s - PERIOD.as_secs_f64()).max(0.0);
                if period >= 1_000 {
                    done_s += waiting_s - queue_s;
                    longest_s = longest_s.max(queue_s);
                }
            }
            let used = done_s / (9_000.0 * PERIOD.as_secs_f64());
            assert!(used > 0.99 && longest_s < 0.02, "{times} times: {used} is used, {longest_s} s waited");
        }
    }

    #[test]
    fn requests_in_flight_and_the_share_are_bounded() {
        let controller = AdmissionController { in_flight_max: 2, ..AdmissionController::new(MAX_WAIT) };
        let in_flight = [controller.admit(None), controller.admit(Some(Admitted))];
        assert!(in_flight.iter().all(Option::is_some) && controller.admit(Some(Admitted)).is_none());
        assert_eq!(controller.in_flight(), 2);
        drop(in_flight);
        assert!(controller.in_flight() == 0 && controller.admit(None).is_some() && !controller.is_shedding());
        controller.share.store(WHOLE / 4, Ordering::Relaxed);
        let admitted = (0..40_000).filter(|_| controller.admit(None).is_some()).count();
        assert!((9_000..11_000).contains(&admitted) && controller.is_shedding(), "{admitted} of 40,000");
        controller.share.store(0, Ordering::Relaxed);
        assert!(controller.admit(None).is_none() && controller.admit(Some(Admitted)).is_some());
    }
}
