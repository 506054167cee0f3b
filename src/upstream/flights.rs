//! Lookups that are under way. Equal ones are one: each flies by itself, whoever waits for it, and what it finds is kept.

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

/// Most lookups that are under way at one time, all callers together. Each takes a few kilobytes.
const FLIGHTS_MAX: usize = 4_096;

/// After how many seconds to ask again for what is under way.
pub(super) const SOON_S: u32 = 5;

/// What is under way, and what was found lately.
#[derive(Debug)]
pub(super) struct Flights {
    known: Known,
    under_way: Mutex<UnderWay>,
    legs: LegCounts,
}

/// Lookups that are under way, and how many of them each caller has at each service.
#[derive(Debug, Default)]
struct UnderWay {
    flights: HashMap<Lookup, Arrival>,
    shares: HashMap<Share, usize>,
}

/// A caller by number, and a service.
type Share = (u64, ServiceKind);

/// Which service a lookup is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ServiceKind {
    Addresses,
    Facts(FactKeys),
    Parcels,
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
    /// Not begun, since the caller's share of the service is used up.
    OverShare,
}

/// What came of waiting.
pub(super) enum Waited {
    Landed(Box<Found>),
    /// Nothing came in time for the caller who began the lookup.
    FirstIsLate,
    /// Nothing came in time for a caller who joined it.
    FollowerIsLate,
    /// The lookup was not begun.
    OverShare,
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
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).flights.len()
    }

    /// Callers with lookups under way, for each service once.
    #[cfg(test)]
    pub(super) fn shares(&self) -> usize {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).shares.len()
    }

    /// What was found lately.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// Begins lookups, or joins equal ones. `admit` is called once where one is new, and says whose it is.
    ///
    /// # Errors
    /// What `admit` says, and `busy` where too much is under way.
    pub(super) fn board(
        self: &Arc<Flights>,
        lookups: Vec<Lookup>,
        upstream: &Arc<dyn Upstream>,
        admit: impl FnOnce() -> Result<Asker, Refusal>,
    ) -> Result<Vec<Leg>, Refusal> {
        // The lock is held for a look into two tables, never while something is waited for.
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let at_hand = |lookup: &Lookup| {
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
            .map(|lookup| (at_hand(&lookup), lookup))
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

    /// Flies by itself, so that it is not given up where its caller is gone, or does not wait any longer.
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
            // What is known is known before the flight is off the table: nobody in between begins it anew.
            drop(landing);
            // Nobody may be waiting any longer.
            let _ = sender.send(Some(Box::new(found)));
        });
        under_way.flights.insert(lookup, arrival.clone());
        Leg::UnderWay(arrival, true)
    }
}

impl UnderWay {
    /// Takes one of the places that this caller has at the service of a lookup; `None` where places are not counted.
    ///
    /// # Errors
    /// When all are taken.
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
            // Only callers with lookups under way are kept.
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

/// A refusal because something is under way already.
pub(super) fn busy(what: &str) -> Refusal {
    let detail = format!("{what}; ask again in {SOON_S} s");
    Refusal { retry_after_s: Some(SOON_S), ..Refusal::new(ProblemKind::Busy, detail) }
}

/// Takes a flight off the table, also where it ends in a panic.
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
    /// Waits for it, no longer than until this moment.
    pub(super) async fn wait(self, until: Instant) -> Waited {
        let (mut arrival, is_first) = match self {
            Leg::Known(found) => return Waited::Landed(found),
            Leg::UnderWay(arrival, is_first) => (arrival, is_first),
            Leg::OverShare => return Waited::OverShare,
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
