//! The check before every operation: first the key, then the limits.

use std::net::IpAddr;

use hyper::{
    HeaderMap, Response, StatusCode,
    header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE},
};

use super::{
    caller::{Caller, Tier},
    clock::{Clock, Monotonic},
    fields,
    proxies::Proxies,
    quota::Bucket,
    store::{Sharing, Standing, Store},
};
use crate::{
    counts::{Count, Sharded},
    keys::{KeyRing, Secret},
    upstream::{Admit, Asker},
};
use platbook::{answers::Refusal, vocabulary::ProblemKind};

/// Maximum length of an `Authorization` value that is read, in bytes; a key has 55.
const AUTHORIZATION_BYTES_MAX: usize = 256;

const CHALLENGE: HeaderValue = HeaderValue::from_static(
    "Bearer realm=\"platbook\", error=\"invalid_token\", \
     error_description=\"The key is malformed, unknown or revoked\"",
);

/// Checks keys and counts uses of limits.
#[derive(Debug)]
pub struct RateLimiter {
    /// The counts of uses; `None` without limits.
    store: Option<Box<dyn Store>>,
    keys: Option<KeyRing>,
    proxies: Proxies,
    clock: Box<dyn Clock>,
    uses: Sharded<[[Uses; Tier::COUNT]; Bucket::COUNT]>,
}

/// Counts of uses of a bucket by the callers of a tier.
#[derive(Debug, Default)]
struct Uses {
    granted: Count,
    refused: Count,
}

/// Counts of granted and refused uses by the callers of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UseFigures {
    /// The bucket of the uses.
    pub bucket: Bucket,
    /// The tier of the callers.
    pub tier: Tier,
    /// Uses that were granted.
    pub granted: u64,
    /// Uses that were refused.
    pub refused: u64,
}

/// The bucket of a request. After the request was counted, also its caller and the limits that the caller has left.
#[derive(Debug)]
pub struct Permit {
    bucket: Bucket,
    counted: Option<(Caller, Standing)>,
    lookups: Option<Standing>,
    /// A lookup that a shared store counted in advance, and that the request has not used yet.
    reserved: Option<Standing>,
}

impl Default for Permit {
    /// Makes the permit of a request that was not counted yet.
    fn default() -> Permit {
        Permit { bucket: Bucket::Requests, counted: None, lookups: None, reserved: None }
    }
}

impl Permit {
    /// Returns the tier of the caller; `None` before the request is counted.
    pub(in crate::http) fn tier(&self) -> Option<Tier> {
        self.counted.map(|(caller, _)| caller.tier())
    }

    /// Sets the bucket in which the request counts. In buckets whose limits keys do not raise, uses count by address
    /// and the key is not read.
    pub(in crate::http) fn counts_as(&mut self, bucket: Bucket) {
        self.bucket = bucket;
    }
}

impl RateLimiter {
    /// Makes a limiter that has no limits and adds no header fields. Keys are still checked, since an unusable key is
    /// an error.
    pub fn unlimited(keys: Option<KeyRing>) -> RateLimiter {
        let (proxies, clock) = (Proxies::default(), Box::new(Monotonic::new()));
        RateLimiter { store: None, keys, proxies, clock, uses: Sharded::default() }
    }

    /// Makes a limiter that counts in this store. Addresses behind these proxies count separately.
    pub fn limited(store: impl Store + 'static, keys: Option<KeyRing>, proxies: Proxies) -> RateLimiter {
        RateLimiter { store: Some(Box::new(store)), proxies, ..RateLimiter::unlimited(keys) }
    }

    /// Returns the same limiter with another clock for limits and keys.
    pub fn with_clock(self, clock: Box<dyn Clock>) -> RateLimiter {
        RateLimiter { clock, ..self }
    }

    /// Counts a request. An unusable key is refused first, and the request then counts against no caller. The
    /// contract requires 401 for such a key, even if the address has no requests left. Keys have 256 random bits, so
    /// that guessing needs no limit.
    ///
    /// # Errors
    /// `invalid-key`, or `rate-limited`.
    pub async fn admit(&self, headers: &HeaderMap, peer: IpAddr, permit: &mut Permit) -> Result<(), Refusal> {
        let now_ms = self.clock.now_ms();
        let caller = if permit.bucket.knows_keys() {
            self.caller(headers, peer, now_ms)?
        } else {
            self.address(headers, peer)
        };
        let Some(store) = &self.store else { return Ok(()) };
        let standing = self.take(&**store, permit.bucket, caller, now_ms).await;
        permit.counted = Some((caller, standing));
        granted(&standing, ProblemKind::RateLimited, permit.bucket)
    }

