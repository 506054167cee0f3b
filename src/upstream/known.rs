//! What was found lately: bounded by bytes, each finding for as long as it stays good.

use std::time::Duration;

use tokio::time::Instant;

use platbook::answers::{AddressAnswer, BoundedCache, Budget, CacheFigures, CacheKind, Found, Lookup};

/// How long an address is kept that does not say so itself.
const ADDRESS_LIFETIME: Duration = Duration::from_secs(86_400);

/// How long a fact is kept that does not say so itself: maps change over months.
const FACT_LIFETIME: Duration = Duration::from_secs(6 * 3_600);

/// Results of lookups.
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

    /// What is known, if it is still good.
    pub(super) fn get(&self, lookup: &Lookup) -> Option<Found> {
        let kept = self.0.get(lookup)?;
        if kept.until <= Instant::now() {
            self.0.remove(lookup);
            return None;
        }
        Some(kept.found)
    }

    /// Keeps what was found, for as long as it says.
    pub(super) fn keep(&self, lookup: Lookup, found: &Found) {
        let usual = match lookup {
            Lookup::Address(_) => ADDRESS_LIFETIME,
            Lookup::Facts { .. } => FACT_LIFETIME,
            // Licensed data is not kept.
            Lookup::Parcel { .. } => Duration::ZERO,
        };
        let lifetime = found.lifetime_s.map_or(usual, |lifetime_s| Duration::from_secs(lifetime_s.into()));
        if !lifetime.is_zero() {
            self.0.insert(lookup, Good { found: found.clone(), until: Instant::now() + lifetime });
        }
    }
}

/// Bytes that findings hold besides their own size.
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
