//! Pages that were made lately: those of the snapshot alone, which are the same for everybody.

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};
use xxhash_rust::xxh3::xxh3_128;

use super::{media::Media, route::Route};
use crate::{
    budget::{Budget, CacheFigures, Kept},
    edition::Edition,
    http::Content,
};

/// Times that a page is kept at most: plain, and packed in two ways.
const WAYS: u64 = 3;

/// Pages by what was asked for.
#[derive(Debug)]
pub(super) struct KeptPages(Cache<u128, Arc<Content>, ByBytes>);

#[derive(Clone, Debug)]
struct ByBytes;

impl Weighter<u128, Arc<Content>> for ByBytes {
    fn weight(&self, _: &u128, page: &Arc<Content>) -> u64 {
        // Packed bodies come later and the cache wants a weight that never changes, so they are counted before.
        page.bytes() as u64 * WAYS
    }
}

impl KeptPages {
    pub(super) fn new(budget: Budget) -> KeptPages {
        KeptPages(budget.cache(Kept::Pages, ByBytes))
    }

    pub(super) fn figures(&self) -> CacheFigures {
        CacheFigures::of(Kept::Pages, &self.0)
    }

    pub(super) fn get(&self, key: u128) -> Option<Arc<Content>> {
        self.0.get(&key)
    }

    pub(super) fn keep(&self, key: u128, page: &Arc<Content>) {
        self.0.insert(key, Arc::clone(page));
    }
}

/// What a page is kept under: what was asked for, as what, in which snapshot.
pub(super) fn key(edition: &Edition, route: &Route, media: Media) -> u128 {
    let snapshot = edition.answers().directory().snapshot_id();
    xxh3_128(format!("{snapshot} {} {media:?} {route:?}", edition.encoder().site()).as_bytes())
}
