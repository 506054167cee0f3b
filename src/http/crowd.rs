//! How many connections each address has open: one address must not take the place of all others.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use super::limits::Caller;

/// The open connections of each address; an IPv6 /64 counts as one address, as it does for limits.
#[derive(Debug)]
pub(super) struct Crowd {
    each_max: u32,
    open: Mutex<HashMap<u64, u32>>,
}

/// A connection's place in the crowd, as long as this lives.
#[derive(Debug)]
pub(super) struct Seat {
    crowd: Arc<Crowd>,
    address: u64,
}

impl Crowd {
    /// At most so many connections for each address.
    pub(super) fn new(each_max: u32) -> Arc<Crowd> {
        Arc::new(Crowd { each_max, open: Mutex::default() })
    }

    /// A seat for a connection from this address; `None` where it has all that it may have.
    pub(super) fn seat(self: &Arc<Crowd>, peer: IpAddr) -> Option<Seat> {
        let address = Caller::of_address(peer).identity();
        // A count is a whole value at any time, so a thread that panicked has left it right.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= self.each_max {
            return None;
        }
        *count += 1;
        Some(Seat { crowd: Arc::clone(self), address })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.crowd.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_seats_and_no_more() {
        let crowd = Crowd::new(2);
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let one = [crowd.seat(address("192.0.2.1")), crowd.seat(address("::ffff:192.0.2.1"))];
        assert!(one.iter().all(Option::is_some));
        assert!(crowd.seat(address("192.0.2.1")).is_none());
        let network = [crowd.seat(address("2001:db8::1")), crowd.seat(address("2001:db8::2"))];
        assert!(network.iter().all(Option::is_some) && crowd.seat(address("2001:db8::3")).is_none());
        assert!(crowd.seat(address("192.0.2.2")).is_some());
        drop(one);
        assert!(crowd.seat(address("192.0.2.1")).is_some());
        drop(network);
        assert!(crowd.open.lock().unwrap().is_empty(), "who has left is forgotten");
    }
}
