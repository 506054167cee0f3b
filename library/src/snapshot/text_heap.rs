//! A heap that stores each distinct text once, after the text's length. Rows refer to a text by its position.

use std::collections::HashMap;

use super::write_error::WriteError;

/// A heap under construction. Each text follows its length in `LENGTH_BYTES` bytes, the low byte first. The empty text
/// is at position 0.
#[derive(Debug)]
pub(super) struct TextHeap<const LENGTH_BYTES: usize> {
    bytes: Vec<u8>,
    places: HashMap<String, u32>,
}

impl<const LENGTH_BYTES: usize> TextHeap<LENGTH_BYTES> {
    /// Maximum length of a text in bytes: the largest number that the length bytes can hold.
    const TEXT_BYTES_MAX: usize = (1 << (8 * LENGTH_BYTES)) - 1;

    /// Creates a heap that holds only the empty text.
    pub(super) fn new() -> TextHeap<LENGTH_BYTES> {
        TextHeap { bytes: vec![0; LENGTH_BYTES], places: HashMap::from([(String::new(), 0)]) }
    }

    /// Returns the position of a text. Adds the text if the heap does not have it.
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

    /// Returns the bytes in the form that [`text_at`] reads.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads the text at a position; the empty text if the heap has no valid text there.
#[inline]
pub(super) fn text_at<const LENGTH_BYTES: usize>(heap: &[u8], place: u32) -> &str {
    std::str::from_utf8(bytes_at::<LENGTH_BYTES>(heap, place)).unwrap_or_default()
}

/// Reads the bytes of the text at a position. Callers that only compare texts save the UTF-8 check.
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
