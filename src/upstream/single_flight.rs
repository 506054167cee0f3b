//! Running lookups (single flight): equal lookups share one call to a service. Each lookup runs on its own task, and
//! its result is cached.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};

use super::{Admit, Asker, Upstream, known::Known};
use crate::counts::Count;
use platbook::{
    answers::{Budget, Found, Lookup, Refusal},
    facts::FactKeys,
    vocabulary::ProblemKind,
};

/// Maximum number of concurrent lookups of all callers. Each takes a few kilobytes. Chosen, not measured.
const UNDER_WAY_MAX: usize = 4_096;

/// Seconds after which a caller should retry a lookup that is still running. Chosen, not measured.
pub(super) const SOON_S: u32 = 5;

/// The running lookups, and the cache of results.
#[derive(Debug)]
pub(super) struct SingleFlight {
    known: Known,
    under_way: Mutex<UnderWay>,
    counts: LookupCounts,
}

/// The running lookups, and their number by caller and service.
#[derive(Debug, Default)]
struct UnderWay {
    lookups: HashMap<Lookup, ResultReceiver>,
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
pub(super) struct LookupCounts {
    /// Lookups whose result was cached.
    pub(super) known: Count,
    /// Lookups that joined an equal one, which was running already.
    pub(super) joined: Count,
    /// Lookups that called a service.
    pub(super) begun: Count,
    /// Lookups without a result in time.
    pub(super) late: Count,
}

/// Receives the result of a lookup; `None` before the result arrives.
type ResultReceiver = watch::Receiver<Option<Box<Found>>>;

/// A lookup for one caller.
pub(super) enum Pending {
    /// The result was cached.
    Known(Box<Found>),
    /// The lookup is running. True if this caller began it.
    UnderWay(ResultReceiver, bool),
    /// The lookup was not begun, since the caller has used up its share of the service.
    OverShare,
}

/// The outcome of the wait for a lookup.
pub(super) enum Waited {
    Found(Box<Found>),
    /// No result in time, for the caller who began the lookup.
    FirstIsLate,
    /// No result in time, for a caller who joined the lookup.
    FollowerIsLate,
    /// The lookup was not begun, since the caller has used up its share of the service.
    OverShare,
}

impl SingleFlight {
    pub(super) fn new(budget: Budget) -> SingleFlight {
        SingleFlight {
            known: Known::new(budget),
            under_way: Mutex::default(),
            counts: LookupCounts::default(),
        }
    }

    /// Returns counts of lookups by outcome.
    pub(super) fn counts(&self) -> &LookupCounts {
        &self.counts
    }

    /// Returns the number of running lookups.
    pub(super) fn under_way(&self) -> usize {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).lookups.len()
    }

