//! Lookups outside of the snapshot, for all doors.
//!
//! A door that needs a lookup calls [`Lookups`], which tries local data files first
//! ([`Finder`](platbook::answers::Finder)), then its cache. Equal lookups share one call, and only new ones count
//! against the caller's limit. Callers wait for slow lookups only until a deadline. An [`Upstream`] calls the
//! services. Without an upstream, no service is called, no lookup is counted, and answers say so.

mod agencies;
mod asker;
mod base;
mod breaker;
mod control;
mod fetch;
mod known;
mod lookups;
mod parcels;
mod service;
mod services;
mod single_flight;

use std::{fmt::Debug, future::Future, pin::Pin};

use platbook::answers::{Found, Lookup};

pub use asker::{Admit, Asker};
pub use base::BadBase;
pub use lookups::{DEADLINE, LookupFigures, Lookups};
pub use parcels::{JsonParcels, ParcelFuture, ParcelProvider, ParcelSettings};
pub use service::ServiceFigures;
pub use services::{BadServiceAddress, BadServices, Service, ServiceAddress, Services};

/// The outside services, as [`Lookups`] calls them.
pub trait Upstream: Debug + Send + Sync {
    /// Returns whether a service is configured for the lookup. Lookups without a service are neither sent nor
    /// counted.
    fn takes(&self, lookup: &Lookup) -> bool {
        let _ = lookup;
        true
    }

    /// Looks up one address, fact or parcel. The call has no deadline of its own: callers stop waiting after a while,
    /// and a late result is cached. Failures are results as well: [`Found::failed`], or
    /// [`AddressAnswer::Unavailable`](platbook::answers::AddressAnswer::Unavailable).
    fn find(&self, lookup: Lookup) -> FoundFuture<'_>;

    /// Returns counts of calls for each service.
    fn figures(&self) -> Vec<ServiceFigures> {
        Vec::new()
    }
}

/// The future of a lookup.
pub type FoundFuture<'a> = Pin<Box<dyn Future<Output = Found> + Send + 'a>>;

/// Reads a response as if each service in turn had sent it, to test that no reader panics on arbitrary bytes.
pub fn read_reply(status: u16, body: &[u8]) {
    agencies::read_as_each(&fetch::Reply { status, body: bytes::Bytes::copy_from_slice(body) });
}

#[cfg(test)]
mod tests;
