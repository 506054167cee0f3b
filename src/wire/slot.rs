//! The place of the request id in a body.

use std::{
    cell::Cell,
    io::{self, Write},
};

use bytes::{Bytes, BytesMut};
use serde::{Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

use super::{Rope, Shared};

/// The key with the empty value that the slot serialises to.
const EMPTY_SLOT: &[u8] = b"\"request_id\":\"\"";

/// Where `_` stands in it.
const UNDERSCORE_AT: usize = 8;

/// Bytes of a block of memory in which answers are written one after the other: room for nearly all answers, and what a
/// client that takes its answer slowly holds at most.
const BLOCK_BYTES: usize = 32 << 10;

/// Room for nearly all answers beside their shared part, so that they are seldom moved to the next block.
const USUAL_BYTES: usize = 6 << 10;

/// Room for a request id.
const ID_BYTES: usize = 64;

// An answer's own block would be a large allocation for each request; what is done with a block, used again, is in the
// processor's cache.
thread_local! {
    static BLOCK: Cell<BytesMut> = Cell::new(BytesMut::new());
}

/// Stands for the request id in a shape: an answer does not know who asked, so that equal questions have equal
/// bytes and one ETag.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestIdSlot;

impl Serialize for RequestIdSlot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}

/// A JSON body whose request id is still to be filled in.
#[derive(Debug)]
pub struct SlottedJson {
    /// Without the shared part.
    json: BytesMut,
    slot: usize,
    shared: Option<SharedPart>,
}

/// What is sent from where it is kept.
#[derive(Debug)]
struct SharedPart {
    bytes: Bytes,
    hash: u64,
    /// Where it belongs in the rest.
    at: usize,
}

impl SlottedJson {
    /// Serialises a shape that holds one [`RequestIdSlot`] under `request_id`.
    pub fn of(shape: &impl Serialize) -> SlottedJson {
        let (json, slot, _) = written(shape, &[]);
        SlottedJson { json, slot, shared: None }
    }

    /// The same body, of a shape that holds this part: it is not copied.
    pub fn sharing<T: ?Sized>(shape: &impl Serialize, part: &Shared<T>) -> SlottedJson {
        let (json, slot, at) = written(shape, part.json());
        let shared = at.map(|at| SharedPart { bytes: part.bytes(), hash: part.hash(), at });
        SlottedJson { json, slot, shared }
    }

    /// A hash of the bytes without a request id: the same for all who ask the same.
    pub fn hash(&self) -> u64 {
        let own = xxh3_64(&self.json);
        let Some(SharedPart { hash, at, .. }) = &self.shared else { return own };
        let [own, shared, at] = [own, *hash, *at as u64].map(u64::to_le_bytes);
        xxh3_64([own, shared, at].as_flattened())
    }

    /// The body with this request id, which needs no JSON escapes.
    pub fn fill(mut self, request_id: &str) -> Rope {
        let (id_bytes, end) = (request_id.len(), self.json.len());
        self.json.resize(end + id_bytes, 0);
        self.json.copy_within(self.slot..end, self.slot + id_bytes);
        self.json[self.slot..self.slot + id_bytes].copy_from_slice(request_id.as_bytes());
        let mut head = self.json.freeze();
        let Some(SharedPart { bytes, at, .. }) = self.shared else { return Rope::from(head) };
        let tail = head.split_off(if at <= self.slot { at } else { at + id_bytes });
        Rope { head, shared: bytes, tail }
    }
}

/// The JSON of a shape, all but the part; where the request id belongs in it, and where the part does.
fn written(shape: &impl Serialize, part: &[u8]) -> (BytesMut, usize, Option<usize>) {
    let mut block = BLOCK.take();
    if block.capacity() < USUAL_BYTES {
        block.reserve(BLOCK_BYTES);
    }
    let mut around = Around { json: block, part, at: None };
    serde_json::to_writer(&mut around, shape).expect("shapes have string keys and finite numbers");
    let Around { json: mut block, at, .. } = around;
    let bytes = block.len();
    block.resize(bytes + ID_BYTES, 0);
    let mut json = block.split();
    json.truncate(bytes);
    BLOCK.set(block);
    let slot = slot_in(&json).expect("the shape has a request_id slot");
    (json, slot, at)
}

