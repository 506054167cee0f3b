//! Time that never goes back.

use std::{fmt::Debug, time::Instant};

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
