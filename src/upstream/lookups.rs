//! Runs lookups for all doors: data files first, then outside services, with caching, sharing and a deadline.
//!
//! This module is independent of agencies and formats: it calls services through [`Upstream`], and data files through
//! `Finder`.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    Admit, ServiceFigures, Upstream,
    single_flight::{Pending, SOON_S, SingleFlight, Waited, busy},
};
use platbook::{
    answers::{
        AddressAnswer, Answers, Budget, CacheFigures, Finder, Found, Lookup, ParcelAnswer, Refusal, Spot,
    },
    facts::{FactKeys, Facts, Fault},
    words::{English, Words as _},
};

/// Time for which a caller waits for all lookups of a request. Chosen, not measured.
pub const DEADLINE: Duration = Duration::from_secs(4);

/// Runs the lookups that answers need.
#[derive(Debug)]
pub struct Lookups {
    finders: Vec<Box<dyn Finder>>,
    upstream: Option<Arc<dyn Upstream>>,
    deadline: Duration,
    single_flight: Arc<SingleFlight>,
}

impl Lookups {
    /// Makes lookups without outside services.
    pub fn closed() -> Lookups {
        let single_flight = Arc::new(SingleFlight::new(Budget::default()));
        Lookups { finders: Vec::new(), upstream: None, deadline: DEADLINE, single_flight }
    }

    /// Makes lookups that call this upstream.
    pub fn of(upstream: Arc<dyn Upstream>) -> Lookups {
        Lookups { upstream: Some(upstream), ..Lookups::closed() }
    }

    /// Adds a finder. Finders are tried in the order in which they were added, and before outside services.
    pub fn with_finder(mut self, finder: Box<dyn Finder>) -> Lookups {
        self.finders.push(finder);
        self
    }

    /// Returns whether a data file or a service looks up addresses.
    pub fn take_addresses(&self) -> bool {
        let address = Lookup::Address(String::new());
        self.finders.iter().any(|finder| finder.has_addresses())
            || self.upstream.as_ref().is_some_and(|upstream| upstream.takes(&address))
    }

    /// Returns these lookups with an empty cache within its share of this budget.
    pub fn within(self, budget: Budget) -> Lookups {
        Lookups { single_flight: Arc::new(SingleFlight::new(budget)), ..self }
    }

    /// Returns counts of lookups and of calls to services.
    pub fn figures(&self) -> LookupFigures {
        let counts = self.single_flight.counts();
        LookupFigures {
            outcomes: [
                ("known", counts.known.get()),
                ("joined", counts.joined.get()),
                ("asked", counts.begun.get()),
                ("late", counts.late.get()),
            ],
            under_way: self.single_flight.under_way() as u64,
            cache: self.single_flight.known().figures(),
            services: self.upstream.as_ref().map_or_else(Vec::new, |upstream| upstream.figures()),
        }
    }

    /// Returns the number of pairs of a caller and a service with running lookups.
    #[cfg(test)]
    pub(super) fn shares(&self) -> usize {
        self.single_flight.shares()
    }

    /// Waits for one lookup, and counts it as late if it has no result in time.
    async fn wait_for(&self, pending: Pending, until: Instant) -> Waited {
        let waited = pending.wait(until).await;
        if matches!(waited, Waited::FirstIsLate | Waited::FollowerIsLate) {
            self.single_flight.counts().late.one();
        }
        waited
    }

    /// Returns these lookups with another deadline.
    pub fn with_deadline(self, deadline: Duration) -> Lookups {
        Lookups { deadline, ..self }
    }

    /// Runs a lookup for these answers. `admit` counts a new outside lookup against the caller's limit. `admit` is
    /// not called if all results are available, or if equal lookups are running.
    ///
    /// # Errors
    /// The error of `admit`, or `busy` if too many lookups are running.
    pub async fn run(&self, answers: &Answers, lookup: Lookup, admit: impl Admit) -> Result<Found, Refusal> {
        match lookup {
            Lookup::Address(text) => self.address(answers, text, admit).await,
            Lookup::Facts { spot, keys } => self.facts(answers, spot, keys, admit).await,
            Lookup::Parcel { .. } => self.parcel(lookup, admit).await,
        }
    }

    async fn address(&self, answers: &Answers, text: String, admit: impl Admit) -> Result<Found, Refusal> {
        let local = self.finders.iter().find_map(|finder| finder.address(answers, &text));
        let lookup = Lookup::Address(one_spelling(&text));
        let upstream = self.upstream.as_ref().filter(|upstream| upstream.takes(&lookup));
        let found = match (local, upstream) {
            (Some(address), _) => Found { address, ..Found::default() },
            (None, None) => Found::default(),
            (None, Some(upstream)) => {
                let pending = self.single_flight.begin_or_join(vec![lookup], upstream, admit).await?;
                let until = Instant::now() + self.deadline;
                self.wait_for_address(pending, until).await?
            }
        };
        let is_placed = matches!(found.address, AddressAnswer::One(_) | AddressAnswer::Several(_));
        let hint = || self.finders.iter().find_map(|finder| finder.hint(answers, &text));
        Ok(if is_placed { found } else { Found { hint: hint(), ..found } })
    }

