//! The state's sentences on topics that no office of a job covers, such as septic systems.

use super::{Answers, Entry, Notice, Office, Territory, offices::offices_of};
use crate::{
    directory::{Directory, ResourceView, Row},
    vocabulary::{FunctionSet, PageUse, StateCode, Topic},
};

impl Answers {
    /// The entries of the jobs of these topics in a territory; empty for topics that no job covers.
    pub fn entries_on(&self, topics: &[Topic], territory: Territory) -> Vec<Entry> {
        FunctionSet::of_topics(topics)
            .iter()
            .filter_map(|function| self.assignment(territory, function))
            .collect()
    }
}

/// Words that mark the sentences on a topic without a rule in any state file; `None` for other topics.
pub(super) fn own_words(topic: Topic) -> Option<&'static [&'static str]> {
    match topic {
        Topic::SepticWell => Some(&["septic", "private well", "well permit", "sewage"]),
        Topic::Wetlands => Some(&["wetland"]),
        Topic::Floodplain => Some(&["flood"]),
        Topic::Soils => Some(&["soil"]),
        Topic::Elevation => Some(&["elevation", "lidar"]),
        Topic::RoadsRightOfWay => Some(&[" road", "driveway"]),
        Topic::PublicLand => Some(&["public land", "state land", "federal land", "tribal land"]),
        Topic::ParcelMap
        | Topic::CountyGis
        | Topic::Assessor
        | Topic::PropertyTaxPayment
        | Topic::TaxCollector
        | Topic::RecorderDeeds
        | Topic::PlatsSurveys
        | Topic::Zoning
        | Topic::BuildingPermits
        | Topic::PropertyRecordsGeneral
        | Topic::Appeals
        | Topic::Exemptions => None,
    }
}

/// Returns the caveats on topics that no office of a job covers, in the state of this place.
pub fn topic_notices(directory: &Directory, place: Option<Row>, topics: &[Topic]) -> Vec<Notice> {
    let Some(state) = place.and_then(|row| directory.state_of(row)) else { return Vec::new() };
    let is_said = |topic: Topic| {
        matches!(topic, Topic::SepticWell | Topic::RoadsRightOfWay)
            || sentences_beside_jobs(directory, state, topic).is_some()
    };
    let topics =
        topics.iter().copied().filter(|topic| topic.office_functions().is_empty() && is_said(*topic));
    topics.map(|topic| Notice::BesideJobs { topic, state }).collect()
}

/// The state's sentences on a topic that no job covers, such as septic systems. They are from the state's rules, else
/// from the descriptions of its pages. `None` without a sentence, and for a topic that belongs to a job.
pub fn sentences_beside_jobs(directory: &Directory, state: StateCode, topic: Topic) -> Option<String> {
    let words = own_words(topic)?;
    let file = &directory.ruled_state(state)?.file;
    let rules = file.rules.functions.iter().flat_map(|rule| &rule.summary);
    let sentences = file.quirks.iter().chain(&file.summary).chain(rules).map(String::as_str);
    of_topic(sentences, words).or_else(|| {
        let pages = directory.resources_for(&[directory.state_row(state)?], topic);
        of_topic(pages.iter().filter_map(|page| page.description), words)
    })
}

/// The state's first working page on a topic that no job covers. Its name or description must have a word of the topic,
/// because a page on water rights says nothing on septic systems. `None` without such a page.
pub fn state_page_beside_jobs(
    directory: &Directory,
    state: StateCode,
    topic: Topic,
) -> Option<ResourceView<'_>> {
    let words = own_words(topic)?;
    let pages = directory.resources_for(&[directory.state_row(state)?], topic).into_iter();
    let mut working =
        pages.filter(|page| page.page_use != PageUse::Law && !page.is_data() && !page.is_broken());
    working.find(|page| of_topic([page.name].into_iter().chain(page.description), words).is_some())
}

/// The first office of these governments whose title names a topic that no job covers: a county's "permit office (septic,
/// floodplain, driveway)". `None` without one.
pub fn office_beside_jobs(directory: &Directory, rows: &[Row], topic: Topic) -> Option<Office> {
    let words = own_words(topic)?;
    let is_named = |office: &Office| {
        let title = format!(" {}", office.title.to_lowercase());
        words.iter().any(|word| title.contains(word))
    };
    rows.iter().flat_map(|row| offices_of(directory, *row)).find(is_named)
}

/// Joins the sentences that have one of these words, each sentence once; `None` if none has.
fn of_topic<'s>(sentences: impl Iterator<Item = &'s str>, words: &[&str]) -> Option<String> {
    let mut own: Vec<&str> = Vec::new();
    for sentence in sentences {
        let lower = sentence.to_lowercase();
        if words.iter().any(|word| lower.contains(word)) && !own.contains(&sentence) {
            own.push(sentence);
        }
    }
    (!own.is_empty()).then(|| own.join(" "))
}
