//! Services outside of the snapshot: the seam through which doors look things up.
//!
//! A door that needs a lookup asks the [`Desk`]. Files at hand answer first ([`Finder`](platbook::answers::Finder)). Then the
//! desk answers from what it found lately, lets equal lookups wait for one answer, counts only new ones against the caller's
//! limit, and does not wait for those that take too long. What asks the outside is an [`Upstream`]; without one, nothing is
//! asked, nothing is counted, and answers say so.

mod agencies;
mod asker;
mod base;
mod breaker;
mod control;
mod desk;
mod fetch;
mod flights;
mod known;
mod parcels;
mod service;
mod services;

use std::{fmt::Debug, future::Future, pin::Pin};

use platbook::answers::{Found, Lookup};

pub use asker::Asker;
pub use base::BadBase;
pub use desk::{DEADLINE, Desk, DeskFigures};
pub use parcels::{JsonParcels, ParcelFuture, ParcelProvider, ParcelSettings};
pub use service::ServiceFigures;
pub use services::{BadServiceAddress, BadServices, Service, ServiceAddress, Services};

/// What looks things up outside.
pub trait Upstream: Debug + Send + Sync {
    /// Whether there is anyone to ask: a lookup that is not taken is not counted, and counts as not asked.
    fn takes(&self, lookup: &Lookup) -> bool {
        let _ = lookup;
        true
    }

    /// Looks one thing up: an address, or one fact. May take as long as it takes: who asks is told after a while that
    /// nobody answered, and what comes later is kept for the next. Failures are findings, too:
    /// [`Found::failed`], or
    /// [`AddressAnswer::Unavailable`](platbook::answers::AddressAnswer::Unavailable).
    fn find(&self, lookup: Lookup) -> FoundFuture<'_>;

    /// How those who are asked did until now.
    fn figures(&self) -> Vec<ServiceFigures> {
        Vec::new()
    }
}

/// A lookup under way.
pub type FoundFuture<'a> = Pin<Box<dyn Future<Output = Found> + Send + 'a>>;

/// Reads the bytes of an answer as that of each service: none of them panics, whatever the bytes are.
pub fn read_reply(status: u16, body: &[u8]) {
    agencies::read_as_each(&fetch::Reply { status, body: bytes::Bytes::copy_from_slice(body) });
}

#[cfg(test)]
mod tests;
