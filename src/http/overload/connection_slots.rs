//! Slots of connections, and the choice of the idle connection that loses its slot to a new one.
//!
//! Thousands of silent connections would keep all others out until they time out. So a new connection takes the slot
//! of an idle one if all slots are taken. In a random sample, the address with the most connections loses the
//! connection that has been idle longest. An exact choice would need an order that each request changes. An address
//! that floods the service has the most connections, so it loses slots of its own.

use std::{
    cmp::Reverse,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use super::{
    activity::Activity,
    address_quota::{AddressQuota, Exceeded, Lease},
};

/// Size of the sample. With nine of ten connections busy, one sample in thirty has no idle connection.
const SAMPLE: usize = 32;

/// Minimum number of connections of an address that counts as flooding the service: more than a browser or a small
/// office has. A hundredth of all slots is used instead if that is more.
const FLOOD_MIN: usize = 32;
const FLOOD_PART: usize = 100;

/// Slots for connections, counted by address.
#[derive(Debug)]
pub(in crate::http) struct ConnectionSlots {
    quota: Arc<AddressQuota>,
    /// Number of connections from which an address counts as flooding. Its connections may lose their slots after a
    /// short idle time.
    flood: usize,
    /// Minimum idle time after which a connection may lose its slot.
    evictable_after: Duration,
    open: Mutex<Vec<Open>>,
}

/// An open connection, which holds a slot.
#[derive(Debug)]
struct Open {
    /// The identity of the client's address; `None` for a trusted proxy, whose connections never lose a slot.
    address: Option<u64>,
    activity: Arc<Activity>,
    _lease: Lease,
}

/// The slot of a connection; dropping it frees the slot.
#[derive(Debug)]
pub(in crate::http) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    activity: Arc<Activity>,
}

/// A slot, and whether another connection lost this slot.
#[derive(Debug)]
pub(in crate::http) struct Taken {
    pub(in crate::http) slot: ConnectionSlot,
    pub(in crate::http) has_evicted: bool,
}

impl ConnectionSlots {
    /// Makes slots with a maximum in total and a maximum for each address. A connection may lose its slot after it
    /// was idle for `evictable_after`.
    pub(in crate::http) fn new(
        total_max: usize,
        each_max: usize,
        evictable_after: Duration,
    ) -> Arc<ConnectionSlots> {
        let quota = AddressQuota::new(total_max, each_max);
        let flood = FLOOD_MIN.max(total_max / FLOOD_PART);
        Arc::new(ConnectionSlots { quota, flood, evictable_after, open: Mutex::default() })
    }

    /// Takes a slot for a connection from this address; `None` stands for a trusted proxy. An idle connection loses
    /// its slot if all slots are taken.
    ///
    /// # Errors
    /// Returns the maximum that is reached.
    pub(in crate::http) fn take(
        self: &Arc<ConnectionSlots>,
        address: Option<u64>,
    ) -> Result<Taken, Exceeded> {
        let mut open = self.open();
        let mut has_evicted = false;
        let lease = self.quota.lease(address, 1).or_else(|exceeded| {
            has_evicted = exceeded == Exceeded::Total && self.evict_for(address, &mut open);
            if has_evicted { self.quota.lease(address, 1) } else { Err(exceeded) }
        })?;
        let activity = Arc::new(Activity::default());
        activity.position.store(open.len(), Ordering::Relaxed);
        open.push(Open { address, activity: Arc::clone(&activity), _lease: lease });
        Ok(Taken { slot: ConnectionSlot { slots: Arc::clone(self), activity }, has_evicted })
    }

    /// Evicts a connection for a new one from this address, and returns whether it found one. An address takes a slot
    /// only from itself, or from one with more connections. A young connection may be about to send a request, so it
    /// stays unless its address floods the service. A flood may open thousands of connections in a moment.
    fn evict_for(&self, newcomer: Option<u64>, open: &mut Vec<Open>) -> bool {
        let (now, own) = (Instant::now(), newcomer.map_or(0, |address| self.quota.used_by(address)));
        let candidates = sample(open.len()).filter_map(|position| {
            let one = &open[position];
            let (idle, count) = (one.activity.idle_at(now)?, self.quota.used_by(one.address?));
            let is_evictable = idle >= self.evictable_after || count >= self.flood;
            let is_fair = one.address == newcomer || count > own;
            (is_evictable && is_fair).then_some((count, idle, Reverse(position)))
        });
        let Some((.., Reverse(position))) = candidates.max() else { return false };
        remove(open, position).activity.evict();
        true
    }

