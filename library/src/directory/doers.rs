//! Chooses among places of one name those that do a job, if the other places leave the job to them.

use super::{Directory, Row, Scope};
use crate::{
    rules::Part,
    vocabulary::{FuncStat, Function, JurisdictionType, Layer, StateCode},
};

/// A name means its largest place if that has this many people, and this many times the people of each other place.
/// Chosen, not measured: "Detroit" and "Nashville" are plain, "Portland" and "Columbia" are not.
const LARGE_PEOPLE_MIN: u64 = 100_000;
const TIMES_AS_LARGE: u64 = 20;

/// A place, and the bodies that do jobs there.
struct Doing {
    row: Row,
    state: Option<StateCode>,
    is_state: bool,
    /// Whether the place is a city that may lie in several towns or counties. Then the body that does a job at its
    /// inner point may not do it in all of the city.
    may_reach_beyond: bool,
    /// The county around the place; for a county, the county itself.
    county: Option<Row>,
    /// The body and the title of its office, for each job; `None` where the rules do not settle on a body.
    bodies: Vec<Option<(Row, Option<String>)>>,
    /// Whether the place does one of the jobs itself.
    is_doer: bool,
}

impl Directory {
    /// Removes places whose jobs another of the places does, and returns the rest. The county of Guam is removed
    /// beside Guam's government. Bennington County is removed beside the town of Bennington, which collects the tax.
    /// Of places that leave the jobs to the same office, the first is kept.
    pub fn prefer_doers<'f>(&self, rows: &[Row], jobs: impl Iterator<Item = &'f Function>) -> Vec<Row> {
        let jobs: Vec<Function> = jobs.copied().collect();
        if rows.len() < 2 || jobs.is_empty() {
            return rows.to_vec();
        }
        let doing: Vec<Doing> = rows.iter().map(|row| self.doing(*row, &jobs)).collect();
        let stands_for =
            |at: usize, other: usize| other != at && self.stands_for(&doing[other], &doing[at], other < at);
        let is_kept = |at: &usize| !(0..rows.len()).any(|other| stands_for(*at, other));
        (0..rows.len()).filter(is_kept).map(|at| rows[at]).collect()
    }

    /// The first place, if it is large and all others of the name are small: "Detroit" means Detroit in Michigan.
    pub fn by_far_the_largest(&self, rows: &[Row]) -> Option<Row> {
        let people = |row: &Row| u64::from(self.population_of(*row));
        let (first, others) = rows.split_first()?;
        let is_small = |row: &Row| people(row).saturating_mul(TIMES_AS_LARGE) <= people(first);
        (people(first) >= LARGE_PEOPLE_MIN && others.iter().all(is_small)).then_some(*first)
    }

    /// The only city among governments of one name and state, if all others are counties, towns and townships. `None`
    /// if two cities have the name, or if the city is a county itself beside a county, as in St. Louis.
    pub fn plain_city(&self, rows: &[Row]) -> Option<Row> {
        let is_place = |row: &Row| self.layer(*row) == Some(Layer::Place);
        let city = *rows.iter().find(|row| is_place(row))?;
        let view = self.jurisdiction(city);
        let governs = view.func_stat.governs() || view.func_stat == FuncStat::Unknown;
        let is_city = governs && matches!(view.legal_type, Some("city" | "city and borough"));
        let is_county_too = self.same_as(city).any(|same| self.layer(same) == Some(Layer::County));
        let is_lesser = |row: &Row| {
            let other = self.jurisdiction(*row);
            other.state == view.state
                && match other.kind {
                    JurisdictionType::Layer(Layer::Cousub) => true,
                    JurisdictionType::Layer(Layer::County) => !is_county_too,
                    _ => false,
                }
        };
        (is_city && rows.iter().filter(|row| **row != city).all(is_lesser)).then_some(city)
    }

    /// Whether a government does a job itself.
    pub fn does(&self, row: Row, job: Function) -> bool {
        self.doing(row, &[job]).is_doer
    }

    /// Whether a county leaves a job to the cities or towns in it. They do the job themselves, or no body is certain
    /// for the county as a whole.
    pub fn is_left_to_parts(&self, county: Row, job: Function) -> bool {
        let Some(scope) = self.scope_of(county) else { return false };
        let who = |scope| self.who_does(scope, job).and_then(|outcome| outcome.body);
        let outside = who(scope);
        let ruled = self.state_of(county).and_then(|state| self.ruled_state(state));
        let on_town = ruled.is_some_and(|ruled| ruled.depends_on(job).1);
        (on_town && scope.cousub == Part::Open && outside.is_none())
            || who(Scope { place: Part::Open, ..scope }) != outside
    }

    fn doing(&self, row: Row, jobs: &[Function]) -> Doing {
        let is_state = self.layer(row) == Some(Layer::State);
        let is_place = self.layer(row) == Some(Layer::Place);
        let scope = self.scope_of(row);
        let body = |function: &Function| {
            if is_state {
                let job = self.jobs_of(row).iter().find(|job| job.function == *function)?.clone();
                return Some((row, job.office.map(|title| title.into_owned())));
            }
            let outcome = self.who_does(scope?, *function)?;
            let body = self.found(outcome.body.as_ref()?)?;
            Some((body, outcome.office))
        };
        let bodies: Vec<_> = jobs.iter().map(body).collect();
        let is_own = |body: &Option<(Row, Option<String>)>| {
            body.as_ref().is_some_and(|(body, _)| self.is_same(*body, row))
        };
        Doing {
            row,
            state: self.state_of(row),
            is_state,
            may_reach_beyond: is_place && !self.counties_of_place(row).is_empty(),
            county: self.county_around(row),
            is_doer: bodies.iter().any(is_own),
            bodies,
        }
    }

    /// Whether `other` is the better answer for `place`: both lie in one county, or `other` is the state around it.
    fn stands_for(&self, other: &Doing, place: &Doing, is_first: bool) -> bool {
        let is_around = other.is_state || (other.county.is_some() && other.county == place.county);
        if place.is_state || place.is_doer || place.state != other.state || !is_around {
            return false;
        }
        if !other.is_doer {
            return is_first && place.bodies == other.bodies && place.bodies.iter().all(Option::is_some);
        }
        // A township does not stand for a city: the township at the inner point of Naperville does not cover all of
        // Naperville.
        let is_whole =
            other.is_state || other.county == Some(other.row) || self.layer(place.row) != Some(Layer::Place);
        if place.may_reach_beyond || !is_whole {
            return false;
        }
        let is_county = other.county == Some(place.row);
        place.bodies.iter().all(|body| match body {
            Some((body, _)) => self.is_same(*body, other.row),
            None => is_county,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn of_places_of_one_name_those_are_kept_that_do_the_job() {
        use Function as F;
        let directory = testing::directory();
        let row = |id: &str| directory.found(&id.parse().unwrap()).unwrap();
        for (ids, jobs, expected) in [
            // The town leaves valuation to the county. So does the city, but the city stays, because it reaches into
            // another county.
            (&["cousub:2700110000", "county:27001"][..], &[F::Assessment][..], &["county:27001"][..]),
            (&["place:2740000", "county:27001"], &[F::Assessment], &["place:2740000", "county:27001"]),
            (&["place:2740000", "county:27001"], &[F::Zoning], &["place:2740000", "county:27001"]),
            (
                &["place:2740000", "county:27001"],
                &[F::Assessment, F::Zoning],
                &["place:2740000", "county:27001"],
            ),
            // Two towns of one county lead to the same office.
            (&["cousub:2700110000", "cousub:2700120000"], &[F::Recording], &["cousub:2700110000"]),
            // Another county does not answer for the city.
            (&["place:2740000", "county:27003"], &[F::Assessment], &["place:2740000", "county:27003"]),
            (&["state:27", "county:27001"], &[F::Assessment], &["state:27", "county:27001"]),
            (&["place:2740000", "county:27001"], &[], &["place:2740000", "county:27001"]),
        ] {
            let rows: Vec<Row> = ids.iter().map(|id| row(id)).collect();
            let kept = directory.prefer_doers(&rows, jobs.iter());
            let kept: Vec<String> = kept.iter().map(|row| directory.id_of(*row).to_string()).collect();
            assert_eq!(kept, expected, "{ids:?} {jobs:?}");
        }
    }

    #[test]
    fn a_county_leaves_the_jobs_that_its_cities_do() {
        let directory = testing::directory();
        let row = |id: &str| directory.found(&id.parse().unwrap()).unwrap();
        for (id, job, is_left, does) in [
            ("county:27001", Function::Zoning, true, true),
            ("county:27001", Function::Recording, false, true),
            ("place:2740000", Function::Zoning, false, true),
            ("place:2740000", Function::Recording, false, false),
        ] {
            let is_county = id.starts_with("county");
            assert_eq!(is_county && directory.is_left_to_parts(row(id), job), is_left, "{id} {job:?}");
            assert_eq!(directory.does(row(id), job), does, "{id} {job:?}");
        }
    }
}
