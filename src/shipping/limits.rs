//! How much is taken, and how long is waited.

use std::time::Duration;

/// Bounds of a download.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest snapshot, and largest packed one, in bytes.
    pub bytes_max: u64,
    /// Until a connection stands.
    pub connect: Duration,
    /// Until the head of an answer has come, and between two pieces of its body.
    pub idle: Duration,
    /// For a whole look: head, body and signature, redirects included.
    pub whole: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // The built-in snapshot has 46 MB; one of full lines some ten times as many.
            bytes_max: 2 << 30,
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            whole: Duration::from_secs(30 * 60),
        }
    }
}
