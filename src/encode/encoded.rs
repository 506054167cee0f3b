//! A body that lacks only the id of its request.

use std::{cell::Cell, ops::Range};

use bytes::{BufMut, Bytes, BytesMut};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    BodyParts,
    holes::{Holes, OPEN},
};

/// Bytes of a block of memory in which answers are written one after the other: room for two or three, and what a client that
/// takes its answer slowly holds at most, but for the longest answers.
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
    /// Head and tail, in one block.
    own: BytesMut,
    head: Range<usize>,
    /// Between head and id, where it is not in the block.
    shared: Bytes,
    tail: Range<usize>,
    hash: u64,
}

/// What many bodies have in common, kept in a form of its own.
pub(super) trait Common {
    /// How many bytes it is.
    fn bytes(&self) -> usize;

    /// A hash of them.
    fn hash(&self) -> u64;

    /// Writes them.
    fn put(&self, out: &mut BytesMut);

    /// All of them in one piece, if that is at hand.
    fn whole(&self) -> Option<Bytes>;
}

impl Encoded {
    /// Writes a shape whose first hole is the request id.
    pub(super) fn of(holes: &Holes, shape: &impl Serialize) -> Encoded {
        drafted(|draft| {
            let at = holes.write(draft, shape);
            let (id, ()) = *at.first().expect("the shape has a request id");
            let own = in_block(draft.len(), |block| block.put_slice(draft));
            let (head, tail) = (0..id, id + OPEN.len()..own.len());
            Encoded { own, head, shared: Bytes::new(), tail, hash: xxh3_64(draft) }
        })
    }

    /// Writes what is a body's own around what it has in common with others: `write` tells how many of its bytes come before.
    /// The request id comes after what is common.
    pub(super) fn around(common: &impl Common, write: impl FnOnce(&mut Vec<u8>) -> usize) -> Encoded {
        drafted(|draft| {
            let at = write(draft);
            let (before, after) = draft.split_at(at);
            let whole = common.whole();
            let copied = if whole.is_some() { 0 } else { common.bytes() };
            let own = in_block(draft.len() + copied, |block| {
                block.put_slice(before);
                if whole.is_none() {
                    common.put(block);
                }
                block.put_slice(after);
            });
            let head = 0..at + copied;
            let tail = head.end..own.len();
            let hashes = [xxh3_64(draft), common.hash(), at as u64].map(u64::to_le_bytes);
            let hash = xxh3_64(hashes.as_flattened());
            Encoded { own, head, shared: whole.unwrap_or_default(), tail, hash }
        })
    }

    /// A hash of the bytes without a request id: the same for all who ask the same.
    pub fn hash(&self) -> u64 {
        self.hash
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
            shared: self.shared,
            id: own.slice(id..),
            tail: own.slice(self.tail),
        }
    }
}

/// Lets `write` put so many bytes into this thread's block, with room for a request id behind them.
fn in_block(bytes: usize, write: impl FnOnce(&mut BytesMut)) -> BytesMut {
    let mut block = BLOCK.take();
    let with_id = bytes + ID_BYTES;
    if block.capacity() < with_id {
        block.reserve(with_id.max(BLOCK_BYTES));
    }
    write(&mut block);
    debug_assert_eq!(block.len(), bytes);
    block.put_bytes(0, ID_BYTES);
    let mut own = block.split();
    own.truncate(bytes);
    BLOCK.set(block);
    own
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
        Encoded::of(&holes, &Shape { before, request_id: holes.hole(()), after })
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

    /// Whole or not.
    struct Text<'a>(&'a str, bool);

    impl Common for Text<'_> {
        fn bytes(&self) -> usize {
            self.0.len()
        }

        fn hash(&self) -> u64 {
            xxh3_64(self.0.as_bytes())
        }

        fn put(&self, out: &mut BytesMut) {
            out.put_slice(self.0.as_bytes());
        }

        fn whole(&self) -> Option<Bytes> {
            self.1.then(|| Bytes::copy_from_slice(self.0.as_bytes()))
        }
    }

    fn around(head: &str, common: &str, is_whole: bool, tail: &str) -> Encoded {
        Encoded::around(&Text(common, is_whole), |own| {
            own.put_slice(head.as_bytes());
            own.put_slice(tail.as_bytes());
            head.len()
        })
    }

    proptest! {
        #[test]
        fn parts_stand_in_their_order(
            texts in vec(".{0,40}", 3),
            is_whole: bool,
            id in "[a-z0-9-]{8,64}",
        ) {
            let body = around(&texts[0], &texts[1], is_whole, &texts[2]).fill(&id);
            prop_assert_eq!(body.len(), body.clone().into_contiguous().len());
            let expected = format!("{}{}\"{id}\"{}", texts[0], texts[1], texts[2]);
            prop_assert_eq!(&body.into_contiguous()[..], expected.as_bytes());
        }

        /// Letters move between what is common and what stands around it: other bytes have other hashes, and equal
        /// bytes in equal parts have equal ones, whether what is common stands whole or not.
        #[test]
        fn hashes_are_equal_where_bytes_are(all in vec(vec("[ab]{0,2}", 3), 2..40)) {
            let mut hashes: HashMap<&Vec<String>, u64> = HashMap::new();
            for (at, texts) in all.iter().enumerate() {
                let hash = around(&texts[0], &texts[1], at % 2 == 0, &texts[2]).hash();
                prop_assert_eq!(*hashes.entry(texts).or_insert(hash), hash);
                for (other, known) in &hashes {
                    prop_assert!(*known != hash || other.concat() == texts.concat());
                }
            }
        }
    }
}
