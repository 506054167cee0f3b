//! Tests fresh snapshots in the invented world: which are accepted, which are refused, and what is served meanwhile.

mod beside; // lookups beside a snapshot, and the caches of their answers
mod cuts; // power cuts at any moment, and what is found again
mod dates; // snapshots of the future and of the past, by clocks that are right or wrong
mod faults; // a disk that is full, a folder that is gone, dates of files that jump
mod first; // a first start, whatever the mirror does
mod mirror; // a server of snapshots, which follows a script
mod process; // the binary: files that are overwritten, signals, an address without a server
mod refused; // each kind of bad file and bad server, with its reason
mod releases; // the statement on a release: deltas, forgeries, an end
mod stored; // which files are fetched again
mod swaps; // many swaps under many clients
mod worlds; // snapshots of one world, by number

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use platbook_service::{
    edition::Edition,
    http::Service,
    shipping::{Event, Limits, Order, Refusal, Remote, SnapshotStore, Source, follow},
};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver},
    time::timeout,
};

use crate::harness::{PATIENCE, SITE};

/// Bounds that no good server exceeds, however loaded the machine is.
const LIMITS: Limits = Limits {
    bytes_max: 4 << 20,
    bytes_usual: 4 << 20,
    connect: PATIENCE,
    idle: PATIENCE,
    rate_min: 0,
    whole: Duration::from_secs(120),
};

/// Bounds for servers that never answer, short enough for a test.
const SOON: Limits = Limits {
    connect: Duration::from_secs(2),
    idle: Duration::from_secs(2),
    rate_min: 1_000,
    whole: Duration::from_secs(6),
    ..LIMITS
};

/// An address that is polled every few hundredths of a second.
fn remote(url: &str, folder: &Path) -> Remote {
    bounded(url, folder, LIMITS)
}

fn bounded(url: &str, folder: &Path, limits: Limits) -> Remote {
    let store = free_store(folder);
    let every = Duration::from_millis(30);
    Remote::new(url.parse().unwrap(), Some(worlds::key()), store, every, limits).unwrap()
}

/// Opens the folder once the previous follower has released it.
fn free_store(folder: &Path) -> SnapshotStore {
    let begun = Instant::now();
    loop {
        match SnapshotStore::open(folder) {
            Err(Refusal::FolderInUse { .. }) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            store => return store.unwrap(),
        }
    }
}

/// A service that follows an address, and the events it reports.
struct Following {
    service: Arc<Service>,
    events: UnboundedReceiver<Event>,
    orders: mpsc::Sender<Order>,
}

impl Following {
    /// Starts with the snapshots in the folder.
    async fn start(mut remote: Remote) -> Following {
        let first = remote.look(None, false).await.unwrap().unwrap();
        Following::of(remote, Service::new(Edition::new(first, SITE)))
    }

    fn of(remote: Remote, service: Service) -> Following {
        let service = Arc::new(service);
        let (teller, events) = mpsc::unbounded_channel();
        let (orders, given) = mpsc::channel(4);
        let tell = move |event| match event {
            // Each poll ends with an event, and nearly always with this one, so it is left out.
            Event::NothingNew { is_asked: false, .. } => {}
            event => drop(teller.send(event)),
        };
        let source = Source::Url(Box::new(remote));
        tokio::spawn(follow(source, Arc::clone(&service), given, tell));
        Following { service, events, orders }
    }

    async fn event(&mut self) -> Event {
        self.event_after(&[]).await
    }

    async fn event_after(&mut self, passed: &[Event]) -> Event {
        let event = timeout(PATIENCE, self.events.recv()).await;
        let event = event.unwrap_or_else(|_| panic!("expected that something happens, got only {passed:?}"));
        event.expect("the follower lives")
    }

    /// Waits until another snapshot is served.
    async fn serving(&mut self) -> (String, bool) {
        let mut passed = Vec::new();
        loop {
            match self.event_after(&passed).await {
                Event::Serving { as_of, is_back, .. } => return (as_of, is_back),
                event => passed.push(event),
            }
        }
    }

    fn as_of(&self) -> String {
        self.service.edition().load().answers().directory().as_of().to_owned()
    }

    /// Ends the follower, and waits until it has released its folder.
    async fn end(mut self) {
        drop(self.orders);
        while self.events.recv().await.is_some() {}
    }
}
