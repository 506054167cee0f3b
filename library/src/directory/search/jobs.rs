//! Searches for a place with the words of a job: "nassau county clerk", "building permit chicago", "travis cad".
//!
//! Names of places do not contain such words, and names of pages rarely contain both. The words of the job are
//! therefore removed, and the rest is read as the name of a place. The result is the pages for the job there, those of
//! the body that does it first.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    FoundPlaces, Match, MatchedBy, Search, Text,
    interpretation::{STATE_WORDS_MAX, stated},
    job_pages::JobAtPlace,
    job_words::{
        AGENCIES, ARTICLES, IDLE_BEFORE, IDLE_WORDS, JOBS, LEGAL_WORDS, REGIONS, SPANISH_IDLE, SPANISH_JOBS,
        TITLES,
    },
    parts::Evidence,
    unusual,
};
use crate::{
    directory::Row,
    rules::Outcome,
    vocabulary::{Folded, Function, Spelling, StateCode, Topic},
};

/// Fewest letters of a job word that may have a slip. Chosen, not measured.
const SLIP_LETTERS_MIN: usize = 7;
/// Words of the longest phrase in [`JOBS`], which a test checks.
const PHRASE_WORDS_MAX: usize = 5;

/// A text split into the words of a job and the rest.
#[derive(Debug, PartialEq, Eq)]
struct JobQuery {
    topic: Topic,
    /// Whether it names an auditor, whose job differs between states.
    is_auditor: bool,
    /// The title of an office that only some states have, folded; `None` if the text has none.
    title: Option<&'static str>,
    /// The rest, to be read as the name of a place; empty if the text names none.
    place: String,
    /// The rest with the Spanish article before it; `None` without one.
    with_article: Option<String>,
}

/// The topic of the job that a text names, and the rest of the text, folded. `None` without a job.
pub fn topic_in(text: &str) -> Option<(Topic, String)> {
    JobQuery::parse(text).map(|query| (query.topic, query.place))
}

impl JobQuery {
    fn parse(text: &str) -> Option<JobQuery> {
        let folded = Folded::of(&text.replace(['\'', '\u{2019}'], ""));
        let words: Vec<&str> = folded.words().collect();
        if let Some((_, topic, place)) = AGENCIES.iter().find(|(name, ..)| words.contains(name)) {
            return Some(JobQuery {
                topic: *topic,
                is_auditor: false,
                title: None,
                place: (*place).to_owned(),
                with_article: None,
            });
        }
        let (start, count, topic) = job_in(&words)?;
        let phrase = words[start..start + count].join(" ");
        let language = if SPANISH_JOBS.iter().any(|(known, _)| *known == phrase) {
            Idle { before: &SPANISH_IDLE, both: &SPANISH_IDLE }
        } else {
            Idle { before: &IDLE_BEFORE, both: &IDLE_WORDS }
        };
        // "St. Louis County recorder" is not about the city: the legal word stays with the name before it.
        let ends_name = LEGAL_WORDS.contains(&words[start]) && !language.trimmed(&words[..start]).is_empty();
        let before = language.trimmed(&words[..start + usize::from(ends_name)]);
        let mut after = language.trimmed(&words[start + count..]);
        // "What county is Naperville in" does not mean Indiana.
        if let (["what" | "which", ..], [rest @ .., "in"]) = (&words[start..], after) {
            after = rest;
        }
        let with_article = match (before, after) {
            (before, []) => article_before(&words[..start], before),
            ([], after) => article_before(&words[start + count..], after),
            _ => None,
        };
        let place = [before, after].concat();
        let typed = |title: &str| format!(" {phrase} ").contains(&format!(" {title} "));
        let title = TITLES.iter().find(|(title, _)| typed(title)).map(|(_, meant)| *meant);
        let place = place.join(" ");
        Some(JobQuery { topic, is_auditor: phrase == "auditor", title, place, with_article })
    }

    /// The query without the names of regions beside the place; `None` where nothing changes or remains.
    fn without_region(&self) -> Option<JobQuery> {
        let words: Vec<&str> = self.place.split(' ').filter(|word| !REGIONS.contains(word)).collect();
        let place = words.join(" ");
        let is_shorter = !place.is_empty() && place != self.place;
        is_shorter.then_some(JobQuery { place, with_article: None, ..*self })
    }
}

