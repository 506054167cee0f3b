//! Whether a case of the rules holds for a chain.

use super::{Case, ChainFacts, Conditions, Governing, LegalArea, StateRules};
use crate::vocabulary::{FuncStat, Geoid, Layer};

/// Three-valued, because a chain may lack its county subdivision.
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

/// Which truths the conditions of a case came to.
#[derive(Clone, Copy, Debug, Default)]
struct Truths {
    yes: bool,
    no: bool,
    unknown: bool,
}

impl Truths {
    fn add(&mut self, truth: impl Into<Truth>) {
        match truth.into() {
            Truth::Yes => self.yes = true,
            Truth::No => self.no = true,
            Truth::Unknown => self.unknown = true,
        }
    }

    fn add_listed(&mut self, list: &[Geoid], area: Option<LegalArea<'_>>) {
        if !list.is_empty() {
            self.add(area.is_some_and(|area| list.contains(&area.geoid)));
        }
    }

    fn add_type(&mut self, words: &[String], area: Option<LegalArea<'_>>) {
        if !words.is_empty() {
            self.add(area.is_some_and(|area| is_among(area.word, words)));
        }
    }

    fn add_flag(&mut self, asked: Option<bool>, is_so: impl FnOnce() -> bool) {
        if let Some(asked) = asked {
            self.add(is_so() == asked);
        }
    }
}

impl StateRules {
    /// Whether an area acts as a government: by the lists of the file, else by its Census status.
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

    /// Whether all that a case asks holds, and nothing that rules it out.
    pub(super) fn holds(&self, case: &Case, chain: &ChainFacts<'_>) -> Truth {
        let when = self.truths(&case.when, chain);
        if when.no {
            return Truth::No;
        }
        let unless = self.truths(&case.unless, chain);
        if unless.yes {
            return Truth::No;
        }
        if when.unknown || unless.unknown { Truth::Unknown } else { Truth::Yes }
    }

    fn truths(&self, asked: &Conditions, chain: &ChainFacts<'_>) -> Truths {
        let mut truths = Truths::default();
        truths.add_listed(&asked.counties, Some(chain.county));
        truths.add_type(&asked.county_types, Some(chain.county));
        truths.add_flag(asked.county_governs, || self.governs(&chain.county));
        if asked.about_place() && !chain.place.is_known() {
            truths.add(Truth::Unknown);
        } else {
            let place = chain.place.area();
            truths.add_listed(&asked.places, place);
            truths.add_type(&asked.place_types, place);
            truths.add_flag(asked.in_place, || place.is_some());
        }
        if asked.about_cousub() && !chain.cousub.is_known() {
            truths.add(Truth::Unknown);
        } else {
            let cousub = chain.cousub.area();
            truths.add_listed(&asked.cousubs, cousub);
            truths.add_type(&asked.cousub_types, cousub);
            truths.add_flag(asked.in_cousub, || cousub.is_some());
            truths.add_flag(asked.cousub_governs, || cousub.is_some_and(|area| self.governs(&area)));
        }
        truths
    }
}

fn is_among(word: Option<&str>, words: &[String]) -> bool {
    word.is_some_and(|word| words.iter().any(|known| known == word))
}
