//! Time that never goes back.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

/// Milliseconds since some moment of its own. Injected, so that tests do not wait.
pub trait Clock: Debug + Send + Sync {
    /// Now.
    fn now_ms(&self) -> u64;
}

/// The system's, from the moment of its making on.
#[derive(Debug)]
pub struct Monotonic(Instant);

impl Monotonic {
    /// One that begins now.
    #[expect(clippy::new_without_default, reason = "two of them are not alike")]
    pub fn new() -> Monotonic {
        Monotonic(Instant::now())
    }
}

impl Clock for Monotonic {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// One that stands still until it is set, for tests.
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    /// Sets it, and all its copies.
    pub fn set(&self, now_ms: u64) {
        self.0.store(now_ms, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