/// The words of a place with the article that was removed before them; `None` without one.
fn article_before(words: &[&str], trimmed: &[&str]) -> Option<String> {
    let at = words.windows(trimmed.len() + 1).position(|window| window[1..] == *trimmed)?;
    let is_article = !trimmed.is_empty() && ARTICLES.contains(&words[at]);
    is_article.then(|| words[at..=at + trimmed.len()].join(" "))
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

/// Words without meaning around a job or a place.
#[derive(Clone, Copy)]
struct Idle {
    /// Words that carry no meaning before a place.
    before: &'static [&'static str],
    /// Words that carry no meaning before or after it.
    both: &'static [&'static str],
}

impl Idle {
    /// The words without meaningless ones at both ends.
    fn trimmed<'w, 't>(self, mut words: &'w [&'t str]) -> &'w [&'t str] {
        while let [first, rest @ ..] = words
            && (self.both.contains(first) || self.before.contains(first))
        {
            words = rest;
        }
        while let [rest @ .., last] = words
            && self.both.contains(last)
        {
            words = rest;
        }
        words
    }
}

/// The start, word count and topic of the longest job phrase; `None` without one.
fn job_in(words: &[&str]) -> Option<(usize, usize, Topic)> {
    static TOPICS: LazyLock<HashMap<&str, Topic>> =
        LazyLock::new(|| JOBS.iter().chain(SPANISH_JOBS).copied().collect());
    let exact = (1..=PHRASE_WORDS_MAX.min(words.len())).rev().find_map(|count| {
        let mut windows = words.windows(count).enumerate();
        windows.find_map(|(start, window)| Some((start, count, *TOPICS.get(window.join(" ").as_str())?)))
    });
    exact.or_else(|| {
        words.iter().enumerate().find_map(|(start, word)| Some((start, 1, misspelled_job(word)?)))
    })
}

/// The topic of a job word with one slip.
fn misspelled_job(word: &str) -> Option<Topic> {
    let long = |text: &str| text.len() >= SLIP_LETTERS_MIN;
    let spelling = Spelling::new(word, 1).filter(|_| long(word))?;
    let mut phrases = JOBS.iter().filter(|(phrase, _)| long(phrase));
    phrases.find(|(phrase, _)| spelling.slips_to(phrase).is_some()).map(|(_, topic)| *topic)
}

