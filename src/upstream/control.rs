//! Control questions. They show whether a service works at all when it finds nothing, or fails.
//!
//! During an outage, a service may answer every query with an empty list, or with its documented error for a bad
//! query. Both look like "not found". A [`ControlQuestion`] has a known answer, so its outcome shows what other
//! responses mean. All callers share one outcome, for at most [`RIGHT_FOR`].

use std::time::Duration;

use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use super::fetch::{Query, Reply};
use platbook::facts::Fault;

/// Time for which a right answer counts. The time is short, since an outage may begin in it, and the false results of
/// the outage would be cached for hours. Chosen, not measured.
pub(super) const RIGHT_FOR: Duration = Duration::from_secs(60);

/// Time for which any other outcome counts: as long as a failed lookup is cached.
pub(super) const WRONG_FOR: Duration = Duration::from_secs(30);

/// Time for which a lookup waits for the outcome. Callers wait 4 s in all (`DEADLINE`), and most services answer
/// within 1 s.
const PATIENCE: Duration = Duration::from_secs(2);

/// A query with a known answer. The response shows whether a service lacks the data for one point or address, or has
/// lost all data.
#[derive(Clone, Debug)]
pub(super) struct ControlQuestion {
    /// The request that is sent to the service.
    pub(super) query: Query,
    /// Returns whether a response contains the known answer.
    pub(super) finds: fn(&Reply) -> Result<bool, Fault>,
}

/// The outcome of a control question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The response was right: the service has its data.
    Right,
    /// The response was empty: the service has lost its data.
    Wrong,
    /// There was no response in time, or the service has no control question.
    Unknown,
}

/// The control question of a service, with its last outcome.
#[derive(Debug)]
pub(super) struct Control {
    question: ControlQuestion,
    /// The last outcome and its time. Locked during the request, so that other callers wait for the same outcome.
    last: Mutex<Option<(Instant, Verdict)>>,
}

impl Control {
    pub(super) fn new(question: ControlQuestion) -> Control {
        Control { question, last: Mutex::default() }
    }

    /// Returns the outcome of the control question. Sends the question with `ask` if the last outcome is too old.
    pub(super) async fn verdict<'c, F>(&'c self, ask: impl FnOnce(&'c ControlQuestion) -> F) -> Verdict
    where
        F: Future<Output = Result<bool, Fault>>,
    {
        let mut last = self.last.lock().await;
        if let Some((at, verdict)) = *last {
            let counts_for = if verdict == Verdict::Right { RIGHT_FOR } else { WRONG_FOR };
            if at.elapsed() < counts_for {
                return verdict;
            }
        }
        let verdict = match timeout(PATIENCE, ask(&self.question)).await {
            Ok(Ok(true)) => Verdict::Right,
            Ok(Ok(false)) => Verdict::Wrong,
            Ok(Err(_)) | Err(_) => Verdict::Unknown,
        };
        *last = Some((Instant::now(), verdict));
        verdict
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures_util::future::join_all;
    use tokio::time::advance;

    use super::*;
    use crate::upstream::agencies::census;

    #[tokio::test(start_paused = true)]
    async fn a_verdict_counts_for_a_while() {
        for (outcome, verdict, counts_for) in [
            (Ok(true), Verdict::Right, RIGHT_FOR),
            (Ok(false), Verdict::Wrong, WRONG_FOR),
            (Err(Fault::Unreachable), Verdict::Unknown, WRONG_FOR),
        ] {
            let control = Control::new(census::control());
            assert_eq!(control.verdict(|_| ready(outcome.clone())).await, verdict);
            advance(counts_for - Duration::from_secs(1)).await;
            let unasked =
                |_: &ControlQuestion| -> std::future::Ready<_> { panic!("{verdict:?} counts still") };
            assert_eq!(control.verdict(unasked).await, verdict);
            advance(Duration::from_secs(1)).await;
            let other = Ok(verdict != Verdict::Right);
            assert_ne!(control.verdict(|_| ready(other)).await, verdict, "it is asked anew");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_that_hangs_is_given_up_once_for_all_who_wait() {
        let control = Control::new(census::control());
        let begin = Instant::now();
        let verdicts = join_all((0..100).map(|_| control.verdict(|_| pending()))).await;
        assert!(verdicts.iter().all(|verdict| *verdict == Verdict::Unknown));
        assert_eq!(begin.elapsed(), PATIENCE, "one asks, and the others wait for the same");
    }
}
