//! Bodies: each joins the text of one answer with text that many answers share.

use bytes::{Buf, Bytes, buf::Chain};
use memchr::memmem;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use platbook::words::{English, Words as _};

/// The request id of a body before it is filled in. The last such member in a body is the body's own. JSON strings
/// escape quotation marks, and the members after the id (notices, choices) contain no such member.
const NO_ID: &[u8] = br#""request_id":null"#;

/// The placeholder of the request id.
pub(super) const NULL: &[u8] = b"null";

/// A JSON body without its request id: own text around text that answers share.
#[derive(Clone, Debug)]
pub struct Encoded {
    own: OwnText,
    shared: Bytes,
    hash: u64,
}

/// The part of a body that belongs to one answer: everything but the shared text and the request id.
#[derive(Clone, Debug)]
pub(super) struct OwnText {
    /// The head followed directly by the tail.
    pub(super) text: Vec<u8>,
    /// Length of the head in bytes; the tail begins there.
    pub(super) head_end: usize,
}

/// Appends the JSON of a shape.
pub(super) fn put(json: &mut Vec<u8>, shape: &impl Serialize) {
    serde_json::to_writer(json, shape).expect("shapes have string keys and finite numbers");
}

impl OwnText {
    /// Returns the head and the tail.
    pub(super) fn parts(&self) -> (&[u8], &[u8]) {
        self.text.split_at(self.head_end)
    }
}

impl Encoded {
    /// Makes a body from whole JSON whose request id is null. The text after the id becomes the body's own; the rest
    /// counts as shared.
    pub(super) fn whole(mut json: Vec<u8>) -> Encoded {
        let hash = xxh3_64(&json);
        let key = memmem::rfind(&json, NO_ID).expect("shapes of bodies have a request id");
        let text = json.split_off(key + NO_ID.len());
        json.truncate(key + NO_ID.len() - NULL.len());
        json.shrink_to_fit();
        Encoded { own: OwnText { text, head_end: 0 }, shared: json.into(), hash }
    }

    /// Returns the memory that the body takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.own.text.capacity() + self.shared.len()
    }

    /// Makes a body with a shared text between its head and the request id. `shared_hash` is the hash of the shared
    /// text.
    pub(super) fn around(own: OwnText, shared: Bytes, shared_hash: u64) -> Encoded {
        let hashes = [xxh3_64(&own.text), shared_hash, own.head_end as u64].map(u64::to_le_bytes);
        Encoded { own, shared, hash: xxh3_64(hashes.as_flattened()) }
    }

    /// Mixes the language into the hash: equal bytes in two languages need two tags. English, the contract's
    /// language, leaves the hash unchanged.
    pub(super) fn in_language(self, tag: &str) -> Encoded {
        let hash = if tag == English.tag() { self.hash } else { self.hash ^ xxh3_64(tag.as_bytes()) };
        Encoded { hash, ..self }
    }

    /// Returns a hash of the bytes without a request id: equal for equal requests.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the body with this request id, which must need no JSON escapes.
    pub fn fill(self, request_id: &str) -> BodyParts {
        let OwnText { mut text, head_end } = self.own;
        let tail_bytes = text.len() - head_end;
        // The id is appended and rotated between head and tail, so that both stay in one allocation.
        text.push(b'"');
        text.extend_from_slice(request_id.as_bytes());
        text.push(b'"');
        text[head_end..].rotate_left(tail_bytes);
        let own = Bytes::from(text);
        BodyParts { head: own.slice(..head_end), shared: self.shared, tail: own.slice(head_end..) }
    }
}

/// The bytes of a body with its request id.
#[derive(Clone, Debug, Default)]
pub struct BodyParts {
    /// The bytes before the shared text.
    head: Bytes,
    /// Shared text: other bodies send it from the same memory.
    shared: Bytes,
    /// The request id and the bytes after it.
    tail: Bytes,
}

/// A body for hyper, which writes each part as a slice of one vectored write.
pub type BodyBuf = Chain<Bytes, Chain<Bytes, Bytes>>;

impl BodyParts {
    /// Returns the parts in their order.
    pub fn parts(&self) -> [&Bytes; 3] {
        [&self.head, &self.shared, &self.tail]
    }

    /// Returns the length of all parts in bytes.
    pub fn len(&self) -> usize {
        self.parts().into_iter().map(Bytes::len).sum()
    }

    /// Returns whether all parts are empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all bytes in one piece, copied if the body has several parts.
    pub fn into_contiguous(self) -> Bytes {
        let bytes = self.len();
        self.into_buf().copy_to_bytes(bytes)
    }

    /// Returns the parts as one buffer, for hyper.
    pub fn into_buf(self) -> BodyBuf {
        self.head.chain(self.shared.chain(self.tail))
    }
}

impl<B: Into<Bytes>> From<B> for BodyParts {
    fn from(bytes: B) -> BodyParts {
        BodyParts { head: bytes.into(), ..BodyParts::default() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_id_lands_in_its_place_whatever_surrounds_it() {
        let like = "\"request_id\":null";
        for (before, after) in [("", ""), ("null", "a_b_c"), (like, like), ("request_id", "\\\"request_id")] {
            let body = |id: Value| json!({ "before": before, "request_id": id, "notices": [after] });
            let encoded = Encoded::whole(body(Value::Null).to_string().into_bytes());
            let filled = encoded.fill("id-0123456789").into_contiguous();
            assert_eq!(serde_json::from_slice::<Value>(&filled).unwrap(), body("id-0123456789".into()));
        }
    }

    fn around([head, shared, tail]: [&str; 3]) -> Encoded {
        let own = OwnText { text: [head, tail].concat().into_bytes(), head_end: head.len() };
        Encoded::around(own, Bytes::copy_from_slice(shared.as_bytes()), xxh3_64(shared.as_bytes()))
    }

    proptest! {
        #[test]
        fn parts_stand_in_their_order(head in ".{0,40}", shared in ".{0,40}", tail in ".{0,40}", id in "[a-z0-9-]{8,64}") {
            let body = around([&head, &shared, &tail]).fill(&id);
            let expected = format!("{head}{shared}\"{id}\"{tail}");
            prop_assert_eq!(body.len(), expected.len());
            prop_assert_eq!(&body.into_contiguous()[..], expected.as_bytes());
        }
    }

    /// Moves letters between the shared text and the text around it: bodies that differ need different hashes.
    #[test]
    fn bodies_that_differ_have_other_hashes() {
        let texts: &[&str] = &["", "a", "b", "aa", "ab", "ba"];
        let bodies = texts.iter().flat_map(|head| {
            texts
                .iter()
                .flat_map(move |shared| texts.iter().map(move |tail| around([head, shared, tail]).hash()))
        });
        let mut hashes: Vec<u64> = bodies.collect();
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
        let english = around(["a", "b", "a"]);
        assert_ne!(english.clone().in_language("es").hash(), english.hash());
    }
}