impl Search<'_> {
    /// The pages and places for a text with a job and a place; `None` if either is missing.
    pub(super) fn job_at_a_place(&self, text: &str, state: Option<StateCode>) -> Option<JobAtPlace> {
        let query = JobQuery::parse(text).filter(|query| !query.place.is_empty())?;
        self.job_of(&query, state).or_else(|| self.job_of(&query.without_region()?, state))
    }

    fn job_of(&self, query: &JobQuery, state: Option<StateCode>) -> Option<JobAtPlace> {
        let with_article = query.with_article.as_deref().map(Text::new);
        let is_name = |text: &Text| !self.named(&text.interpretations(state)).is_empty();
        let text = with_article.filter(is_name).unwrap_or_else(|| Text::new(&query.place));
        let mut found = FoundPlaces::new(self.directory, self.limit);
        self.directory.add_state(text.state(), state, MatchedBy::Words, &mut found);
        let interpretations = text.interpretations(state);
        let named = [
            self.named(&interpretations),
            self.named(&unusual(&interpretations)),
            self.prefixed(&interpretations),
        ];
        let named = named.into_iter().find(|named| !named.is_empty()).unwrap_or_default();
        self.add_named(named, &mut found);
        if let Some(title) = query.title.filter(|_| stated(&interpretations).is_none()) {
            self.put_titled_first(title, query.topic, &mut found.places);
        }
        let unlisted = self.unlisted(&interpretations, &mut found);
        // Misspelled names are tried only if no exact name fits, and only the best is kept.
        if found.places.is_empty() {
            interpretations.iter().rev().for_each(|interpretation| self.spelled(interpretation, &mut found));
            self.put_near_cities_first(&mut found.places, &interpretations);
            self.drop_elsewhere(&interpretations, &[], &mut found);
            found.places.truncate(1);
        }
        if found.places.is_empty() {
            // A state in the text shows where the name of a place ends, so it stays part of the words.
            let words: Vec<&str> = query.place.split(' ').collect();
            self.add_named(self.named_in_part(&words, state, Evidence::Any), &mut found);
            let stated = stated(&interpretations).or_else(|| state_within(&words));
            let is_there = |row| stated.is_none_or(|state| self.directory.state_of(row) == Some(state));
            found.places.retain(|place| is_there(place.row));
        }
        for place in &mut found.places {
            place.matched_by = place.matched_by.max(MatchedBy::Words);
        }
        let first = found.places.first();
        let auditors = first.filter(|_| query.is_auditor).and_then(|place| self.auditors_topic(place.row));
        let topic = auditors.unwrap_or(query.topic);
        let first = first.map(|place| place.row)?;
        let (own, around) = self.pages_of(first, topic);
        let others = found.places[1..].iter().filter_map(|place| self.best_page_of(place.row, topic));
        let others = others.collect();
        Some(JobAtPlace { places: found.places, unlisted, own, around, others })
    }

    /// Moves places to the front where the office for the topic has the title. Of several counties of one name, the text
    /// then means one in a state that has such an office.
    fn put_titled_first(&self, title: &str, topic: Topic, places: &mut [Match]) {
        let has_title = |outcome: &Outcome| {
            outcome.office.as_deref().is_some_and(|office| Folded::of(office).as_str().contains(title))
        };
        let is_titled = |row: Row| {
            let Some(scope) = self.directory.scope_of(row) else { return false };
            let outcomes = topic.functions().iter().filter_map(|job| self.directory.who_does(scope, *job));
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
    fn jobs_are_taken_out_of_texts() {
        for (text, expected) in [
            ("nassau county clerk", Some((Topic::RecorderDeeds, "nassau county"))),
            ("county clerk nassau", Some((Topic::RecorderDeeds, "nassau"))),
            ("the county recorder of st louis", Some((Topic::RecorderDeeds, "saint louis"))),
            ("st louis county recorder", Some((Topic::RecorderDeeds, "saint louis county"))),
            ("columbus in assessor", Some((Topic::Assessor, "columbus in"))),
            ("property tax greenwood in", Some((Topic::PropertyTaxPayment, "greenwood in"))),
            ("who is the assessor of boone county ky", Some((Topic::Assessor, "boone county ky"))),
            ("what is the zoning in mesa az", Some((Topic::Zoning, "mesa az"))),
            ("salt lake city assessor", Some((Topic::Assessor, "salt lake city"))),
            ("town clerk stowe vt", Some((Topic::RecorderDeeds, "stowe vt"))),
            ("commissioner of the revenue henrico", Some((Topic::Assessor, "henrico"))),
            ("what county is Naperville in?", Some((Topic::PropertyRecordsGeneral, "naperville"))),
            ("which county is plano tx in", Some((Topic::PropertyRecordsGeneral, "plano tx"))),
            ("charleston county rod", Some((Topic::RecorderDeeds, "charleston county"))),
            ("cook county il property tax", Some((Topic::PropertyTaxPayment, "cook county il"))),
            ("building permit chicago", Some((Topic::BuildingPermits, "chicago"))),
            ("Building permits in Austin, Texas", Some((Topic::BuildingPermits, "austin texas"))),
            ("pay property tax harris county", Some((Topic::PropertyTaxPayment, "harris county"))),
            ("protest property taxes harris county", Some((Topic::Appeals, "harris county"))),
            ("how do i appeal my property taxes in cook county", Some((Topic::Appeals, "cook county"))),
            ("wake county nc register of deeds", Some((Topic::RecorderDeeds, "wake county nc"))),
            ("King County Assessor's Office", Some((Topic::Assessor, "king county"))),
            ("kern county assesor", Some((Topic::Assessor, "kern county"))),
            ("fairfax county va real estate assessment", Some((Topic::Assessor, "fairfax county va"))),
            ("travis cad", Some((Topic::Assessor, "travis"))),
            ("permit portal tulsa", Some((Topic::BuildingPermits, "tulsa"))),
            ("spokane permit center", Some((Topic::BuildingPermits, "spokane"))),
            ("zoning center texas", Some((Topic::Zoning, "center texas"))),
            ("how is my house zoned in aurora colorado", Some((Topic::Zoning, "aurora colorado"))),
            (
                "how do I find out who owns a property in clackamas county",
                Some((Topic::PropertyRecordsGeneral, "clackamas county")),
            ),
            (
                "who owns this lot in lane county oregon",
                Some((Topic::PropertyRecordsGeneral, "lane county oregon")),
            ),
            (
                "Who do I call about a fence in Stowe, Vermont?",
                Some((Topic::BuildingPermits, "stowe vermont")),
            ),
            ("condado de harris impuestos", Some((Topic::PropertyTaxPayment, "condado de harris"))),
            (
                "como pagar impuestos en el condado de bexar",
                Some((Topic::PropertyTaxPayment, "condado de bexar")),
            ),
            ("Permiso de construcción en Hialeah", Some((Topic::BuildingPermits, "hialeah"))),
            ("exencion homestead miami", Some((Topic::Exemptions, "miami"))),
            ("exención de vivienda Dallas Texas", Some((Topic::Exemptions, "dallas texas"))),
            ("deed copy cape cod", Some((Topic::RecorderDeeds, "cape cod"))),
            ("escrituras de propiedad caguas", Some((Topic::RecorderDeeds, "caguas"))),
            ("crim caguas", Some((Topic::Assessor, "caguas"))),
            ("nyc dob", Some((Topic::BuildingPermits, "nyc"))),
            ("LADBS permit search", Some((Topic::BuildingPermits, "los angeles california"))),
            ("la county assessor", Some((Topic::Assessor, "la county"))),
            ("zoning", Some((Topic::Zoning, ""))),
            ("register of deeds", Some((Topic::RecorderDeeds, ""))),
            ("Springfield", None),
        ] {
            let query = JobQuery::parse(text);
            let read = query.as_ref().map(|query| (query.topic, query.place.as_str()));
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn an_article_before_a_place_is_kept_beside_it() {
        for (text, place, with_article) in [
            ("permiso de construccion los angeles", "angeles", Some("los angeles")),
            ("permiso de construccion en el paso", "paso", Some("el paso")),
            ("las cruces impuestos", "cruces", Some("las cruces")),
            ("¿Quién es el tasador de Las Cruces NM?", "cruces nm", Some("las cruces nm")),
            (
                "¿Dónde pago los impuestos de propiedad en Las Cruces, Nuevo México?",
                "cruces nuevo mexico",
                Some("las cruces nuevo mexico"),
            ),
            ("albuquerque building permits phone", "albuquerque", None),
            ("assessor NOLA telephone number", "nola", None),
            ("impuestos en miami", "miami", None),
            ("los angeles building permit", "los angeles", None),
        ] {
            let query = JobQuery::parse(text).unwrap();
            assert_eq!(
                (query.place.as_str(), query.with_article.as_deref()),
                (place, with_article),
                "{text}"
            );
        }
    }

    #[test]
    fn regions_beside_a_place_are_left_out() {
        for (text, rest) in [
            ("nova real estate tax fairfax", Some("fairfax")),
            ("socal building permit", None),
            ("building permit fairfax", None),
        ] {
            let rest_of = JobQuery::parse(text).unwrap().without_region();
            assert_eq!(rest_of.map(|query| query.place).as_deref(), rest, "{text}");
        }
    }

    #[test]
    fn phrases_are_folded_and_stand_once() {
        let all: Vec<_> = JOBS.iter().chain(SPANISH_JOBS).collect();
        for (at, (phrase, _)) in all.iter().enumerate() {
            assert_eq!(Folded::of(phrase).as_str(), *phrase);
            assert!(all[..at].iter().all(|(other, _)| other != phrase), "{phrase}");
            assert!(phrase.split(' ').count() <= PHRASE_WORDS_MAX, "{phrase}");
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
