//! Jurisdiction ids as text on the stack. `fmt` takes ten times as long, and answers hold dozens of ids.

use std::fmt;

use super::{Geoid, JurisdictionId};

/// Room for the longest id, which has 89 bytes: `district:` and 80 characters.
const ID_BYTES_MAX: usize = 96;

/// A jurisdiction id as the contract spells it, on the stack.
#[derive(Clone, Copy)]
pub struct IdText {
    bytes: [u8; ID_BYTES_MAX],
    len: usize,
}

impl IdText {
    const EMPTY: IdText = IdText { bytes: [0; ID_BYTES_MAX], len: 0 };

    /// Writes the id as the contract spells it.
    pub fn of(id: &JurisdictionId) -> IdText {
        let mut text = IdText::EMPTY;
        match id {
            JurisdictionId::Country => text.push("country:us"),
            JurisdictionId::Census(geoid) => text.push_geoid(*geoid),
            JurisdictionId::District(name) => {
                text.push("district:");
                text.push(name);
            }
        }
        text
    }

    /// The id as the contract spells it.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("only whole strings and digits are pushed")
    }

    fn of_geoid(geoid: Geoid) -> IdText {
        let mut text = IdText::EMPTY;
        text.push_geoid(geoid);
        text
    }

    fn push(&mut self, part: &str) {
        let end = (self.len + part.len()).min(ID_BYTES_MAX);
        self.bytes[self.len..end].copy_from_slice(&part.as_bytes()[..end - self.len]);
        self.len = end;
    }

    fn push_geoid(&mut self, geoid: Geoid) {
        self.push(geoid.layer().prefix());
        self.push(":");
        let (start, mut rest) = (self.len, geoid.code());
        self.len += geoid.layer().geoid_digits();
        for digit in self.bytes[start..self.len].iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
    }
}

/// Type prefix, colon, digits: the jurisdiction id.
impl fmt::Display for Geoid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(IdText::of_geoid(*self).as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_an_id_is_what_it_was_read_from() {
        let long = format!("district:{}", "x".repeat(80));
        for text in ["country:us", "state:06", "county:01001", "cousub:0911001080", "place:2743000", &long] {
            let id: JurisdictionId = text.parse().unwrap();
            assert_eq!([IdText::of(&id).as_str(), &id.to_string()], [text; 2]);
        }
    }
}
