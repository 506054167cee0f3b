//! What all answers for the points of one chain of governments share.

use std::ops::Range;

use bytes::Bytes;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    TextBytes,
    encoded::{Encoded, Shared},
    holes::OPEN,
};

/// An answer that lacks what depends on the point: how it was matched, the point, the request id and the notices.
///
/// Between the point and the request id stands nearly all of an answer (governments, functions, sources): that is sent
/// from here.
#[derive(Debug)]
pub(super) struct ChainText {
    json: Bytes,
    /// Before the match.
    start: Range<usize>,
    /// Between match and point.
    before_point: Range<usize>,
    /// Between request id and notices.
    before_notices: Range<usize>,
    /// After the notices.
    end: Range<usize>,
    /// Between point and request id.
    shared: Shared,
}

impl ChainText {
    /// Takes the JSON of an answer with its four holes.
    pub(super) fn new(json: &[u8], holes: &[usize]) -> ChainText {
        let [matched, point, request_id, notices] = *holes else {
            unreachable!("the shape has holes for match, point, request id and notices, got {holes:?}")
        };
        let json = Bytes::copy_from_slice(json);
        let after = |hole: usize| hole + OPEN.len();
        let text = json.slice(after(point)..request_id);
        ChainText {
            start: 0..matched,
            before_point: after(matched)..point,
            before_notices: after(request_id)..notices,
            end: after(notices)..json.len(),
            shared: Shared { hash: xxh3_64(&text), text },
            json,
        }
    }

    /// The answer with its own match, point and notices.
    pub(super) fn around(
        &self,
        matched: &impl Serialize,
        point: &impl Serialize,
        notices: &impl Serialize,
    ) -> Encoded {
        Encoded::around(self.shared.clone(), |out| {
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
}

fn put(out: &mut Vec<u8>, part: &impl Serialize) {
    serde_json::to_writer(out, part).expect("shapes have string keys and finite numbers");
}

impl TextBytes for ChainText {
    fn bytes(&self) -> usize {
        self.json.len()
    }
}
