//! One outside service: where it is asked, how many calls it is spared, and how it did lately.

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

/// Calls that one service has from us at one time. They are free and shared by all.
const CALLS_MAX: usize = 16;

/// How long a call may take in all, with waiting for its turn and with being made a second time. Longer than a caller waits:
/// the flood maps in particular take their time, and what comes late is kept for the next.
const PATIENCE: Duration = Duration::from_secs(15);

/// A call that failed sooner than this is made a second time.
const SOON: Duration = Duration::from_millis(1_500);

/// Before that we wait this long, and up to as long again.
const PAUSE: Duration = Duration::from_millis(150);

/// A service that is asked.
#[derive(Debug)]
pub(super) struct Line {
    base: Base,
    fetcher: Arc<Fetcher>,
    breaker: Breaker,
    control: Option<Control>,
    turns: Semaphore,
    counts: LineCounts,
}

/// What became of calls.
#[derive(Debug, Default)]
struct LineCounts {
    answered: Count,
    failed: Count,
    spared: Count,
    durations: Durations,
}

/// How a service did, until now.
#[derive(Clone, Debug)]
pub struct ServiceFigures {
    /// Its name in settings.
    pub name: &'static str,
    /// Calls that were answered.
    pub answered: u64,
    /// Calls that were not.
    pub failed: u64,
    /// Calls that were not made, because it rests or has too many.
    pub spared: u64,
    /// Whether it is left alone, after failures in a row.
    pub rests: bool,
    /// How long calls took, with a second try.
    pub durations: Histogram,
}

impl Line {
    pub(super) fn new(base: Base, fetcher: Arc<Fetcher>, control: Option<ControlQuestion>) -> Line {
        let (breaker, turns) = (Breaker::default(), Semaphore::new(CALLS_MAX));
        let control = control.map(Control::new);
        Line { base, fetcher, breaker, control, turns, counts: LineCounts::default() }
    }

    /// How it did.
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

    /// Asks, and reads the answer. Made a second time where the first call broke soon.
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
        // The turn is held until then, so that no others are made meanwhile.
        if self.breaker.record(is_answered) {
            self.rest_or_forgive().await;
        }
        outcome
    }

    /// Whether the service can answer at all, by its control question.
    pub(super) async fn verdict(&self) -> Verdict {
        let Some(control) = &self.control else { return Verdict::Unknown };
        let ask = async |question: &ControlQuestion| {
            // Needs no turn: one is asked at a time, also while calls that hang have all turns.
            let reply = self.fetcher.call(&self.base, &question.query).await;
            let outcome = reply.and_then(|reply| (question.finds)(&reply));
            self.count(outcome.is_ok());
            outcome
        };
        control.verdict(ask).await
    }

    /// Leaves the service alone, unless it answers its control question: then it is the questions that fail, such as those
    /// that one caller makes up, and others must not pay for them.
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
