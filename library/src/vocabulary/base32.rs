//! The alphabet of all ids that the project makes: record ids, API key ids and request ids.

/// Crockford's base 32, in lower case: without i, l, o and u, which are mistaken for digits or make words.
/// Source: Douglas Crockford, Base 32.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The lowest `5 * DIGITS` bits as `DIGITS` characters, the highest bits first.
pub fn base32_text<const DIGITS: usize>(bits: u128) -> [u8; DIGITS] {
    std::array::from_fn(|at| ALPHABET[(bits >> (5 * (DIGITS - 1 - at))) as usize & 31])
}

/// The bits of a text in this alphabet; `None` if another character occurs or the text is too long. At most 25
/// characters fit: 125 of 128 bits.
pub fn base32_bits(text: &str) -> Option<u128> {
    let digit = |byte| ALPHABET.iter().position(|each| *each == byte);
    let fits = text.len() <= 25;
    text.bytes()
        .filter(|_| fits)
        .try_fold(0, |bits, byte| Some(bits << 5 | digit(byte)? as u128))
        .filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_survive() {
        for (bits, text) in [(0, "00000000"), (32, "00000010"), (u128::from(u64::MAX) >> 24, "zzzzzzzz")] {
            assert_eq!(base32_text::<8>(bits), text.as_bytes());
            assert_eq!(base32_bits(text), Some(bits));
        }
        for wrong in ["i", "A", " ", "é", &"0".repeat(26)] {
            assert_eq!(base32_bits(wrong), None, "{wrong}");
        }
    }
}
