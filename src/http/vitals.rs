//! How the service is: what probes ask for, and what is counted of connections and requests.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    tally::Tally,
    valve::{MAX_WAIT, Valve},
};
use crate::counts::Count;

/// Requests that are answered side by side at most, nearly all of them waiting for lookups.
const IN_FLIGHT_MAX: u32 = 8_192;

/// How the service is.
#[derive(Debug)]
pub struct Vitals {
    pub(super) started: Instant,
    pub(super) connections: ConnectionCounts,
    pub(super) tally: Tally,
    pub(super) valve: Arc<Valve>,
    /// Requests that ended in a panic.
    pub(super) panics: Count,
    freshness: Freshness,
    is_warm: AtomicBool,
    is_draining: AtomicBool,
}

/// What became of connections.
#[derive(Debug, Default)]
pub(super) struct ConnectionCounts {
    pub(super) open: Count,
    pub(super) taken: Count,
    pub(super) full: Count,
    pub(super) crowded: Count,
    pub(super) overloaded: Count,
    pub(super) idle: Count,
    pub(super) stopped: Count,
    pub(super) accept_errors: Count,
}

/// Where the snapshot that is served comes from, and what came of looking for a newer one: for `/readyz`. The words name no
/// address and no folder, since anyone may read them.
#[derive(Debug, Default)]
pub struct Freshness(Mutex<Looked>);

/// The source of the served snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Where it comes from; `None` where nobody has said so.
    pub source: Option<&'static str>,
    /// Why it is not what the source has now; `None` where it is, as far as is known.
    pub behind: Option<&'static str>,
}

impl Freshness {
    /// Says where the snapshot comes from.
    pub fn serves(&self, source: &'static str) {
        self.change(|looked| looked.source = Some(source));
    }

    /// Says why what is served is not what the source has; `None` where it is.
    pub fn is_behind(&self, why: Option<&'static str>) {
        self.change(|looked| looked.behind = why);
    }

    /// The last reason.
    pub fn get(&self) -> Looked {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Looked)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Whether requests should be sent here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Not yet: there is no snapshot to answer from.
    Waiting,
    /// Yes.
    Ready,
    /// Not yet: what makes the first answers slow is being made ready.
    Warming,
    /// No longer: the service is being stopped.
    Draining,
}

impl Readiness {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Readiness::Waiting => "waiting",
            Readiness::Ready => "ready",
            Readiness::Warming => "warming",
            Readiness::Draining => "draining",
        }
    }
}

impl Vitals {
    pub(super) fn new() -> Vitals {
        Vitals {
            started: Instant::now(),
            connections: ConnectionCounts::default(),
            tally: Tally::default(),
            valve: Arc::new(Valve::new(IN_FLIGHT_MAX, MAX_WAIT)),
            panics: Count::default(),
            freshness: Freshness::default(),
            is_warm: AtomicBool::new(false),
            is_draining: AtomicBool::new(false),
        }
    }

    pub(super) fn with_max_wait(self, max_wait: Duration) -> Vitals {
        Vitals { valve: Arc::new(Valve::new(IN_FLIGHT_MAX, max_wait)), ..self }
    }

    /// Where the snapshot comes from, and whether it is behind.
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// To be told when the first answers will not be slow.
    pub fn is_warm(&self) {
        self.is_warm.store(true, Ordering::Release);
    }

    pub(super) fn is_draining(&self) {
        self.is_draining.store(true, Ordering::Release);
    }

    /// Whether requests should be sent here.
    pub fn readiness(&self) -> Readiness {
        match (self.is_draining.load(Ordering::Acquire), self.is_warm.load(Ordering::Acquire)) {
            (true, _) => Readiness::Draining,
            (false, true) => Readiness::Ready,
            (false, false) => Readiness::Warming,
        }
    }

    /// What was counted until now.
    pub fn figures(&self) -> VitalFigures {
        let counts = &self.connections;
        VitalFigures {
            running_s: self.started.elapsed().as_secs(),
            connections_open: counts.open.get(),
            connections_taken: counts.taken.get(),
            turned_away: [
                ("full", counts.full.get()),
                ("address", counts.crowded.get()),
                ("overload", counts.overloaded.get()),
            ],
            cut: [("idle", counts.idle.get()), ("stop", counts.stopped.get())],
            accept_errors: counts.accept_errors.get(),
            in_flight: self.valve.in_flight().into(),
            waited_s: self.valve.waited_us.get() as f64 / 1e6,
            is_shedding: self.valve.is_shedding(),
            panics: self.panics.get(),
        }
    }
}

/// Figures of connections and requests, of one moment.
#[derive(Clone, Debug)]
pub struct VitalFigures {
    /// Seconds since the service was made.
    pub running_s: u64,
    /// Connections that are open.
    pub connections_open: u64,
    /// Connections that were ever served.
    pub connections_taken: u64,
    /// Connections that were not, by reason: all slots taken, all those of the address taken, too much to do.
    pub turned_away: [(&'static str, u64); 3],
    /// Connections that were cut: idle for too long, or still open at the deadline of a stop.
    pub cut: [(&'static str, u64); 2],
    /// Times that the system refused to accept a connection.
    pub accept_errors: u64,
    /// Requests that are being answered.
    pub in_flight: u64,
    /// Seconds that work waited for a thread, when it was last measured.
    pub waited_s: f64,
    /// Whether requests are turned away because work waits too long.
    pub is_shedding: bool,
    /// Requests that ended in a panic.
    pub panics: u64,
}
