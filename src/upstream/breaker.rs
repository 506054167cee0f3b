//! Circuit breaker: after repeated failures, the service is not called for a while. The service can recover during
//! that time, and callers get an error at once.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use platbook::facts::Fault;

/// Number of consecutive failures that open the breaker. Chosen, not measured.
pub(super) const FAILURES_MAX: u32 = 5;

/// Time for which the breaker stays open. Then one call tests the service. Chosen, not measured.
pub(super) const REST: Duration = Duration::from_secs(30);

/// The recent failures of a service.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    rests_until: Option<Instant>,
}

impl Breaker {
    /// Admits a call. After a rest, admits only one call: the service rests again until the outcome of this call is
    /// recorded.
    ///
    /// # Errors
    /// [`Fault::Resting`] with the remaining time.
    pub(super) fn admit(&self) -> Result<(), Fault> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        match state.rests_until {
            Some(until) if now < until => Err(Fault::Resting(until - now)),
            Some(_) => {
                state.rests_until = Some(now + REST);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Returns whether calls to the service are currently stopped.
    pub(super) fn rests(&self) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.rests_until.is_some_and(|until| Instant::now() < until)
    }

    /// Records the outcome of a call. Returns whether the service has failed [`FAILURES_MAX`] times in a row and should
    /// rest.
    pub(super) fn record(&self, went_well: bool) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if went_well {
            *state = State::default();
            return false;
        }
        state.failures += 1;
        state.failures >= FAILURES_MAX
    }

    /// Stops calls to the service for [`REST`].
    pub(super) fn rest(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.rests_until = Some(Instant::now() + REST);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_service_that_fails_rests_and_is_tried_by_one_call() {
        let breaker = Breaker::default();
        for _ in 0..FAILURES_MAX {
            breaker.admit().unwrap();
            if breaker.record(false) {
                breaker.rest();
            }
        }
        assert_eq!(breaker.admit(), Err(Fault::Resting(REST)));
        advance(REST).await;
        assert_eq!(breaker.admit(), Ok(()), "one may try");
        assert_eq!(breaker.admit(), Err(Fault::Resting(REST)), "the next waits for what becomes of it");
        assert!(breaker.record(false), "it should rest again");
        assert_eq!(breaker.admit(), Err(Fault::Resting(REST)), "it failed again");
        advance(REST).await;
        assert_eq!(breaker.admit(), Ok(()));
        breaker.record(true);
        assert_eq!((breaker.admit(), breaker.admit()), (Ok(()), Ok(())), "all is well");
    }

    #[tokio::test(start_paused = true)]
    async fn failures_with_successes_between_are_no_row() {
        let breaker = Breaker::default();
        for _ in 0..4 * FAILURES_MAX {
            assert!(!breaker.record(false));
            assert!(!breaker.record(true));
        }
        assert_eq!(breaker.admit(), Ok(()));
    }
}
