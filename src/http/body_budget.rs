//! How many bytes of request bodies are held at a time, by the process and by each address.
//!
//! Bytes count when they arrive: a client that promises 64 KB and sends none holds none. The first bytes of each body are
//! free. Messages of known clients fit in them, so a caller that fills the budget cannot stop short messages.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Bytes of a body that are not counted. `initialize` and tool calls of known clients have 200 to 1,200 bytes. For 10,000
/// connections that is 20 MiB.
pub(super) const UNCOUNTED_BYTES: usize = 2 * 1024;

/// Most bytes of all bodies beyond those: a twelfth of what 10,000 connections may take (200 MiB), and 260 of the longest bodies.
const BYTES_MAX: usize = 16 << 20;

/// Most bytes of one address: an eighth, so that eight addresses are needed to use up all.
const BYTES_EACH_MAX: usize = BYTES_MAX / 8;

/// The bytes that are held.
#[derive(Debug, Default)]
pub(super) struct BodyBudget(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    all: usize,
    by_caller: HashMap<u64, usize>,
}

impl BodyBudget {
    /// A part of the budget for a body of this caller, still empty.
    pub(super) fn part(self: &Arc<BodyBudget>, caller: u64) -> BodyPart {
        BodyPart { budget: Arc::clone(self), caller, bytes: 0 }
    }

    fn take(&self, caller: u64, bytes: usize) -> bool {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = held.by_caller.get(&caller).copied().unwrap_or_default();
        let has_room = own + bytes <= BYTES_EACH_MAX && held.all + bytes <= BYTES_MAX;
        if has_room {
            held.all += bytes;
            held.by_caller.insert(caller, own + bytes);
        }
        has_room
    }

    fn give_back(&self, caller: u64, bytes: usize) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.all -= bytes;
        if let Some(own) = held.by_caller.get_mut(&caller) {
            *own -= bytes;
            if *own == 0 {
                held.by_caller.remove(&caller);
            }
        }
    }
}

/// The bytes that one body holds of the budget. Dropping it gives them back.
#[derive(Debug)]
pub(super) struct BodyPart {
    budget: Arc<BodyBudget>,
    caller: u64,
    bytes: usize,
}

impl BodyPart {
    /// Lets the body grow to `bytes`. Returns `false` if the budget of the process or of the caller is used up.
    #[must_use]
    pub(super) fn grow_to(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(UNCOUNTED_BYTES).saturating_sub(self.bytes);
        let has_room = more == 0 || self.budget.take(self.caller, more);
        if has_room {
            self.bytes += more;
        }
        has_room
    }
}

impl Drop for BodyPart {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.budget.give_back(self.caller, self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: usize = 64 << 10;

    /// Bodies of this length that grow to it, up to so many.
    fn long_bodies(budget: &Arc<BodyBudget>, caller: u64, count: usize) -> Vec<BodyPart> {
        let mut parts: Vec<BodyPart> = (0..count).map(|_| budget.part(caller)).collect();
        parts.retain_mut(|part| part.grow_to(LONG));
        parts
    }

    #[test]
    fn long_bodies_have_their_bytes_and_no_more_and_short_ones_always_have_room() {
        let budget = Arc::new(BodyBudget::default());
        let each = BYTES_EACH_MAX / (LONG - UNCOUNTED_BYTES);
        let mut held = long_bodies(&budget, 1, 1_000);
        assert_eq!(held.len(), each);
        assert_eq!(long_bodies(&budget, 2, 3).len(), 3, "another address has room");
        for caller in 3..20 {
            held.extend(long_bodies(&budget, caller, 1_000));
        }
        assert!(held.len() <= BYTES_MAX / (LONG - UNCOUNTED_BYTES) && held.len() >= 7 * each);
        assert!(long_bodies(&budget, 99, 1).len() <= 1 && long_bodies(&budget, 99, each).len() < each);
        assert!(budget.part(1).grow_to(UNCOUNTED_BYTES), "a short one needs none");
        drop(held);
        assert_eq!(long_bodies(&budget, 1, 1_000).len(), each, "what is given back can be had again");
        let held = budget.0.lock().unwrap();
        assert!(held.all == 0 && held.by_caller.is_empty(), "{held:?}");
    }
}
