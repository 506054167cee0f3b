//! The state that requests and the thread of the connection share.

use std::{
    collections::HashMap,
    num::NonZero,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use super::super::{caller::Caller, quota::Bucket, store::Sharing, table::Table};
use crate::counts::{Count, Durations};

/// Maximum number of callers whose uses are noted while the store is away: some 8 MiB. The store never learns the
/// uses of further callers.
const DEBTS_MAX: usize = 100_000;

/// The length of the shorter window.
const MINUTE: Duration = Duration::from_secs(60);

/// The reason why the store is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Why {
    /// No connection has been made since the start.
    Starting = 1,
    /// The connection broke, or cannot be made.
    Lost,
    /// A reply took longer than requests wait.
    Late,
    /// Most replies take longer than [`super::Fleet::wait`].
    Slow,
    /// The store replied with an error.
    Refused,
}

impl Why {
    const ALL: [Why; 5] = [Why::Starting, Why::Lost, Why::Late, Why::Slow, Why::Refused];

    /// Returns the reason as a sentence without addresses.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Why::Starting => "the store is not connected yet",
            Why::Lost => "the store is not connected",
            Why::Late => "the store did not reply in time",
            Why::Slow => "the store replies too slowly",
            Why::Refused => "the store refuses to count",
        }
    }
}

/// The table of this process, whether the store is used, and the uses that must be reported to the store.
#[derive(Debug)]
pub(super) struct State {
    pub(super) table: Table,
    pub(super) replicas: NonZero<u32>,
    /// The number of a [`Why`]; 0 while the store is used.
    why: AtomicU8,
    debts: Mutex<HashMap<(Bucket, u64), Debt>>,
    pub(super) asked: Count,
    pub(super) alone: Count,
    pub(super) trips: Durations,
}

/// Number of uses of a caller that the store has not counted; negative if it counted too many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Debt {
    pub(super) caller: Caller,
    pub(super) in_minute: i64,
    pub(super) in_day: i64,
    minute: Instant,
    noted: Instant,
    noted_ms: u64,
}

impl Debt {
    /// Returns the current time of the limiter's clock.
    pub(super) fn now_ms(&self) -> u64 {
        self.noted_ms + u64::try_from(self.noted.elapsed().as_millis()).unwrap_or(0)
    }
}

impl State {
    pub(super) fn new(replicas: NonZero<u32>) -> State {
        State {
            table: Table::new(),
            replicas,
            why: AtomicU8::new(Why::Starting as u8),
            debts: Mutex::default(),
            asked: Count::default(),
            alone: Count::default(),
            trips: Durations::default(),
        }
    }

    /// Returns the reason why the store is not used; `None` while it is used.
    pub(super) fn why(&self) -> Option<Why> {
        let number = self.why.load(Ordering::Acquire);
        Why::ALL.into_iter().find(|why| *why as u8 == number)
    }

    pub(super) fn set(&self, why: Option<Why>) {
        self.why.store(why.map_or(0, |why| why as u8), Ordering::Release);
    }

    /// Stops the use of the store because of a late reply. An earlier reason stays.
    pub(super) fn set_late(&self) {
        let late = Why::Late as u8;
        let _ = self.why.compare_exchange(0, late, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Notes uses that the store must count, or subtract if `uses` is negative.
    pub(super) fn owe(&self, bucket: Bucket, caller: Caller, uses: i64, now_ms: u64) {
        let mut debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        let at = (bucket, caller.identity());
        if debts.len() >= DEBTS_MAX && !debts.contains_key(&at) {
            return;
        }
        let now = Instant::now();
        let debt = debts.entry(at).or_insert(Debt {
            caller,
            in_minute: 0,
            in_day: 0,
            minute: now,
            noted: now,
            noted_ms: now_ms,
        });
        if now - debt.minute >= MINUTE {
            (debt.minute, debt.in_minute) = (now, 0);
        }
        (debt.in_minute, debt.in_day) = (debt.in_minute + uses, debt.in_day + uses);
        (debt.noted, debt.noted_ms) = (now, now_ms);
    }

    /// Removes and returns all debts. Uses of a minute that has ended count toward the day only.
    pub(super) fn take_debts(&self) -> Vec<(Bucket, Debt)> {
        let debts = std::mem::take(&mut *self.debts.lock().unwrap_or_else(PoisonError::into_inner));
        let due = |((bucket, _), mut debt): ((Bucket, u64), Debt)| {
            if debt.minute.elapsed() >= MINUTE {
                debt.in_minute = 0;
            }
            (bucket, debt)
        };
        debts.into_iter().map(due).collect()
    }

    /// Notes again the debts that could not be reported.
    pub(super) fn put_back(&self, unreported: &[(Bucket, Debt)]) {
        let mut debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        for (bucket, debt) in unreported {
            debts
                .entry((*bucket, debt.caller.identity()))
                .and_modify(|newer| {
                    newer.in_minute += debt.in_minute;
                    newer.in_day += debt.in_day;
                })
                .or_insert(*debt);
        }
    }

    pub(super) fn sharing(&self) -> Sharing {
        Sharing {
            divided: self.why().map(Why::as_str),
            asked: self.asked.get(),
            alone: self.alone.get(),
            trips: self.trips.read(),
        }
    }
}
