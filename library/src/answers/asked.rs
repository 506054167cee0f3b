//! The places that an answer to a free text shows with their offices, and the caveats on what the answer lacks.

use super::{
    Answers, Notice, Office, Territory,
    model::{Asked, Resolved},
    on_day,
};
use crate::{
    directory::{Directory, FEW_PLACES_MAX, Row, Scope},
    geometry::LonLat,
    vocabulary::{FunctionSet, Layer},
};

impl Asked {
    /// The point of the answer; `None` for an answer without a point.
    pub fn point(&self) -> Option<LonLat> {
        self.resolved.as_ref().and_then(|resolved: &Resolved| resolved.point)
    }

    /// The place that the name means: the only one found, or the one that is plainly meant. `None` if a reader has to
    /// choose.
    pub fn meant(&self, directory: &Directory) -> Option<Row> {
        let rows = self.rows();
        match rows[..] {
            [row] => Some(row),
            _ if self.matches.are_alternatives => None,
            _ if self.counties.is_empty() => {
                directory.plain_city(&rows).or_else(|| directory.by_far_the_largest(&rows))
            }
            _ => None,
        }
    }

    /// Of the places with the name, those whose offices are shown: the place that is meant, or all if they are few.
    pub fn with_offices(&self, directory: &Directory) -> Vec<Row> {
        if self.resolved.is_some() || FunctionSet::of_topics(&self.reading.topics).is_empty() {
            return Vec::new();
        }
        let is_few = self.counties.is_empty() && self.matches.places.len() <= FEW_PLACES_MAX;
        self.meant(directory).map_or_else(|| if is_few { self.rows() } else { Vec::new() }, |row| vec![row])
    }

    /// The territory whose offices are shown for one of these places.
    pub fn territory_of(&self, answers: &Answers, row: Row) -> Territory {
        let is_county = answers.directory().layer(row) == Some(Layer::County);
        if self.is_outside_towns && is_county {
            return Territory::Scope(Scope::outside(row));
        }
        answers.territory_of(row)
    }

    fn rows(&self) -> Vec<Row> {
        self.matches.places.iter().map(|found| found.row).collect()
    }

    /// Caveats on what the text asks for but the answer lacks.
    pub(super) fn beside(&self, answers: &Answers) -> Vec<Notice> {
        let directory = answers.directory();
        let shown = self.with_offices(directory);
        let has_jobs = !FunctionSet::of_topics(&self.reading.topics).is_empty();
        let is_choice = has_jobs
            && self.resolved.is_none()
            && self.counties.is_empty()
            && shown.is_empty()
            && !self.matches.places.is_empty();
        let at_point = self.resolved.iter().map(|resolved| resolved.territory);
        let territories = at_point.chain(shown.into_iter().map(|row| self.territory_of(answers, row)));
        let is_without_telephone = self.reading.asks_telephone && {
            let entries =
                territories.flat_map(|territory| answers.entries_on(&self.reading.topics, territory));
            let offices: Vec<Office> = entries.filter_map(|entry| entry.office).collect();
            let has_telephone =
                |office: &Office| office.shown_site(directory).is_some_and(|site| site.phone.is_some());
            !offices.is_empty() && !offices.iter().any(has_telephone)
        };
        let uncovered = self.reading.uncovered.map(|subject| Notice::NotCovered { subject });
        let choice = is_choice.then_some(Notice::SeveralOfName);
        let telephone = is_without_telephone.then_some(Notice::NoTelephone);
        let hours = self.reading.asks_hours.then_some(Notice::NoHours);
        let year = self.reading.year.and_then(|year| on_day::earlier_year(directory, year));
        choice.into_iter().chain(telephone).chain(hours).chain(uncovered).chain(year).collect()
    }
}
