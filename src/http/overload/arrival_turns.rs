//! Lets the new connections of an address wait for each other, not others for them.
//!
//! Thousands of connections of a few addresses may arrive in a moment. If all of them went to the threads at once, each
//! other request would wait behind them for as long as [`AdmissionController`](super::AdmissionController) tolerates, and
//! be rejected after that. So only a few new connections of each address are ready at a time; the others wait in order.
//! This is stochastic fairness queueing: addresses are hashed to queues, and some share one.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::admission::run_last;

/// Number of queues. Of twenty addresses that flood the service, an ordinary one shares a queue once in fifty times; it
/// waits some milliseconds then.
const QUEUES: usize = 1_024;

/// New connections of an address that are ready at a time, for each thread. One computes while the next wakes up.
const EACH_THREAD: usize = 2;

/// The queues of new connections.
#[derive(Debug)]
pub(in crate::http) struct ArrivalTurns(Vec<Arc<Semaphore>>);

/// The place of a connection in its queue.
#[derive(Debug)]
pub(in crate::http) enum Turn {
    /// It is ready.
    Ready(Option<OwnedSemaphorePermit>),
    /// Others of its address come first.
    After(Arc<Semaphore>),
}

impl ArrivalTurns {
    /// Makes the queues of a runtime with this many threads.
    pub(in crate::http) fn new(threads: usize) -> ArrivalTurns {
        ArrivalTurns((0..QUEUES).map(|_| Arc::new(Semaphore::new(EACH_THREAD * threads))).collect())
    }

    /// Takes the place of a new connection; one without an address comes from a trusted proxy and never waits.
    pub(in crate::http) fn take(&self, address: Option<u64>) -> Turn {
        let Some(address) = address else { return Turn::Ready(None) };
        let queue = &self.0[(address % QUEUES as u64) as usize];
        match Arc::clone(queue).try_acquire_owned() {
            Ok(permit) => Turn::Ready(Some(permit)),
            Err(_) => Turn::After(Arc::clone(queue)),
        }
    }
}

impl Turn {
    /// Runs the connection that `serve` makes. Its turn ends when it first has to wait for its client.
    ///
    /// The connection is made here, because a future that is passed in would be kept twice: 29 MiB for 9,900 connections.
    pub(in crate::http) async fn run<C: Future<Output = ()>>(self, serve: impl FnOnce() -> C) {
        let permit = match self {
            Turn::Ready(permit) => permit,
            Turn::After(queue) => {
                // The queues are never closed.
                let permit = queue.acquire_owned().await.ok();
                // All that is ready, also of other addresses, comes before it.
                run_last().await;
                permit
            }
        };
        let mut connection = pin!(serve());
        let first = poll_fn(|context| Poll::Ready(connection.as_mut().poll(context))).await;
        drop(permit);
        if first.is_pending() {
            connection.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::{spawn, task::yield_now};

    use super::*;

    /// A hundred connections of one address are there before those of two others and of a proxy. Each of these still
    /// runs among the first; those of the first address run in order.
    #[tokio::test]
    async fn a_flood_waits_for_itself() {
        let (turns, order) = (ArrivalTurns::new(1), Arc::new(Mutex::new(Vec::new())));
        let all: Vec<_> = (0..100)
            .map(|number| (Some(7), number))
            .chain([(Some(8), 100), (Some(8), 101), (Some(9), 102), (None, 103), (None, 104)])
            .map(|(address, number)| {
                let (turn, order) = (turns.take(address), Arc::clone(&order));
                spawn(turn.run(move || async move {
                    order.lock().unwrap().push(number);
                    yield_now().await;
                }))
            })
            .collect();
        for one in all {
            one.await.unwrap();
        }
        let order = order.lock().unwrap();
        let flood: Vec<_> = order.iter().filter(|number| **number < 100).collect();
        assert!(flood.is_sorted() && flood.len() == 100 && order.len() == 105, "{order:?}");
        let last = order.iter().rposition(|number| *number >= 100).unwrap();
        assert!(last < 20, "{order:?}");
    }
}
