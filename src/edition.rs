//! Everything that belongs to one snapshot, as one value that can be swapped while requests are served.
//!
//! An [`Edition`] is a directory with its answers and the caches of them, which die with it. Caches outside of it hold nothing
//! of a snapshot, or name the snapshot in their keys. What belongs to the process (limits, keys, counters) stands elsewhere. A
//! request loads the current edition once and keeps to it, so no answer mixes two snapshots, and an edition that was replaced
//! goes when its last request is answered.

use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use xxhash_rust::xxh3::xxh3_128;

use crate::encode::{Detail, Encoded, Encoder};
use platbook::{
    answers::{Answer, Answers, BoundedCache, Budget, CacheFigures, CacheKind},
    directory::Directory,
    words::{English, Words},
};

/// The answers of one snapshot, and the caches that die with it.
#[derive(Debug)]
pub struct Edition {
    answers: Answers,
    encoder: Encoder,
    /// Whole answers of the snapshot alone, by the hash of path and query and by language. A `304` for a point takes 10 us with it
    /// and 16 without (benches/README.md).
    answered: BoundedCache<(u128, &'static str), Encoded>,
    budget: Budget,
}

impl Edition {
    /// The edition of a directory. `site` is the public address of the service, which answers link to.
    pub fn new(directory: Directory, site: &str) -> Edition {
        Edition::within(Budget::default(), directory, site)
    }

    /// An edition whose caches stay within their shares of a budget.
    pub fn within(budget: Budget, directory: Directory, site: &str) -> Edition {
        Edition {
            answers: Answers::within(budget, directory),
            encoder: Encoder::new(site, budget),
            answered: BoundedCache::new(budget, CacheKind::Answers, |_, encoded: &Encoded| encoded.bytes()),
            budget,
        }
    }

    /// Size and use of its caches.
    pub fn caches(&self) -> Vec<CacheFigures> {
        vec![self.encoder.figures(), self.answers.figures(), self.answered.figures()]
    }

    /// Empties its caches. It still answers, and slower at first.
    pub fn forget(&self) {
        self.encoder.forget();
        self.answers.forget();
        self.answered.clear();
    }

    /// The budget that its caches share with others.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The edition of another directory at the same address, which takes the place of this one.
    pub fn next(&self, directory: Directory) -> Edition {
        Edition::within(self.budget, directory, self.encoder.site())
    }

    /// The part that answers requests.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// The part that makes JSON of problems; for answers see [`Edition::encode`].
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The JSON of an answer that this edition gave.
    pub fn encode(&self, answer: &Answer<'_>) -> Encoded {
        self.encode_as(answer, Detail::Full, &English)
    }

    /// The JSON of an answer that this edition gave, in this detail and language.
    pub fn encode_as(&self, answer: &Answer<'_>, detail: Detail, words: &dyn Words) -> Encoded {
        self.encoder.encode(&self.answers, answer, detail, words)
    }

    /// The JSON of the answer to a question, given as path and query, if it is kept.
    pub fn cached(&self, question: &str) -> Option<Encoded> {
        self.answered.get(&(xxh3_128(question.as_bytes()), English.tag()))
    }

    /// Keeps the JSON of the answer to a question. It must rest on the snapshot alone.
    pub fn cache(&self, question: &str, encoded: &Encoded) {
        self.answered.insert((xxh3_128(question.as_bytes()), English.tag()), encoded.clone());
    }

    /// The same JSON as [`Edition::encode`], written without shared text: to compare.
    #[doc(hidden)]
    pub fn encode_whole(&self, answer: &Answer<'_>) -> Encoded {
        self.encoder.encode_whole(&self.answers, answer, &English)
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
