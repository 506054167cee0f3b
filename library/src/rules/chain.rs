//! What the rules are asked about: the legal areas around a point.

use crate::vocabulary::{FuncStat, Geoid};

/// A legal area of the chain, as the rules see it.
#[derive(Clone, Copy, Debug)]
pub struct LegalArea<'a> {
    /// GEOID.
    pub geoid: Geoid,
    /// Name as a sentence uses it.
    pub name: &'a str,
    /// Legal word, lower case.
    pub word: Option<&'a str>,
    /// Census functional status.
    pub status: FuncStat,
}

/// The county subdivision or the incorporated place of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part<T> {
    /// No boundaries of this layer are at hand here, so it is not known.
    NotAtHand,
    /// The question is about a whole county, so it is left open.
    Open,
    /// Boundaries are at hand and no legal area of the layer covers the point.
    Nowhere,
    /// This one.
    In(T),
}

/// What the engine knows of a point.
#[derive(Clone, Copy, Debug)]
pub struct ChainFacts<'a> {
    /// The county or county equivalent.
    pub county: LegalArea<'a>,
    /// The county subdivision.
    pub cousub: Part<LegalArea<'a>>,
    /// The incorporated place.
    pub place: Part<LegalArea<'a>>,
}

impl<T> Part<T> {
    /// The area, where there is one.
    pub fn area(self) -> Option<T> {
        match self {
            Part::In(area) => Some(area),
            Part::NotAtHand | Part::Open | Part::Nowhere => None,
        }
    }

    /// The same with what `of` makes of the area.
    pub fn map<U>(self, of: impl FnOnce(T) -> U) -> Part<U> {
        match self {
            Part::NotAtHand => Part::NotAtHand,
            Part::Open => Part::Open,
            Part::Nowhere => Part::Nowhere,
            Part::In(area) => Part::In(of(area)),
        }
    }

    pub(super) fn is_known(&self) -> bool {
        matches!(self, Part::In(_) | Part::Nowhere)
    }
}
