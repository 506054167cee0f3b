//! The different texts of a column, and arrays made of them.

use std::sync::Arc;

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use rustc_hash::FxHashMap;

use super::Encoding;

/// The number of a missing text.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// Different texts, numbered from 0. All are from a snapshot, or are reasons of this library. So an attacker cannot
/// choose texts whose hashes collide.
#[derive(Default)]
pub(super) struct Texts {
    numbers: FxHashMap<Box<str>, u32>,
    /// The number that was returned last: often the next text is the same.
    last: u32,
    bytes: Vec<u8>,
    /// The end of each text in `bytes`.
    ends: Vec<usize>,
    /// The texts as an array; `None` if texts have been added since the array was made.
    array: Option<ArrayRef>,
}

impl Texts {
    /// The number of a text. Adds the text if it is new.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if self.get(self.last) == Some(text.as_bytes()) {
            return self.last;
        }
        self.last = match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                let number = self.ends.len() as u32;
                self.bytes.extend_from_slice(text.as_bytes());
                self.ends.push(self.bytes.len());
                self.numbers.insert(text.into(), number);
                self.array = None;
                number
            }
        };
        self.last
    }

    /// The bytes of all texts.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    fn get(&self, number: u32) -> Option<&[u8]> {
        let number = number as usize;
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }

    /// An array with the texts of these numbers; [`NO_TEXT`] is null.
    pub(super) fn array(&mut self, numbers: &[u32], encoding: Encoding) -> Result<ArrayRef, ArrowError> {
        let nulls = nulls(numbers);
        match encoding {
            Encoding::Plain => {
                let texts = || numbers.iter().map(|number| self.get(*number).unwrap_or_default());
                let length = texts().map(<[u8]>::len).sum();
                let mut bytes = Vec::with_capacity(length);
                texts().for_each(|text| bytes.extend_from_slice(text));
                strings(bytes, texts().map(<[u8]>::len), nulls)
            }
            Encoding::Dictionary => {
                let keys: Vec<i32> =
                    numbers.iter().map(|number| i32::try_from(*number).unwrap_or(0)).collect();
                let keys = Int32Array::try_new(keys.into(), nulls)?;
                let values = match &self.array {
                    Some(array) => array.clone(),
                    None => {
                        let starts = [0].into_iter().chain(self.ends.iter().copied());
                        let lengths = self.ends.iter().zip(starts).map(|(end, start)| end - start);
                        let array = strings(self.bytes.clone(), lengths, None)?;
                        self.array.insert(array).clone()
                    }
                };
                Ok(Arc::new(DictionaryArray::try_new(keys, values)?))
            }
        }
    }
}

fn nulls(numbers: &[u32]) -> Option<NullBuffer> {
    let nulls = NullBuffer::from_iter(numbers.iter().map(|number| *number != NO_TEXT));
    Some(nulls).filter(|nulls| nulls.null_count() > 0)
}

fn strings(
    bytes: Vec<u8>,
    lengths: impl Iterator<Item = usize>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    if i32::try_from(bytes.len()).is_err() {
        let got = bytes.len();
        let what =
            format!("expected at most 2 GB of texts in a column of a batch, got {got}; use a dictionary");
        return Err(ArrowError::InvalidArgumentError(what));
    }
    let mut offsets = vec![0_i32];
    let mut end = 0;
    offsets.extend(lengths.map(|length| {
        end += length as i32;
        end
    }));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Ok(Arc::new(StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls)?))
}