    fn open(&self) -> MutexGuard<'_, Vec<Open>> {
        // Each change is complete, so poisoning can be ignored.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns positions below `count`: all of them, or [`SAMPLE`] random ones.
fn sample(count: usize) -> impl Iterator<Item = usize> {
    (0..count.min(SAMPLE)).map(move |number| if count <= SAMPLE { number } else { fastrand::usize(..count) })
}

/// Removes a connection. The last connection moves to its position.
fn remove(open: &mut Vec<Open>, position: usize) -> Open {
    let removed = open.swap_remove(position);
    if let Some(moved) = open.get(position) {
        moved.activity.position.store(position, Ordering::Relaxed);
    }
    removed
}

impl ConnectionSlot {
    pub(in crate::http) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.slots.open();
        let position = self.activity.position.load(Ordering::Relaxed);
        // An evicted connection no longer has its position.
        if open.get(position).is_some_and(|one| Arc::ptr_eq(&one.activity, &self.activity)) {
            remove(&mut open, position);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    /// Opens a connection from each of these addresses; `0` is a trusted proxy. Returns the outcome for each
    /// connection: its slot, and whether it evicted another one, or the error.
    fn opened(slots: &Arc<ConnectionSlots>, addresses: &[u64]) -> Vec<Result<Taken, Exceeded>> {
        addresses.iter().map(|address| slots.take(Some(*address).filter(|address| *address > 0))).collect()
    }

    fn is_evicted(taken: &Result<Taken, Exceeded>) -> bool {
        taken.as_ref().is_ok_and(|taken| taken.slot.activity.evicted().now_or_never().is_some())
    }

    /// Lists the addresses of four connections that take all slots, and the addresses of later ones. Then follow the
    /// outcomes of the later ones, and the numbers of the evicted connections.
    #[test]
    fn a_new_connection_takes_the_slot_of_the_address_with_most() {
        for (first, later, outcomes, evicted) in [
            (&[1, 1, 1, 2][..], &[3][..], "e", &[0][..]),
            (&[2, 1, 1, 1], &[3, 4], "ee", &[1, 2]),
            // With one connection for each address, the oldest connection ends.
            (&[1, 2, 3, 4], &[5], "e", &[0]),
            // An address takes slots from itself if no other address has more connections.
            (&[1, 1, 2, 2], &[1], "e", &[0]),
            (&[0, 1, 2, 2], &[1, 1], "ee", &[1, 2]),
            (&[0, 0, 0, 1], &[1], "e", &[3]),
            (&[0, 0, 0, 0], &[1, 0], "--", &[]),
            (&[1, 1, 1, 0], &[0], "e", &[0]),
        ] {
            let slots = ConnectionSlots::new(4, 4, Duration::ZERO);
            let before = opened(&slots, first);
            let after = opened(&slots, later);
            let said: String = after
                .iter()
                .map(|taken| match taken {
                    Ok(taken) if taken.has_evicted => 'e',
                    Ok(_) => 'o',
                    Err(_) => '-',
                })
                .collect();
            assert_eq!(said, outcomes, "{first:?} and {later:?}");
            let all: Vec<_> = before.iter().chain(&after).map(is_evicted).collect();
            let seen: Vec<usize> = (0..all.len()).filter(|number| all[*number]).collect();
            assert_eq!(seen, evicted, "{first:?} and {later:?}");
            drop((before, after));
            assert!(slots.open().is_empty(), "{first:?} and {later:?}");
            assert!(opened(&slots, &[1, 1, 1, 1]).iter().all(Result::is_ok), "{first:?} and {later:?}");
        }
    }

    #[test]
    fn a_connection_with_a_request_keeps_its_slot() {
        let slots = ConnectionSlots::new(2, 2, Duration::ZERO);
        let first = opened(&slots, &[1, 1]);
        let requests: Vec<_> =
            first.iter().map(|taken| taken.as_ref().unwrap().slot.activity.begin()).collect();
        assert_eq!(slots.take(Some(2)).unwrap_err(), Exceeded::Total);
        drop(requests);
        assert!(slots.take(Some(2)).unwrap().has_evicted);
        let slots = ConnectionSlots::new(2, 2, Duration::from_secs(3_600));
        let _young = opened(&slots, &[1, 1]);
        assert_eq!(slots.take(Some(2)).unwrap_err(), Exceeded::Total, "they may be about to send");
        assert_eq!(slots.take(Some(1)).unwrap_err(), Exceeded::Each);
        let total = 2 * FLOOD_MIN - 1;
        let slots = ConnectionSlots::new(total, total, Duration::from_secs(3_600));
        let _all = [opened(&slots, &[1; FLOOD_MIN]), opened(&slots, &[2; FLOOD_MIN - 1])];
        let _new = slots.take(Some(3)).unwrap();
        assert_eq!(slots.take(Some(3)).unwrap_err(), Exceeded::Total, "no address floods any longer");
        assert_eq!([1, 2, 3].map(|address| slots.quota.used_by(address)), [FLOOD_MIN - 1, FLOOD_MIN - 1, 1]);
    }

    /// Connections of other addresses stay open when one address opens thousands.
    #[test]
    fn a_flood_takes_slots_from_itself() {
        let slots = ConnectionSlots::new(1_000, 1_000, Duration::ZERO);
        let others: Vec<_> = (0..20).map(|address| slots.take(Some(address))).collect();
        let flood: Vec<_> = (0..5_000).map(|_| slots.take(Some(99))).collect();
        assert!(flood.iter().all(|taken| taken.is_ok()) && !others.iter().any(is_evicted));
        assert_eq!(flood.iter().filter(|taken| is_evicted(taken)).count(), 5_000 - 980);
        assert_eq!(slots.open().len(), 1_000);
    }
}