    /// Counts further uses for an admitted request that does the work of several requests.
    ///
    /// # Errors
    /// `rate-limited` if the limit is reached; uses counted before that stay counted.
    pub async fn admit_further(&self, uses: u32, permit: &mut Permit) -> Result<(), Refusal> {
        let (Some(store), Some((caller, _))) = (&self.store, permit.counted) else { return Ok(()) };
        for _ in 0..uses {
            let standing = self.take(&**store, permit.bucket, caller, self.clock.now_ms()).await;
            permit.counted = Some((caller, standing));
            granted(&standing, ProblemKind::RateLimited, permit.bucket)?;
        }
        Ok(())
    }

    /// Counts an additional use, such as a message that may contain a tool call. The response shows the limit of this
    /// bucket only if it is used up.
    ///
    /// # Errors
    /// `rate-limited`.
    pub async fn admit_beside(
        &self,
        bucket: Bucket,
        headers: &HeaderMap,
        peer: IpAddr,
        permit: &mut Permit,
    ) -> Result<(), Refusal> {
        let Some(store) = &self.store else { return Ok(()) };
        let caller = self.address(headers, peer);
        let standing = self.take(&**store, bucket, caller, self.clock.now_ms()).await;
        if !standing.granted {
            (permit.bucket, permit.counted) = (bucket, Some((caller, standing)));
        }
        granted(&standing, ProblemKind::RateLimited, bucket)
    }

    /// Counts a use in the shared store if there is one and it replies in time, or else in this process.
    async fn take(&self, store: &dyn Store, bucket: Bucket, caller: Caller, now_ms: u64) -> Standing {
        let quota = bucket.quota(caller.tier());
        let asked = match store.ask(bucket, caller, quota, now_ms) {
            Some(asking) => asking.await,
            None => None,
        };
        let standing = asked.unwrap_or_else(|| store.take(bucket, caller, quota, now_ms));
        self.add_use(bucket, caller, standing)
    }

    /// Adds a use to the counts for metrics.
    fn add_use(&self, bucket: Bucket, caller: Caller, standing: Standing) -> Standing {
        let uses = &self.uses.own()[bucket as usize][caller.tier() as usize];
        if standing.granted {
            uses.granted.one()
        } else {
            uses.refused.one()
        }
        standing
    }

    /// Returns the counts of uses since the start.
    pub fn uses(&self) -> Vec<UseFigures> {
        let each = Bucket::ALL.into_iter().flat_map(|bucket| Tier::ALL.map(|tier| (bucket, tier)));
        let figures = each.map(|(bucket, tier)| {
            let uses = self.uses.all().map(|uses| &uses[bucket as usize][tier as usize]);
            let granted = uses.clone().map(|uses| uses.granted.get()).sum();
            UseFigures { bucket, tier, granted, refused: uses.map(|uses| uses.refused.get()).sum() }
        });
        figures.collect()
    }

    /// Returns the state of the store that a fleet shares; `None` without one.
    pub fn sharing(&self) -> Option<Sharing> {
        self.store.as_ref().and_then(|store| store.sharing())
    }

    /// Returns the value that admits new outside lookups for an admitted request.
    pub fn lookups<'a>(&'a self, permit: &'a mut Permit) -> LookupAdmission<'a> {
        LookupAdmission { limiter: self, permit }
    }

    /// Makes a shared store count a lookup in advance, because [`RateLimiter::admit_lookup`] cannot wait for the
    /// store.
    async fn reserve_lookup(&self, permit: &mut Permit) {
        let (Some(store), Some((caller, _))) = (&self.store, permit.counted) else { return };
        let quota = Bucket::Lookups.quota(caller.tier());
        if let Some(asking) = store.ask(Bucket::Lookups, caller, quota, self.clock.now_ms()) {
            permit.reserved = asking.await;
        }
    }

    /// Returns a reserved lookup to the store, unless the request used it.
    fn release_lookup(&self, permit: &mut Permit) {
        let unused = permit.reserved.take().is_some_and(|standing| standing.granted);
        if let (true, Some(store), Some((caller, _))) = (unused, &self.store, permit.counted) {
            store.give_back(Bucket::Lookups, caller, self.clock.now_ms());
        }
    }

    /// Counts a new outside lookup of an admitted request, and returns its caller. Callers call this only if the
    /// result is not cached.
    ///
    /// # Errors
    /// `lookup-limit`.
    fn admit_lookup(&self, permit: &mut Permit) -> Result<Asker, Refusal> {
        let (Some(store), Some((caller, _))) = (&self.store, permit.counted) else {
            return Ok(Asker::Operator);
        };
        let quota = Bucket::Lookups.quota(caller.tier());
        let reserved = permit.reserved.take();
        let standing =
            reserved.unwrap_or_else(|| store.take(Bucket::Lookups, caller, quota, self.clock.now_ms()));
        let standing = self.add_use(Bucket::Lookups, caller, standing);
        permit.lookups = Some(standing);
        granted(&standing, ProblemKind::LookupLimit, Bucket::Lookups)?;
        Ok(Asker::Caller { identity: caller.identity(), has_key: caller.tier() != Tier::NoKey })
    }