/// Takes JSON as it is written, all but the part that is kept elsewhere.
struct Around<'p> {
    json: BytesMut,
    part: &'p [u8],
    at: Option<usize>,
}

impl Write for Around<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    /// Ready-made JSON is written at once. The very bytes of the part are known by their address, at no cost for others;
    /// equal bytes from elsewhere are copied, which is right as well.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if std::ptr::eq(bytes, self.part) && self.at.is_none() {
            self.at = Some(self.json.len());
        } else {
            self.json.extend_from_slice(bytes);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where the request id belongs, searched from the end by the underscore, which is rare in what follows.
///
/// Text cannot imitate the slot: a quotation mark inside a JSON string follows a backslash.
fn slot_in(json: &[u8]) -> Option<usize> {
    memchr::memrchr_iter(b'_', json).find_map(|underscore| {
        let start = underscore.checked_sub(UNDERSCORE_AT)?;
        json[start..].starts_with(EMPTY_SLOT).then_some(start + EMPTY_SLOT.len() - 1)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::{collection::vec, prelude::*};

    use super::*;

    #[derive(Serialize)]
    struct Shape<'a> {
        before: &'a str,
        request_id: RequestIdSlot,
        after: &'a str,
    }

    #[test]
    fn the_id_lands_in_its_slot_whatever_surrounds_it() {
        let like = "\"request_id\":\"\"";
        for (before, after) in [("", ""), ("_", "a_b_c"), (like, like), ("request_id", "\\\"request_id")] {
            let shape = Shape { before, request_id: RequestIdSlot, after };
            let expected =
                serde_json::json!({"before": before, "request_id": "id-0123456789", "after": after});
            let filled = SlottedJson::of(&shape).fill("id-0123456789").into_contiguous();
            assert_eq!(serde_json::from_slice::<serde_json::Value>(&filled).unwrap(), expected);
        }
    }

    /// A part before the slot, or after it, or both, or one of equal bytes that is kept elsewhere.
    #[derive(Serialize)]
    struct Parted<'a> {
        before: &'a str,
        first: Option<Shared<str>>,
        between: &'a str,
        request_id: RequestIdSlot,
        after: &'a str,
        second: Option<Shared<str>>,
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![".{0,40}", Just("\"request_id\":\"\"".to_owned()), Just("_".to_owned())]
    }

    fn shape<'a>(texts: &'a [String], part: &Shared<str>, kind: usize) -> Parted<'a> {
        let copy = || Shared::of(&texts[3]);
        let (first, second) = match kind {
            0 => (None, None),
            1 => (Some(part.clone()), None),
            2 => (None, Some(part.clone())),
            3 => (Some(part.clone()), Some(part.clone())),
            _ => (Some(copy()), None),
        };
        let [before, between, after] = [&texts[0], &texts[1], &texts[2]];
        Parted { before, first, between, request_id: RequestIdSlot, after, second }
    }

    proptest! {
        #[test]
        fn a_shared_part_changes_no_byte(texts in vec(text(), 4), kind in 0..5usize, id in "[a-z0-9-]{8,64}") {
            let part = Shared::<str>::of(&texts[3]);
            let shape = shape(&texts, &part, kind);
            let (plain, sharing) = (SlottedJson::of(&shape), SlottedJson::sharing(&shape, &part));
            prop_assert_eq!(sharing.shared.is_some(), (1..4).contains(&kind));
            let rope = sharing.fill(&id);
            prop_assert_eq!(rope.len(), rope.clone().into_contiguous().len());
            prop_assert_eq!(rope.into_contiguous(), plain.fill(&id).into_contiguous());
        }

        /// Letters move between what is shared and what stands around it: then bytes differ, or nothing does.
        #[test]
        fn hashes_are_equal_where_bytes_are(all in vec((vec("[ab]{0,2}", 4), 0..4usize), 2..40)) {
            let mut hashes = HashMap::new();
            for (texts, kind) in &all {
                let part = Shared::<str>::of(&texts[3]);
                let json = SlottedJson::sharing(&shape(texts, &part, *kind), &part);
                let hash = json.hash();
                let bytes = json.fill("").into_contiguous();
                let known = hashes.entry(bytes.clone()).or_insert(hash);
                prop_assert_eq!(*known, hash);
                prop_assert!(hashes.iter().all(|(other, known)| (*other == bytes) == (*known == hash)));
            }
        }
    }
}
