//! Numbers with commas between groups of three digits, written without allocating.

/// A number such as `1,265,843`, on the stack; a prefix may stand before it.
#[derive(Clone, Copy, Debug)]
pub struct GroupedText {
    /// The text, which fills the array from its end. Twenty digits, six commas and a prefix of two bytes fit.
    bytes: [u8; 28],
    start: usize,
}

impl GroupedText {
    /// Writes a number without a prefix.
    pub fn new(number: u64) -> GroupedText {
        let mut text = GroupedText { bytes: [0; 28], start: 28 };
        let (mut rest, mut digits) = (number, 0);
        while rest > 0 || digits == 0 {
            if digits > 0 && digits % 3 == 0 {
                text.push_front(b',');
            }
            text.push_front(b'0' + (rest % 10) as u8);
            rest /= 10;
            digits += 1;
        }
        text
    }

    /// Writes a scale such as `1:500,000`.
    pub(super) fn of_scale(denominator: u32) -> GroupedText {
        let mut text = GroupedText::new(denominator.into());
        text.push_front(b':');
        text.push_front(b'1');
        text
    }

    /// The text, with its prefix.
    pub fn as_str(&self) -> &str {
        // Only ASCII is pushed.
        str::from_utf8(&self.bytes[self.start..]).unwrap_or_default()
    }

    fn push_front(&mut self, byte: u8) {
        self.start -= 1;
        self.bytes[self.start] = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_265_843, "1,265,843"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(GroupedText::new(number).as_str(), text);
        }
        assert_eq!(GroupedText::of_scale(u32::MAX).as_str(), "1:4,294,967,295");
    }
}
