//! The memory budget of all caches, its split among them, and the one cache type that all of them use.

use std::{fmt, hash::Hash};

use quick_cache::{Weighter, sync::Cache};

/// Memory limit for all caches of answers together. Other memory of a service does not grow with the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    bytes: u64,
}

impl Default for Budget {
    /// 64 MiB: room for the answers of some thousand places.
    fn default() -> Budget {
        Budget::of_mib(64)
    }
}

/// The kinds of caches, each with its own share of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    /// The text that all answers in one chain of governments share.
    Bodies,
    /// Counts and flags for notices on the assignments of a territory.
    Remarks,
    /// Whole answers by request: while people type names, the same beginnings are requested again and again.
    Answers,
    /// Results of lookups outside the snapshot.
    Findings,
    /// HTML pages, and files such as outlines.
    Pages,
}

/// One kind's share of the budget, with its name.
struct Share {
    name: &'static str,
    percent: u64,
    /// Bytes of a usual entry, from which the table's initial size follows.
    entry_bytes: u64,
}

/// Bytes per entry besides key and value: links, hash and the allocator's block. Estimated, not measured.
const ENTRY_BYTES: usize = 64;

impl CacheKind {
    /// Returns the share of this kind. All shares together leave more than a tenth of the budget for the allocator's
    /// overhead.
    const fn share(self) -> Share {
        let (name, percent, entry_bytes) = match self {
            // 10,000 random points of the 48 states lie in 3,300 chains of 11.6 kB each (benches/README.md).
            CacheKind::Bodies => ("bodies", 62, 12 << 10),
            CacheKind::Remarks => ("remarks", 1, 96),
            CacheKind::Answers => ("answers", 6, 8 << 10),
            CacheKind::Findings => ("findings", 5, 1 << 10),
            // The largest outline, Alaska's, takes 3.1 MB with its packed forms. A cache of so few entries is one part.
            // So 10 % of the default 64 MiB hold that outline beside some sixty pages.
            CacheKind::Pages => ("pages", 10, 256 << 10),
        };
        Share { name, percent, entry_bytes }
    }
}

impl Budget {
    /// Makes a budget of `mib` mebibytes.
    pub fn of_mib(mib: u32) -> Budget {
        Budget { bytes: u64::from(mib) << 20 }
    }

    /// The whole budget, in bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    /// The bytes of one kind's share.
    fn bytes_of(self, kind: CacheKind) -> u64 {
        self.bytes * kind.share().percent / 100
    }
}

/// A cache that is limited to its share of a budget. It consists of parts, and does not keep an entry that is larger
/// than a part.
pub struct BoundedCache<K, V> {
    kind: CacheKind,
    cache: Cache<K, V, Weigher<K, V>>,
}

/// Counts the bytes that key and value hold outside of `(K, V)` itself, such as the text of a `String`.
pub type Weigh<K, V> = fn(&K, &V) -> usize;

struct Weigher<K, V>(Weigh<K, V>);

impl<K, V> Clone for Weigher<K, V> {
    fn clone(&self) -> Self {
        Weigher(self.0)
    }
}

impl<K, V> Weighter<K, V> for Weigher<K, V> {
    fn weight(&self, key: &K, value: &V) -> u64 {
        ((self.0)(key, value) + size_of::<(K, V)>() + ENTRY_BYTES) as u64
    }
}

impl<K: Eq + Hash, V: Clone> BoundedCache<K, V> {
    /// An empty cache. `weigh` counts the bytes of an entry that are not in `(K, V)` itself.
    pub fn new(budget: Budget, kind: CacheKind, weigh: Weigh<K, V>) -> BoundedCache<K, V> {
        let bytes_max = budget.bytes_of(kind);
        let entries = (bytes_max / kind.share().entry_bytes) as usize;
        BoundedCache { kind, cache: Cache::with_weighter(entries, bytes_max, Weigher(weigh)) }
    }

    /// Returns the cached value of a key; `None` where it is not cached.
    pub fn get(&self, key: &K) -> Option<V> {
        self.cache.get(key)
    }

    /// The same as [`BoundedCache::get`], but counts neither as a hit nor as a miss.
    pub fn peek(&self, key: &K) -> Option<V> {
        self.cache.peek(key)
    }

    /// Caches a value; may evict others.
    pub fn insert(&self, key: K, value: V) {
        self.cache.insert(key, value);
    }

    /// Removes the value of a key, if it is cached.
    pub fn remove(&self, key: &K) {
        self.cache.remove(key);
    }

    /// Removes the entries of all keys.
    pub fn clear(&self) {
        self.cache.clear();
    }

    /// Returns the value of a key, cached or made now by `make`. Of concurrent callers with the same key, one makes the
    /// value and the others wait.
    ///
    /// # Errors
    /// The error of `make`; the next waiting caller then tries by itself.
    pub fn get_or_make<E>(
        &self,
        key: &K,
        make: impl Future<Output = Result<V, E>>,
    ) -> impl Future<Output = Result<V, E>>
    where
        K: Clone,
    {
        self.cache.get_or_insert_async(key, make)
    }

    /// The cache's size and use at this moment.
    pub fn figures(&self) -> CacheFigures {
        CacheFigures {
            name: self.kind.share().name,
            entries: self.cache.len() as u64,
            bytes: self.cache.weight(),
            bytes_max: self.cache.capacity(),
            hits: self.cache.hits(),
            misses: self.cache.misses(),
        }
    }
}

impl<K, V> fmt::Debug for BoundedCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BoundedCache").field(&self.kind).finish()
    }
}

/// Size and use of a cache at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheFigures {
    /// The name of the cache's kind.
    pub name: &'static str,
    /// Number of entries that the cache holds.
    pub entries: u64,
    /// Bytes that all entries take now.
    pub bytes: u64,
    /// Maximum number of bytes that all entries may take.
    pub bytes_max: u64,
    /// Lookups that found a value, since the cache was made.
    pub hits: u64,
    /// Lookups that found no value, since the cache was made.
    pub misses: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_leave_more_than_a_tenth() {
        let all = [
            CacheKind::Bodies,
            CacheKind::Remarks,
            CacheKind::Answers,
            CacheKind::Findings,
            CacheKind::Pages,
        ];
        assert_eq!(all.map(|kind| kind.share().percent).iter().sum::<u64>(), 84);
    }

    #[test]
    fn a_cache_stays_within_its_share() {
        let kind = CacheKind::Remarks;
        let cache = BoundedCache::<u64, u64>::new(Budget::of_mib(1), kind, |_, _| 0);
        (0..100_000).for_each(|key| cache.insert(key, key));
        let figures = cache.figures();
        assert!(figures.entries > 100 && figures.bytes <= figures.bytes_max, "{figures:?}");
        assert_eq!(figures.bytes, figures.entries * (16 + ENTRY_BYTES as u64));
        // The cache rounds the size of each part up.
        assert!(figures.bytes_max <= (1 << 20) * (kind.share().percent + 1) / 100, "{figures:?}");
    }
}
