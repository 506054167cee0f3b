//! Sets of the words of an enum, stored as bits.

use std::{fmt, marker::PhantomData};

/// A word that a [`Set`] can hold: a variant of an enum without fields, whose numbers begin with zero.
pub trait Member: Copy + 'static {
    /// All words, in the contract's order; at most 32.
    const MEMBERS: &'static [Self];

    /// The number of the word, below 32.
    fn number(self) -> u32;
}

/// A set of words. Snapshots store its bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<T> {
    bits: u32,
    of: PhantomData<T>,
}

impl<T: Member> Set<T> {
    /// The set of all words.
    pub fn all() -> Set<T> {
        T::MEMBERS.iter().copied().collect()
    }

    /// The set with these bits, as snapshots store them: bit `n` for word number `n`.
    pub fn from_bits(bits: u32) -> Set<T> {
        Set { bits, of: PhantomData }
    }

    /// The set's bits: bit `n` for word number `n`.
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// Whether the set has the word.
    pub fn has(self, word: T) -> bool {
        self.bits & (1 << word.number()) != 0
    }

    /// Whether the set, used as a filter, allows the word. An empty set allows all words.
    pub fn allows(self, word: T) -> bool {
        self.is_empty() || self.has(word)
    }

    /// Whether the two sets have a word in common.
    pub fn meets(self, other: Set<T>) -> bool {
        self.bits & other.bits != 0
    }

    /// The words that are not in the other set.
    pub fn without(self, other: Set<T>) -> Set<T> {
        Set::from_bits(self.bits & !other.bits)
    }

    /// The words that are in either set.
    pub fn with(self, other: Set<T>) -> Set<T> {
        Set::from_bits(self.bits | other.bits)
    }

    /// The words of the set, in the contract's order.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::MEMBERS.iter().copied().filter(move |word| self.has(*word))
    }

    /// The number of words in the set.
    pub fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Whether the set has no words.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Adds a word to the set.
    pub fn insert(&mut self, word: T) {
        self.bits |= 1 << word.number();
    }
}

impl<T> Default for Set<T> {
    fn default() -> Set<T> {
        Set { bits: 0, of: PhantomData }
    }
}

impl<T: Member + fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Member> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(words: I) -> Set<T> {
        let mut set = Set::default();
        words.into_iter().for_each(|word| set.insert(word));
        set
    }
}
