//! Tags of answers that clients have asked about again: a `304` needs no answer to be made.

use hyper::Uri;
use quick_cache::sync::Cache;
use xxhash_rust::xxh3::xxh3_128;

use super::etag::ETag;

/// Questions kept; some 4 MB.
const QUESTIONS_MAX: usize = 1 << 16;

/// The tag by the path and query of a question. Only for answers of one snapshot.
///
/// A tag that is found can only save work: it counts where the client names the same.
pub(super) struct KnownTags(Cache<u128, ETag>);

impl KnownTags {
    pub(super) fn new() -> KnownTags {
        KnownTags(Cache::new(QUESTIONS_MAX))
    }

    pub(super) fn get(&self, question: &Uri) -> Option<ETag> {
        self.0.get(&key(question))
    }

    pub(super) fn keep(&self, question: &Uri, tag: ETag) {
        self.0.insert(key(question), tag);
    }
}

impl std::fmt::Debug for KnownTags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("KnownTags").field(&self.0.len()).finish()
    }
}

fn key(question: &Uri) -> u128 {
    xxh3_128(question.path_and_query().map_or("", |text| text.as_str()).as_bytes())
}
