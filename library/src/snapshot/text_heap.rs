//! A heap of texts: each distinct text once, after its length. Rows refer to a text by its place.

use std::collections::HashMap;

use super::write_error::WriteError;

/// A heap on its way into a section. Each text follows its length in `LENGTH_BYTES` bytes, the low byte first. The
/// empty text is at place 0.
#[derive(Debug)]
pub(super) struct TextHeap<const LENGTH_BYTES: usize> {
    bytes: Vec<u8>,
    places: HashMap<String, u32>,
}

impl<const LENGTH_BYTES: usize> TextHeap<LENGTH_BYTES> {
    /// Longest text that the length field can state, in bytes.
    const TEXT_BYTES_MAX: usize = (1 << (8 * LENGTH_BYTES)) - 1;

    /// A heap that holds only the empty text.
    pub(super) fn new() -> TextHeap<LENGTH_BYTES> {
        TextHeap { bytes: vec![0; LENGTH_BYTES], places: HashMap::from([(String::new(), 0)]) }
    }

    /// The place of a text, which is added if it is new.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if the text is longer than [`Self::TEXT_BYTES_MAX`].
    pub(super) fn place(&mut self, text: &str) -> Result<u32, WriteError> {
        if let Some(known) = self.places.get(text) {
            return Ok(*known);
        }
        if text.len() > Self::TEXT_BYTES_MAX {
            let start = text.chars().take(80).collect();
            return Err(WriteError::LongText { limit: Self::TEXT_BYTES_MAX, got: text.len(), start });
        }
        let place = self.bytes.len() as u32;
        self.bytes.extend_from_slice(&text.len().to_le_bytes()[..LENGTH_BYTES]);
        self.bytes.extend_from_slice(text.as_bytes());
        self.places.insert(text.to_owned(), place);
        Ok(place)
    }

    /// The bytes in the form that [`text_at`] reads.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The text at a place; the empty text if the heap has none there.
#[inline]
pub(super) fn text_at<const LENGTH_BYTES: usize>(heap: &[u8], place: u32) -> &str {
    std::str::from_utf8(bytes_at::<LENGTH_BYTES>(heap, place)).unwrap_or_default()
}

/// The bytes of the text at a place. Comparing them needs no UTF-8 check.
#[inline]
pub(super) fn bytes_at<const LENGTH_BYTES: usize>(heap: &[u8], place: u32) -> &[u8] {
    let read = || {
        let (length, rest) = heap.get(place as usize..)?.split_first_chunk::<LENGTH_BYTES>()?;
        let length = length.iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
        rest.get(..length)
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_stand_once() {
        let mut heap = TextHeap::<2>::new();
        let long = "é".repeat(200);
        let places = ["", "Anoka", &long, "Anoka"].map(|text| (heap.place(text).unwrap(), text));
        assert_eq!((places[0].0, places[1].0), (0, places[3].0));
        let bytes = heap.into_bytes();
        for (place, text) in places {
            assert_eq!(text_at::<2>(&bytes, place), text);
        }
        assert_eq!(text_at::<2>(&bytes, bytes.len() as u32), "");
        let error = TextHeap::<1>::new().place(&long).unwrap_err();
        assert!(matches!(error, WriteError::LongText { limit: 255, got: 400, .. }), "{error}");
    }
}
