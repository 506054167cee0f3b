//! Services outside of the snapshot: the seam through which doors look things up.
//!
//! A door that needs a lookup asks the [`Desk`]. Files at hand answer first ([`Finder`](crate::answers::Finder)). Then the
//! desk answers from what it found lately, lets equal lookups wait for one answer, counts only new ones against the caller's
//! limit, and does not wait for those that take too long. What asks the outside is an [`Upstream`]; without one, nothing is
//! asked, nothing is counted, and answers say so.

mod desk;
mod flights;
mod known;

use std::{fmt::Debug, future::Future, pin::Pin};

use crate::answers::{Found, Lookup};

pub use desk::{DEADLINE, Desk};

/// What looks things up outside.
pub trait Upstream: Debug + Send + Sync {
    /// Looks one thing up: an address, or one fact. May take as long as it takes: who asks is told after a while that
    /// nobody answered, and what comes later is kept for the next. Failures are findings, too:
    /// [`Found::failed`], or
    /// [`AddressAnswer::Unavailable`](crate::answers::AddressAnswer::Unavailable).
    fn find(&self, lookup: Lookup) -> Finding<'_>;
}

/// Findings on their way.
pub type Finding<'a> = Pin<Box<dyn Future<Output = Found> + Send + 'a>>;

#[cfg(test)]
mod tests;
