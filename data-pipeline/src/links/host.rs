//! A host during a run: the time of the next request, its robots.txt, and its answer for pages that cannot exist.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use texting_robots::Robot;
use tokio::{
    sync::{Mutex, MutexGuard, OnceCell},
    time::{Instant, sleep_until},
};

use super::page::Page;

/// Longest pause that a host may ask for by `Crawl-delay`. Chosen, not measured.
const DELAY_MAX: Duration = Duration::from_secs(30);

/// Longest pause that a host may ask for by `Retry-After` and still get more requests in this run. Chosen, not
/// measured.
pub(super) const RETRY_MAX: Duration = Duration::from_secs(120);

/// A host with its port.
#[derive(Debug)]
pub(super) struct Host {
    pause: Duration,
    next: Mutex<Turns>,
    /// The rules of the host's robots.txt; `None` if that could not be read, and then no page may be requested.
    pub(super) robots: OnceCell<Option<Arc<Rules>>>,
    /// Pages that the host gives for addresses that cannot exist, by folder; `None` if the server reports that they
    /// do not exist.
    pub(super) missing: Mutex<BTreeMap<String, Option<Page>>>,
}

/// The time at which a host may get its next request.
#[derive(Debug)]
pub(super) struct Turns {
    next: Instant,
    /// Whether the host has asked for a pause that is too long for this run.
    pub(super) is_over: bool,
}

/// The rules of a robots.txt for this program.
pub(super) struct Rules(Robot);

impl std::fmt::Debug for Rules {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Rules")
    }
}

impl Rules {
    /// Reads a robots.txt; `None` if it cannot be read.
    pub(super) fn read(agent: &str, text: &[u8]) -> Option<Rules> {
        Robot::new(agent, text).ok().map(Rules)
    }

    pub(super) fn allows(&self, url: &str) -> bool {
        self.0.allowed(url)
    }

    /// The pause between two requests that the host asks for.
    pub(super) fn delay(&self) -> Option<Duration> {
        let seconds = self.0.delay.filter(|seconds| seconds.is_finite() && *seconds > 0.0)?;
        Some(Duration::from_secs_f32(seconds.min(DELAY_MAX.as_secs_f32())))
    }
}

impl Host {
    /// A host that gets no request before the time `next`.
    pub(super) fn new(pause: Duration, next: Instant) -> Host {
        Host {
            pause,
            next: Mutex::new(Turns { next, is_over: false }),
            robots: OnceCell::new(),
            missing: Mutex::default(),
        }
    }

    /// Waits until the host may get a request. No other task sends it a request while the turn is held.
    pub(super) async fn turn(&self) -> MutexGuard<'_, Turns> {
        let mut turns = self.next.lock().await;
        sleep_until(turns.next).await;
        let delay = self.robots.get().and_then(|rules| rules.as_ref()?.delay());
        turns.next = Instant::now() + delay.map_or(self.pause, |delay| delay.max(self.pause));
        turns
    }
}

impl Turns {
    /// Delays the host's next turn as a `Retry-After` demands. A demand for more than [`RETRY_MAX`] ends the host's
    /// turns in this run.
    pub(super) fn rest(&mut self, pause: Duration) {
        self.next = self.next.max(Instant::now() + pause.min(RETRY_MAX));
        self.is_over |= pause > RETRY_MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_host_is_asked_faster_than_it_wants() {
        let host = Arc::new(Host::new(Duration::from_secs(1), Instant::now()));
        let began = Instant::now();
        let asked = futures(&host, 10).await;
        let seconds: Vec<u64> = asked.iter().map(|at| (*at - began).as_secs()).collect();
        assert_eq!(seconds, (0..10).collect::<Vec<u64>>());
        host.turn().await.rest(Duration::from_secs(60));
        assert_eq!((Instant::now() - began).as_secs(), 10);
        assert!(!host.turn().await.is_over);
        assert_eq!((Instant::now() - began).as_secs(), 70);
        host.turn().await.rest(Duration::from_secs(3600));
        assert!(host.turn().await.is_over);
    }

    /// Times at which tasks of one host, all begun at once, had their turns.
    async fn futures(host: &Arc<Host>, count: usize) -> Vec<Instant> {
        let tasks = (0..count).map(|_| {
            let host = Arc::clone(host);
            tokio::spawn(async move {
                let _turn = host.turn().await;
                Instant::now()
            })
        });
        let mut asked = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            asked.push(task.await.unwrap());
        }
        asked.sort();
        asked
    }

    #[test]
    fn rules_for_programs_are_obeyed() {
        let text =
            b"User-agent: platbook\nDisallow: /private\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /\n";
        let rules = Rules::read("platbook", text).unwrap();
        assert!(rules.allows("https://a.example/x") && !rules.allows("https://a.example/private/x"));
        assert_eq!(rules.delay(), Some(Duration::from_secs(5)));
        let slow = Rules::read("platbook", b"User-agent: *\nCrawl-delay: 86400\n").unwrap();
        assert_eq!(slow.delay(), Some(DELAY_MAX));
    }
}
