//! The text that all answers in one chain of governments share: everything between the point and the request id.
//!
//! The only writer, `Shaper::json`, writes whole bodies. A shared text is a whole body without its own head and tail.
//! An answer assembled from head, shared text and tail therefore has the same bytes as one that is written whole.

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

/// Initial capacity for head and tail in bytes. They take some 1,100 for a point near both lines with three notices.
const OWN_BYTES: usize = 1_200;

/// Maximum number of rows of a lineage: state, county, county subdivision, place.
const LINEAGE_MAX: usize = 4;

/// The key of a shared text: all values on which the text depends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SharedKey {
    lineage: [Option<Row>; LINEAGE_MAX],
    territory: Territory,
    /// The sources that notices add, such as the lines of the shore or the record of a changed city. Usually empty.
    notice_sources: Vec<SourceRow>,
    detail: Detail,
    /// The tag of the language (BCP 47).
    language: &'static str,
}

impl SharedKey {
    /// Returns the key of an answer that shares text with others. `None` for an address, whose answer has sources of
    /// its own. `None` for a given day, because few answers are for the same day.
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

/// A shared text with its hash, so that the hash of a body need not read these many bytes.
#[derive(Clone, Debug)]
pub(super) struct SharedText {
    text: Bytes,
    hash: u64,
}

impl SharedText {
    /// Cuts the shared part out of a whole body. `None` if the body does not begin with the head and end with the
    /// tail.
    pub(super) fn cut_from(json: &[u8], own: &OwnText) -> Option<SharedText> {
        let (head, tail) = own.parts();
        let text = json.strip_prefix(head)?.strip_suffix(tail)?.strip_suffix(NULL)?;
        Some(SharedText { text: Bytes::copy_from_slice(text), hash: xxh3_64(text) })
    }

    /// Returns the body with this head and tail.
    pub(super) fn within(self, own: OwnText) -> Encoded {
        Encoded::around(own, self.text, self.hash)
    }

    /// Returns the length of the text in bytes, for the cache's budget.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }
}

impl Shaper<'_> {
    /// Writes the head and tail of a whole body: the match, the point, and the notices. Members must have the order
    /// of the JSON types. Otherwise `cut_from` returns `None`, and the answer is written whole.
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
