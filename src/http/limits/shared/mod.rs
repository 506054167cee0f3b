//! Limits that the servers of a fleet share. A store that speaks the protocol of Redis counts the uses.
//!
//! First, the table of this process refuses callers whose limit is used up. The table holds the counts of the fleet
//! as of the store's last reply. The store counts all other uses, with one script for both windows. One thread
//! ([`link`]) owns the connection and sends all waiting uses in one round trip. A request awaits the reply and holds
//! no thread meanwhile.
//!
//! **While the store is away**, a server counts each use as many times as there are servers. Each server thus grants
//! its part of the uses that the fleet had left at the store's last reply about the caller. Together, the servers
//! exceed the limit at most by the uses that the others granted since that reply. Each server notes the uses that it
//! granted without the store ([`State::owe`]) and reports them before the store counts again.

mod address;
mod link;
mod state;

use std::{
    num::NonZero,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use tokio::{sync::oneshot, time::timeout};

use self::{
    link::{Ask, Link},
    state::State,
};
use super::{
    caller::Caller,
    quota::{Bucket, Quota},
    store::{Asking, Sharing, Standing, Store},
    table::Table,
};

pub use address::{BadStoreAddress, StoreAddress};

/// Maximum time that a request waits for a reply, as a multiple of [`Fleet::wait`]: 19 ms if that is 300 us. A slower
/// store counts as away. With 16, a machine that also compiled mistook its own pauses for outages, several in a
/// minute (2026-11-26).
const PATIENCE: u32 = 64;

/// Maximum number of uses that wait to be sent. More would mean that the store is too slow; this server then decides
/// without it.
const ASKS_MAX: usize = 4096;

/// The store of a fleet and its settings.
#[derive(Clone, Debug)]
pub struct Fleet {
    /// The address of the store.
    pub store: StoreAddress,
    /// The number of servers that share the store, this one included.
    pub replicas: NonZero<u32>,
    /// Time within which most replies of the store must arrive. A slower store counts as away.
    pub wait: Duration,
}

/// Counts of a fleet in a store. A table of this process is consulted first.
#[derive(Debug)]
pub struct SharedTable {
    state: Arc<State>,
    asks: mpsc::SyncSender<Ask>,
    patience: Duration,
}

impl SharedTable {
    /// Makes the counts, and starts the thread that connects to the store. Each server grants its part of the limits
    /// before the thread is connected.
    ///
    /// # Errors
    /// Fails if the system cannot start a thread.
    pub fn start(fleet: Fleet) -> std::io::Result<SharedTable> {
        let (asks, waiting) = mpsc::sync_channel(ASKS_MAX);
        let (state, patience) = (Arc::new(State::new(fleet.replicas)), fleet.wait * PATIENCE);
        let link = Link::new(fleet, Arc::clone(&state), waiting);
        thread::Builder::new().name("limits".to_owned()).spawn(move || link.run())?;
        Ok(SharedTable { state, asks, patience })
    }

    fn table(&self) -> &Table {
        &self.state.table
    }

    /// Returns how many uses one use at this server counts as.
    fn weight(&self) -> u32 {
        if self.state.why().is_some() { self.state.replicas.get() } else { 1 }
    }
}

/// A use that the store is counting. The use must be returned to the store if its request ends before it takes the
/// reply. Dropping this value does so if the reply has arrived; otherwise, the thread of the connection does so.
struct Counting<'a> {
    state: &'a State,
    bucket: Bucket,
    caller: Caller,
    now_ms: u64,
    replied: oneshot::Receiver<Standing>,
}

impl Drop for Counting<'_> {
    fn drop(&mut self) {
        self.replied.close();
        if self.replied.try_recv().is_ok_and(|standing| standing.granted) {
            self.state.owe(self.bucket, self.caller, -1, self.now_ms);
        }
    }
}

impl Store for SharedTable {
    fn ask(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Option<Asking<'_>> {
        if self.state.why().is_some() || !self.table().look(bucket, caller, quota, now_ms).granted {
            return None;
        }
        let (reply, replied) = oneshot::channel();
        if self.asks.try_send(Ask { bucket, caller, quota, now_ms, reply }).is_err() {
            self.state.set_late();
            return None;
        }
        let mut counting = Counting { state: &self.state, bucket, caller, now_ms, replied };
        Some(Box::pin(async move {
            match timeout(self.patience, &mut counting.replied).await {
                Ok(standing) => standing.ok(),
                Err(_) => {
                    self.state.set_late();
                    None
                }
            }
        }))
    }

    fn take(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing {
        let standing = self.look(bucket, caller, quota, now_ms);
        if !standing.granted {
            return standing;
        }
        let standing = self.table().take_as(self.state.replicas.get(), bucket, caller, quota, now_ms);
        if standing.granted {
            self.state.alone.one();
            self.state.owe(bucket, caller, 1, now_ms);
        }
        standing
    }

    fn give_back(&self, bucket: Bucket, caller: Caller, now_ms: u64) {
        self.state.owe(bucket, caller, -1, now_ms);
    }

    fn look(&self, bucket: Bucket, caller: Caller, quota: Quota, now_ms: u64) -> Standing {
        self.table().look_as(self.weight(), bucket, caller, quota, now_ms)
    }

    fn sharing(&self) -> Option<Sharing> {
        Some(self.state.sharing())
    }
}

#[cfg(test)]
mod tests;
