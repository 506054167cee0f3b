//! Services outside of the snapshot: the seam through which doors look things up.
//!
//! A door that needs a lookup asks the [`Desk`]. It answers from what it found lately, lets equal lookups wait for one
//! answer, counts only new ones against the caller's limit, and cuts those that take too long. What asks the outside is an
//! [`Upstream`]; without one, nothing is asked, nothing is counted, and answers say so.

use std::{fmt::Debug, future::Future, pin::Pin, sync::Arc, time::Duration};

use quick_cache::{Weighter, sync::Cache};
use tokio::time::{Instant, timeout};

use crate::answers::{AddressAnswer, Found, Lookup, Refusal};

/// How long a lookup may take in all.
pub const DEADLINE: Duration = Duration::from_secs(4);

/// How long findings are kept that do not say so themselves.
const LIFETIME: Duration = Duration::from_secs(3_600);

/// Bytes kept of findings.
const FOUND_BYTES_MAX: u64 = 16 << 20;
/// Bytes of usual findings with their key.
const FOUND_BYTES: u64 = 1 << 10;

/// What looks things up outside.
pub trait Upstream: Debug + Send + Sync {
    /// Looks one thing up. May take as long as it takes: the desk cuts it. Failures are findings, too: an answer without
    /// the facts, or [`AddressAnswer::Unavailable`].
    fn find(&self, lookup: Lookup) -> Finding<'_>;
}

/// Findings on their way.
pub type Finding<'a> = Pin<Box<dyn Future<Output = Found> + Send + 'a>>;

/// Where doors have things looked up.
#[derive(Debug)]
pub struct Desk {
    upstream: Option<Arc<dyn Upstream>>,
    deadline: Duration,
    known: Known,
}

impl Desk {
    /// A desk with nobody to ask.
    pub fn closed() -> Desk {
        Desk { upstream: None, deadline: DEADLINE, known: Known::new() }
    }

    /// A desk that asks this service.
    pub fn of(upstream: Arc<dyn Upstream>) -> Desk {
        Desk { upstream: Some(upstream), ..Desk::closed() }
    }

    /// The same desk with another deadline.
    pub fn with_deadline(self, deadline: Duration) -> Desk {
        Desk { deadline, ..self }
    }

    /// Looks something up. `admit` counts a new lookup; it is not called where the findings are at hand, or where an
    /// equal lookup is under way.
    ///
    /// # Errors
    /// What `admit` says.
    pub async fn ask(
        &self,
        lookup: Lookup,
        admit: impl FnOnce() -> Result<(), Refusal>,
    ) -> Result<Found, Refusal> {
        let Some(upstream) = &self.upstream else { return Ok(Found::default()) };
        let ask = |lookup: Lookup| async {
            admit()?;
            Ok(timeout(self.deadline, upstream.find(lookup)).await.unwrap_or_else(|_| late()))
        };
        self.known.or_ask(lookup, ask).await
    }
}

/// What is found where nobody answers in time.
fn late() -> Found {
    let address =
        AddressAnswer::Unavailable("the address service did not answer in time; ask again".to_owned());
    Found { address, lifetime_s: Some(0), ..Found::default() }
}

/// What was found lately.
struct Known(Cache<Lookup, Kept, ByBytes>);

#[derive(Clone)]
struct Kept {
    found: Found,
    until: Instant,
}

impl Known {
    fn new() -> Known {
        Known(Cache::with_weighter((FOUND_BYTES_MAX / FOUND_BYTES) as usize, FOUND_BYTES_MAX, ByBytes))
    }

    /// What is known, or else what `ask` finds; of equal lookups at one time only one asks.
    async fn or_ask<F>(&self, lookup: Lookup, ask: impl FnOnce(Lookup) -> F) -> Result<Found, Refusal>
    where
        F: Future<Output = Result<Found, Refusal>>,
    {
        let now = Instant::now();
        self.0.remove_if(&lookup, |kept| kept.until <= now);
        match self.0.get_value_or_guard_async(&lookup).await {
            Ok(kept) => Ok(kept.found),
            Err(guard) => {
                let found = ask(lookup).await?;
                let lifetime =
                    found.lifetime_s.map_or(LIFETIME, |lifetime_s| Duration::from_secs(lifetime_s.into()));
                let kept = Kept { found: found.clone(), until: Instant::now() + lifetime };
                // The guard is gone where the entry was removed meanwhile; then the next one asks anew.
                let _ = guard.insert(kept);
                Ok(found)
            }
        }
    }
}

impl Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Known").field(&self.0.len()).finish()
    }
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Lookup, Kept> for ByBytes {
    fn weight(&self, lookup: &Lookup, _: &Kept) -> u64 {
        let text = match lookup {
            Lookup::Address(text) => text.len() as u64,
            Lookup::Facts { .. } => 0,
        };
        FOUND_BYTES + text
    }
}

#[cfg(test)]
mod tests;
