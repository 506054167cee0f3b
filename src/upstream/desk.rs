//! Where doors have things looked up.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    Asker, ServiceFigures, Upstream,
    flights::{Flights, Leg, SOON_S, Waited, busy},
};
use platbook::{
    answers::{
        AddressAnswer, Answers, Budget, CacheFigures, Finder, Found, Lookup, ParcelAnswer, Refusal, Spot,
    },
    facts::{FactKeys, Facts, Fault},
    words::{English, Words as _},
};

/// How long who asks waits for what is looked up, in all.
pub const DEADLINE: Duration = Duration::from_secs(4);

/// Where doors have things looked up.
#[derive(Debug)]
pub struct Desk {
    finders: Vec<Box<dyn Finder>>,
    upstream: Option<Arc<dyn Upstream>>,
    deadline: Duration,
    flights: Arc<Flights>,
}

impl Desk {
    /// A desk with nobody to ask outside.
    pub fn closed() -> Desk {
        let flights = Arc::new(Flights::new(Budget::default()));
        Desk { finders: Vec::new(), upstream: None, deadline: DEADLINE, flights }
    }

    /// A desk that asks this service.
    pub fn of(upstream: Arc<dyn Upstream>) -> Desk {
        Desk { upstream: Some(upstream), ..Desk::closed() }
    }

    /// The same desk, which asks this finder after those that it has, and before anyone outside.
    pub fn with_finder(mut self, finder: Box<dyn Finder>) -> Desk {
        self.finders.push(finder);
        self
    }

    /// The same desk, which keeps what it finds within its share of a budget.
    pub fn within(self, budget: Budget) -> Desk {
        Desk { flights: Arc::new(Flights::new(budget)), ..self }
    }

    /// What became of lookups, and how those who are asked did.
    pub fn figures(&self) -> DeskFigures {
        let legs = self.flights.legs();
        DeskFigures {
            lookups: [
                ("known", legs.known.get()),
                ("joined", legs.joined.get()),
                ("asked", legs.begun.get()),
                ("late", legs.late.get()),
            ],
            under_way: self.flights.under_way() as u64,
            cache: self.flights.known().figures(),
            services: self.upstream.as_ref().map_or_else(Vec::new, |upstream| upstream.figures()),
        }
    }

    /// Callers with lookups under way, for each service once.
    #[cfg(test)]
    pub(super) fn shares(&self) -> usize {
        self.flights.shares()
    }

    /// Waits for a leg.
    async fn landed(&self, leg: Leg, until: Instant) -> Waited {
        let waited = leg.wait(until).await;
        if matches!(waited, Waited::FirstIsLate | Waited::FollowerIsLate) {
            self.flights.legs().late.one();
        }
        waited
    }

    /// The same desk with another deadline.
    pub fn with_deadline(self, deadline: Duration) -> Desk {
        Desk { deadline, ..self }
    }

    /// Looks something up for these answers. `admit` counts a new outside lookup, once whatever is asked, and says whose it is;
    /// it is not called where all findings are at hand, or where equal lookups are under way.
    ///
    /// # Errors
    /// What `admit` says, and `busy`.
    pub async fn ask(
        &self,
        answers: &Answers,
        lookup: Lookup,
        admit: impl FnOnce() -> Result<Asker, Refusal>,
    ) -> Result<Found, Refusal> {
        match lookup {
            Lookup::Address(text) => self.address(answers, text, admit).await,
            Lookup::Facts { spot, keys } => self.facts(answers, spot, keys, admit).await,
            Lookup::Parcel { .. } => self.parcel(lookup, admit).await,
        }
    }

