//! Lookups that are under way. Equal ones are one: each flies by itself, whoever waits for it, and what it finds is kept.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};

use super::{Upstream, desk::busy, known::Known};
use crate::{
    answers::{Found, Lookup, Refusal},
    budget::Budget,
    counts::Count,
};

/// Most lookups that are under way at one time, all callers together. Each takes a few kilobytes.
const FLIGHTS_MAX: usize = 4_096;

/// What is under way, and what was found lately.
#[derive(Debug)]
pub(super) struct Flights {
    known: Known,
    under_way: Mutex<HashMap<Lookup, Arrival>>,
    legs: LegCounts,
}

/// How what callers asked for was looked up.
#[derive(Debug, Default)]
pub(super) struct LegCounts {
    /// It was known.
    pub(super) known: Count,
    /// It was under way already.
    pub(super) joined: Count,
    /// Somebody was asked.
    pub(super) begun: Count,
    /// Nothing came in time.
    pub(super) late: Count,
}

/// Where a flight will arrive; `None` until then.
type Arrival = watch::Receiver<Option<Box<Found>>>;

/// One lookup of one caller.
pub(super) enum Leg {
    /// Found lately.
    Known(Box<Found>),
    /// Under way; whether this caller began it.
    UnderWay(Arrival, bool),
}

/// What came of waiting.
pub(super) enum Waited {
    Landed(Box<Found>),
    /// Nothing came in time for the caller who began the lookup.
    FirstIsLate,
    /// Nothing came in time for a caller who joined it.
    FollowerIsLate,
}

impl Flights {
    pub(super) fn new(budget: Budget) -> Flights {
        Flights { known: Known::new(budget), under_way: Mutex::default(), legs: LegCounts::default() }
    }

    /// What became of what callers asked for.
    pub(super) fn legs(&self) -> &LegCounts {
        &self.legs
    }

    /// Lookups that are under way.
    pub(super) fn under_way(&self) -> usize {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What was found lately.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// Begins lookups, or joins equal ones. `admit` is called once where one is new.
    ///
    /// # Errors
    /// What `admit` says, and `busy` where too much is under way.
    pub(super) fn board(
        self: &Arc<Flights>,
        lookups: Vec<Lookup>,
        upstream: &Arc<dyn Upstream>,
        admit: impl FnOnce() -> Result<(), Refusal>,
    ) -> Result<Vec<Leg>, Refusal> {
        // The lock is held for a look into two tables, never while something is waited for.
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let at_hand = |lookup: &Lookup| {
            if let Some(found) = self.known.get(lookup) {
                self.legs.known.one();
                return Some(Leg::Known(Box::new(found)));
            }
            let arrival = under_way.get(lookup)?;
            self.legs.joined.one();
            Some(Leg::UnderWay(arrival.clone(), false))
        };
        let legs: Vec<(Lookup, Option<Leg>)> = lookups
            .into_iter()
            .map(|lookup| (at_hand(&lookup), lookup))
            .map(|(leg, key)| (key, leg))
            .collect();
        let new = legs.iter().filter(|(_, leg)| leg.is_none()).count();
        if new > 0 {
            if under_way.len() + new > FLIGHTS_MAX {
                return Err(busy("too many lookups are under way"));
            }
            admit()?;
        }
        let begun = legs.into_iter().map(|(lookup, leg)| {
            leg.unwrap_or_else(|| {
                self.legs.begun.one();
                let arrival = self.begin(lookup.clone(), upstream);
                under_way.insert(lookup, arrival.clone());
                Leg::UnderWay(arrival, true)
            })
        });
        Ok(begun.collect())
    }

    /// Flies by itself, so that it is not given up where its caller is gone, or does not wait any longer.
    fn begin(self: &Arc<Flights>, lookup: Lookup, upstream: &Arc<dyn Upstream>) -> Arrival {
        let (sender, arrival) = watch::channel(None);
        let landing = Landing { flights: Arc::clone(self), lookup };
        let upstream = Arc::clone(upstream);
        tokio::spawn(async move {
            let found = upstream.find(landing.lookup.clone()).await;
            landing.flights.known.keep(landing.lookup.clone(), &found);
            // What is known is known before the flight is off the table: nobody in between begins it anew.
            drop(landing);
            // Nobody may be waiting any longer.
            let _ = sender.send(Some(Box::new(found)));
        });
        arrival
    }
}

/// Takes a flight off the table, also where it ends in a panic.
struct Landing {
    flights: Arc<Flights>,
    lookup: Lookup,
}

impl Drop for Landing {
    fn drop(&mut self) {
        let mut under_way = self.flights.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.remove(&self.lookup);
    }
}

impl Leg {
    /// Waits for it, no longer than until this moment.
    pub(super) async fn wait(self, until: Instant) -> Waited {
        let (mut arrival, is_first) = match self {
            Leg::Known(found) => return Waited::Landed(found),
            Leg::UnderWay(arrival, is_first) => (arrival, is_first),
        };
        let landed = timeout_at(until, arrival.wait_for(Option::is_some)).await;
        // A flight that ended in a panic closes the channel; then nothing came, either.
        match landed.ok().and_then(Result::ok).and_then(|found| found.clone()) {
            Some(found) => Waited::Landed(found),
            None if is_first => Waited::FirstIsLate,
            None => Waited::FollowerIsLate,
        }
    }
}
