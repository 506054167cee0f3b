//! Writes answers as JSON: the only place where the values of an answer become the bytes of a body.
//!
//! `wire` has the JSON types (shapes), `shapes` fills them, and serde writes them. All answers for points in one
//! chain of governments share most of their text, some 11,600 bytes of 12,300. An [`Encoder`] caches that text and
//! writes only the rest of each answer. An encoder belongs to one directory and one site.
//!
//! The request id is not part of an answer, so equal requests have equal bytes and one tag. [`Encoded::fill`] adds
//! the id at the end.

mod body;
mod coverage;
mod detail;
mod parts;
mod shapes;
mod shared;

use crate::wire::MatchQuality;
use platbook::{
    answers::{Answer, Answers, BoundedCache, Budget, CacheFigures, CacheKind, Data, Refusal},
    directory::Quality,
    words::{English, Words},
};

use shapes::Shaper;
use shared::{SharedKey, SharedText};

pub use body::{BodyBuf, BodyParts, Encoded};
pub use detail::Detail;
pub use parts::{fact_value, problem};

/// Writes answers as JSON, and caches the text that many answers share.
#[derive(Debug)]
pub struct Encoder {
    site: String,
    /// The address at which the operator publishes files; `None` if none is configured.
    published_at: Option<String>,
    bodies: BoundedCache<SharedKey, SharedText>,
}

impl Encoder {
    /// Makes an encoder for answers of one directory. `site` is the public address of the service, such as
    /// `https://platbook.example`. The pages to which answers link lie under this address.
    pub fn new(site: &str, budget: Budget) -> Encoder {
        let bodies = BoundedCache::new(budget, CacheKind::Bodies, |_, text: &SharedText| text.bytes());
        Encoder { site: site.trim_end_matches('/').to_owned(), published_at: None, bodies }
    }

    /// Returns this encoder with the address at which the operator publishes files; `None` if there is no such address.
    pub fn published_at(self, address: Option<String>) -> Encoder {
        Encoder { published_at: address, ..self }
    }

    /// Returns the address at which the operator publishes files; `None` if none is configured.
    pub fn publication(&self) -> Option<&str> {
        self.published_at.as_deref()
    }

    /// Returns the size and use of the cache.
    pub fn figures(&self) -> CacheFigures {
        self.bodies.figures()
    }

    /// Empties the cache of shared texts.
    pub(crate) fn forget(&self) {
        self.bodies.clear();
    }

    /// Returns the site's address, without a slash at its end.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// Returns the JSON of an answer in a language, without the request id. `answers` must be the value that made the
    /// answer.
    pub fn encode(
        &self,
        answers: &Answers,
        answer: &Answer<'_>,
        detail: Detail,
        words: &dyn Words,
    ) -> Encoded {
        let shaper = self.shaper(answers, detail, words);
        self.shared(shaper, answer)
            .unwrap_or_else(|| Encoded::whole(shaper.json(answer)))
            .in_language(words.tag())
    }

    /// Returns the same JSON as [`Encoder::encode`] without using the cache, for comparison.
    pub(crate) fn encode_whole(&self, answers: &Answers, answer: &Answer<'_>, words: &dyn Words) -> Encoded {
        Encoded::whole(self.shaper(answers, Detail::Full, words).json(answer))
    }

    /// Returns the JSON of a resource, by its number in the snapshot; `None` if no resource has that number.
    pub fn resource(&self, answers: &Answers, number: usize) -> Option<serde_json::Value> {
        let resource = self.shaper(answers, Detail::Full, &English).numbered(number)?;
        Some(serde_json::to_value(resource).expect("shapes can be written"))
    }

    fn shaper<'a>(&'a self, answers: &'a Answers, detail: Detail, words: &'a dyn Words) -> Shaper<'a> {
        Shaper { site: &self.site, published_at: self.published_at.as_deref(), answers, detail, words }
    }

    /// Returns the JSON of an answer that shares text with others; `None` for answers that do not.
    fn shared(&self, shaper: Shaper<'_>, answer: &Answer<'_>) -> Option<Encoded> {
        let Data::Resolve(resolved) = &answer.data else { return None };
        let key = SharedKey::for_answer(answer, resolved, shaper)?;
        let own = shaper.own_text(answer, resolved);
        let shared = match self.bodies.get(&key) {
            Some(shared) => shared,
            None => {
                let shared = SharedText::cut_from(&shaper.json(answer), &own)?;
                self.bodies.insert(key, shared.clone());
                shared
            }
        };
        Some(shared.within(own))
    }

    /// Returns the JSON of a problem, without the request id.
    pub fn problem(&self, refusal: &Refusal, status: u16) -> Encoded {
        parts::problem(&self.site, refusal, status)
    }
}

/// Returns the contract's word for how a point relates to its areas.
pub fn match_quality(quality: Quality) -> MatchQuality {
    match quality {
        Quality::Inside => MatchQuality::Inside,
        Quality::Sliver => MatchQuality::Sliver,
        Quality::Water => MatchQuality::Water,
        Quality::Nearest { .. } => MatchQuality::Nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platbook::{
        answers::{Found, Request},
        testing::{Spanish, directory, point},
    };

    fn encoder() -> (Answers, Encoder) {
        (Answers::new(directory()), Encoder::new("https://platbook.example", Budget::default()))
    }

    fn body(encoded: Encoded) -> String {
        String::from_utf8(encoded.fill("an-id-of-a-request").into_contiguous().to_vec()).unwrap()
    }

    #[test]
    fn bodies_that_share_text_are_those_that_are_written_whole() {
        let (answers, encoder) = encoder();
        let name = |place: &str| Request::named(place, "MN".parse().unwrap());
        let points = [(5.0, 1.5), (2.0, 1.5), (8.5, 9.5), (7.5, 9.5)];
        let points = points.map(|(x, y)| Request::Resolve { point: point(x, y) });
        for request in points.into_iter().chain([name("Adams County")]) {
            let answer = answers.finish(&request, Found::default()).unwrap();
            let encode = || encoder.encode(&answers, &answer, Detail::Full, &English);
            let (made, kept) = (encode(), encode());
            assert_eq!(made.hash(), kept.hash());
            let whole = body(encoder.encode_whole(&answers, &answer, &English));
            assert_eq!([body(made), body(kept)], [whole.clone(), whole]);
        }
        let figures = encoder.figures();
        assert!(figures.hits >= 5, "each second body shares its text: {figures:?}");
    }

    #[test]
    fn two_languages_never_share_a_body() {
        let (answers, encoder) = encoder();
        let request = Request::Resolve { point: point(8.5, 9.5) };
        let answer = answers.finish(&request, Found::default()).unwrap();
        let silent = Answer { notices: Vec::new(), ..answer.clone() };
        for _ in 0..2 {
            let both = |answer: &Answer<'_>| {
                let languages: [&dyn Words; 2] = [&English, &Spanish];
                languages.map(|words| encoder.encode(&answers, answer, Detail::Full, words))
            };
            assert!(both(&answer).map(body).map(|body| body.contains("una nación")) == [false, true]);
            let [english, spanish] = both(&silent);
            assert_ne!(english.hash(), spanish.hash(), "equal bytes have two tags");
            assert_eq!(body(english), body(spanish));
        }
        assert_eq!(encoder.figures().entries, 4, "two languages, with and without the sources of the notice");
    }
}
