//! The counts behind the limits.

use std::fmt::Debug;

use super::{
    caller::Caller,
    quota::{Bucket, Quota},
    table::Table,
};

/// What is left of one window.
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

/// Where uses are counted. [`Table`] is this process's own; one that a fleet shares can stand here, too. It is
/// asked on the way of every request and must not wait: one that asks others should answer from what it has and
/// settle with them afterwards.
pub trait Store: Debug + Send + Sync {
    /// Counts one use, in both windows or in none: all or nothing, whoever else asks at the same time.
    fn take(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;

    /// How the caller stands, without a use; `granted` says whether one would be.
    fn look(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;
}

/// A store and the table of limits.
#[derive(Debug)]
pub struct Limiter(Box<dyn Store>);

impl Limiter {
    /// Counts in this process.
    pub fn in_process() -> Limiter {
        Limiter::new(Box::new(Table::new()))
    }

    /// Counts there.
    pub fn new(store: Box<dyn Store>) -> Limiter {
        Limiter(store)
    }

    /// One use. `now_ms` is of a clock that never goes back, and always of the same one.
    pub fn take(&self, bucket: Bucket, caller: Caller, now_ms: u64) -> Standing {
        self.0.take(bucket, caller, bucket.quota(caller.tier()), now_ms)
    }

    /// How the caller stands, by the same clock.
    pub fn look(&self, bucket: Bucket, caller: Caller, now_ms: u64) -> Standing {
        self.0.look(bucket, caller, bucket.quota(caller.tier()), now_ms)
    }
}
