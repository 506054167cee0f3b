//! The counts of this process, in a table of fixed size.
//!
//! Each bucket has a table of slots, divided into sets of 16; a secret hash chooses a caller's set. The system
//! provides memory when slots are first used, at most [`Table::bytes`]: 64 MiB for some two million callers. A full
//! set makes room for a new caller by forgetting one, chosen in this order:
//!
//! 1. one whose windows have both ended: nothing is lost;
//! 2. the address that has used the smallest share of its limits, and among equals the one whose day began first;
//! 3. a key.
//!
//! So an address with a used-up limit is forgotten only if the 16 others in its set have used-up limits, too, or are
//! keys. The secret hash hides which callers share a set. An attacker would have to flood the whole table with two
//! million addresses, each with as large a used share. A new caller is never refused for lack of room.
//!
//! Sets are guarded by 64 locks, each held for some 20 ns and never across an await.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    caller::{Caller, Tier},
    quota::{Bucket, DAY_S, MINUTE_S, Quota},
    store::{Standing, Store, Window},
};

/// Number of slots in a set. Chosen, not measured.
const WAYS: usize = 16;

/// Number of locks for a bucket. Chosen, not measured.
const SHARDS: usize = 64;

/// Number of sets under one lock for requests: room for two million callers in all.
const REQUEST_SETS: usize = 2048;

/// Number of sets under one lock for buckets that fewer callers use. Lookups and tools have room for 260,000 callers,
/// pages and suggestions for 65,000.
const LOOKUP_SETS: usize = 256;
const TOOL_SETS: usize = 256;
const PAGE_SETS: usize = 64;

/// Number of sets under one lock for messages and documents (32,000 callers).
const MESSAGE_SETS: usize = 32;

const MINUTE_MS: u64 = MINUTE_S as u64 * 1000;
const DAY_MS: u64 = DAY_S as u64 * 1000;

/// 16 slots: identities, minutes, days. The table's time starts a day after 0, so that the zeroed windows of unused
/// slots have ended.
type Set = [[u64; WAYS]; 3];

const EMPTY_SET: Set = [[0; WAYS]; 3];

const IDENTITIES: usize = 0;
const MINUTES: usize = 1;
const DAYS: usize = 2;

/// Counts of callers, in memory of a fixed size.
#[derive(Debug)]
pub struct Table {
    requests: Shards,
    lookups: Shards,
    tool_calls: Shards,
    pages: Shards,
    suggestions: Shards,
    messages: Shards,
    secret: RandomState,
}

impl Table {
    /// Makes an empty table.
    #[expect(clippy::new_without_default, reason = "it takes a secret from the system; two are not alike")]
    pub fn new() -> Table {
        Table {
            requests: Shards::new(REQUEST_SETS, Bucket::Requests),
            lookups: Shards::new(LOOKUP_SETS, Bucket::Lookups),
            tool_calls: Shards::new(TOOL_SETS, Bucket::ToolCalls),
            pages: Shards::new(PAGE_SETS, Bucket::Pages),
            suggestions: Shards::new(PAGE_SETS, Bucket::Suggestions),
            messages: Shards::new(MESSAGE_SETS, Bucket::Messages),
            secret: RandomState::new(),
        }
    }