    /// Adds the header fields about limits and keys. For a request that was not counted, the fields show the uses
    /// that its key has left. Without a valid key, they show those of its address.
    pub fn finish<B>(&self, permit: Permit, request: &HeaderMap, peer: IpAddr, response: &mut Response<B>) {
        let status = response.status();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, CHALLENGE);
        }
        let Some(store) = &self.store else { return };
        let (caller, standing) = permit.counted.unwrap_or_else(|| {
            let now_ms = self.clock.now_ms();
            let key = permit.bucket.knows_keys().then(|| self.caller(request, peer, now_ms));
            let caller = key.and_then(Result::ok).unwrap_or_else(|| self.address(request, peer));
            (caller, store.look(permit.bucket, caller, permit.bucket.quota(caller.tier()), now_ms))
        });
        if status == StatusCode::TOO_MANY_REQUESTS {
            let refused = permit.lookups.filter(|lookups| !lookups.granted).unwrap_or(standing);
            fields::add_retry_after(headers, refused.retry_after_s());
        }
        fields::add(headers, caller.tier(), (permit.bucket, &standing), permit.lookups.as_ref());
    }

    /// Returns whether the address is a trusted proxy, which forwards requests of many callers.
    pub fn is_proxy(&self, peer: IpAddr) -> bool {
        self.proxies.trusts(peer)
    }

    /// Returns the caller's address. Behind a trusted proxy, this is the address that the proxy names.
    pub fn caller_address(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        self.proxies.caller_address(peer, headers)
    }

    /// Returns the caller that the address identifies, even if the request has a key.
    pub(in crate::http) fn address(&self, headers: &HeaderMap, peer: IpAddr) -> Caller {
        Caller::of_address(self.caller_address(headers, peer))
    }

    /// Returns the caller that the key identifies, or the address if there is no key.
    fn caller(&self, headers: &HeaderMap, peer: IpAddr, now_ms: u64) -> Result<Caller, Refusal> {
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let Some(value) = given.next() else {
            return Ok(self.address(headers, peer));
        };
        if given.next().is_some() {
            return Err(invalid_key("the Authorization header is given more than once; send one"));
        }
        let secret = bearer(value.as_bytes()).ok_or_else(|| {
            invalid_key(
                "the Authorization header is not \"Bearer\" and a key; no key is needed to ask without",
            )
        })?;
        let unknown = || invalid_key("the key is unknown or revoked; no key is needed to ask without");
        let ring = self.keys.as_ref().ok_or_else(unknown)?;
        let (id, class) = ring.find(secret, now_ms).ok_or_else(unknown)?;
        Ok(Caller::of_key(id, class))
    }
}

/// Admits the outside lookups of a request. Dropping it returns an unused reservation, even if the request ended
/// early.
#[derive(Debug)]
pub struct LookupAdmission<'a> {
    limiter: &'a RateLimiter,
    permit: &'a mut Permit,
}

impl Admit for LookupAdmission<'_> {
    async fn reserve(&mut self) {
        self.limiter.reserve_lookup(self.permit).await;
    }

    fn admit(&mut self) -> Result<Asker, Refusal> {
        self.limiter.admit_lookup(self.permit)
    }
}

impl Drop for LookupAdmission<'_> {
    fn drop(&mut self) {
        self.limiter.release_lookup(self.permit);
    }
}

/// Returns the key of `Bearer KEY`, with the scheme in upper or lower case (RFC 9110, section 11.1). `None` if
/// malformed.
fn bearer(value: &[u8]) -> Option<Secret<'_>> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.len() <= AUTHORIZATION_BYTES_MAX)?;
    let (scheme, key) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Secret::parse(key.trim_matches(' ')))?
}

fn invalid_key(detail: &str) -> Refusal {
    Refusal::new(ProblemKind::InvalidKey, detail)
}

fn granted(standing: &Standing, kind: ProblemKind, bucket: Bucket) -> Result<(), Refusal> {
    if standing.granted {
        return Ok(());
    }
    let window = if standing.day.left == 0 { "day" } else { "minute" };
    let (what, wait_s) = (bucket.uses(), standing.retry_after_s());
    Err(Refusal::new(kind, format!("the {what} of this {window} are used up; ask again in {wait_s} s")))
}

#[cfg(test)]
mod tests;
