//! Calls one outside service, with a limit of concurrent calls, a retry, a circuit breaker, a control question and
//! counts.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::Semaphore,
    time::{Instant, sleep, timeout},
};

use super::{
    base::Base,
    breaker::Breaker,
    control::{Control, ControlQuestion, Verdict},
    fetch::{Fetcher, Query, Reply},
};
use crate::counts::{Count, Durations, Histogram};
use platbook::facts::Fault;

/// Maximum number of concurrent calls to one service. The services are free and shared by all. Chosen, not measured.
const CALLS_MAX: usize = 16;

/// Maximum time for a call, including the wait for its turn and the retry. The call goes on after its caller stops
/// waiting: flood maps in particular are slow, and a late result is cached.
const PATIENCE: Duration = Duration::from_secs(15);

/// Time within which a failed call is retried once. Chosen, not measured.
const SOON: Duration = Duration::from_millis(1_500);

/// Pause before the retry, to which a random time of up to the same length is added. Chosen, not measured.
const PAUSE: Duration = Duration::from_millis(150);

/// A connection to one service, with its limits and counts.
#[derive(Debug)]
pub(super) struct Line {
    base: Base,
    fetcher: Arc<Fetcher>,
    breaker: Breaker,
    control: Option<Control>,
    turns: Semaphore,
    counts: LineCounts,
}

/// Counts of calls by outcome.
#[derive(Debug, Default)]
struct LineCounts {
    answered: Count,
    failed: Count,
    spared: Count,
    durations: Durations,
}

/// Counts of calls to a service since the start.
#[derive(Clone, Debug)]
pub struct ServiceFigures {
    /// The name of the service in settings.
    pub name: &'static str,
    /// Calls with a usable response.
    pub answered: u64,
    /// Calls without a usable response.
    pub failed: u64,
    /// Calls that were not made, because the service rests or already has too many calls.
    pub spared: u64,
    /// Whether the service rests after consecutive failures.
    pub rests: bool,
    /// Durations of calls, including retries.
    pub durations: Histogram,
}

impl Line {
    pub(super) fn new(base: Base, fetcher: Arc<Fetcher>, control: Option<ControlQuestion>) -> Line {
        let (breaker, turns) = (Breaker::default(), Semaphore::new(CALLS_MAX));
        let control = control.map(Control::new);
        Line { base, fetcher, breaker, control, turns, counts: LineCounts::default() }
    }

    /// Returns the counts of this service under this name.
    pub(super) fn figures(&self, name: &'static str) -> ServiceFigures {
        ServiceFigures {
            name,
            answered: self.counts.answered.get(),
            failed: self.counts.failed.get(),
            spared: self.counts.spared.get(),
            rests: self.breaker.rests(),
            durations: self.counts.durations.read(),
        }
    }

    /// Calls the service and reads the response. A call that fails early is retried once.
    pub(super) async fn ask<T>(
        &self,
        query: Query,
        read: impl Fn(&Reply) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let until = Instant::now() + PATIENCE;
        let turn = timeout(PATIENCE, self.turns.acquire()).await;
        let Ok(Ok(_turn)) = turn else {
            self.counts.spared.one();
            return Err(Fault::Crowded);
        };
        self.breaker.admit().inspect_err(|_| self.counts.spared.one())?;
        let begin = Instant::now();
        let mut outcome = self.attempt(&query, &read, until).await;
        if outcome.as_ref().is_err_and(Fault::may_pass) && begin.elapsed() < SOON {
            sleep(PAUSE + PAUSE.mul_f32(fastrand::f32())).await;
            outcome = self.attempt(&query, &read, until).await;
        }
        self.counts.durations.add(begin.elapsed());
        let is_answered = outcome.as_ref().err().is_none_or(|fault| matches!(fault, Fault::Refused(_)));
        self.count(is_answered);
        // The turn is held until the control question is answered, so that fewer calls are made in the meantime.
        if self.breaker.record(is_answered) {
            self.rest_or_forgive().await;
        }
        outcome
    }

    /// Returns the outcome of the control question, which shows whether the service works at all.
    pub(super) async fn verdict(&self) -> Verdict {
        let Some(control) = &self.control else { return Verdict::Unknown };
        let ask = async |question: &ControlQuestion| {
            // The control question takes no turn: only one is sent at a time, and hanging calls may hold all turns.
            let reply = self.fetcher.call(&self.base, &question.query).await;
            let outcome = reply.and_then(|reply| (question.finds)(&reply));
            self.count(outcome.is_ok());
            outcome
        };
        control.verdict(ask).await
    }

    /// Stops calls to the service, unless it answers its control question correctly. After a correct answer, only
    /// some queries fail, such as odd ones of one caller. These must not affect other callers.
    async fn rest_or_forgive(&self) {
        if self.verdict().await == Verdict::Right {
            self.breaker.record(true);
        } else {
            self.breaker.rest();
        }
    }

    fn count(&self, is_answered: bool) {
        if is_answered { self.counts.answered.one() } else { self.counts.failed.one() }
    }

    async fn attempt<T>(
        &self,
        query: &Query,
        read: &impl Fn(&Reply) -> Result<T, Fault>,
        until: Instant,
    ) -> Result<T, Fault> {
        let call = self.fetcher.call(&self.base, query);
        let reply = tokio::time::timeout_at(until, call).await.map_err(|_| Fault::Late)??;
        read(&reply)
    }
}
