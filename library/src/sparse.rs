//! A table of which a program mostly needs little: its memory is taken as its places are first asked for.

use std::sync::OnceLock;

/// Places of a stretch.
const STRETCH: usize = 512;

/// So many places by number, each with the default value at first. They are made in stretches: a service that starts need
/// not write megabytes that its first answers do not touch.
#[derive(Debug)]
pub struct Sparse<T> {
    stretches: Box<[OnceLock<Box<[T]>>]>,
    count: usize,
}

impl<T: Default> Sparse<T> {
    /// No place is made yet.
    pub fn new(count: usize) -> Sparse<T> {
        let stretches = std::iter::repeat_with(OnceLock::new).take(count.div_ceil(STRETCH)).collect();
        Sparse { stretches, count }
    }

    /// The place of a number.
    ///
    /// # Panics
    /// Where there are not so many.
    pub fn at(&self, number: usize) -> &T {
        let (stretch, at) = (number / STRETCH, number % STRETCH);
        let made = || {
            let places = (self.count - stretch * STRETCH).min(STRETCH);
            std::iter::repeat_with(T::default).take(places).collect()
        };
        &self.stretches[stretch].get_or_init(made)[at]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn each_number_has_a_place_of_its_own() {
        for count in [1, STRETCH - 1, STRETCH, STRETCH + 1, 3 * STRETCH] {
            let table = Sparse::<AtomicUsize>::new(count);
            (0..count).rev().for_each(|number| table.at(number).store(number, Ordering::Relaxed));
            assert!((0..count).all(|number| table.at(number).load(Ordering::Relaxed) == number), "{count}");
            let beyond = std::panic::catch_unwind(|| table.at(count).load(Ordering::Relaxed));
            assert!(beyond.is_err(), "{count}");
        }
    }
}
