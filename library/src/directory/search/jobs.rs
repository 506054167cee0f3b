//! Searches for a place with the words of a job: "nassau county clerk", "building permit chicago", "travis cad".
//!
//! Names of places do not contain such words, and names of pages rarely contain both. The words of the job are
//! therefore removed, and the rest is read as the name of a place. The result is the pages for the job there, those of
//! the body that does it first.

use std::{collections::HashMap, sync::LazyLock};

use super::{FoundPlaces, MatchedBy, Search, Text, job_pages::JobAtPlace, parts::Evidence, unusual};
use crate::{
    directory::Row,
    rules::Outcome,
    vocabulary::{Folded, Function, Spelling, StateCode, Topic},
};

/// Phrases that people type, folded, with the topic that they want. The longest phrase of a text counts.
const JOBS: &[(&str, Topic)] = &[
    ("assessor", Topic::Assessor),
    ("assessors", Topic::Assessor),
    ("assessors office", Topic::Assessor),
    ("assessor recorder", Topic::Assessor),
    ("assessor treasurer", Topic::Assessor),
    ("assessment", Topic::Assessor),
    ("assessments", Topic::Assessor),
    ("property assessment", Topic::Assessor),
    ("property tax assessment", Topic::Assessor),
    ("property tax assessor", Topic::Assessor),
    ("property tax appeal", Topic::Assessor),
    ("tax appeal", Topic::Assessor),
    ("assessment appeal", Topic::Assessor),
    ("assessment appeals", Topic::Assessor),
    ("real estate assessment", Topic::Assessor),
    ("real estate assessments", Topic::Assessor),
    ("appraiser", Topic::Assessor),
    ("property appraiser", Topic::Assessor),
    ("appraisal", Topic::Assessor),
    ("appraisal district", Topic::Assessor),
    ("central appraisal district", Topic::Assessor),
    ("cad", Topic::Assessor),
    ("equalization", Topic::Assessor),
    ("property valuation administrator", Topic::Assessor),
    ("pva", Topic::Assessor),
    ("property value", Topic::Assessor),
    ("auditor", Topic::Assessor),
    ("fiscal officer", Topic::Assessor),
    ("revenue commissioner", Topic::Assessor),
    ("real estate", Topic::PropertyRecordsGeneral),
    ("homestead exemption", Topic::Assessor),
    ("tax assessor", Topic::Assessor),
    ("city assessor", Topic::Assessor),
    ("town assessor", Topic::Assessor),
    ("township assessor", Topic::Assessor),
    // The title of Virginia's assessors.
    ("commissioner of revenue", Topic::Assessor),
    ("commissioner of the revenue", Topic::Assessor),
    ("property tax", Topic::PropertyTaxPayment),
    ("property taxes", Topic::PropertyTaxPayment),
    ("real property tax", Topic::PropertyTaxPayment),
    ("real property taxes", Topic::PropertyTaxPayment),
    ("real estate tax", Topic::PropertyTaxPayment),
    ("real estate taxes", Topic::PropertyTaxPayment),
    ("property tax bill", Topic::PropertyTaxPayment),
    ("property tax payment", Topic::PropertyTaxPayment),
    ("tax bill", Topic::PropertyTaxPayment),
    ("tax payment", Topic::PropertyTaxPayment),
    ("taxes", Topic::PropertyTaxPayment),
    ("tax", Topic::PropertyTaxPayment),
    ("tax collector", Topic::TaxCollector),
    ("tax commissioner", Topic::TaxCollector),
    ("tax office", Topic::TaxCollector),
    ("tax claim", Topic::TaxCollector),
    ("tax claim bureau", Topic::TaxCollector),
    ("tax assessor collector", Topic::TaxCollector),
    ("treasurer", Topic::TaxCollector),
    ("treasurers office", Topic::TaxCollector),
    ("treasurer tax collector", Topic::TaxCollector),
    ("trustee", Topic::TaxCollector),
    ("collector", Topic::TaxCollector),
    ("delinquent tax", Topic::TaxCollector),
    ("delinquent taxes", Topic::TaxCollector),
    ("recorder", Topic::RecorderDeeds),
    ("recorders office", Topic::RecorderDeeds),
    ("recorder of deeds", Topic::RecorderDeeds),
    ("register", Topic::RecorderDeeds),
    ("register of deeds", Topic::RecorderDeeds),
    ("registry of deeds", Topic::RecorderDeeds),
    ("registrar of deeds", Topic::RecorderDeeds),
    // South Carolina's offices use initials; they used to be registers of mesne conveyances.
    ("county rod", Topic::RecorderDeeds),
    ("rod office", Topic::RecorderDeeds),
    ("county rmc", Topic::RecorderDeeds),
    ("judge of probate", Topic::RecorderDeeds),
    ("county recorder", Topic::RecorderDeeds),
    ("county clerk", Topic::RecorderDeeds),
    ("city clerk", Topic::RecorderDeeds),
    ("town clerk", Topic::RecorderDeeds),
    ("clerk", Topic::RecorderDeeds),
    ("clerk and recorder", Topic::RecorderDeeds),
    ("clerk of court", Topic::RecorderDeeds),
    ("clerk of courts", Topic::RecorderDeeds),
    ("clerk of the court", Topic::RecorderDeeds),
    ("clerk of the circuit court", Topic::RecorderDeeds),
    ("clerk of superior court", Topic::RecorderDeeds),
    ("deed", Topic::RecorderDeeds),
    ("deeds", Topic::RecorderDeeds),
    ("deed search", Topic::RecorderDeeds),
    ("land records", Topic::RecorderDeeds),
    ("deed records", Topic::RecorderDeeds),
    ("clerk records", Topic::RecorderDeeds),
    ("clerk deed records", Topic::RecorderDeeds),
    ("land record", Topic::RecorderDeeds),
    ("official records", Topic::RecorderDeeds),
    ("real estate records", Topic::RecorderDeeds),
    ("property deed", Topic::RecorderDeeds),
    ("property records", Topic::PropertyRecordsGeneral),
    ("what county", Topic::PropertyRecordsGeneral),
    ("which county", Topic::PropertyRecordsGeneral),
    ("property search", Topic::PropertyRecordsGeneral),
    ("who owns", Topic::PropertyRecordsGeneral),
    ("who owns a house", Topic::PropertyRecordsGeneral),
    ("who owns this house", Topic::PropertyRecordsGeneral),
    ("who owns this land", Topic::PropertyRecordsGeneral),
    ("who owns this lot", Topic::PropertyRecordsGeneral),
    ("owner search", Topic::PropertyRecordsGeneral),
    ("property owner", Topic::PropertyRecordsGeneral),
    ("property owner search", Topic::PropertyRecordsGeneral),
    ("property lookup", Topic::PropertyRecordsGeneral),
    ("property record search", Topic::PropertyRecordsGeneral),
    ("real property", Topic::PropertyRecordsGeneral),
    ("plat", Topic::PlatsSurveys),
    ("plats", Topic::PlatsSurveys),
    ("plat map", Topic::PlatsSurveys),
    ("survey", Topic::PlatsSurveys),
    ("surveyor", Topic::PlatsSurveys),
    ("county surveyor", Topic::PlatsSurveys),
    ("zoning", Topic::Zoning),
    ("zoned", Topic::Zoning),
    ("house zoned", Topic::Zoning),
    ("land zoned", Topic::Zoning),
    ("property zoned", Topic::Zoning),
    ("zoning map", Topic::Zoning),
    ("zoning code", Topic::Zoning),
    ("zoning office", Topic::Zoning),
    ("zoning ordinance", Topic::Zoning),
    ("zoning department", Topic::Zoning),
    ("zoning board", Topic::Zoning),
    ("zoning board of appeals", Topic::Zoning),
    ("zoning board of adjustment", Topic::Zoning),
    ("board of zoning appeals", Topic::Zoning),
    ("planning board", Topic::Zoning),
    ("rezoning", Topic::Zoning),
    ("planning", Topic::Zoning),
    ("planning and zoning", Topic::Zoning),
    ("planning department", Topic::Zoning),
    ("planning commission", Topic::Zoning),
    ("land use", Topic::Zoning),
    ("setback", Topic::Zoning),
    ("build", Topic::BuildingPermits),
    ("permit", Topic::BuildingPermits),
    ("permits", Topic::BuildingPermits),
    ("permitting", Topic::BuildingPermits),
    ("permit center", Topic::BuildingPermits),
    ("permit portal", Topic::BuildingPermits),
    ("building permit center", Topic::BuildingPermits),
    ("building permit portal", Topic::BuildingPermits),
    ("building permit", Topic::BuildingPermits),
    ("building permits", Topic::BuildingPermits),
    ("fence", Topic::BuildingPermits),
    ("fence permit", Topic::BuildingPermits),
    ("deck permit", Topic::BuildingPermits),
    ("building department", Topic::BuildingPermits),
    ("building inspection", Topic::BuildingPermits),
    ("building inspections", Topic::BuildingPermits),
    ("building inspector", Topic::BuildingPermits),
    ("building code", Topic::BuildingPermits),
    ("building codes", Topic::BuildingPermits),
    ("inspections", Topic::BuildingPermits),
    ("parcel", Topic::ParcelMap),
    ("parcels", Topic::ParcelMap),
    ("parcel map", Topic::ParcelMap),
    ("parcel maps", Topic::ParcelMap),
    ("parcel viewer", Topic::ParcelMap),
    ("parcel search", Topic::ParcelMap),
    ("parcel number lookup", Topic::PropertyRecordsGeneral),
    ("property map", Topic::ParcelMap),
    ("property lines", Topic::ParcelMap),
    ("tax map", Topic::ParcelMap),
    ("tax maps", Topic::ParcelMap),
    ("gis", Topic::CountyGis),
    ("gis map", Topic::CountyGis),
    ("gis maps", Topic::CountyGis),
    ("map", Topic::CountyGis),
    ("maps", Topic::CountyGis),
    ("septic", Topic::SepticWell),
    ("septic permit", Topic::SepticWell),
    ("septic system", Topic::SepticWell),
    ("septic records", Topic::SepticWell),
    ("well permit", Topic::SepticWell),
    ("flood", Topic::Floodplain),
    ("flood zone", Topic::Floodplain),
    ("flood zones", Topic::Floodplain),
    ("flood map", Topic::Floodplain),
    ("flood maps", Topic::Floodplain),
    ("floodplain", Topic::Floodplain),
    ("wetlands", Topic::Wetlands),
    ("wetland map", Topic::Wetlands),
    ("soils", Topic::Soils),
    ("soil map", Topic::Soils),
];
/// Words around a job or a place that carry no meaning for either.
const IDLE_WORDS: [&str; 28] = [
    "a",
    "at",
    "department",
    "dept",
    "do",
    "estate",
    "find",
    "for",
    "how",
    "i",
    "lookup",
    "my",
    "near",
    "of",
    "office",
    "online",
    "out",
    "pay",
    "property",
    "real",
    "search",
    "site",
    "the",
    "this",
    "to",
    "website",
    "where",
    "who",
];
/// Words without meaning before a place only. After it, "in" is Indiana, and "is" an island.
const IDLE_BEFORE: [&str; 16] = [
    "about", "an", "are", "ask", "call", "can", "does", "get", "in", "is", "need", "what", "whats", "when",
    "which", "you",
];
/// Words that begin a phrase of a job but may also end the name before it.
const LEGAL_WORDS: [&str; 4] = ["city", "county", "town", "township"];
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
    /// The rest, to be read as the name of a place; empty if the text names none.
    place: String,
}

