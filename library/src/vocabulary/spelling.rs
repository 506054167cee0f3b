//! Which texts are nearly the same: an automaton over letters, without a table that must be built first.
//!
//! One bit for each place in the pattern, one word for each number of slips: the parallel approximate matching of
//! Wu and Manber (1992), with swapped neighbours as one slip. A step takes a few operations, whatever the pattern.

/// Longest pattern, in bytes: a bit each, and one for the end.
pub const PATTERN_BYTES_MAX: usize = 63;
/// Most slips that are looked for.
pub const SLIPS_MAX: usize = 2;

/// A pattern to be met with at most a number of slips: a letter too many, too few, another one, or two swapped.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// Where in the pattern each byte stands.
    places: [u64; 256],
    slips: usize,
    end: u64,
}

/// How far a text got: for each number of slips, the places of the pattern that it may have reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    at: [u64; SLIPS_MAX + 1],
    /// Half of a swap done.
    swapping: [u64; SLIPS_MAX + 1],
}

impl Spelling {
    /// The usual tolerance: none below 4 letters, 1 slip below 8, else 2.
    pub fn slips_for(pattern: &str) -> usize {
        match pattern.chars().count() {
            0..=3 => 0,
            4..=7 => 1,
            _ => SLIPS_MAX,
        }
    }

    /// `None` where the pattern is empty, or longer than [`PATTERN_BYTES_MAX`] bytes.
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

    /// Before the first letter.
    pub fn start(&self) -> Reached {
        let mut reached = Reached { at: [0; SLIPS_MAX + 1], swapping: [0; SLIPS_MAX + 1] };
        for slips in 0..=self.slips {
            reached.at[slips] = (2 << slips) - 1;
        }
        self.within(reached)
    }

    /// After one more byte.
    #[inline]
    pub fn step(&self, from: &Reached, byte: u8) -> Reached {
        let here = self.places[usize::from(byte)];
        let mut to = Reached { at: [0; SLIPS_MAX + 1], swapping: [0; SLIPS_MAX + 1] };
        to.at[0] = (from.at[0] & here) << 1;
        for slips in 1..=self.slips {
            let fewer = from.at[slips - 1];
            to.swapping[slips] = fewer & (here >> 1);
            to.at[slips] = (from.at[slips] & here) << 1
                | fewer
                | fewer << 1
                | to.at[slips - 1] << 1
                | (from.swapping[slips] & here) << 2;
        }
        self.within(to)
    }

    /// Without the bits beyond the end.
    #[inline]
    fn within(&self, mut reached: Reached) -> Reached {
        let mask = self.end | (self.end - 1);
        reached.at.iter_mut().for_each(|bits| *bits &= mask);
        reached
    }

    /// Whether more letters can still lead to the pattern.
    #[inline]
    pub fn can_go_on(&self, reached: &Reached) -> bool {
        reached.at[self.slips] != 0
    }

    /// Slips made, if the text ends here and is near enough.
    #[inline]
    pub fn slips_at_end(&self, reached: &Reached) -> Option<usize> {
        (0..=self.slips).find(|slips| reached.at[*slips] & self.end != 0)
    }

    /// Slips between the pattern and a text.
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
