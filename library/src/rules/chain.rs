//! The legal areas around a point, which are the input of the rules.

use super::PastCase;
use crate::vocabulary::{FuncStat, Geoid};

/// A legal area of the chain, with the properties that the rules use.
#[derive(Clone, Copy, Debug)]
pub struct LegalArea<'a> {
    /// Census GEOID, which also includes the layer and the state.
    pub geoid: Geoid,
    /// Name in the form that sentences use, such as "Hennepin County".
    pub name: &'a str,
    /// Legal word in lower case, such as "township"; `None` if the name has none.
    pub word: Option<&'a str>,
    /// Functional status from the Census Bureau: whether the area acts as a government.
    pub status: FuncStat,
}

/// The county subdivision or the incorporated place of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part<T> {
    /// The area is not known: the snapshot has no boundaries of this layer here, or they may be out of date.
    NotAtHand,
    /// The question is about a whole county, so the area is left open.
    Open,
    /// The snapshot has boundaries of the layer, but no legal area of the layer covers the point.
    Nowhere,
    /// The legal area that covers the point.
    In(T),
}

/// The chain of a point, with the parts that are known. The engine has no other input besides the rules.
#[derive(Clone, Copy, Debug)]
pub struct ChainFacts<'a> {
    /// The county or county equivalent; always known.
    pub county: LegalArea<'a>,
    /// The county subdivision, as far as the chain knows it.
    pub cousub: Part<LegalArea<'a>>,
    /// The incorporated place, as far as the chain knows it.
    pub place: Part<LegalArea<'a>>,
    /// Of the places that cases list, those that may lie in the county; `None` if that is not known. A case that lists
    /// other places cannot hold, even where the place of the chain is unknown.
    pub listed_here: Option<&'a [Geoid]>,
    /// Cases that held on the day of the question and do not hold today; empty for a question about today.
    pub past: &'a [PastCase],
}

impl<T> Part<T> {
    /// The area; `None` for the other three variants.
    pub fn area(self) -> Option<T> {
        match self {
            Part::In(area) => Some(area),
            Part::NotAtHand | Part::Open | Part::Nowhere => None,
        }
    }

    /// Applies `of` to the area; the other three variants stay as they are.
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
