//! Packs chains of vertices as 16-bit words, with the step from each vertex to the next one.
//!
//! Published coordinates have six decimals, and the unit here is 1e-7 degree, so nearly all steps are multiples of ten.
//! Divided by ten, a step of up to 3.6 km fits in two words.

use rkyv::rend::u16_le;

/// The packing of a chain's steps. The chain stores the two bits of its packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// x and y, one word each.
    Ones,
    /// x and y divided by ten, one word each.
    Tens,
    /// x and y, two words each, low word first.
    Wide,
}

/// A step east and north, in 1e-7 degree.
pub(super) type Step = (i32, i32);

impl Packing {
    /// The two bits that identify this packing.
    pub(super) fn bits(self) -> u16 {
        match self {
            Packing::Ones => 0,
            Packing::Tens => 1,
            Packing::Wide => 2,
        }
    }

    /// The packing with these two bits.
    #[inline]
    pub(super) fn from_bits(bits: u16) -> Packing {
        match bits & 3 {
            0 => Packing::Ones,
            1 => Packing::Tens,
            _ => Packing::Wide,
        }
    }

    /// The shortest packing that can hold all these steps.
    pub(super) fn shortest(steps: impl Iterator<Item = Step> + Clone) -> Packing {
        let fits = |step: Step| i16::try_from(step.0).is_ok() && i16::try_from(step.1).is_ok();
        let is_tens = |step: Step| step.0 % 10 == 0 && step.1 % 10 == 0 && fits((step.0 / 10, step.1 / 10));
        if steps.clone().all(fits) {
            Packing::Ones
        } else if steps.clone().all(is_tens) {
            Packing::Tens
        } else {
            Packing::Wide
        }
    }

    /// Number of words that a step takes.
    #[inline]
    pub(super) fn words(self) -> usize {
        if self == Packing::Wide { 4 } else { 2 }
    }

    /// Appends a step, which must fit this packing.
    pub(super) fn push(self, words: &mut Vec<u16>, (x, y): Step) {
        match self {
            Packing::Ones => words.extend([x as i16 as u16, y as i16 as u16]),
            Packing::Tens => words.extend([(x / 10) as i16 as u16, (y / 10) as i16 as u16]),
            Packing::Wide => words.extend([x as u16, (x >> 16) as u16, y as u16, (y >> 16) as u16]),
        }
    }

    /// Calls `visit` with each step. The words of the last step must be complete.
    #[inline(always)]
    pub(super) fn for_each(self, words: &[u16_le], mut visit: impl FnMut(Step)) {
        let narrow = |word: u16_le| i32::from(word.to_native() as i16);
        let wide = |low: u16_le, high: u16_le| i32::from(low.to_native()) | i32::from(high.to_native()) << 16;
        match self {
            Packing::Ones => {
                words.as_chunks::<2>().0.iter().for_each(|[x, y]| visit((narrow(*x), narrow(*y))))
            }
            Packing::Tens => {
                words.as_chunks::<2>().0.iter().for_each(|[x, y]| visit((narrow(*x) * 10, narrow(*y) * 10)))
            }
            Packing::Wide => {
                words.as_chunks::<4>().0.iter().for_each(|[a, b, c, d]| visit((wide(*a, *b), wide(*c, *d))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn steps_come_back(steps in proptest::collection::vec((-400_000i32..400_000, -40_000i32..40_000), 0..20), tens in proptest::bool::ANY) {
            let steps: Vec<Step> = steps.into_iter().map(|(x, y)| if tens { (x / 100 * 10, y * 10) } else { (x, y) }).collect();
            let packing = Packing::shortest(steps.iter().copied());
            let mut words = Vec::new();
            steps.iter().for_each(|step| packing.push(&mut words, *step));
            let words: Vec<u16_le> = words.into_iter().map(u16_le::from_native).collect();
            proptest::prop_assert_eq!(words.len(), steps.len() * packing.words());
            let mut back = Vec::new();
            Packing::from_bits(packing.bits()).for_each(&words, |step| back.push(step));
            proptest::prop_assert_eq!(back, steps);
        }
    }
}
