//! Counts the use of a shared resource, in total and by each address.
//!
//! The resources are connections and bytes of request bodies: one address must not use up a resource that all share.
//! Addresses are counted as in `limits`: an IPv6 /64 is one address.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Counts units in use against a total and against a maximum of each address.
#[derive(Debug)]
pub(in crate::http) struct AddressQuota {
    total_max: usize,
    each_max: usize,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    total: usize,
    by_address: HashMap<u64, usize>,
}

/// Units in use; dropping it returns the units.
#[derive(Debug)]
pub(in crate::http) struct Lease {
    quota: Arc<AddressQuota>,
    /// The identity of the address. `None` for a trusted proxy, which counts only against the total.
    address: Option<u64>,
    units: usize,
}

/// Which maximum a lease would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Exceeded {
    Total,
    Each,
}

impl AddressQuota {
    pub(in crate::http) fn new(total_max: usize, each_max: usize) -> Arc<AddressQuota> {
        Arc::new(AddressQuota { total_max, each_max, used: Mutex::default() })
    }

    /// Leases this many units.
    ///
    /// # Errors
    /// Returns the maximum that the lease would exceed.
    pub(in crate::http) fn lease(
        self: &Arc<AddressQuota>,
        address: Option<u64>,
        units: usize,
    ) -> Result<Lease, Exceeded> {
        let mut lease = Lease { quota: Arc::clone(self), address, units: 0 };
        lease.grow_to(units).map(|()| lease)
    }

    /// Returns the number of units that an address has leased.
    pub(super) fn used_by(&self, address: u64) -> usize {
        self.used().by_address.get(&address).copied().unwrap_or_default()
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        // Counts are always consistent, so poisoning can be ignored.
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    /// Grows the lease to this many units. A lease that has as many already does not change.
    ///
    /// # Errors
    /// Returns the maximum that the larger lease would exceed; the lease then stays as it was.
    pub(in crate::http) fn grow_to(&mut self, units: usize) -> Result<(), Exceeded> {
        let more = units.saturating_sub(self.units);
        let mut used = self.quota.used();
        let own =
            self.address.map(|address| used.by_address.get(&address).copied().unwrap_or_default() + more);
        if own.is_some_and(|own| own > self.quota.each_max) {
            return Err(Exceeded::Each);
        }
        if used.total + more > self.quota.total_max {
            return Err(Exceeded::Total);
        }
        used.total += more;
        self.units += more;
        if let Some((address, own)) = self.address.zip(own.filter(|own| *own > 0)) {
            used.by_address.insert(address, own);
        }
        Ok(())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut used = self.quota.used();
        used.total -= self.units;
        let Some(address) = self.address else { return };
        if let Some(own) = used.by_address.get_mut(&address) {
            *own -= self.units;
            if *own == 0 {
                used.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_stay_within_the_total_and_that_of_each_address() {
        let quota = AddressQuota::new(5, 3);
        let mut leases = Vec::new();
        for (address, units, expected) in [
            (Some(1), 2, Ok(())),
            (Some(1), 2, Err(Exceeded::Each)),
            (Some(1), 1, Ok(())),
            (None, 0, Ok(())),
            (Some(2), 3, Err(Exceeded::Total)),
            (Some(2), 1, Ok(())),
            (None, 1, Ok(())),
            (None, 1, Err(Exceeded::Total)),
            (Some(1), 1, Err(Exceeded::Each)),
            (Some(3), 0, Ok(())),
        ] {
            let lease = quota.lease(address, units);
            assert_eq!(
                lease.as_ref().map(|_| ()).map_err(|exceeded| *exceeded),
                expected,
                "{address:?} {units}"
            );
            leases.extend(lease);
        }
        let mut grown = leases.remove(0);
        assert_eq!(grown.grow_to(3), Err(Exceeded::Each), "beside the third unit of its address");
        leases.clear();
        assert_eq!([1, 3, 3, 4].map(|units| grown.grow_to(units).is_ok()), [true, true, true, false]);
        drop(grown);
        let used = quota.used.lock().unwrap();
        assert!(used.total == 0 && used.by_address.is_empty(), "{used:?}");
    }
}
