//! Decides whether a case of the rules holds for a chain.

use std::iter::once_with;

use super::{Case, ChainFacts, Conditions, Governing, LegalArea, StateRules};
use crate::vocabulary::{FuncStat, Geoid, Layer};

/// The truth of a case. It may be unknown, because a chain may lack its county subdivision or its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    Unknown,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Truth {
        if holds { Truth::Yes } else { Truth::No }
    }
}

/// Truths of the conditions on one part of a chain; `None` for a condition that the case does not have.
type Truths = [Option<Truth>; 4];

/// The truths of all conditions on a part that the chain does not know.
const UNKNOWN: Truths = [Some(Truth::Unknown), None, None, None];

/// The truths of conditions on an unknown part, where all areas that they list lie in other counties.
const NO: Truths = [Some(Truth::No), None, None, None];

fn is_listed(list: &[Geoid], area: Option<LegalArea<'_>>) -> Option<Truth> {
    let is_so = || area.is_some_and(|area| list.contains(&area.geoid)).into();
    (!list.is_empty()).then(is_so)
}

fn is_of_type(words: &[String], area: Option<LegalArea<'_>>) -> Option<Truth> {
    let is_so = || area.is_some_and(|area| is_among(area.word, words)).into();
    (!words.is_empty()).then(is_so)
}

fn is_as_asked(asked: Option<bool>, is_so: impl FnOnce() -> bool) -> Option<Truth> {
    asked.map(|asked| Truth::from(is_so() == asked))
}

impl StateRules {
    /// Returns whether an area acts as a government. The lists of the file decide, or else the Census status.
    pub fn governs(&self, area: &LegalArea<'_>) -> bool {
        let layer = area.geoid.layer();
        let lists: &Governing = match layer {
            Layer::Place => &self.places,
            Layer::Cousub => &self.cousubs,
            Layer::County | Layer::State => &self.counties,
        };
        if lists.never.contains(&area.geoid) {
            return false;
        }
        if lists.always.contains(&area.geoid) || area.status.governs() {
            return true;
        }
        match area.status {
            FuncStat::Unknown | FuncStat::Fictitious => {
                layer == Layer::Place || is_among(area.word, &lists.types)
            }
            _ => false,
        }
    }

    /// Returns `Yes` if all conditions in `when` hold and none in `unless` does, and `Unknown` if that depends on
    /// unknown areas.
    pub(super) fn holds(&self, case: &Case, chain: &ChainFacts<'_>) -> Truth {
        let mut holds = Truth::Yes;
        for (asked, ruled_out) in [(&case.when, Truth::No), (&case.unless, Truth::Yes)] {
            for truth in self.truths(asked, chain) {
                if truth == ruled_out {
                    return Truth::No;
                }
                if truth == Truth::Unknown {
                    holds = Truth::Unknown;
                }
            }
        }
        holds
    }

    /// Returns the truths of conditions. Each part of the chain is evaluated only when its turn comes, because most
    /// cases fail at the first.
    fn truths(&self, asked: &Conditions, chain: &ChainFacts<'_>) -> impl Iterator<Item = Truth> {
        let county = once_with(|| self.of_county(asked, chain));
        let place = once_with(|| of_place(asked, chain));
        let cousub = once_with(|| self.of_cousub(asked, chain));
        county.chain(place).chain(cousub).flatten().flatten()
    }

    fn of_county(&self, asked: &Conditions, chain: &ChainFacts<'_>) -> Truths {
        [
            is_listed(&asked.counties, Some(chain.county)),
            is_of_type(&asked.county_types, Some(chain.county)),
            is_as_asked(asked.county_governs, || self.governs(&chain.county)),
            None,
        ]
    }

    fn of_cousub(&self, asked: &Conditions, chain: &ChainFacts<'_>) -> Truths {
        if !chain.cousub.is_known() && asked.about_cousub() {
            // The unknown subdivision lies in this county, so it is not one of a list for other counties.
            let is_elsewhere = |cousub: &Geoid| cousub.county() != Some(chain.county.geoid);
            let none_here = !asked.cousubs.is_empty() && asked.cousubs.iter().all(is_elsewhere);
            return if none_here { NO } else { UNKNOWN };
        }
        let cousub = chain.cousub.area();
        [
            is_listed(&asked.cousubs, cousub),
            is_of_type(&asked.cousub_types, cousub),
            is_as_asked(asked.in_cousub, || cousub.is_some()),
            is_as_asked(asked.cousub_governs, || cousub.is_some_and(|area| self.governs(&area))),
        ]
    }
}

fn of_place(asked: &Conditions, chain: &ChainFacts<'_>) -> Truths {
    if !chain.place.is_known() && asked.about_place() {
        let is_elsewhere = |here: &[Geoid]| {
            !asked.places.is_empty() && asked.places.iter().all(|place| !here.contains(place))
        };
        return if chain.listed_here.is_some_and(is_elsewhere) { NO } else { UNKNOWN };
    }
    let place = chain.place.area();
    [
        is_listed(&asked.places, place),
        is_of_type(&asked.place_types, place),
        is_as_asked(asked.in_place, || place.is_some()),
        None,
    ]
}

fn is_among(word: Option<&str>, words: &[String]) -> bool {
    word.is_some_and(|word| words.iter().any(|known| known == word))
}
