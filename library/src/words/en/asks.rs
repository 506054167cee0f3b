//! Sentences on parts of a free text that the answer does not cover.

use super::Sentences;
use crate::{
    answers::{Notice, Uncovered, name_with_surroundings, sentences_beside_jobs},
    directory::Row,
    vocabulary::{StateCode, Topic, TopicSet},
};

pub(super) const PART_NOT_FOUND: &str =
    "The text names several places, and part of the text was not found. Ask about that part by itself.";
pub(super) const ADDRESS_IN_SENTENCE: &str = "The street address in this text was not looked up. Ask with the address alone, or with coordinates, for an exact \
     answer.";
pub(super) const SEVERAL_OF_NAME: &str =
    "Several places have this name, so no office is shown. Ask again with the county or the state.";
pub(super) const TASK_NOT_READ: &str =
    "No task was recognized in this text. Name the job, such as assessment, zoning or building permits.";
const NO_TELEPHONE: &str =
    "No telephone number of the offices shown is on record here. Their pages may give one.";
const NO_HOURS: &str =
    "Opening hours of offices are not kept here. Their pages may give them; call before you go.";
const LEFT_TO_TOWNS: &str =
    "In this county a city or town may do this job, and the ZIP code does not say which.";

/// The sentence on what the text asks for and the directory does not have: telephones or hours.
pub(super) fn not_kept(notice: &Notice) -> &'static str {
    if *notice == Notice::NoHours { NO_HOURS } else { NO_TELEPHONE }
}

pub(super) fn left_to_towns(is_listed: bool) -> String {
    let advice = if is_listed {
        "The cities and towns of the county are listed."
    } else {
        "Ask again with the name of the city or town."
    };
    format!("{LEFT_TO_TOWNS} {advice}")
}

pub(super) fn zip_of_offices(zip: u32) -> String {
    format!(
        "The cities and towns listed have an office with ZIP code {zip:05} in its address. Land with this ZIP code may lie in \
         another city or town."
    )
}

pub(super) fn not_covered(subject: Uncovered) -> String {
    let subject = match subject {
        Uncovered::RentalLicense => "licenses to rent out a home",
        Uncovered::BusinessLicense => "licenses of businesses",
        Uncovered::Vehicle => "vehicles and their taxes",
        Uncovered::VitalRecord => "records of births, deaths and marriages",
        Uncovered::Utility => "bills for water, power or waste",
        Uncovered::Association => "associations of homeowners",
    };
    format!("This directory does not cover {subject}. Ask the city or the county.")
}

impl Sentences<'_> {
    /// Suggests a text for the next question, which names the tasks and the place.
    pub(super) fn also_named(&self, place: Row, topics: TopicSet) -> String {
        let name = name_with_surroundings(self.directory, place);
        let tasks: Vec<String> = topics.iter().map(|topic| topic.as_str().replace('_', " ")).collect();
        let ask = if tasks.is_empty() { name.clone() } else { format!("{} {name}", tasks.join(" and ")) };
        format!(
            "{name} ({}) is named as well, and this answer is not about it. Ask again with \"{ask}\".",
            self.directory.id_of(place)
        )
    }

    /// The sentences of the state, or the reason why no office is named.
    pub(super) fn beside_jobs(&self, topic: Topic, state: StateCode) -> String {
        match sentences_beside_jobs(self.directory, state, topic) {
            Some(sentences) => format!("In {}: {sentences}", state.name()),
            None if topic == Topic::RoadsRightOfWay => "Which office permits driveways and work beside a road is not on record \
                                                        here. It depends on the owner of the road: the city, the county \
                                                        or the state's highway department."
                .to_owned(),
            None => "Which office permits septic systems and wells is not on record here. In most states it is a county or \
                     district health department, or a state agency, and not the building office."
                .to_owned(),
        }
    }
}
