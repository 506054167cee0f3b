//! Searches for places with the words of jobs: "nassau county clerk", "building permit chicago", "travis cad".
//!
//! Names of places do not contain such words, and names of pages rarely contain words of both kinds. So the words of
//! the jobs are removed (`tasks.rs`), and the rest is read as the name of a place. The result is the pages for the
//! jobs there, those of the body that does the jobs first. A rest that names several places is answered for the first
//! (`several.rs`).

use super::{
    FoundPlaces, Match, MatchedBy, Matches, Piece, Search, Tasks, Text, Unlisted,
    idle_words::{LEGAL_WORDS, REGIONS},
    interpretation::{STATE_WORDS_MAX, stated},
    job_pages::JobAtPlace,
    parts::Evidence,
    tasks::{TaskReading, agency_in},
};
use crate::{
    directory::{Directory, OtherPlace, Row},
    rules::Outcome,
    vocabulary::{Folded, Function, StateCode, Topic},
};

/// A text split into the words of jobs and the rest.
#[derive(Debug, PartialEq, Eq)]
struct JobQuery {
    /// The ways to read the text, the likeliest last; each has a place.
    readings: Vec<TaskReading>,
    /// Whether the text names an auditor, whose job differs between states.
    is_auditor: bool,
    /// The title of an office that only some states have, folded; `None` if the text has none.
    title: Option<&'static str>,
    /// The parts of the text that may each name a place.
    pieces: Vec<Piece>,
}

/// The places of a reading.
#[derive(Default)]
struct Places {
    places: Vec<Match>,
    unlisted: Vec<Unlisted>,
    /// Further places that the text names.
    others: Vec<OtherPlace>,
    /// Whether a part of the text that may name a place was not found.
    has_more: bool,
}

impl JobQuery {
    /// Reads a text; `None` for a text without a job, or with nothing but jobs.
    fn parse(text: &str) -> Option<JobQuery> {
        if let Some((topic, place)) = agency_in(text) {
            let reading = TaskReading { topics: vec![topic], place: place.to_owned(), with_article: None };
            return Some(JobQuery {
                readings: vec![reading],
                is_auditor: false,
                title: None,
                pieces: Vec::new(),
            });
        }
        let tasks = Tasks::read(text)?;
        let (readings, pieces) = (tasks.readings(), tasks.pieces());
        let query = JobQuery { readings, is_auditor: tasks.is_auditor(), title: tasks.title(), pieces };
        (!query.readings.is_empty()).then_some(query)
    }
}

/// The reading without the names of regions beside the place; `None` if there is no region, or no other word.
fn without_region(reading: &TaskReading) -> Option<TaskReading> {
    let words: Vec<&str> = reading.place.split(' ').filter(|word| !REGIONS.contains(word)).collect();
    let place = words.join(" ");
    let is_shorter = !place.is_empty() && place != reading.place;
    is_shorter.then(|| TaskReading { topics: reading.topics.clone(), place, with_article: None })
}

/// The state whose full name stands behind the first word: "kyle south dakota pine ridge reservation". `None` where a
/// legal word follows, as in "springfield delaware county".
fn state_within(words: &[&str]) -> Option<StateCode> {
    (1..words.len()).find_map(|start| {
        let named = |count: usize| {
            let name = words.get(start..start + count)?;
            let is_place = words.get(start + count).is_some_and(|next| LEGAL_WORDS.contains(next));
            let state = Text::new(&name.join(" ")).state()?;
            (name.concat().len() > 2 && !is_place).then_some(state)
        };
        (1..=STATE_WORDS_MAX).rev().find_map(named)
    })
}

impl Directory {
    /// Finds the places of a name and their pages for these topics; at most `limit` of each, best first. Empty if no
    /// place has the name or a similar one.
    pub fn search_for_tasks(&self, topics: &[Topic], place: &str, limit: usize) -> Matches {
        let search = self.searching(limit);
        let reading = TaskReading { topics: topics.to_vec(), place: place.to_owned(), with_article: None };
        let query = JobQuery { readings: Vec::new(), is_auditor: false, title: None, pieces: Vec::new() };
        let found = search.exactly(&reading, &query, None, false).or_else(|| search.nearly(&reading, None));
        found.map_or_else(Matches::default, |found| {
            search.job_at(found, reading.topics, &query).with_named(self, &[], limit)
        })
    }
}