    /// Returns the maximum memory that the table takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Table>() + Bucket::ALL.map(|bucket| self.shards(bucket).bytes()).iter().sum::<usize>()
    }

    /// Returns the number of callers with at least one window that has not ended.
    pub fn callers(&self, bucket: Bucket, now_ms: u64) -> usize {
        let now_ms = now_ms + DAY_MS;
        let live = |set: &Set| (0..WAYS).filter(|way| !has_ended(set, *way, now_ms)).count();
        let shards = self.shards(bucket).shards.iter();
        shards.map(|shard| shard.lock().iter().map(live).sum::<usize>()).sum()
    }

    fn shards(&self, bucket: Bucket) -> &Shards {
        match bucket {
            Bucket::Requests => &self.requests,
            Bucket::Lookups => &self.lookups,
            Bucket::ToolCalls => &self.tool_calls,
            Bucket::Pages => &self.pages,
            Bucket::Suggestions => &self.suggestions,
            Bucket::Messages => &self.messages,
        }
    }

    fn with_set<T>(&self, bucket: Bucket, caller: Caller, act: impl FnOnce(&mut Set) -> T) -> T {
        let hash = self.secret.hash_one(caller.identity());
        let shards = self.shards(bucket);
        let mut sets = shards.shards[hash as usize % SHARDS].lock();
        if sets.is_empty() {
            // The system zeroes this memory, and provides each page when it is first used.
            *sets = vec![EMPTY_SET; shards.sets];
        }
        act(&mut sets[(hash >> 32) as usize % shards.sets])
    }

    /// Counts one use as `weight` uses. The other servers of a fleet may each grant the same number of uses to the
    /// same caller.
    pub(super) fn take_as(
        &self,
        weight: u32,
        bucket: Bucket,
        caller: Caller,
        quota: Quota,
        now_ms: u64,
    ) -> Standing {
        let now_ms = now_ms + DAY_MS;
        let address_quota = self.shards(bucket).address_quota;
        self.with_set(bucket, caller, |set| {
            let way = slot(set, caller, address_quota, now_ms);
            let (mut minute, mut day) = spans([set[MINUTES][way], set[DAYS][way]], now_ms);
            let granted = minute.has_room(weight, quota.minute) && day.has_room(weight, quota.day);
            if granted {
                (minute.used, day.used) = (minute.used + weight, day.used + weight);
                (set[MINUTES][way], set[DAYS][way]) = (minute.pack(), day.pack());
            }
            standing(weight, (granted, minute, day), quota, now_ms)
        })
    }

    /// Returns what a caller has left if its next use counts as `weight` uses.
    pub(super) fn look_as(
        &self,
        weight: u32,
        bucket: Bucket,
        caller: Caller,
        quota: Quota,
        now_ms: u64,
    ) -> Standing {
        let now_ms = now_ms + DAY_MS;
        self.with_set(bucket, caller, |set| {
            let stored = find(set, caller).map_or([0, 0], |way| [set[MINUTES][way], set[DAYS][way]]);
            let (minute, day) = spans(stored, now_ms);
            let granted = minute.has_room(weight, quota.minute) && day.has_room(weight, quota.day);
            standing(weight, (granted, minute, day), quota, now_ms)
        })
    }

    /// Replaces the windows of a caller by those that the fleet has counted.
    #[cfg(feature = "fleet")]
    pub(super) fn learn(&self, bucket: Bucket, caller: Caller, [minute, day]: [Counted; 2], now_ms: u64) {
        let now_ms = now_ms + DAY_MS;
        let address_quota = self.shards(bucket).address_quota;
        let packed = |counted: Counted, length_ms: u64| {
            let start_ms = now_ms + counted.left_ms.min(length_ms) - length_ms;
            Span { start_ms, used: counted.used.min(USED_MAX) }.pack()
        };
        self.with_set(bucket, caller, |set| {
            let way = slot(set, caller, address_quota, now_ms);
            (set[MINUTES][way], set[DAYS][way]) = (packed(minute, MINUTE_MS), packed(day, DAY_MS));
        });
    }
}

/// The uses counted in a window that has not ended.
#[cfg(feature = "fleet")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) used: u32,
    /// Number of milliseconds until the window ends.
    pub(super) left_ms: u64,
}

