//! Monotonic clocks. They are passed as arguments, so that tests need not wait.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

/// A clock that counts milliseconds from some start and never goes back.
pub trait Clock: Debug + Send + Sync {
    /// Returns the milliseconds since the start of the clock.
    fn now_ms(&self) -> u64;
}

/// The system's monotonic clock. Counts from the creation of this value.
#[derive(Debug)]
pub struct Monotonic(Instant);

impl Monotonic {
    /// Makes a clock that starts now.
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

/// A clock that stands still until it is set, for tests.
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    /// Sets the clock and all its copies.
    pub fn set(&self, now_ms: u64) {
        self.0.store(now_ms, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