    async fn wait_for_address(&self, pending: Vec<Pending>, until: Instant) -> Result<Found, Refusal> {
        let mut found = Found::default();
        for one in pending {
            found = match self.wait_for(one, until).await {
                Waited::Found(found) => *found,
                Waited::FirstIsLate => late_address(),
                Waited::FollowerIsLate => return Err(busy("the same address is being looked up already")),
                Waited::OverShare => return Err(busy(&English.fault(&Fault::OverShare))),
            };
        }
        Ok(found)
    }

    async fn parcel(&self, lookup: Lookup, admit: impl Admit) -> Result<Found, Refusal> {
        let Some(upstream) = self.upstream.as_ref().filter(|upstream| upstream.takes(&lookup)) else {
            return Ok(Found::default());
        };
        let unavailable = |why: &str| {
            let parcel = ParcelAnswer::Unavailable(format!("{why}; ask again later"));
            Found { parcel, ..Found::default() }
        };
        let until = Instant::now() + self.deadline;
        let mut found = Found::default();
        for one in self.single_flight.begin_or_join(vec![lookup], upstream, admit).await? {
            found = match self.wait_for(one, until).await {
                Waited::Found(found) => *found,
                Waited::OverShare => unavailable(&English.fault(&Fault::OverShare)),
                Waited::FirstIsLate | Waited::FollowerIsLate => {
                    unavailable("the provider of parcel data did not answer in time")
                }
            };
        }
        Ok(found)
    }

    async fn facts(
        &self,
        answers: &Answers,
        spot: Spot,
        keys: FactKeys,
        admit: impl Admit,
    ) -> Result<Found, Refusal> {
        let mut facts = Facts::default();
        for finder in &self.finders {
            facts = facts.or(finder.facts(answers, &spot, keys));
        }
        let missing = keys.without(facts.keys());
        let local = Found { facts, ..Found::default() };
        let Some(upstream) = &self.upstream else { return Ok(local) };
        let one = |key| Lookup::Facts { spot: spot.clone(), keys: FactKeys::from_iter([key]) };
        let missing: FactKeys = missing.iter().filter(|key| upstream.takes(&one(*key))).collect();
        let lookups = missing.iter().map(one).collect();
        let pending = self.single_flight.begin_or_join(lookups, upstream, admit).await?;
        // The lookups run on separate tasks, so waiting for one after another takes no longer than waiting for all at
        // once.
        let until = Instant::now() + self.deadline;
        let mut found = local;
        for (key, one) in missing.iter().zip(pending) {
            found = match self.wait_for(one, until).await {
                Waited::Found(further) => joined(found, *further),
                Waited::OverShare => joined(found, Found::failed(key, Fault::OverShare, SOON_S)),
                Waited::FirstIsLate | Waited::FollowerIsLate => {
                    joined(found, Found::failed(key, Fault::Late, SOON_S))
                }
            };
        }
        Ok(found)
    }
}

/// Counts of lookups at one moment.
#[derive(Clone, Debug)]
pub struct LookupFigures {
    /// Lookups by outcome since the start: `known` (cached), `joined` (already running), `asked` (sent to a service)
    /// and `late` (no result in time).
    pub outcomes: [(&'static str, u64); 4],
    /// Number of lookups that are running now.
    pub under_way: u64,
    /// Counts of the cache of results.
    pub cache: CacheFigures,
    /// Counts of calls for each service.
    pub services: Vec<ServiceFigures>,
}

/// Joins two results. The joined result has the age of the older one, and expires as soon as one of the two expires.
pub(super) fn joined(one: Found, other: Found) -> Found {
    let earlier = |one: Option<String>, other: Option<String>| one.into_iter().chain(other).min();
    Found {
        facts: one.facts.or(other.facts),
        looked_up_at: earlier(one.looked_up_at, other.looked_up_at),
        lifetime_s: one.lifetime_s.into_iter().chain(other.lifetime_s).min(),
        ..Found::default()
    }
}

fn late_address() -> Found {
    let why = "the address service did not answer in time; ask again in a minute, or ask with lat and lon";
    Found { address: AddressAnswer::Unavailable(why.to_owned()), lifetime_s: Some(0), ..Found::default() }
}

/// Returns the same spelling for texts that differ only in case and spaces, so that they share one lookup.
fn one_spelling(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()
}