    async fn address(
        &self,
        answers: &Answers,
        text: String,
        admit: impl FnOnce() -> Result<Asker, Refusal>,
    ) -> Result<Found, Refusal> {
        let at_hand = self.finders.iter().find_map(|finder| finder.address(answers, &text));
        let lookup = Lookup::Address(one_spelling(&text));
        let upstream = self.upstream.as_ref().filter(|upstream| upstream.takes(&lookup));
        let found = match (at_hand, upstream) {
            (Some(address), _) => Found { address, ..Found::default() },
            (None, None) => Found::default(),
            (None, Some(upstream)) => {
                let legs = self.flights.board(vec![lookup], upstream, admit)?;
                let until = Instant::now() + self.deadline;
                self.landed_address(legs, until).await?
            }
        };
        let is_placed = matches!(found.address, AddressAnswer::One(_) | AddressAnswer::Several(_));
        let hint = || self.finders.iter().find_map(|finder| finder.hint(answers, &text));
        Ok(if is_placed { found } else { Found { hint: hint(), ..found } })
    }

    async fn landed_address(&self, legs: Vec<Leg>, until: Instant) -> Result<Found, Refusal> {
        let mut found = Found::default();
        for leg in legs {
            found = match self.landed(leg, until).await {
                Waited::Landed(found) => *found,
                Waited::FirstIsLate => late_address(),
                Waited::FollowerIsLate => return Err(busy("the same address is being looked up already")),
                Waited::OverShare => return Err(busy(&English.fault(&Fault::OverShare))),
            };
        }
        Ok(found)
    }

    async fn parcel(
        &self,
        lookup: Lookup,
        admit: impl FnOnce() -> Result<Asker, Refusal>,
    ) -> Result<Found, Refusal> {
        let Some(upstream) = self.upstream.as_ref().filter(|upstream| upstream.takes(&lookup)) else {
            return Ok(Found::default());
        };
        let unavailable = |why: &str| {
            let parcel = ParcelAnswer::Unavailable(format!("{why}; ask again later"));
            Found { parcel, ..Found::default() }
        };
        let until = Instant::now() + self.deadline;
        let mut found = Found::default();
        for leg in self.flights.board(vec![lookup], upstream, admit)? {
            found = match self.landed(leg, until).await {
                Waited::Landed(found) => *found,
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
        admit: impl FnOnce() -> Result<Asker, Refusal>,
    ) -> Result<Found, Refusal> {
        let mut facts = Facts::default();
        for finder in &self.finders {
            facts = facts.or(finder.facts(answers, &spot, keys));
        }
        let missing = keys.without(facts.keys());
        let at_hand = Found { facts, ..Found::default() };
        let Some(upstream) = &self.upstream else { return Ok(at_hand) };
        let one = |key| Lookup::Facts { spot: spot.clone(), keys: FactKeys::from_iter([key]) };
        let missing: FactKeys = missing.iter().filter(|key| upstream.takes(&one(*key))).collect();
        let legs = self.flights.board(missing.iter().map(one).collect(), upstream, admit)?;
        // The legs are under way by themselves, so to wait for one after the other is to wait for all side by side.
        let until = Instant::now() + self.deadline;
        let mut found = at_hand;
        for (key, leg) in missing.iter().zip(legs) {
            found = match self.landed(leg, until).await {
                Waited::Landed(further) => joined(found, *further),
                Waited::OverShare => joined(found, Found::failed(key, Fault::OverShare, SOON_S)),
                Waited::FirstIsLate | Waited::FollowerIsLate => {
                    joined(found, Found::failed(key, Fault::Late, SOON_S))
                }
            };
        }
        Ok(found)
    }
}

/// Figures of lookups, of one moment.
#[derive(Clone, Debug)]
pub struct DeskFigures {
    /// How what callers asked for was looked up: it was known, under way already, or somebody was asked; and how often
    /// nothing came in time.
    pub lookups: [(&'static str, u64); 4],
    /// Lookups that are under way.
    pub under_way: u64,
    /// What was found lately.
    pub cache: CacheFigures,
    /// Those who are asked.
    pub services: Vec<ServiceFigures>,
}

/// The findings of both: as old as the older, and good for as long as both are.
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

/// One spelling for texts that differ in case and spaces only, so that they are one lookup.
fn one_spelling(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()
}
