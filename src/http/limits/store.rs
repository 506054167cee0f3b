//! The interface of stores that count uses of limits.

use std::{fmt::Debug, future::Future, pin::Pin};

use super::{
    caller::Caller,
    quota::{Bucket, Quota},
};
use crate::counts::Histogram;

/// The remaining uses of one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Number of uses that are left in the window.
    pub left: u32,
    /// Seconds until the window ends, rounded up. For a window that has not begun, its whole length.
    pub reset_s: u32,
}

/// The uses that a caller has left in a bucket.
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
    /// Returns the seconds until a use may be granted again: the longest `reset_s` of the used-up windows, or 1 if no
    /// window is used up.
    pub fn retry_after_s(&self) -> u32 {
        let used_up = [self.minute, self.day].into_iter().filter(|window| window.left == 0);
        used_up.map(|window| window.reset_s).max().unwrap_or(1)
    }
}

/// A future for a use that a store outside of this process is counting. `None` if the store gave no result in time;
/// then [`Store::take`] decides.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Option<Standing>> + Send + 'a>>;

/// The state of a store outside of this process, with counts since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    /// The reason why each server grants its own part of the limits; `None` while the store counts for all servers.
    pub divided: Option<&'static str>,
    /// Uses that the store counted or refused.
    pub asked: u64,
    /// Uses that this server granted without the store.
    pub alone: u64,
    /// Durations of round trips to the store. Each trip carries all waiting uses.
    pub trips: Histogram,
}

/// Counts uses. [`super::Table`] counts the uses in this process, and `SharedTable` those in a fleet. Every request
/// calls these functions, so they must not block.
pub trait Store: Debug + Send + Sync {
    /// Begins to count one use outside of this process. `None` if [`Store::take`] can decide without waiting.
    fn ask(&self, _bucket: Bucket, _caller: Caller, _quota: Quota, _now_ms: u64) -> Option<Asking<'_>> {
        None
    }

    /// Subtracts a use that [`Store::ask`] granted but no request made.
    fn give_back(&self, _bucket: Bucket, _caller: Caller, _now_ms: u64) {}

    /// Returns the state of the store outside of this process; `None` without a store.
    fn sharing(&self) -> Option<Sharing> {
        None
    }

    /// Counts one use atomically, in both windows or in neither. All calls take `now_ms` from the same monotonic
    /// clock.
    fn take(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;

    /// Returns what a caller has left, without counting a use. `granted` says whether the next use would be granted.
    fn look(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing;
}