    /// Returns the number of pairs of a caller and a service with running lookups.
    #[cfg(test)]
    pub(super) fn shares(&self) -> usize {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).shares.len()
    }

    /// Returns the cache of results.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// Begins lookups, or joins equal ones. Calls `admit` once if any lookup is new, and drops it before the wait for
    /// results.
    ///
    /// # Errors
    /// The error of `admit`, or `busy` if too many lookups are running.
    pub(super) async fn begin_or_join(
        self: &Arc<SingleFlight>,
        lookups: Vec<Lookup>,
        upstream: &Arc<dyn Upstream>,
        mut admit: impl Admit,
    ) -> Result<Vec<Pending>, Refusal> {
        // This check comes first: the store of a fleet costs a round trip, and most lookups are available.
        if lookups.iter().any(|lookup| self.is_new(lookup)) {
            admit.reserve().await;
        }
        self.begin_or_join_now(lookups, upstream, admit)
    }

    /// Returns whether a lookup is neither cached nor running.
    fn is_new(&self, lookup: &Lookup) -> bool {
        let under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        !self.known.has(lookup) && !under_way.lookups.contains_key(lookup)
    }

    fn begin_or_join_now(
        self: &Arc<SingleFlight>,
        lookups: Vec<Lookup>,
        upstream: &Arc<dyn Upstream>,
        mut admit: impl Admit,
    ) -> Result<Vec<Pending>, Refusal> {
        // The lock is held for reads of two tables, and never across an await.
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let available = |lookup: &Lookup| {
            if let Some(found) = self.known.get(lookup) {
                self.counts.known.one();
                return Some(Pending::Known(Box::new(found)));
            }
            let receiver = under_way.lookups.get(lookup)?;
            self.counts.joined.one();
            Some(Pending::UnderWay(receiver.clone(), false))
        };
        let pending: Vec<(Option<Pending>, Lookup)> =
            lookups.into_iter().map(|lookup| (available(&lookup), lookup)).collect();
        let new = pending.iter().filter(|(one, _)| one.is_none()).count();
        let mut asker = Asker::Operator;
        if new > 0 {
            if under_way.lookups.len() + new > UNDER_WAY_MAX {
                return Err(busy("too many lookups are under way"));
            }
            asker = admit.admit()?;
        }
        let begun = pending
            .into_iter()
            .map(|(one, lookup)| one.unwrap_or_else(|| self.begin(lookup, asker, &mut under_way, upstream)));
        Ok(begun.collect())
    }

    /// Begins a lookup on its own task, so that it continues if its caller disconnects or stops waiting.
    fn begin(
        self: &Arc<SingleFlight>,
        lookup: Lookup,
        asker: Asker,
        under_way: &mut UnderWay,
        upstream: &Arc<dyn Upstream>,
    ) -> Pending {
        let Ok(share) = under_way.take_share(asker, &lookup) else { return Pending::OverShare };
        self.counts.begun.one();
        let (sender, receiver) = watch::channel(None);
        let removal = Removal { single_flight: Arc::clone(self), lookup: lookup.clone(), share };
        let upstream = Arc::clone(upstream);
        tokio::spawn(async move {
            let found = upstream.find(removal.lookup.clone()).await;
            removal.single_flight.known.keep(removal.lookup.clone(), &found);
            // The result is cached before the lookup leaves the table. Otherwise, a caller that arrives between these
            // steps would begin it again.
            drop(removal);
            // Sending fails if no caller waits anymore.
            let _ = sender.send(Some(Box::new(found)));
        });
        under_way.lookups.insert(lookup, receiver.clone());
        Pending::UnderWay(receiver, true)
    }
}

impl UnderWay {
    /// Takes one unit of the caller's share of a service; `None` for callers without a limit.
    ///
    /// # Errors
    /// Fails if the caller has used up its share.
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

    fn remove(&mut self, lookup: &Lookup, share: Option<Share>) {
        self.lookups.remove(lookup);
        let Some(share) = share else { return };
        if let Some(taken) = self.shares.get_mut(&share) {
            *taken -= 1;
            // The table holds only callers with running lookups.
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

/// Makes a `busy` problem for lookups that cannot begin now.
pub(super) fn busy(what: &str) -> Refusal {
    let detail = format!("{what}; ask again in {SOON_S} s");
    Refusal { retry_after_s: Some(SOON_S), ..Refusal::new(ProblemKind::Busy, detail) }
}

/// Removes a lookup from the table when this value is dropped, even by a panic.
struct Removal {
    single_flight: Arc<SingleFlight>,
    lookup: Lookup,
    share: Option<Share>,
}

impl Drop for Removal {
    fn drop(&mut self) {
        let mut under_way = self.single_flight.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.remove(&self.lookup, self.share);
    }
}

impl Pending {
    /// Waits for the result, at most until this moment.
    pub(super) async fn wait(self, until: Instant) -> Waited {
        let (mut receiver, is_first) = match self {
            Pending::Known(found) => return Waited::Found(found),
            Pending::UnderWay(receiver, is_first) => (receiver, is_first),
            Pending::OverShare => return Waited::OverShare,
        };
        let outcome = timeout_at(until, receiver.wait_for(Option::is_some)).await;
        // The channel of a lookup that panicked is closed, which counts as late.
        match outcome.ok().and_then(Result::ok).and_then(|found| found.clone()) {
            Some(found) => Waited::Found(found),
            None if is_first => Waited::FirstIsLate,
            None => Waited::FollowerIsLate,
        }
    }
}
