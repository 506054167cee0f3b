//! The interface of stores that count uses of limits.

use std::fmt::Debug;

use super::{
    caller::Caller,
    quota::{Bucket, Quota},
};

/// The remaining uses of one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Uses that are left in the window.
    pub left: u32,
    /// Seconds until the window ends, rounded up; its whole length if it has not begun.
    pub reset_s: u32,
}

/// The standing of a caller in a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether the requested use is granted.
    pub granted: bool,
    /// The window of a minute.
    pub minute: Window,
    /// The window of a day.
    pub day: Window,
}

impl Standing {
    /// Returns the seconds until a use may be granted again: the longest `reset_s` of the used-up windows, else 1.
    pub fn retry_after_s(&self) -> u32 {
        let used_up = [self.minute, self.day].into_iter().filter(|window| window.left == 0);
        used_up.map(|window| window.reset_s).max().unwrap_or(1)
    }
}

/// Counts uses. [`super::Table`] counts those of this process; a store shared by a fleet can replace it. Every request
/// calls it, so it must not block: a shared store uses local counts and synchronizes afterwards.
pub trait Store: Debug + Send + Sync {
    /// Counts one use atomically, in both windows or in neither. `now_ms` always comes from the same monotonic clock.
    fn take(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;

    /// Returns the standing of a caller without counting a use; `granted` says whether one would be granted.
    fn look(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;
}
