//! How much is taken, and how long is waited.

use std::time::Duration;

/// Bounds of a download.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest snapshot, and largest packed one, in bytes.
    pub bytes_max: u64,
    /// The same, unless someone asks for what is there, beside one that is served and has few bytes. See
    /// [`Limits::beside`].
    pub bytes_usual: u64,
    /// Until a connection stands.
    pub connect: Duration,
    /// Until the head of an answer has come, and between two pieces of its body.
    pub idle: Duration,
    /// Bytes a second of a body, on average over `idle`. A slower server makes no progress.
    pub rate_min: u64,
    /// For a whole look: head, body and signature, redirects included.
    pub whole: Duration,
}

/// How many times larger than the one that is served a fresh snapshot may be. One of full lines has some ten times as many
/// bytes as the built-in one, which may be the one that is served.
const GROWTH_MAX: u64 = 12;

impl Limits {
    /// The limits beside a served snapshot of so many bytes. A body without end, or a packed one that unpacks without end,
    /// fills less of the disk before it is refused.
    pub(super) fn beside(self, served_bytes: u64) -> Limits {
        let usual = served_bytes.saturating_mul(GROWTH_MAX).max(self.bytes_usual);
        Limits { bytes_max: self.bytes_max.min(usual), ..self }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // The built-in snapshot has 59 MB; one of full lines some ten times as many.
            bytes_max: 2 << 30,
            // Four times the built-in snapshot, for who serves that of one state.
            bytes_usual: 256 << 20,
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            // Half of what a telephone line carries: 7 MB in the half hour, less than a snapshot of most states.
            rate_min: 4 << 10,
            whole: Duration::from_secs(30 * 60),
        }
    }
}
