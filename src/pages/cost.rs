//! Costs of a page: the limit that it counts against, its work, and whether other callers can have it, too.

use super::route::{Route, Screen};
use crate::http::limits::Bucket;

/// Returns whether an answer is for this caller only, because it contains results of a lookup or the typed text.
pub(super) fn is_once(route: &Route) -> bool {
    matches!(route, Route::Ask(..) | Route::Point(_, Screen::Asked, _) | Route::Asset(_))
}

/// Returns whether a page may take more than 2 ms to make or to compress: maps of many lines, and lists of thousands.
/// Measured with `benches/dearest.rs` (2026-11-24).
pub(super) fn takes_long(route: &Route) -> bool {
    matches!(
        route,
        Route::Front
            | Route::States
            | Route::State(..)
            | Route::Named(..)
            | Route::Place(..)
            | Route::Point(..)
            | Route::Data
            | Route::Docs(_)
            | Route::Sources(_)
            | Route::Boundary(_)
            | Route::Sitemap
            | Route::SitemapPart(_)
    )
}

/// Returns the limit against which a request counts. Parts of pages, crawlers' files and explanations of problems are
/// free.
pub(super) fn counted_as(route: Option<&Route>) -> Option<Bucket> {
    match route {
        Some(Route::Asset(_) | Route::Robots | Route::Llms | Route::WellKnown(_)) => None,
        Some(Route::Problems | Route::Problem(_)) => None,
        Some(Route::Suggest(_)) => Some(Bucket::Suggestions),
        _ => Some(Bucket::Pages),
    }
}
