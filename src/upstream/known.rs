//! Caches results of lookups. The cache has a maximum size in bytes, and each result a lifetime.

use std::time::Duration;

use tokio::time::Instant;

use platbook::answers::{AddressAnswer, BoundedCache, Budget, CacheFigures, CacheKind, Found, Lookup};

/// Lifetime of an address whose result does not state a lifetime. Chosen, not measured.
const ADDRESS_LIFETIME: Duration = Duration::from_secs(86_400);

/// Lifetime of a fact whose result does not state a lifetime. Maps change over months. Chosen, not measured.
const FACT_LIFETIME: Duration = Duration::from_secs(6 * 3_600);

/// The cache: results by lookup.
#[derive(Debug)]
pub(super) struct Known(BoundedCache<Lookup, Good>);

#[derive(Clone)]
struct Good {
    found: Found,
    until: Instant,
}

impl Known {
    pub(super) fn new(budget: Budget) -> Known {
        Known(BoundedCache::new(budget, CacheKind::Findings, |lookup, good| {
            let text = match lookup {
                Lookup::Address(text) => text.len(),
                Lookup::Facts { .. } | Lookup::Parcel { .. } => 0,
            };
            text + bytes(&good.found)
        }))
    }

    pub(super) fn figures(&self) -> CacheFigures {
        self.0.figures()
    }

    /// Returns a cached result; `None` if it is missing or expired.
    pub(super) fn get(&self, lookup: &Lookup) -> Option<Found> {
        let kept = self.0.get(lookup)?;
        if kept.until <= Instant::now() {
            self.0.remove(lookup);
            return None;
        }
        Some(kept.found)
    }

    /// Returns whether the cache has a result that is not expired. Does not count as a use of the cache.
    pub(super) fn has(&self, lookup: &Lookup) -> bool {
        self.0.peek(lookup).is_some_and(|kept| kept.until > Instant::now())
    }

    /// Caches a result for its lifetime.
    pub(super) fn keep(&self, lookup: Lookup, found: &Found) {
        let usual = match lookup {
            Lookup::Address(_) => ADDRESS_LIFETIME,
            Lookup::Facts { .. } => FACT_LIFETIME,
            // The license of parcel data forbids storing them.
            Lookup::Parcel { .. } => Duration::ZERO,
        };
        let lifetime = found.lifetime_s.map_or(usual, |lifetime_s| Duration::from_secs(lifetime_s.into()));
        if !lifetime.is_zero() {
            self.0.insert(lookup, Good { found: found.clone(), until: Instant::now() + lifetime });
        }
    }
}

/// Returns the heap memory of a result, in bytes.
fn bytes(found: &Found) -> usize {
    let address = match &found.address {
        AddressAnswer::NotConfigured | AddressAnswer::NotFound => 0,
        AddressAnswer::Unavailable(why) | AddressAnswer::Unplaceable(why) => why.len(),
        AddressAnswer::Several(choices) => {
            choices.iter().map(|choice| size_of_val(choice) + choice.label.len()).sum()
        }
        AddressAnswer::One(one) => one.matched_address.len() + one.geocoder.len(),
    };
    let facts = found.facts.iter().map(|fact| size_of_val(fact) + fact.bytes());
    let hint = found.hint.as_ref().map_or(0, String::len);
    address + hint + facts.sum::<usize>()
}
