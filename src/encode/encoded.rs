//! A body that lacks only the id of its request.

use std::{cell::Cell, ops::Range};

use bytes::{BufMut, Bytes, BytesMut};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    BodyParts,
    holes::{Holes, OPEN},
};

/// Bytes of a block of memory in which answers are written one after the other: room for nearly all answers, and what a
/// client that takes its answer slowly holds at most.
const BLOCK_BYTES: usize = 32 << 10;

/// Memory that a thread keeps for its next draft.
const DRAFT_BYTES: usize = 64 << 10;

/// Room for a request id in quotation marks.
const ID_BYTES: usize = 66;

// An answer's own block would be a large allocation for each request; what is done with a block, used again, is in the
// processor's cache.
thread_local! {
    static BLOCK: Cell<BytesMut> = Cell::new(BytesMut::new());
    static DRAFT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// A JSON body whose request id is still to be filled in.
#[derive(Debug)]
pub struct Encoded {
    /// What is this body's own, in one block: what comes before the shared part and what comes after the id.
    own: BytesMut,
    head: Range<usize>,
    tail: Range<usize>,
    shared: Shared,
}

/// What many bodies share, and its hash. Empty where a body is all its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    pub(super) text: Bytes,
    pub(super) hash: u64,
}

impl Encoded {
    /// Writes a shape whose first hole is the request id.
    pub(super) fn of(holes: &Holes, shape: &impl Serialize) -> Encoded {
        let (own, at) = in_block(|out| holes.write(out, shape));
        let id = at.first().copied().expect("the shape has a request id");
        let (head, tail) = (0..id, id + OPEN.len()..own.len());
        Encoded { own, head, tail, shared: Shared::default() }
    }

    /// Writes what is a body's own around what it shares: `write` tells how many of its bytes come before.
    pub(super) fn around(shared: Shared, write: impl FnOnce(&mut Vec<u8>) -> usize) -> Encoded {
        let (own, head) = in_block(write);
        let tail = head..own.len();
        Encoded { own, head: 0..head, tail, shared }
    }

    /// A hash of the bytes without a request id: the same for all who ask the same.
    pub fn hash(&self) -> u64 {
        let own = xxh3_64(&self.own);
        if self.shared.text.is_empty() {
            return own;
        }
        let [own, shared, at] = [own, self.shared.hash, self.head.end as u64].map(u64::to_le_bytes);
        xxh3_64([own, shared, at].as_flattened())
    }

    /// The body with this request id, which needs no JSON escapes.
    pub fn fill(mut self, request_id: &str) -> BodyParts {
        let id = self.own.len();
        self.own.put_u8(b'"');
        self.own.put_slice(request_id.as_bytes());
        self.own.put_u8(b'"');
        let own = self.own.freeze();
        BodyParts {
            head: own.slice(self.head),
            shared: self.shared.text,
            id: own.slice(id..),
            tail: own.slice(self.tail),
        }
    }
}

/// Lets `write` write a text, and puts it into this thread's block, with room for a request id.
fn in_block<T>(write: impl FnOnce(&mut Vec<u8>) -> T) -> (BytesMut, T) {
    drafted(|draft| {
        let made = write(draft);
        let bytes = draft.len() + ID_BYTES;
        let mut block = BLOCK.take();
        if block.capacity() < bytes {
            block.reserve(bytes.max(BLOCK_BYTES));
        }
        block.put_slice(draft);
        block.put_bytes(0, ID_BYTES);
        let mut own = block.split();
        own.truncate(draft.len());
        BLOCK.set(block);
        (own, made)
    })
}

/// Lends this thread's draft: an empty text that mostly has room already. The small pieces in which JSON is written go into a
/// vector in a fraction of the time that they take into a block.
pub(super) fn drafted<T>(write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    let mut draft = DRAFT.take();
    draft.clear();
    let made = write(&mut draft);
    draft.shrink_to(DRAFT_BYTES);
    DRAFT.set(draft);
    made
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::{collection::vec, prelude::*};
    use serde_json::{Value, json};

    use super::*;
    use crate::encode::holes::Hole;

    #[derive(Serialize)]
    struct Shape<'a> {
        before: &'a str,
        request_id: Hole<'a>,
        after: &'a str,
    }

    fn encoded(before: &str, after: &str) -> Encoded {
        let holes = Holes::default();
        Encoded::of(&holes, &Shape { before, request_id: holes.hole(), after })
    }

    #[test]
    fn the_id_lands_in_its_place_whatever_surrounds_it() {
        let like = "\"request_id\":null";
        for (before, after) in [("", ""), ("null", "a_b_c"), (like, like), ("request_id", "\\\"request_id")] {
            let expected = json!({"before": before, "request_id": "id-0123456789", "after": after});
            let filled = encoded(before, after).fill("id-0123456789").into_contiguous();
            assert_eq!(serde_json::from_slice::<Value>(&filled).unwrap(), expected);
        }
    }

    fn around(head: &str, shared: &str, tail: &str) -> Encoded {
        let text = Bytes::copy_from_slice(shared.as_bytes());
        let shared = Shared { hash: xxh3_64(&text), text };
        Encoded::around(shared, |own| {
            own.put_slice(head.as_bytes());
            own.put_slice(tail.as_bytes());
            head.len()
        })
    }

    proptest! {
        #[test]
        fn parts_stand_in_their_order(texts in vec(".{0,40}", 3), id in "[a-z0-9-]{8,64}") {
            let body = around(&texts[0], &texts[1], &texts[2]).fill(&id);
            prop_assert_eq!(body.len(), body.clone().into_contiguous().len());
            let expected = format!("{}{}\"{id}\"{}", texts[0], texts[1], texts[2]);
            prop_assert_eq!(&body.into_contiguous()[..], expected.as_bytes());
        }

        /// Letters move between what is shared and what stands around it: other bytes have other hashes, and equal
        /// bytes in equal parts have equal ones.
        #[test]
        fn hashes_are_equal_where_bytes_are(all in vec(vec("[ab]{0,2}", 3), 2..40)) {
            let mut hashes: HashMap<&Vec<String>, u64> = HashMap::new();
            for texts in &all {
                let hash = around(&texts[0], &texts[1], &texts[2]).hash();
                prop_assert_eq!(*hashes.entry(texts).or_insert(hash), hash);
                for (other, known) in &hashes {
                    prop_assert!(*known != hash || other.concat() == texts.concat());
                }
            }
        }
    }
}
