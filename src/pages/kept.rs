//! Pages and files that were made before: those of the snapshot alone, which are the same for everybody.

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};
use xxhash_rust::xxh3::xxh3_128;

use super::{media::Media, route::Route};
use crate::{edition::Edition, http::Content};
use platbook::budget::{Budget, CacheFigures, Kept};

/// Pages and, apart from them, large files, each by what was asked for. Apart, because one outline would push out all pages.
#[derive(Debug)]
pub(super) struct KeptPages {
    pages: Shelf,
    files: Shelf,
}

type Shelf = Cache<u128, Arc<Content>, ByBytes>;

#[derive(Clone, Debug)]
struct ByBytes;

impl Weighter<u128, Arc<Content>> for ByBytes {
    fn weight(&self, _: &u128, page: &Arc<Content>) -> u64 {
        // Packed bodies come later and the cache wants a weight that never changes, so they are counted before.
        page.bytes_max() as u64
    }
}

impl KeptPages {
    pub(super) fn new(budget: Budget) -> KeptPages {
        KeptPages { pages: budget.cache(Kept::Pages, ByBytes), files: budget.cache(Kept::Files, ByBytes) }
    }

    pub(super) fn figures(&self) -> Vec<CacheFigures> {
        vec![CacheFigures::of(Kept::Pages, &self.pages), CacheFigures::of(Kept::Files, &self.files)]
    }

    /// What was made for a route, or what `make` makes now. Callers that want the same at the same time wait for one of them.
    ///
    /// # Errors
    /// What `make` says; the next of those that wait then tries by itself.
    pub(super) async fn get_or_make<E>(
        &self,
        key: u128,
        route: &Route,
        make: impl Future<Output = Result<Arc<Content>, E>>,
    ) -> Result<Arc<Content>, E> {
        self.shelf(route).get_or_insert_async(&key, make).await
    }

    fn shelf(&self, route: &Route) -> &Shelf {
        match route {
            Route::Boundary(_) | Route::Sitemap | Route::SitemapPart(_) => &self.files,
            _ => &self.pages,
        }
    }
}

/// The key of a page: what was asked for, as what, in which snapshot.
pub(super) fn key(edition: &Edition, route: &Route, media: Media) -> u128 {
    let snapshot = edition.answers().directory().snapshot_id();
    xxh3_128(format!("{snapshot} {} {media:?} {route:?}", edition.encoder().site()).as_bytes())
}