impl Store for Table {
    fn take(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing {
        self.take_as(1, bucket, caller, quota, now_ms)
    }

    fn look(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing {
        self.look_as(1, bucket, caller, quota, now_ms)
    }
}

fn standing(weight: u32, (granted, minute, day): (bool, Span, Span), quota: Quota, now_ms: u64) -> Standing {
    Standing {
        granted,
        minute: minute.window(weight, quota.minute, MINUTE_MS, now_ms),
        day: day.window(weight, quota.day, DAY_MS, now_ms),
    }
}

/// Reads the windows of a caller: minute and day.
fn spans([minute, day]: [u64; 2], now_ms: u64) -> (Span, Span) {
    (Span::unpack(minute, MINUTE_MS, now_ms), Span::unpack(day, DAY_MS, now_ms))
}

/// Returns the slot of a caller. Makes room for a new caller.
fn slot(set: &mut Set, caller: Caller, address_quota: Quota, now_ms: u64) -> usize {
    find(set, caller).unwrap_or_else(|| {
        let way = slot_for_new(set, address_quota, now_ms);
        (set[IDENTITIES][way], set[MINUTES][way], set[DAYS][way]) = (caller.identity(), 0, 0);
        way
    })
}

/// Returns the slot of a caller; `None` if the set does not contain the caller.
fn find(set: &Set, caller: Caller) -> Option<usize> {
    set[IDENTITIES].iter().position(|identity| *identity == caller.identity())
}

/// Returns the slot for a new caller: one whose windows have ended, or else the one with the least [`worth`].
fn slot_for_new(set: &Set, quota: Quota, now_ms: u64) -> usize {
    let mut least = (0, (u64::MAX, u64::MAX));
    for way in 0..WAYS {
        if has_ended(set, way, now_ms) {
            return way;
        }
        let worth = worth(set, way, quota, now_ms);
        if worth < least.1 {
            least = (way, worth);
        }
    }
    least.0
}

fn has_ended(set: &Set, way: usize, now_ms: u64) -> bool {
    let used = |at: usize, length_ms| Span::unpack(set[at][way], length_ms, now_ms).used;
    used(DAYS, DAY_MS) == 0 && used(MINUTES, MINUTE_MS) == 0
}

/// Returns the loss if a slot is forgotten: the used share of the limits in millionths, then the start of the
/// caller's day.
fn worth(set: &Set, way: usize, quota: Quota, now_ms: u64) -> (u64, u64) {
    let minute = Span::unpack(set[MINUTES][way], MINUTE_MS, now_ms);
    let day = Span::unpack(set[DAYS][way], DAY_MS, now_ms);
    let share = |used: u32, of: u32| u64::from(used) * 1_000_000 / u64::from(of);
    let used = share(minute.used, quota.minute).max(share(day.used, quota.day));
    (if Caller::is_key(set[IDENTITIES][way]) { u64::MAX } else { used }, day.start_ms)
}

/// A window. Packed, its start takes 40 bits, which last 34 years, and its count takes 24.
#[derive(Clone, Copy)]
struct Span {
    start_ms: u64,
    used: u32,
}

const COUNT_BITS: u32 = 24;

/// Maximum number of uses that a window can hold; the largest quota is 200,000.
const USED_MAX: u32 = (1 << COUNT_BITS) - 1;

impl Span {
    /// Returns the stored window if it has not ended, or else one that begins now.
    fn unpack(packed: u64, length_ms: u64, now_ms: u64) -> Span {
        let start_ms = packed >> COUNT_BITS;
        // A thread may read the clock before it waits for the lock, so `now_ms` can be before the start.
        if now_ms >= start_ms + length_ms {
            return Span { start_ms: now_ms, used: 0 };
        }
        Span { start_ms, used: packed as u32 & USED_MAX }
    }

    fn pack(self) -> u64 {
        self.start_ms << COUNT_BITS | u64::from(self.used)
    }

    fn has_room(self, weight: u32, quota: u32) -> bool {
        self.used.saturating_add(weight) <= quota
    }

    /// Returns the window as callers see it. `left` is a multiple of the weight, so it is 0 if no further use is
    /// granted.
    fn window(self, weight: u32, quota: u32, length_ms: u64, now_ms: u64) -> Window {
        let rest_ms = (self.start_ms + length_ms).saturating_sub(now_ms).min(length_ms);
        let left = quota.saturating_sub(self.used);
        Window { left: left - left % weight, reset_s: rest_ms.div_ceil(1000) as u32 }
    }
}

/// The sets of a bucket.
#[derive(Debug)]
struct Shards {
    shards: Vec<Shard>,
    /// Number of sets in a shard, once a caller has used the shard.
    sets: usize,
    address_quota: Quota,
}

/// A lock on its own cache line, so that neighbors do not slow each other down.
#[derive(Debug)]
#[repr(align(64))]
struct Shard(Mutex<Vec<Set>>);

impl Shards {
    /// Makes shards without sets. The first caller allocates the sets of a shard: allocating all would take most of
    /// the startup time.
    fn new(sets: usize, bucket: Bucket) -> Shards {
        let shards = (0..SHARDS).map(|_| Shard(Mutex::default())).collect();
        Shards { shards, sets, address_quota: bucket.quota(Tier::NoKey) }
    }

    fn bytes(&self) -> usize {
        SHARDS * (size_of::<Shard>() + self.sets * size_of::<Set>())
    }
}

impl Shard {
    /// Locks the sets. Ignores poisoning: counts are consistent after any panic, since each change is a single store.
    fn lock(&self) -> MutexGuard<'_, Vec<Set>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
