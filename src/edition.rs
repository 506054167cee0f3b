//! Everything that belongs to one snapshot, as one value that can be swapped while requests are served.
//!
//! An [`Edition`] is a directory with its answers and all that is kept of them: texts, caches, known tags. What belongs to
//! the process (limits, keys, counters) stands elsewhere. A request loads the current edition once and keeps to it, so no
//! answer mixes two snapshots, and an edition that was replaced goes when its last request is answered.

use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use quick_cache::sync::Cache;
use xxhash_rust::xxh3::xxh3_128;

use crate::encode::{ChainKey, Detail, Encoded, Encoder, TextBytes, TextCache};
use platbook::{
    answers::{Answer, Answers},
    budget::{Budget, CacheFigures, Each, Kept},
    directory::Directory,
};

/// The answers of one snapshot, and what is kept of them.
#[derive(Debug)]
pub struct Edition {
    answers: Answers,
    encoder: Encoder,
    tags: KnownTags,
    words: TextCache<(ChainKey, Length), SharedWords>,
    budget: Budget,
}

impl Edition {
    /// The edition of a directory. `site` is the public address of the service, which answers link to.
    pub fn new(directory: Directory, site: &str) -> Edition {
        Edition::within(Budget::default(), directory, site)
    }

    /// An edition whose caches stay within their shares of a budget.
    pub fn within(budget: Budget, directory: Directory, site: &str) -> Edition {
        let encoder = Encoder::new(&directory, site, budget);
        let (tags, words) = (KnownTags::new(budget), TextCache::within(budget, Kept::ToolTexts));
        Edition { answers: Answers::within(budget, directory), encoder, tags, words, budget }
    }

    /// How its caches are.
    pub fn caches(&self) -> Vec<CacheFigures> {
        let mut caches = self.encoder.caches();
        caches.extend(self.answers.caches());
        caches.extend([self.tags.figures(), self.words.figures(Kept::ToolTexts)]);
        caches
    }

    /// Lets go of all that is kept of answers: it answers on, and slower at first.
    pub fn forget(&self) {
        self.encoder.forget();
        self.answers.forget();
        self.tags.0.clear();
        self.words.forget();
    }

    /// What its caches share with others.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The edition of another directory, at the same address: what takes this one's place.
    pub fn next(&self, directory: Directory) -> Edition {
        Edition::within(self.budget, directory, self.encoder.site())
    }

    /// What answers requests.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// What makes JSON of problems; for answers see [`Edition::encode`].
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The JSON of an answer that this edition gave.
    pub fn encode(&self, answer: &Answer<'_>) -> Encoded {
        self.encode_as(answer, Detail::Full)
    }

    /// So much of the JSON of an answer that this edition gave.
    pub fn encode_as(&self, answer: &Answer<'_>, detail: Detail) -> Encoded {
        self.encoder.encode(&self.answers, answer, detail)
    }

    /// The same JSON, written as a whole and without what is kept ready for many answers: to compare.
    #[doc(hidden)]
    pub fn encode_whole(&self, answer: &Answer<'_>) -> Encoded {
        self.encoder.encode_whole(&self.answers, answer)
    }

    /// The words of a length that answers of a chain share; made where they are not at hand.
    pub(crate) fn words(
        &self,
        chain: ChainKey,
        length: Length,
        make: impl FnOnce() -> SharedWords,
    ) -> Arc<SharedWords> {
        self.words.get_or((chain, length), || Arc::new(make()))
    }

    /// The hashes of answers that clients have asked about again.
    pub fn tags(&self) -> &KnownTags {
        &self.tags
    }
}

/// How much of an answer its text tells; the structured content beside it has all of it at any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Length {
    /// All that a text tells.
    Whole,
    /// Without pages of others than the body and names of sources; what repeats stands once.
    Lean,
    /// Without addresses of laws, too: the laws are cited by section.
    Least,
}

/// What the texts of all answers in one chain share: to write them costs many times what a whole answer in JSON does.
#[derive(Debug)]
pub(crate) struct SharedWords {
    /// Governments, and who does what.
    pub(crate) jobs: String,
    /// Sources.
    pub(crate) sources: String,
    /// Whether a link was written whose check is not on record.
    pub(crate) has_unchecked: bool,
}

impl TextBytes for SharedWords {
    fn bytes(&self) -> usize {
        self.jobs.len() + self.sources.len()
    }
}

/// The edition that is served now.
#[derive(Debug)]
pub struct CurrentEdition(ArcSwap<Edition>);

impl CurrentEdition {
    /// Begins with this edition.
    pub fn new(edition: Edition) -> CurrentEdition {
        CurrentEdition(ArcSwap::from_pointee(edition))
    }

    /// The edition of now, for a request that is answered at once.
    pub fn load(&self) -> Guard<Arc<Edition>> {
        self.0.load()
    }

    /// Serves another edition from now on, and returns the one before. Requests under way keep to theirs.
    pub fn swap(&self, edition: Edition) -> Arc<Edition> {
        self.0.swap(Arc::new(edition))
    }

    /// Serves an edition again that was swapped out, and returns the one before.
    pub fn restore(&self, edition: Arc<Edition>) -> Arc<Edition> {
        self.0.swap(edition)
    }
}

/// The hash of the answer by the path and query of its question: a `304` needs no answer to be made.
///
/// Only for answers of the snapshot alone. A hash that is found can only save work: it counts where the client names the
/// same.
pub struct KnownTags(Cache<u128, u64, Each>);

impl KnownTags {
    fn new(budget: Budget) -> KnownTags {
        KnownTags(budget.cache(Kept::Tags, Each(Kept::Tags)))
    }

    fn figures(&self) -> CacheFigures {
        CacheFigures::of(Kept::Tags, &self.0)
    }

    /// The hash of the answer to a question, given as path and query.
    pub fn get(&self, question: &str) -> Option<u64> {
        self.0.get(&xxh3_128(question.as_bytes()))
    }

    /// Keeps the hash of the answer to a question.
    pub fn keep(&self, question: &str, hash: u64) {
        self.0.insert(xxh3_128(question.as_bytes()), hash);
    }
}

impl std::fmt::Debug for KnownTags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("KnownTags").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platbook::{
        answers::{Found, Request},
        testing::{directory, point},
    };

    /// Both points have one chain, and only the water rests on the lines of the shore: what they share must not hide it.
    #[test]
    fn land_and_water_of_one_chain_have_their_own_sources() {
        let edition = Edition::new(directory(), "https://platbook.example");
        for (x, is_water) in [(5.0, false), (2.0, true), (5.0, false)] {
            let request = Request::Resolve { point: point(x, 1.5) };
            let answer = edition.answers().finish(&request, Found::default()).expect("it is covered");
            let json = edition.encode(&answer).fill("an-id-of-a-request").into_contiguous();
            let json = String::from_utf8_lossy(&json);
            assert_eq!(json.contains("\"Coarse lines\""), is_water, "{json}");
            assert_eq!(json.contains("\"quality\":\"water\""), is_water, "{json}");
            assert_eq!(json.contains("in the water of Adams County"), is_water, "{json}");
        }
    }
}