/// The topic of the job that a text names, and the rest of the text, folded. `None` without a job.
pub fn topic_in(text: &str) -> Option<(Topic, String)> {
    JobQuery::parse(text).map(|query| (query.topic, query.place))
}

impl JobQuery {
    fn parse(text: &str) -> Option<JobQuery> {
        let folded = Folded::of(&text.replace(['\'', '\u{2019}'], ""));
        let words: Vec<&str> = folded.words().collect();
        let (start, count, topic) = job_in(&words)?;
        // "St. Louis County recorder" is not about the city: the legal word stays with the name before it.
        let ends_name = LEGAL_WORDS.contains(&words[start]) && !trimmed(&words[..start]).is_empty();
        let before = trimmed(&words[..start + usize::from(ends_name)]);
        let mut after = trimmed(&words[start + count..]);
        // "What county is Naperville in" does not mean Indiana.
        if let (["what" | "which", ..], [rest @ .., "in"]) = (&words[start..], after) {
            after = rest;
        }
        let place = [before, after].concat();
        let is_auditor = words[start..start + count] == ["auditor"];
        Some(JobQuery { topic, is_auditor, place: place.join(" ") })
    }
}

/// The start, word count and topic of the longest job phrase; `None` without one.
fn job_in(words: &[&str]) -> Option<(usize, usize, Topic)> {
    static TOPICS: LazyLock<HashMap<&str, Topic>> = LazyLock::new(|| JOBS.iter().copied().collect());
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

/// The words without meaningless ones at both ends.
fn trimmed<'w, 't>(mut words: &'w [&'t str]) -> &'w [&'t str] {
    while let [first, rest @ ..] = words
        && (IDLE_WORDS.contains(first) || IDLE_BEFORE.contains(first))
    {
        words = rest;
    }
    while let [rest @ .., last] = words
        && IDLE_WORDS.contains(last)
    {
        words = rest;
    }
    words
}

impl Search<'_> {
    /// The pages and places for a text with a job and a place; `None` if either is missing.
    pub(super) fn job_at_a_place(&self, text: &str, state: Option<StateCode>) -> Option<JobAtPlace> {
        let query = JobQuery::parse(text).filter(|query| !query.place.is_empty())?;
        let text = Text::new(&query.place);
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
        let unlisted = self.unlisted(&interpretations, &mut found);
        // Misspelled names are tried only if no exact name fits, and only the best is kept.
        if found.places.is_empty() {
            interpretations.iter().rev().for_each(|interpretation| self.spelled(interpretation, &mut found));
            self.put_near_cities_first(&mut found.places, &interpretations);
            found.places.truncate(1);
        }
        if found.places.is_empty() {
            let words: Vec<&str> = query.place.split(' ').collect();
            self.add_named(self.named_in_part(&words, state, Evidence::Any), &mut found);
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
    fn phrases_are_folded_and_stand_once() {
        for (at, (phrase, _)) in JOBS.iter().enumerate() {
            assert_eq!(Folded::of(phrase).as_str(), *phrase);
            assert!(JOBS[..at].iter().all(|(other, _)| other != phrase), "{phrase}");
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
