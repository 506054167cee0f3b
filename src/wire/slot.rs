//! The place of the request id in a body.

use serde::{Serialize, Serializer};

/// The key with the empty value that the slot serialises to.
const EMPTY_SLOT: &[u8] = b"\"request_id\":\"\"";

/// Where `_` stands in it.
const UNDERSCORE_AT: usize = 8;

/// Room for nearly all answers, so that their buffers do not grow.
const JSON_BYTES: usize = 32 << 10;

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
    json: Vec<u8>,
    slot: usize,
}

impl SlottedJson {
    /// Serialises a shape that holds one [`RequestIdSlot`] under `request_id`.
    pub fn of(shape: &impl Serialize) -> SlottedJson {
        let mut json = Vec::with_capacity(JSON_BYTES);
        serde_json::to_writer(&mut json, shape).expect("shapes have string keys and finite numbers");
        let slot = slot_in(&json).expect("the shape has a request_id slot");
        SlottedJson { json, slot }
    }

    /// The bytes without a request id: the same for all who ask the same.
    pub fn unfilled(&self) -> &[u8] {
        &self.json
    }

    /// The body with this request id, which needs no JSON escapes.
    pub fn fill(mut self, request_id: &str) -> Vec<u8> {
        let (id_bytes, end) = (request_id.len(), self.json.len());
        self.json.resize(end + id_bytes, 0);
        self.json.copy_within(self.slot..end, self.slot + id_bytes);
        self.json[self.slot..self.slot + id_bytes].copy_from_slice(request_id.as_bytes());
        self.json
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
            let filled = SlottedJson::of(&shape).fill("id-0123456789");
            assert_eq!(serde_json::from_slice::<serde_json::Value>(&filled).unwrap(), expected);
        }
    }
}
