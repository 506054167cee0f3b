//! All data of one snapshot, as one value that can be swapped while requests are served.
//!
//! An [`Edition`] is a directory with its answers and their caches. Caches elsewhere hold no data of a snapshot, or
//! have the snapshot in their keys. The limits, keys and counters of the process belong to no edition. A request
//! loads the current edition once, so no answer mixes two snapshots. A replaced edition is dropped after its last
//! request.

use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use xxhash_rust::xxh3::xxh3_128;

use crate::encode::{Detail, Encoded, Encoder};
use platbook::{
    answers::{Answer, Answers, BoundedCache, Budget, CacheFigures, CacheKind},
    directory::Directory,
    words::{English, Words},
};

/// The answers of one snapshot, and their caches.
#[derive(Debug)]
pub struct Edition {
    answers: Answers,
    encoder: Encoder,
    /// Whole answers that depend on the snapshot only, by the hash of path and query and by language. A `304` for a
    /// point takes 10 us with this cache and 16 us without it (benches/README.md).
    answered: BoundedCache<(u128, &'static str), Encoded>,
    budget: Budget,
}

impl Edition {
    /// Makes the edition of a directory. `site` is the public address of the service, to which answers link.
    pub fn new(directory: Directory, site: &str) -> Edition {
        Edition::within(Budget::default(), directory, site)
    }

    /// Makes an edition whose caches stay within their shares of a budget.
    pub fn within(budget: Budget, directory: Directory, site: &str) -> Edition {
        Edition {
            answers: Answers::within(budget, directory),
            encoder: Encoder::new(site, budget),
            answered: BoundedCache::new(budget, CacheKind::Answers, |_, encoded: &Encoded| encoded.bytes()),
            budget,
        }
    }

    /// Returns this edition with the address at which the operator publishes files; `None` if there is no such address.
    pub fn published_at(self, address: Option<String>) -> Edition {
        Edition { encoder: self.encoder.published_at(address), ..self }
    }

    /// Returns the size and use of the edition's caches.
    pub fn caches(&self) -> Vec<CacheFigures> {
        vec![self.encoder.figures(), self.answers.figures(), self.answered.figures()]
    }

    /// Empties the edition's caches. The edition still answers, but more slowly at first.
    pub fn forget(&self) {
        self.encoder.forget();
        self.answers.forget();
        self.answered.clear();
    }

    /// Returns the budget that the edition's caches share with others.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Makes the edition of another directory with the same address and budget.
    pub fn next(&self, directory: Directory) -> Edition {
        Edition::within(self.budget, directory, self.encoder.site())
            .published_at(self.encoder.publication().map(str::to_owned))
    }

    /// Returns the answers of this edition.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Returns the encoder, for the JSON of problems. For answers see [`Edition::encode`].
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Encodes an answer of this edition as JSON, in full detail and in English.
    pub fn encode(&self, answer: &Answer<'_>) -> Encoded {
        self.encode_as(answer, Detail::Full, &English)
    }

    /// Encodes an answer of this edition as JSON, in this detail and language.
    pub fn encode_as(&self, answer: &Answer<'_>, detail: Detail, words: &dyn Words) -> Encoded {
        self.encoder.encode(&self.answers, answer, detail, words)
    }

    /// Returns the cached JSON of the answer to a path and query; `None` if it is not cached.
    pub fn cached(&self, question: &str) -> Option<Encoded> {
        self.answered.get(&(xxh3_128(question.as_bytes()), English.tag()))
    }

    /// Caches the JSON of the answer to a path and query. The answer must depend only on the snapshot.
    pub fn cache(&self, question: &str, encoded: &Encoded) {
        self.answered.insert((xxh3_128(question.as_bytes()), English.tag()), encoded.clone());
    }

    /// Returns the same JSON as [`Edition::encode`], but written without cached parts, for comparison.
    #[doc(hidden)]
    pub fn encode_whole(&self, answer: &Answer<'_>) -> Encoded {
        self.encoder.encode_whole(&self.answers, answer, &English)
    }
}

/// The edition that is served now.
#[derive(Debug)]
pub struct CurrentEdition(ArcSwap<Edition>);

impl CurrentEdition {
    /// Makes the handle. `edition` is the first one to be served.
    pub fn new(edition: Edition) -> CurrentEdition {
        CurrentEdition(ArcSwap::from_pointee(edition))
    }

    /// Returns the current edition for a request that needs no await.
    pub fn load(&self) -> Guard<Arc<Edition>> {
        self.0.load()
    }

    /// Serves another edition from now on, and returns the previous one. Requests in progress continue with the
    /// edition that they loaded.
    pub fn swap(&self, edition: Edition) -> Arc<Edition> {
        self.0.swap(Arc::new(edition))
    }

    /// Serves an edition that was swapped out, and returns the previous one.
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

    /// Both points are in one chain, but only the answer for the point in the water depends on the shoreline. Shared
    /// text must not hide this.
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
