//! Writes as plain text how much the service knows.

use std::fmt::{self, Write};

use super::Text;
use platbook::{
    answers::{CoverageDetails, JobShares},
    directory::POPULATION_YEAR,
    vocabulary::StateCode,
    words::{Known, Label, Phrase},
};

impl Text<'_> {
    pub(super) fn coverage(&mut self, details: &CoverageDetails) -> fmt::Result {
        let row = details.state.map_or(self.directory.country_row(), |state| self.directory.state_row(state));
        write!(self.out, "{}", row.map_or("-", |row| self.directory.name_of(row)))?;
        if details.people > 0 {
            let people = self.words.phrase(Phrase::People(details.people, POPULATION_YEAR));
            write!(self.out, ": {people}")?;
        }
        self.out.push('\n');
        if !details.jobs.is_empty() {
            self.heading(Label::KnownByJob)?;
        }
        for (function, shares) in &details.jobs {
            let name = self.words.function(*function).name;
            writeln!(self.out, "  {name:<26} {}", self.known(Known::Job(shares)))?;
        }
        if !details.layers.is_empty() {
            self.heading(Label::KnownOutlines)?;
        }
        for layer in &details.layers {
            writeln!(self.out, "  {}", self.known(Known::Layer(layer)))?;
        }
        self.checks(details)?;
        self.states(&details.states)
    }

    fn checks(&mut self, details: &CoverageDetails) -> fmt::Result {
        let links = details.links.as_ref().map(Known::Links);
        let rules = details.rules_checked.as_ref().map(|(first, last)| Known::Rules(first, last));
        if links.or(rules).is_some() {
            self.heading(Label::KnownLinks)?;
        }
        [links, rules]
            .into_iter()
            .flatten()
            .try_for_each(|known| writeln!(self.out, "  {}", self.known(known)))
    }

    fn states(&mut self, states: &[(StateCode, JobShares)]) -> fmt::Result {
        if !states.is_empty() {
            self.heading(Label::KnownByState)?;
        }
        states.iter().try_for_each(|(state, shares)| {
            writeln!(self.out, "  {state} {}", self.known(Known::State(shares)))
        })
    }

    fn known(&self, known: Known<'_>) -> String {
        self.words.phrase(Phrase::Known(known))
    }
}
