//! Runs work that takes milliseconds on separate threads, so that the threads that answer requests never wait for it.
//!
//! A job waits in a bounded queue and runs on one of a few threads. Jobs are ordered by start-time fair queueing
//! (Goyal, Vin and Cheng 1996) with equal weights. An address with thirty jobs waits behind an address with one. A
//! job whose caller has disconnected is not run. The module knows neither pages nor snapshots.

use std::{
    any::Any,
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
};

use tokio::sync::oneshot;

use crate::{counts::Count, http::respond::busy};
use platbook::answers::Refusal;

/// Maximum number of waiting jobs of all callers. A page takes 1 to 17 ms to make (`benches/dearest.rs`, 2026-11-24),
/// so the last of these jobs waits about two seconds, which is [`RETRY_S`].
const WAITING_MAX: usize = 512;

/// Maximum number of waiting jobs of one address: half, so that one caller never fills the queue. Limits allow 30
/// pages a minute; this bound is for servers without limits.
const WAITING_EACH_MAX: usize = WAITING_MAX / 2;

/// Seconds after which a caller that found the queue full may try again.
const RETRY_S: u32 = 2;

/// The name of each thread.
const THREAD_NAME: &str = "platbook-offload";

/// Threads for long work, and their queue.
#[derive(Debug, Default)]
pub struct Offload {
    queue: Arc<Queue>,
    /// Set when the first job starts the threads: most tests and commands need none.
    started: OnceLock<()>,
}

#[derive(Debug, Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    running: Count,
    done: Count,
    refused: Count,
}

#[derive(Default)]
struct State {
    /// Jobs by turn and, within a turn, by arrival.
    waiting: BTreeMap<(u64, u64), Job>,
    /// For each waiting caller, its last turn and the number of its waiting jobs.
    callers: HashMap<IpAddr, Standing>,
    /// The turn of the job that was started last.
    turn: u64,
    /// Number of jobs that arrived.
    arrived: u64,
    is_closed: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("waiting", &self.waiting.len()).field("turn", &self.turn).finish()
    }
}

struct Standing {
    last_turn: u64,
    waiting: usize,
}

struct Job {
    caller: IpAddr,
    run: Box<dyn FnOnce() + Send>,
}

impl Offload {
    /// Runs a job for a caller and returns its result. A panic of the job continues in the task that called `run`.
    ///
    /// # Errors
    /// `busy` if too many jobs wait.
    pub(in crate::http) async fn run<T: Send + 'static>(
        &self,
        caller: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (sender, receiver) = oneshot::channel::<Result<T, Box<dyn Any + Send>>>();
        let queue = Arc::clone(&self.queue);
        let run = move || {
            if !sender.is_closed() {
                queue.running.one();
                let outcome = catch_unwind(AssertUnwindSafe(work));
                queue.running.one_less();
                queue.done.one();
                // A caller that has disconnected needs no result.
                let _ = sender.send(outcome);
            }
        };
        if !self.queue.push(caller, Box::new(run)) {
            self.queue.refused.one();
            return Err(queue_full());
        }
        self.started.get_or_init(|| self.start());
        match receiver.await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(queue_full()),
        }
    }

    /// Returns the number of jobs done since the start.
    pub fn done(&self) -> u64 {
        self.queue.done.get()
    }

    /// Returns the number of jobs refused since the start because the queue was full.
    pub fn refused(&self) -> u64 {
        self.queue.refused.get()
    }

    /// Returns the number of jobs that run now.
    pub fn running(&self) -> u64 {
        self.queue.running.get()
    }

    /// Returns the number of jobs that wait now.
    pub fn waiting(&self) -> u64 {
        self.queue.state().waiting.len() as u64
    }

    /// Starts half as many threads as the machine has processors, so that long work leaves the other half to answers.
    fn start(&self) {
        let threads = thread::available_parallelism().map_or(1, |count| (count.get() / 2).max(1));
        for _ in 0..threads {
            let queue = Arc::clone(&self.queue);
            let begun = thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(move || queue.work());
            if let Err(error) = begun {
                tracing::error!(%error, "a thread for long work did not start");
            }
        }
    }
}

impl Drop for Offload {
    fn drop(&mut self) {
        self.queue.state().is_closed = true;
        self.queue.changed.notify_all();
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, caller: IpAddr, run: Box<dyn FnOnce() + Send>) -> bool {
        let is_taken = self.state().push(Job { caller, run });
        if is_taken {
            self.changed.notify_one();
        }
        is_taken
    }

