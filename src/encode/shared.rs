//! The text that all answers in one chain of governments share: everything between the point and the request id.
//!
//! There is one writer, `Shaper::json`, which writes whole bodies. A shared text is a whole body without its own head
//! and tail. So an answer that is assembled from the three has the bytes of one that is written at once.

use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Detail,
    body::{Encoded, NULL, OwnText, put},
    parts,
    shapes::Shaper,
};
use platbook::{
    answers::{Answer, Matched, Resolved, Territory},
    directory::{Row, SourceRow},
};

/// Initial capacity in bytes for head and tail. With both lines near and three notices they take some 1,100.
const OWN_BYTES: usize = 1_200;

/// Most rows of a lineage: state, county, county subdivision, place.
const LINEAGE_MAX: usize = 4;

/// The key of a shared text: everything that the text depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SharedKey {
    lineage: [Option<Row>; LINEAGE_MAX],
    territory: Territory,
    /// The sources that notices add, such as the lines of the shore or the record of a changed city. Mostly empty.
    notice_sources: Vec<SourceRow>,
    detail: Detail,
    /// A tag of BCP 47.
    language: &'static str,
}

impl SharedKey {
    /// Returns the key of an answer that shares text with others. `None` for an address, whose sources are its own, and
    /// for a given day, which few answers share.
    pub(super) fn for_answer(
        answer: &Answer<'_>,
        resolved: &Resolved,
        shaper: Shaper<'_>,
    ) -> Option<SharedKey> {
        let is_own = matches!(resolved.matched, Matched::Address { .. }) || resolved.date.is_some();
        if is_own || resolved.lineage.len() > LINEAGE_MAX {
            return None;
        }
        let mut lineage = [None; LINEAGE_MAX];
        lineage.iter_mut().zip(&resolved.lineage).for_each(|(place, row)| *place = Some(*row));
        Some(SharedKey {
            lineage,
            territory: resolved.territory,
            notice_sources: answer.notice_sources(shaper.answers.directory()),
            detail: shaper.detail,
            language: shaper.words.tag(),
        })
    }
}

/// A shared text with its hash, so that a body needs no hash of its many bytes.
#[derive(Clone, Debug)]
pub(super) struct SharedText {
    text: Bytes,
    hash: u64,
}

impl SharedText {
    /// Cuts the shared part out of a whole body. `None` if the body does not begin and end with the given text.
    pub(super) fn cut_from(json: &[u8], own: &OwnText) -> Option<SharedText> {
        let (head, tail) = own.parts();
        let text = json.strip_prefix(head)?.strip_suffix(tail)?.strip_suffix(NULL)?;
        Some(SharedText { text: Bytes::copy_from_slice(text), hash: xxh3_64(text) })
    }

    /// Returns the body with this head and tail.
    pub(super) fn within(self, own: OwnText) -> Encoded {
        Encoded::around(own, self.text, self.hash)
    }

    /// Bytes of the text, for the cache's budget.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }
}

impl Shaper<'_> {
    /// Writes head and tail of a whole body: the match, the point, and the notices. The member order must be that of
    /// the shapes; otherwise `cut_from` gives `None`, and the answer is written whole.
    pub(super) fn own_text(self, answer: &Answer<'_>, resolved: &Resolved) -> OwnText {
        let mut text = Vec::with_capacity(OWN_BYTES);
        text.extend_from_slice(br#"{"data":{"match":"#);
        put(&mut text, &parts::matched(self.directory(), &resolved.matched));
        text.extend_from_slice(br#","point":"#);
        put(&mut text, &resolved.point.map(parts::point));
        let head_end = text.len();
        text.extend_from_slice(br#","notices":"#);
        put(&mut text, &self.notices(answer));
        text.push(b'}');
        OwnText { text, head_end }
    }
}
