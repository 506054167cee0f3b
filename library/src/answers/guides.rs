//! Answers `/topics` and `/guides/{topic}`.

use super::{
    Answers, Form, Parameter, RawParameters, Refusal, Request,
    beside_jobs::{own_words, sentences_beside_jobs},
    model::{Answer, Data, GuideDetails, TopicInfo},
    parameters,
};
use crate::{
    directory::{Directory, RuledState},
    rules::{self, FunctionRule},
    vocabulary::{StateCode, Topic},
};

/// The parameters of `/guides/{topic}`.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::path("topic", 40, "A topic of /topics").of(Form::Topic, "zoning"),
    Parameter::query("state", 20, "Two-letter state code; adds the state's own rules").of(Form::State, "MN"),
];

/// Parses the parameters of `/guides/{topic}`.
///
/// # Errors
/// `unknown-topic` with status 404, `bad-parameter`, `unknown-state`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let topic = parameters::topic(given.get("topic").unwrap_or_default())?;
    let state = given.get("state").map(parameters::state).transpose()?;
    Ok(Request::Guide { topic, state })
}

/// Parses no parameters.
///
/// # Errors
/// Does not fail; its type is that of all parsers.
pub fn parse_topics(_given: &RawParameters<'_>) -> Result<Request, Refusal> {
    Ok(Request::Topics)
}

/// Answers `/topics`: each topic, and whether it has a guide.
pub(super) fn topics(answers: &Answers) -> Answer<'_> {
    let info = |topic| TopicInfo { topic, has_guide: text_on(answers.directory(), topic).is_some() };
    answers.answer(Data::Topics(Topic::all().map(info).collect()), Vec::new())
}

fn text_on(directory: &Directory, topic: Topic) -> Option<&rules::Guide> {
    directory.guides().iter().find(|guide| guide.topic == topic)
}

/// Answers `/guides/{topic}`. A topic without a guide gives its description, with the state's rules.
pub(super) fn guide_for(answers: &Answers, topic: Topic, state: Option<StateCode>) -> Answer<'_> {
    let directory = answers.directory();
    let text = text_on(directory, topic);
    let further = text.map_or(&[][..], |text| text.also.as_slice()).iter();
    let guide = GuideDetails {
        topic,
        state,
        text,
        ruled: state.and_then(|state| directory.ruled_state(state)),
        dates: state.map_or_else(Vec::new, |state| directory.dates_of_state(state, topic.dated_kinds())),
        local_dates: state.map_or_else(Vec::new, |state| directory.local_dates(state, topic.dated_kinds())),
        also: further.filter_map(|topic| text_on(directory, *topic)).collect(),
    };
    answers.answer(Data::Guide(guide), Vec::new())
}

/// The rules of a state for the functions of a topic.
pub(super) fn about(ruled: &RuledState, topic: Topic) -> impl Iterator<Item = &FunctionRule> {
    let functions = topic.functions();
    ruled.file.rules.functions.iter().filter(move |rule| functions.contains(&rule.function))
}

impl GuideDetails<'_> {
    /// Plain sentences on who does the job in the state, from the rules for the topic's functions. A topic without
    /// such a rule, such as septic systems, has those of [`sentences_beside_jobs`]. `None` if no sentence belongs to
    /// the topic.
    pub fn state_summary(&self, directory: &Directory) -> Option<String> {
        let ruled = self.ruled?;
        if own_words(self.topic).is_some() {
            return sentences_beside_jobs(directory, ruled.file.rules.state, self.topic);
        }
        let rules = about(ruled, self.topic).flat_map(|rule| &rule.summary);
        let own: Vec<&str> = rules.map(String::as_str).collect();
        Some(if own.is_empty() { ruled.file.summary.join(" ") } else { own.join(" ") })
    }

    /// The state's rules for the topic's functions; empty for a topic without a rule of its own, such as septic
    /// systems.
    pub fn rules(&self) -> impl Iterator<Item = &FunctionRule> {
        let is_of_rules = own_words(self.topic).is_none();
        self.ruled.into_iter().filter(move |_| is_of_rules).flat_map(|ruled| about(ruled, self.topic))
    }
}
