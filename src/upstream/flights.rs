//! Lookups that are under way (single flight): equal lookups share one call to a service. Each runs on a task of its
//! own, and its result is cached.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};

use super::{Asker, Upstream, known::Known};
use crate::counts::Count;
use platbook::{
    answers::{Budget, Found, Lookup, Refusal},
    facts::FactKeys,
    vocabulary::ProblemKind,
};

/// Most concurrent lookups of all callers. Each takes a few kilobytes. Chosen, not measured.
const FLIGHTS_MAX: usize = 4_096;

/// Seconds after which a caller should retry a lookup that is under way. Chosen, not measured.
pub(super) const SOON_S: u32 = 5;

/// The lookups under way, and the cache of results.
#[derive(Debug)]
pub(super) struct Flights {
    known: Known,
    under_way: Mutex<UnderWay>,
    legs: LegCounts,
}

/// Lookups that are under way, and their number by caller and service.
#[derive(Debug, Default)]
struct UnderWay {
    flights: HashMap<Lookup, Arrival>,
    shares: HashMap<Share, usize>,
}

/// The number of a caller, and a service.
type Share = (u64, ServiceKind);

/// The service that a lookup calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ServiceKind {
    Addresses,
    Facts(FactKeys),
    Parcels,
}

/// Counts of lookups by outcome.
#[derive(Debug, Default)]
pub(super) struct LegCounts {
    /// The result was cached.
    pub(super) known: Count,
    /// An equal lookup was under way.
    pub(super) joined: Count,
    /// A service was called.
    pub(super) begun: Count,
    /// There was no result in time.
    pub(super) late: Count,
}

/// Receives the result of a lookup; `None` until then.
type Arrival = watch::Receiver<Option<Box<Found>>>;

/// A lookup of one caller.
pub(super) enum Leg {
    /// The result was cached.
    Known(Box<Found>),
    /// The lookup is under way. True if this caller began it.
    UnderWay(Arrival, bool),
    /// The lookup was not begun, since the caller's share of the service is used up.
    OverShare,
}

/// The outcome of waiting for a lookup.
pub(super) enum Waited {
    Landed(Box<Found>),
    /// There was no result in time for the caller who began the lookup.
    FirstIsLate,
    /// There was no result in time for a caller who joined it.
    FollowerIsLate,
    /// The lookup was not begun.
    OverShare,
}

impl Flights {
    pub(super) fn new(budget: Budget) -> Flights {
        Flights { known: Known::new(budget), under_way: Mutex::default(), legs: LegCounts::default() }
    }

    /// Returns counts of lookups by outcome.
    pub(super) fn legs(&self) -> &LegCounts {
        &self.legs
    }

