//! Limits of a download in bytes and time.

use std::time::Duration;

/// Bounds of a download.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum size of a snapshot, compressed or not, in bytes.
    pub bytes_max: u64,
    /// Maximum size of a snapshot, in bytes, that a scheduled download may have while a small one is served. See
    /// [`Limits::beside`].
    pub bytes_usual: u64,
    /// Maximum time to connect.
    pub connect: Duration,
    /// Maximum time to wait for the head of a response, and between two pieces of its body.
    pub idle: Duration,
    /// Minimum rate in bytes per second, averaged over `idle`.
    pub rate_min: u64,
    /// Maximum time for a whole download: head, body, signature and redirects.
    pub whole: Duration,
}

/// Maximum size of a new snapshot as a multiple of the served one. A snapshot with full outlines has some ten times
/// as many bytes as the built-in one, which may be the served one.
const GROWTH_MAX: u64 = 12;

impl Limits {
    /// Returns stricter limits while a snapshot of `served_bytes` is served. An endless body, or a decompression
    /// bomb, then fills less of the disk before it is refused.
    pub(super) fn beside(self, served_bytes: u64) -> Limits {
        let usual = served_bytes.saturating_mul(GROWTH_MAX).max(self.bytes_usual);
        Limits { bytes_max: self.bytes_max.min(usual), ..self }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // The built-in snapshot has 59 MB, and one with full outlines some ten times as many.
            bytes_max: 2 << 30,
            // Four times the built-in snapshot, so that a server with the snapshot of one state can change to that
            // one.
            bytes_usual: 256 << 20,
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            // Half the rate of a telephone line: 7 MB in the half hour, less than a snapshot of most states.
            rate_min: 4 << 10,
            whole: Duration::from_secs(30 * 60),
        }
    }
}