    /// Runs jobs until the queue is closed.
    fn work(&self) {
        loop {
            let mut state = self.state();
            let job = loop {
                if state.is_closed {
                    return;
                }
                match state.pop() {
                    Some(job) => break job,
                    None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(state);
            (job.run)();
        }
    }
}

impl State {
    /// Queues a job one turn after the caller's last job; returns `false` if the queue is full.
    fn push(&mut self, job: Job) -> bool {
        if self.waiting.len() >= WAITING_MAX {
            return false;
        }
        let standing =
            self.callers.entry(job.caller).or_insert(Standing { last_turn: self.turn, waiting: 0 });
        if standing.waiting >= WAITING_EACH_MAX {
            return false;
        }
        standing.last_turn = standing.last_turn.max(self.turn) + 1;
        standing.waiting += 1;
        self.arrived += 1;
        self.waiting.insert((standing.last_turn, self.arrived), job);
        true
    }

    fn pop(&mut self) -> Option<Job> {
        let ((turn, _), job) = self.waiting.pop_first()?;
        self.turn = turn;
        if let Some(standing) = self.callers.get_mut(&job.caller) {
            standing.waiting -= 1;
            // A caller without waiting jobs begins at the current turn, so its entry is not needed.
            if standing.waiting == 0 {
                self.callers.remove(&job.caller);
            }
        }
        Some(job)
    }
}

fn queue_full() -> Refusal {
    busy(RETRY_S, format!("too many pages are being made; ask again in {RETRY_S} s"))
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, net::Ipv4Addr, sync::mpsc, task::Poll};

    use super::*;

    fn address(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    fn fails() -> u8 {
        panic!("as expected")
    }

    fn job(caller: u8) -> Job {
        Job { caller: address(caller), run: Box::new(|| ()) }
    }

    /// Lists the callers of arriving jobs; at each `0`, the next job starts.
    #[test]
    fn callers_take_turns() {
        for (arrive, started) in [
            (&[1, 1, 1, 1, 2, 0, 0, 0, 0, 0][..], &[1, 2, 1, 1, 1][..]),
            (&[1, 1, 1, 0, 0, 2, 3, 0, 0, 0], &[1, 1, 1, 2, 3]),
            (&[1, 1, 1, 1, 0, 2, 2, 0, 0, 0, 0, 0], &[1, 1, 2, 1, 2, 1]),
            (&[1, 0, 1, 0, 2, 1, 0, 0], &[1, 1, 2, 1]),
        ] {
            let mut state = State::default();
            let mut seen = Vec::new();
            for caller in arrive {
                match caller {
                    0 => seen.push(state.pop().expect("a job waits").caller),
                    _ => assert!(state.push(job(*caller))),
                }
            }
            assert_eq!(seen, started.iter().map(|last| address(*last)).collect::<Vec<_>>(), "{arrive:?}");
            assert!(state.callers.is_empty() && state.waiting.is_empty(), "{arrive:?}");
        }
    }

    #[test]
    fn one_caller_never_fills_the_queue() {
        let mut state = State::default();
        let taken = |state: &mut State, caller| (0..1_000).filter(|_| state.push(job(caller))).count();
        assert_eq!(taken(&mut state, 1), WAITING_EACH_MAX);
        assert_eq!(taken(&mut state, 2), WAITING_MAX - WAITING_EACH_MAX);
        assert_eq!(taken(&mut state, 3), 0);
        assert!(state.pop().is_some() && state.push(job(3)));
    }

    #[tokio::test]
    async fn jobs_run_elsewhere_and_nobody_waits_for_who_went_away() {
        let offload = Offload::default();
        let name = || thread::current().name().map(str::to_owned);
        let first = offload.run(address(1), name).await.unwrap();
        assert_eq!(first.as_deref(), Some(THREAD_NAME));
        let threads = thread::available_parallelism().map_or(1, |count| (count.get() / 2).max(1));
        let (release, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        // All threads are busy, so further jobs wait. One of the waiting callers disconnects.
        let holding = (0..threads).map(|_| {
            let held = Arc::clone(&held);
            offload.run(address(1), move || held.lock().unwrap().recv().unwrap())
        });
        let holding = futures_util::future::join_all(holding);
        let abandoned = offload.run(address(2), fails);
        {
            let (mut holding, mut abandoned) = (Box::pin(holding), Box::pin(abandoned));
            poll_fn(|context| {
                assert!(holding.as_mut().poll(context).is_pending());
                assert!(abandoned.as_mut().poll(context).is_pending());
                Poll::Ready(())
            })
            .await;
            drop(abandoned);
            (0..threads).for_each(|_| release.send(()).unwrap());
            holding.await.into_iter().for_each(|held| held.unwrap());
        }
        assert_eq!(offload.run(address(3), || 7).await.unwrap(), 7);
        assert_eq!(offload.done(), threads as u64 + 2);
        assert_eq!([offload.waiting(), offload.running(), offload.refused()], [0; 3]);
    }

    #[tokio::test]
    async fn a_panic_goes_on_in_the_caller() {
        use futures_util::FutureExt as _;
        let offload = Offload::default();
        let outcome = AssertUnwindSafe(offload.run(address(1), fails)).catch_unwind().await;
        assert!(outcome.is_err());
        assert_eq!(offload.run(address(1), || 7).await.unwrap(), 7);
    }
}