    /// Returns the number of lookups that are under way.
    pub(super) fn under_way(&self) -> usize {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).flights.len()
    }

    /// Counts pairs of a caller and a service with lookups under way.
    #[cfg(test)]
    pub(super) fn shares(&self) -> usize {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).shares.len()
    }

    /// Returns the cache of results.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// Begins lookups, or joins equal ones. `admit` is called once if any lookup is new, and returns the caller.
    ///
    /// # Errors
    /// The error of `admit`, or `busy` if too many lookups are under way.
    pub(super) fn board(
        self: &Arc<Flights>,
        lookups: Vec<Lookup>,
        upstream: &Arc<dyn Upstream>,
        admit: impl FnOnce() -> Result<Asker, Refusal>,
    ) -> Result<Vec<Leg>, Refusal> {
        // The lock is held for reads of two tables, never across an await.
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let available = |lookup: &Lookup| {
            if let Some(found) = self.known.get(lookup) {
                self.legs.known.one();
                return Some(Leg::Known(Box::new(found)));
            }
            let arrival = under_way.flights.get(lookup)?;
            self.legs.joined.one();
            Some(Leg::UnderWay(arrival.clone(), false))
        };
        let legs: Vec<(Lookup, Option<Leg>)> = lookups
            .into_iter()
            .map(|lookup| (available(&lookup), lookup))
            .map(|(leg, key)| (key, leg))
            .collect();
        let new = legs.iter().filter(|(_, leg)| leg.is_none()).count();
        let mut asker = Asker::Operator;
        if new > 0 {
            if under_way.flights.len() + new > FLIGHTS_MAX {
                return Err(busy("too many lookups are under way"));
            }
            asker = admit()?;
        }
        let begun = legs
            .into_iter()
            .map(|(lookup, leg)| leg.unwrap_or_else(|| self.begin(lookup, asker, &mut under_way, upstream)));
        Ok(begun.collect())
    }

    /// Begins a lookup on a task of its own, so that it goes on if its caller disconnects or stops waiting.
    fn begin(
        self: &Arc<Flights>,
        lookup: Lookup,
        asker: Asker,
        under_way: &mut UnderWay,
        upstream: &Arc<dyn Upstream>,
    ) -> Leg {
        let Ok(share) = under_way.take_share(asker, &lookup) else { return Leg::OverShare };
        self.legs.begun.one();
        let (sender, arrival) = watch::channel(None);
        let landing = Landing { flights: Arc::clone(self), lookup: lookup.clone(), share };
        let upstream = Arc::clone(upstream);
        tokio::spawn(async move {
            let found = upstream.find(landing.lookup.clone()).await;
            landing.flights.known.keep(landing.lookup.clone(), &found);
            // The result is cached before the lookup leaves the table. Otherwise a caller in between would begin it
            // again.
            drop(landing);
            // Fails if no caller is waiting anymore.
            let _ = sender.send(Some(Box::new(found)));
        });
        under_way.flights.insert(lookup, arrival.clone());
        Leg::UnderWay(arrival, true)
    }
}

impl UnderWay {
    /// Takes one unit of the caller's share of a service; `None` for callers without a limit.
    ///
    /// # Errors
    /// If the share is used up.
    fn take_share(&mut self, asker: Asker, lookup: &Lookup) -> Result<Option<Share>, ()> {
        let Some((identity, places)) = asker.share() else { return Ok(None) };
        let share = (identity, ServiceKind::of(lookup));
        let taken = self.shares.entry(share).or_default();
        if *taken >= places {
            return Err(());
        }
        *taken += 1;
        Ok(Some(share))
    }

    fn land(&mut self, lookup: &Lookup, share: Option<Share>) {
        self.flights.remove(lookup);
        let Some(share) = share else { return };
        if let Some(taken) = self.shares.get_mut(&share) {
            *taken -= 1;
            // The table holds only callers with lookups under way.
            if *taken == 0 {
                self.shares.remove(&share);
            }
        }
    }
}

impl ServiceKind {
    fn of(lookup: &Lookup) -> ServiceKind {
        match lookup {
            Lookup::Address(_) => ServiceKind::Addresses,
            Lookup::Facts { keys, .. } => ServiceKind::Facts(*keys),
            Lookup::Parcel { .. } => ServiceKind::Parcels,
        }
    }
}

/// Makes a `busy` problem, for lookups that cannot be begun now.
pub(super) fn busy(what: &str) -> Refusal {
    let detail = format!("{what}; ask again in {SOON_S} s");
    Refusal { retry_after_s: Some(SOON_S), ..Refusal::new(ProblemKind::Busy, detail) }
}

/// Removes a lookup from the table when it is dropped, even by a panic.
struct Landing {
    flights: Arc<Flights>,
    lookup: Lookup,
    share: Option<Share>,
}

impl Drop for Landing {
    fn drop(&mut self) {
        let mut under_way = self.flights.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.land(&self.lookup, self.share);
    }
}

impl Leg {
    /// Waits for the result until this moment.
    pub(super) async fn wait(self, until: Instant) -> Waited {
        let (mut arrival, is_first) = match self {
            Leg::Known(found) => return Waited::Landed(found),
            Leg::UnderWay(arrival, is_first) => (arrival, is_first),
            Leg::OverShare => return Waited::OverShare,
        };
        let landed = timeout_at(until, arrival.wait_for(Option::is_some)).await;
        // A lookup that panicked closes the channel, which counts as late.
        match landed.ok().and_then(Result::ok).and_then(|found| found.clone()) {
            Some(found) => Waited::Landed(found),
            None if is_first => Waited::FirstIsLate,
            None => Waited::FollowerIsLate,
        }
    }
}