impl Search<'_> {
    /// The pages and places for a text with jobs and places; `None` if either is missing.
    pub(super) fn job_at_a_place(&self, text: &str, state: Option<StateCode>) -> Option<JobAtPlace> {
        let query = JobQuery::parse(text)?;
        let (all, alone) = query.readings.split_last()?;
        let exact = |reading: &TaskReading, is_alone| {
            let found = self.exactly(reading, &query, state, is_alone)?;
            Some(self.job_at(found, reading.topics.clone(), &query))
        };
        let near = |reading: &TaskReading| {
            let found = self.nearly(reading, state)?;
            Some(self.job_at(found, reading.topics.clone(), &query))
        };
        let named = alone.iter().find_map(|reading| exact(reading, true)).or_else(|| exact(all, false));
        let in_region = || {
            let rest = without_region(all)?;
            exact(&rest, false).or_else(|| near(&rest))
        };
        named
            .or_else(|| self.job_at_several(&query, state, 2))
            .or_else(|| near(all))
            .or_else(in_region)
            .or_else(|| self.job_at_several(&query, state, 1))
    }

    /// The places that have the whole rest of a text as their name; `None` without such a place. With `is_alone`, the
    /// reading leaves out tasks, so only names of governments count.
    fn exactly(
        &self,
        reading: &TaskReading,
        query: &JobQuery,
        state: Option<StateCode>,
        is_alone: bool,
    ) -> Option<Places> {
        let with_article = reading.with_article.as_deref().map(Text::new);
        let is_name = |text: &Text| !self.named(&text.interpretations(state)).is_empty();
        let text = with_article.filter(is_name).unwrap_or_else(|| Text::new(&reading.place));
        let mut found = FoundPlaces::new(self.directory, self.limit);
        self.directory.add_state(text.state(), state, MatchedBy::Words, &mut found);
        let interpretations = text.interpretations(state);
        self.add_named(self.named_in_any_way(&interpretations), &mut found);
        if let Some(title) = query.title.filter(|_| stated(&interpretations).is_none()) {
            self.put_titled_first(title, &reading.topics, &mut found.places);
        }
        let unlisted = if is_alone { Vec::new() } else { self.unlisted(&interpretations, &mut found) };
        let places = Places { places: found.places, unlisted, ..Places::default() };
        (!places.places.is_empty()).then_some(places)
    }

    /// The places of the first piece of a text that names several places, of which at least `known_min` are known.
    fn job_at_several(
        &self,
        query: &JobQuery,
        state: Option<StateCode>,
        known_min: usize,
    ) -> Option<JobAtPlace> {
        let several = self.several(&query.pieces, state, known_min, known_min < 2)?;
        let places = several.first.into_iter().map(|row| Match { row, matched_by: MatchedBy::Words });
        let places = places.take(self.limit).collect();
        let (others, has_more) = (several.others, several.has_more);
        let found = Places { places, others, has_more, ..Places::default() };
        Some(self.job_at(found, several.topics, query))
    }

    /// The place with a similar name, or else the places that a part of the text names.
    fn nearly(&self, reading: &TaskReading, state: Option<StateCode>) -> Option<Places> {
        let mut found = FoundPlaces::new(self.directory, self.limit);
        let text = Text::new(&reading.place);
        let interpretations = text.interpretations(state);
        // Misspelled names are tried only if no exact name fits, and only the best is kept.
        interpretations.iter().rev().for_each(|interpretation| self.spelled(interpretation, &mut found));
        self.put_near_cities_first(&mut found.places, &interpretations);
        self.drop_elsewhere(&interpretations, &[], &mut found);
        found.places.truncate(1);
        if found.places.is_empty() {
            // A state in the text shows where the name of a place ends, so it stays part of the words.
            let words: Vec<&str> = reading.place.split(' ').collect();
            self.add_named(self.named_in_part(&words, state, Evidence::Any), &mut found);
            let stated = stated(&interpretations).or_else(|| state_within(&words));
            let is_there = |row| stated.is_none_or(|state| self.directory.state_of(row) == Some(state));
            found.places.retain(|place| is_there(place.row));
        }
        (!found.places.is_empty()).then(|| Places { places: found.places, ..Places::default() })
    }

    /// The pages for topics at places. A place that does the jobs stands for the places that leave the jobs to it.
    fn job_at(&self, mut found: Places, mut topics: Vec<Topic>, query: &JobQuery) -> JobAtPlace {
        for place in &mut found.places {
            place.matched_by = place.matched_by.max(MatchedBy::Words);
        }
        let first = found.places.first().filter(|_| query.is_auditor);
        let auditors = first.and_then(|place| self.auditors_topic(place.row));
        let of_auditor = topics.iter_mut().find(|topic| **topic == Topic::Assessor);
        of_auditor.zip(auditors).into_iter().for_each(|(topic, auditors)| *topic = auditors);
        let rows: Vec<Row> = found.places.iter().map(|place| place.row).collect();
        // Records in general are not a job. "What county is Naperville in" is not about its townships, which value
        // property.
        let of_jobs = topics.iter().filter(|topic| **topic != Topic::PropertyRecordsGeneral);
        let kept = self.directory.prefer_doers(&rows, of_jobs.flat_map(|topic| topic.office_functions()));
        found.places.retain(|place| kept.contains(&place.row));
        let Places { places, unlisted, others, has_more } = found;
        JobAtPlace { pages: self.pages_at(&places, &topics), places, unlisted, topics, others, has_more }
    }

    /// Moves places with an office of this title for the topics to the front. So of several counties of one name, the
    /// text means one in a state that has such an office.
    fn put_titled_first(&self, title: &str, topics: &[Topic], places: &mut [Match]) {
        let has_title = |outcome: &Outcome| {
            outcome.office.as_deref().is_some_and(|office| Folded::of(office).as_str().contains(title))
        };
        let is_titled = |row: Row| {
            let Some(scope) = self.directory.scope_of(row) else { return false };
            let jobs = topics.iter().flat_map(|topic| topic.functions());
            let outcomes = jobs.filter_map(|job| self.directory.who_does(scope, *job));
            outcomes.into_iter().any(|outcome| has_title(&outcome) || outcome.also.iter().any(has_title))
        };
        places.sort_by_cached_key(|place| !is_titled(place.row));
    }

    /// The topic of the auditor's job at a place, by the titles of the offices there. Auditors value property in Ohio,
    /// record deeds in Washington and collect tax in Minnesota.
    fn auditors_topic(&self, place: Row) -> Option<Topic> {
        let scope = self.directory.scope_of(place)?;
        let jobs = [
            (Function::Assessment, Topic::Assessor),
            (Function::Recording, Topic::RecorderDeeds),
            (Function::TaxCollection, Topic::TaxCollector),
        ];
        let is_auditor =
            |outcome: &Outcome| outcome.office.as_deref().is_some_and(|title| title.contains("Auditor"));
        jobs.into_iter().find_map(|(function, topic)| {
            let outcome = self.directory.who_does(scope, function)?;
            (is_auditor(&outcome) || outcome.also.iter().any(is_auditor)).then_some(topic)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn regions_beside_a_place_are_left_out() {
        for (text, rest) in [
            ("nova real estate tax fairfax", Some("fairfax")),
            ("socal building permit", None),
            ("building permit fairfax", None),
        ] {
            let readings = JobQuery::parse(text).unwrap().readings;
            let rest_of = without_region(readings.last().unwrap());
            assert_eq!(rest_of.map(|reading| reading.place).as_deref(), rest, "{text}");
        }
    }

    #[test]
    fn a_job_at_a_place_finds_its_pages() {
        let directory = testing::directory();
        for (text, place, pages) in [
            ("adams county parcel map", "Adams County", 1),
            ("what may a shed cost in adams county parcel map", "Adams County", 1),
            ("zoning rivertown", "Rivertown", 0),
            ("rivertwon zoning", "Rivertown", 0),
            ("rivertown minnesota pine reservation zoning", "Rivertown", 0),
            ("minnesota zoning", "Minnesota", 0),
        ] {
            let found = directory.search(text, None, 10);
            let names: Vec<&str> = found.places.iter().map(|found| directory.name_of(found.row)).collect();
            assert_eq!(
                (names.first().copied(), found.resources.len()),
                (Some(place), pages),
                "{text}: {names:?}"
            );
        }
    }
}
