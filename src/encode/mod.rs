//! Answers as JSON: the one place where the values of an answer become the bytes of a body.
//!
//! An [`Encoder`] belongs to one directory and one site. It keeps the text of what does not depend on the question (each
//! jurisdiction, source and resource), of who performs a function in a territory, and of all that the answers in one
//! chain of governments share. An answer then is put together: its own few hundred bytes stand around the shared ones.
//!
//! The request id is not part of an answer: equal questions have equal bytes and one tag. It is filled in at the end, see
//! [`Encoded::fill`].

mod body;
mod chain_text;
mod detail;
mod encoded;
mod holes;
mod parts;
mod ready;
mod shapes;
mod whole_text;

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};
use serde_json::value::RawValue;

use crate::wire::MatchQuality;
use platbook::{
    answers::{Answer, Answers, Data, Matched, Refusal, Resolved, Territory},
    budget::{Budget, CacheFigures, Kept},
    directory::{Directory, Quality, Row},
    vocabulary::Function,
};

use chain_text::ChainText;
use ready::ReadyTexts;
use shapes::Shaper;
use whole_text::WholeTexts;

pub use body::{BodyBuf, BodyParts};
pub use detail::Detail;
pub use encoded::Encoded;
pub use parts::{fact_value, problem};

/// Bytes of a key and of what stands around a text.
const ENTRY_BYTES: u64 = 256;

/// Makes JSON of answers, and keeps what many of them share. The caches are bounded by bytes, whatever is asked.
#[derive(Debug)]
pub struct Encoder {
    site: String,
    ready: ReadyTexts,
    assignments: TextCache<(Function, Territory, Detail), RawValue>,
    chains: TextCache<(ChainKey, Detail), ChainText>,
    whole: Arc<WholeTexts>,
}

/// What decides the shared text of an answer for a point: its governments, and for what the rules were asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ChainKey {
    lineage: [Option<Row>; LINEAGE_MAX],
    territory: Territory,
    /// What water rests on is a source more.
    in_water: bool,
}

impl ChainKey {
    /// The key of an answer that shares text with others. `None` for one that rests on more than the snapshot: its sources
    /// are its own.
    pub(crate) fn of(resolved: &Resolved) -> Option<ChainKey> {
        if matches!(resolved.matched, Matched::Address { .. }) || resolved.lineage.len() > LINEAGE_MAX {
            return None;
        }
        let mut lineage = [None; LINEAGE_MAX];
        lineage.iter_mut().zip(&resolved.lineage).for_each(|(place, row)| *place = Some(*row));
        let in_water = matches!(resolved.matched, Matched::Point { quality: Quality::Water, .. });
        Some(ChainKey { lineage, territory: resolved.territory, in_water })
    }
}

/// State, county, county subdivision, place.
const LINEAGE_MAX: usize = 4;

impl Encoder {
    /// Encodes answers of this directory. `site` is the public address of the service, such as
    /// `https://platbook.example`: pages of answers lie under it. What is kept stays within shares of the budget.
    pub fn new(directory: &Directory, site: &str, budget: Budget) -> Encoder {
        Encoder {
            site: site.trim_end_matches('/').to_owned(),
            ready: ReadyTexts::new(directory),
            assignments: TextCache::within(budget, Kept::AssignmentTexts),
            chains: TextCache::within(budget, Kept::ChainTexts),
            whole: WholeTexts::within(budget),
        }
    }

    /// How what is kept of texts is.
    pub fn caches(&self) -> Vec<CacheFigures> {
        let chains = self.whole.add_to(self.chains.figures(Kept::ChainTexts));
        vec![self.assignments.figures(Kept::AssignmentTexts), chains]
    }

    /// Lets go of what is kept of texts.
    pub(crate) fn forget(&self) {
        self.assignments.forget();
        self.chains.forget();
    }

    /// Where the service's pages are, without a slash at the end.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// So much of the JSON of an answer, still without the id of the request. `answers` is what gave the answer.
    pub fn encode(&self, answers: &Answers, answer: &Answer<'_>, detail: Detail) -> Encoded {
        let shaper = Shaper { encoder: self, answers, detail, open: None };
        let shared = match &answer.data {
            Data::Resolve(resolved) => {
                self.chain_text(&shaper, answer, resolved).map(|text| (text, resolved))
            }
            _ => None,
        };
        match shared {
            Some((text, resolved)) => {
                let directory = answers.directory();
                let matched = parts::matched(directory, &resolved.matched);
                let point = resolved.point.map(parts::point);
                text.around(&matched, &point, &parts::notices(directory, &answer.notices))
            }
            None => shaper.whole(answer),
        }
    }

    /// The same JSON, with no part shared: to compare.
    pub(crate) fn encode_whole(&self, answers: &Answers, answer: &Answer<'_>) -> Encoded {
        Shaper { encoder: self, answers, detail: Detail::Full, open: None }.whole(answer)
    }

    /// The JSON of a problem, still without the id of the request.
    pub fn problem(&self, refusal: &Refusal, status: u16) -> Encoded {
        parts::problem(&self.site, refusal, status)
    }

    /// What answers for all points of the same governments share.
    fn chain_text(
        &self,
        shaper: &Shaper<'_>,
        answer: &Answer<'_>,
        resolved: &Resolved,
    ) -> Option<Arc<ChainText>> {
        let key = (ChainKey::of(resolved)?, shaper.detail);
        Some(self.chains.get_or(key, || Arc::new(shaper.chain_text(answer, resolved))))
    }
}

/// The contract's word for how a point met its areas.
pub fn match_quality(quality: Quality) -> MatchQuality {
    match quality {
        Quality::Inside => MatchQuality::Inside,
        Quality::Sliver => MatchQuality::Sliver,
        Quality::Water => MatchQuality::Water,
        Quality::Nearest { .. } => MatchQuality::Nearest,
    }
}

/// Texts that were needed lately, within a bound of bytes.
pub(crate) struct TextCache<K, T: ?Sized>(Cache<K, Arc<T>, ByBytes>);

impl<K: Copy + Eq + std::hash::Hash, T: TextBytes + ?Sized> TextCache<K, T> {
    /// A cache that takes no more than its share.
    pub(crate) fn within(budget: Budget, kept: Kept) -> TextCache<K, T> {
        TextCache(budget.cache(kept, ByBytes))
    }

    /// How it is.
    pub(crate) fn figures(&self, kept: Kept) -> CacheFigures {
        CacheFigures::of(kept, &self.0)
    }

    pub(crate) fn forget(&self) {
        self.0.clear();
    }

    pub(crate) fn get_or(&self, key: K, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        self.0.get(&key).unwrap_or_else(|| {
            let made = make();
            self.0.insert(key, Arc::clone(&made));
            made
        })
    }
}

impl<K, T: ?Sized> std::fmt::Debug for TextCache<K, T>
where
    K: Eq + std::hash::Hash,
    ByBytes: Weighter<K, Arc<T>>,
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TextCache").field(&self.0.len()).finish()
    }
}

/// A text that knows its length.
pub(crate) trait TextBytes {
    fn bytes(&self) -> usize;
}

impl TextBytes for RawValue {
    fn bytes(&self) -> usize {
        self.get().len()
    }
}

#[derive(Clone)]
pub(crate) struct ByBytes;

impl<K, T: TextBytes + ?Sized> Weighter<K, Arc<T>> for ByBytes {
    fn weight(&self, _: &K, text: &Arc<T>) -> u64 {
        text.bytes() as u64 + ENTRY_BYTES
    }
}
