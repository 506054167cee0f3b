//! Caches pages and files that depend only on the snapshot, and so are the same for every caller.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use super::{media::Media, route::Route, words::WORDS};
use crate::{edition::Edition, http::Content};
use platbook::{
    answers::{BoundedCache, Budget, CacheKind},
    words::Words as _,
};

/// Pages and large files such as outlines, by the hash of route, form, language and snapshot.
pub(super) type PageCache = BoundedCache<u128, Arc<Content>>;

pub(super) fn cache(budget: Budget) -> PageCache {
    // Compressed bodies are added later, but the cache needs a weight that never changes. So the cache counts these
    // bodies from the start.
    BoundedCache::new(budget, CacheKind::Pages, |_, page| page.bytes_max())
}

/// Returns the key of a page: a hash of its route, its form, the language and the snapshot.
pub(super) fn key(edition: &Edition, route: &Route, media: Media) -> u128 {
    let snapshot = edition.answers().directory().snapshot_id();
    let (site, language) = (edition.encoder().site(), WORDS.tag());
    xxh3_128(format!("{snapshot} {site} {language} {media:?} {route:?}").as_bytes())
}
