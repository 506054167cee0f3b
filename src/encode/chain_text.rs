//! What all answers for the points of one chain of governments share.

use std::{ops::Range, sync::Arc};

use bytes::{BufMut, Bytes, BytesMut};
use serde::Serialize;
use serde_json::value::RawValue;
use xxhash_rust::xxh3::Xxh3Default;

use super::{
    TextBytes,
    encoded::{Common, Encoded},
    holes::OPEN,
    ready::{ReadyText, ReadyTexts},
    whole_text::{WholeText, WholeTexts},
};

/// What fills a hole of an answer that others share.
#[derive(Clone, Copy, Debug)]
pub(super) enum Filling {
    /// How the point was matched, the point, the request id and the notices: each answer has its own, in this order.
    Own,
    /// A text that is ready, and kept once for all chains that have it.
    Ready(ReadyText),
}

/// An answer that lacks what depends on the point (how it was matched, the point, the request id and the notices) and the
/// texts that are ready anyway: without these, which are nearly half of it, there is room for nearly twice as many chains.
///
/// Between the point and the request id stands nearly all of an answer (governments, functions, sources).
#[derive(Debug)]
pub(super) struct ChainText {
    json: Box<[u8]>,
    /// Before the match.
    start: Range<usize>,
    /// Between match and point.
    before_point: Range<usize>,
    /// Between request id and notices.
    before_notices: Range<usize>,
    /// After the notices.
    end: Range<usize>,
    /// Between point and request id: what stands before each text that is ready, and behind the last.
    pieces: Box<[(Range<u32>, Arc<RawValue>)]>,
    last: Range<usize>,
    /// Bytes and hash of all that, filled.
    bytes: usize,
    hash: u64,
    whole: WholeText,
}

impl ChainText {
    /// Takes the JSON of an answer with its holes.
    pub(super) fn new(
        json: &[u8],
        holes: &[(usize, Filling)],
        ready: &ReadyTexts,
        whole: &Arc<WholeTexts>,
    ) -> ChainText {
        let [(matched, Filling::Own), (point, Filling::Own), between @ .., request_id, notices] = holes
        else {
            unreachable!("the shape begins with holes for match and point, got {holes:?}")
        };
        let [(request_id, Filling::Own), (notices, Filling::Own)] = [*request_id, *notices] else {
            unreachable!("the shape ends with holes for request id and notices, got {holes:?}")
        };
        let after = |hole: usize| hole + OPEN.len();
        let mut from = after(*point);
        let piece = |(hole, filling): &(usize, Filling)| {
            let Filling::Ready(text) = *filling else {
                unreachable!("between point and request id is what chains share, got {holes:?}")
            };
            let before = std::mem::replace(&mut from, after(*hole)) as u32..*hole as u32;
            (before, Arc::clone(ready.made(text).expect("what is left open was made")))
        };
        let pieces = between.iter().map(piece).collect();
        let mut made = ChainText {
            start: 0..*matched,
            before_point: after(*matched)..*point,
            before_notices: after(request_id)..notices,
            end: after(notices)..json.len(),
            pieces,
            last: from..request_id,
            bytes: 0,
            hash: 0,
            whole: WholeText::new(whole),
            json: json.into(),
        };
        let mut hash = Xxh3Default::new();
        let mut bytes = 0;
        made.each_part(|part| {
            hash.update(part);
            bytes += part.len();
        });
        (made.bytes, made.hash) = (bytes, hash.digest());
        made
    }

    /// The answer with its own match, point and notices.
    pub(super) fn around(
        &self,
        matched: &impl Serialize,
        point: &impl Serialize,
        notices: &impl Serialize,
    ) -> Encoded {
        Encoded::around(self, |out| {
            out.extend_from_slice(&self.json[self.start.clone()]);
            put(out, matched);
            out.extend_from_slice(&self.json[self.before_point.clone()]);
            put(out, point);
            let head = out.len();
            out.extend_from_slice(&self.json[self.before_notices.clone()]);
            put(out, notices);
            out.extend_from_slice(&self.json[self.end.clone()]);
            head
        })
    }

    /// What stands between point and request id, part by part.
    fn each_part(&self, mut take: impl FnMut(&[u8])) {
        for (before, text) in &self.pieces {
            take(&self.json[before.start as usize..before.end as usize]);
            take(text.get().as_bytes());
        }
        take(&self.json[self.last.clone()]);
    }
}

impl Common for ChainText {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn put(&self, out: &mut BytesMut) {
        self.each_part(|part| out.put_slice(part));
    }

    fn whole(&self) -> Option<Bytes> {
        self.whole.get(self.bytes, || {
            let mut text = BytesMut::with_capacity(self.bytes);
            self.put(&mut text);
            text.freeze()
        })
    }
}

fn put(out: &mut Vec<u8>, part: &impl Serialize) {
    serde_json::to_writer(out, part).expect("shapes have string keys and finite numbers");
}

impl TextBytes for ChainText {
    fn bytes(&self) -> usize {
        self.json.len() + size_of_val(&*self.pieces)
    }
}
