//! The interface of what counts uses of limits.

use std::fmt::Debug;

use super::{
    caller::Caller,
    quota::{Bucket, Quota},
};

/// The rest of one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Uses left.
    pub left: u32,
    /// Seconds until there are more, rounded up; the whole length of a window that has not begun.
    pub reset_s: u32,
}

/// How a caller stands in a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether the use that was asked for is granted.
    pub granted: bool,
    /// Its minute.
    pub minute: Window,
    /// Its day.
    pub day: Window,
}

impl Standing {
    /// Seconds after which a use may be granted again: the `reset_s` of each window that is used up.
    pub fn retry_after_s(&self) -> u32 {
        let used_up = [self.minute, self.day].into_iter().filter(|window| window.left == 0);
        used_up.map(|window| window.reset_s).max().unwrap_or(1)
    }
}

/// Counts uses. [`super::Table`] counts those of this process; a store that a fleet shares can take its place. Every request calls
/// it, so it must not wait: a shared store answers from its own counts and settles with the others afterwards.
pub trait Store: Debug + Send + Sync {
    /// Counts one use, in both windows or in none: all or nothing, whoever else asks at the same time. `now_ms` is always of
    /// the same clock, which never goes back.
    fn take(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;

    /// How the caller stands, without a use; `granted` says whether one would be.
    fn look(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;
}
