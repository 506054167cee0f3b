//! Approximate text matching by an automaton over bytes that needs no table built in advance.
//!
//! Each position in the pattern has a bit, and each number of slips has a machine word. This is the bit-parallel
//! matching of Wu and Manber (1992), with a swap of adjacent letters as one slip. A step takes a few operations for
//! any pattern.

/// Maximum length of a pattern, in bytes: a `u64` has one bit for each byte and one for the end.
pub const PATTERN_BYTES_MAX: usize = 63;
/// Maximum number of slips that a pattern can allow. Each adds a machine word to [`Reached`] and a step to the loop.
pub const SLIPS_MAX: usize = 2;

/// A pattern with the number of slips allowed: a letter added, left out, replaced, or swapped with the next.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// For each byte value, the bits of the positions at which the pattern has this byte.
    places: [u64; 256],
    /// Number of slips allowed, 0 to [`SLIPS_MAX`].
    slips: usize,
    /// The bit after the last position; it is set once the whole pattern was matched.
    end: u64,
}

/// The state of the automaton: for each number of slips, the pattern positions that the text may have reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Bit `p` at index `s`: the text read so far matches the first `p` bytes of the pattern with at most `s` slips.
    at: [u64; SLIPS_MAX + 1],
    /// Positions where the first letter of a swap was read and the second is expected next.
    swapping: [u64; SLIPS_MAX + 1],
}

impl Spelling {
    /// The usual number of slips allowed: 0 below 4 letters, 1 below 8, else 2. Chosen, not measured.
    pub fn slips_for(pattern: &str) -> usize {
        match pattern.chars().count() {
            0..=3 => 0,
            4..=7 => 1,
            _ => SLIPS_MAX,
        }
    }

    /// Compiles a pattern; `None` if it is empty or longer than [`PATTERN_BYTES_MAX`] bytes. `slips` above
    /// [`SLIPS_MAX`] count as [`SLIPS_MAX`].
    pub fn new(pattern: &str, slips: usize) -> Option<Spelling> {
        let bytes = pattern.as_bytes();
        if bytes.is_empty() || bytes.len() > PATTERN_BYTES_MAX {
            return None;
        }
        let mut places = [0; 256];
        for (at, byte) in bytes.iter().enumerate() {
            places[usize::from(*byte)] |= 1 << at;
        }
        Some(Spelling { places, slips: slips.min(SLIPS_MAX), end: 1 << bytes.len() })
    }

    /// The state before the first byte of a text.
    pub fn start(&self) -> Reached {
        let mut reached = Reached { at: [0; SLIPS_MAX + 1], swapping: [0; SLIPS_MAX + 1] };
        for slips in 0..=self.slips {
            // With `s` slips the first `s` letters of the pattern may be missing: bits 0 to `s`.
            reached.at[slips] = (2 << slips) - 1;
        }
        self.within(reached)
    }

    /// The state after one more byte of the text.
    #[inline]
    pub fn step(&self, from: &Reached, byte: u8) -> Reached {
        let here = self.places[usize::from(byte)];
        let mut to = Reached { at: [0; SLIPS_MAX + 1], swapping: [0; SLIPS_MAX + 1] };
        to.at[0] = (from.at[0] & here) << 1;
        for slips in 1..=self.slips {
            let fewer = from.at[slips - 1];
            // The pattern has the byte one position later: the byte may be the first of two swapped letters.
            to.swapping[slips] = fewer & (here >> 1);
            // Cases in the order of the lines: the byte matches, is surplus, replaces a letter, follows a missing
            // letter, or ends a swap.
            to.at[slips] = (from.at[slips] & here) << 1
                | fewer
                | fewer << 1
                | to.at[slips - 1] << 1
                | (from.swapping[slips] & here) << 2;
        }
        self.within(to)
    }

    /// Clears the bits beyond the end of the pattern.
    #[inline]
    fn within(&self, mut reached: Reached) -> Reached {
        let mask = self.end | (self.end - 1);
        reached.at.iter_mut().for_each(|bits| *bits &= mask);
        reached
    }

    /// Whether more letters can still complete the pattern.
    #[inline]
    pub fn can_go_on(&self, reached: &Reached) -> bool {
        reached.at[self.slips] != 0
    }

    /// The number of slips if the text ends here; `None` if the pattern is not complete.
    #[inline]
    pub fn slips_at_end(&self, reached: &Reached) -> Option<usize> {
        (0..=self.slips).find(|slips| reached.at[*slips] & self.end != 0)
    }

    /// The number of slips between the pattern and a text; `None` if there are more than allowed.
    pub fn slips_to(&self, text: &str) -> Option<usize> {
        let mut reached = self.start();
        for byte in text.bytes() {
            reached = self.step(&reached, byte);
            if !self.can_go_on(&reached) {
                return None;
            }
        }
        self.slips_at_end(&reached)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Optimal string alignment distance, by its definition.
    fn distance(a: &[u8], b: &[u8]) -> usize {
        let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                rows[i][j] = match (i, j) {
                    (0, _) => j,
                    (_, 0) => i,
                    _ => {
                        let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                        let one = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                        let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                        if swapped { one.min(rows[i - 2][j - 2] + 1) } else { one }
                    }
                };
            }
        }
        rows[a.len()][b.len()]
    }

    #[test]
    fn slips_are_counted() {
        for (pattern, text, slips) in [
            ("hennepin", "hennepin", Some(0)),
            ("hennipin", "hennepin", Some(1)),
            ("henepin", "hennepin", Some(1)),
            ("hennepni", "hennepin", Some(1)),
            ("pittsburg", "pittsburgh", Some(1)),
            ("albequerque", "albuquerque", Some(1)),
            ("minnaepolsi", "minneapolis", Some(2)),
            ("austin", "boston", None),
        ] {
            assert_eq!(Spelling::new(pattern, 2).unwrap().slips_to(text), slips, "{pattern} {text}");
        }
        assert!(Spelling::new("", 2).is_none());
        assert!(
            Spelling::new(&"x".repeat(63), 2).is_some_and(|long| long.slips_to(&"x".repeat(62)) == Some(1))
        );
        assert!(Spelling::new(&"x".repeat(64), 2).is_none());
    }

    proptest! {
        #[test]
        fn slips_are_the_distance(pattern in "[abc]{1,9}", text in "[abc]{0,9}", most in 0usize..=2) {
            let spelling = Spelling::new(&pattern, most).unwrap();
            let expected = Some(distance(pattern.as_bytes(), text.as_bytes())).filter(|slips| *slips <= most);
            prop_assert_eq!(spelling.slips_to(&text), expected);
        }
    }
}
