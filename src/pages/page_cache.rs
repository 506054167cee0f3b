//! Pages and files that were made before: those of the snapshot alone, which are the same for everybody.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use super::{media::Media, route::Route, words::WORDS};
use crate::{edition::Edition, http::Content};
use platbook::{
    answers::{BoundedCache, Budget, CacheKind},
    words::Words as _,
};

/// Pages and large files such as outlines, each by what was asked for.
pub(super) type PageCache = BoundedCache<u128, Arc<Content>>;

pub(super) fn cache(budget: Budget) -> PageCache {
    // Packed bodies come later and the cache wants a weight that never changes, so they are counted before.
    BoundedCache::new(budget, CacheKind::Pages, |_, page| page.bytes_max())
}

/// The key of a page: what was asked for, as what, in which language and snapshot.
pub(super) fn key(edition: &Edition, route: &Route, media: Media) -> u128 {
    let snapshot = edition.answers().directory().snapshot_id();
    let (site, language) = (edition.encoder().site(), WORDS.tag());
    xxh3_128(format!("{snapshot} {site} {language} {media:?} {route:?}").as_bytes())
}
