//! Topics and guides.

use super::{Answers, Form, Given, Parameter, Refusal, Request, parameters, shown::Shown};
use crate::{
    directory::{Directory, RuledState},
    rules::{self, FunctionRule},
    vocabulary::{Function, StateCode, TOPIC_ALIASES, Topic},
    wire::{
        Envelope, FurtherGuide, Guide, PageUrl, RequestIdSlot, Rule, Section, StateRules, TopicInfo,
        TopicList,
    },
};

/// The parameters of `/guides/{topic}`.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::path("topic", 40, "A topic of /topics").of(Form::Topic, "zoning"),
    Parameter::query("state", 20, "Two-letter state code; adds the state's own rules").of(Form::State, "MN"),
];

/// Functions that an answer on topics knows.
const SHOWN: usize = 6;

/// Parses the parameters of `/guides/{topic}`.
///
/// # Errors
/// `unknown-topic` with status 404, `bad-parameter`, `unknown-state`.
pub fn parse(given: &Given<'_>) -> Result<Request, Refusal> {
    let topic = parameters::topic(given.get("topic").unwrap_or_default()).map_err(Refusal::in_path)?;
    let state = given.get("state").map(parameters::state).transpose()?;
    Ok(Request::Guide { topic, state })
}

/// Parses no parameters.
///
/// # Errors
/// Never.
pub fn parse_topics(_given: &Given<'_>) -> Result<Request, Refusal> {
    Ok(Request::Topics)
}

/// Answers `/topics`.
pub(super) fn topics(answers: &Answers) -> Envelope<'_, TopicList<'_>> {
    let site = answers.site();
    let info = |topic: Topic| TopicInfo {
        topic,
        name: topic.name(),
        description: topic.description(),
        functions: topic.functions(),
        page_url: PageUrl::Word { site, folder: "topics", word: topic.as_str() },
        guide_url: guide(&answers.directory, topic).map(|_| PageUrl::Word {
            site,
            folder: "v1/guides",
            word: topic.as_str(),
        }),
    };
    let serving = |function: Function| {
        let topics = Topic::all().filter(|topic| topic.functions().contains(&function));
        (function.as_str(), topics.collect())
    };
    Envelope {
        data: TopicList {
            topics: Topic::all().map(info).collect(),
            functions: Function::ALL[..SHOWN].iter().map(|function| serving(*function)).collect(),
            aliases: TOPIC_ALIASES.to_vec(),
        },
        sources: Vec::new(),
        as_of: answers.directory.as_of(),
        request_id: RequestIdSlot,
        notices: Vec::new(),
    }
}

fn guide(directory: &Directory, topic: Topic) -> Option<&rules::Guide> {
    directory.guides().iter().find(|guide| guide.topic == topic)
}

/// Answers `/guides/{topic}`. A topic without a guide gives its description, with the state's rules.
pub(super) fn guide_for(
    answers: &Answers,
    topic: Topic,
    state: Option<StateCode>,
) -> Envelope<'_, Guide<'_>> {
    let directory = &answers.directory;
    let text = guide(directory, topic);
    let ruled = state.and_then(|state| directory.ruled_state(state));
    let mut shown = Shown::new(answers);
    ruled.into_iter().for_each(|ruled| cite(directory, ruled, topic, &mut shown));
    let sections = text.map_or(&[][..], |text| text.sections.as_slice()).iter();
    Envelope {
        data: Guide {
            topic,
            state: state.map(StateCode::usps),
            title: text.map_or(topic.name(), |text| &text.title),
            summary: text.map_or(topic.description(), |text| &text.summary),
            sections: sections
                .map(|section| Section { heading: &section.heading, text: section.text.join("\n\n") })
                .collect(),
            page_url: guide_page(answers, topic),
            state_rules: ruled.and_then(|ruled| state_rules(answers, ruled)),
            state_summary: ruled.map(|ruled| state_summary(ruled, topic)),
            also: further(answers, text),
        },
        sources: shown.into_sources(&Default::default()),
        as_of: directory.as_of(),
        request_id: RequestIdSlot,
        notices: Vec::new(),
    }
}

fn guide_page(answers: &Answers, topic: Topic) -> PageUrl<'_> {
    PageUrl::Word { site: answers.site(), folder: "guides", word: topic.as_str() }
}

fn further<'a>(answers: &'a Answers, text: Option<&'a rules::Guide>) -> Vec<FurtherGuide<'a>> {
    let topics = text.map_or(&[][..], |text| text.also.as_slice()).iter();
    let guides = topics.filter_map(|topic| guide(&answers.directory, *topic));
    guides
        .map(|guide| FurtherGuide {
            topic: guide.topic,
            title: &guide.title,
            page_url: guide_page(answers, guide.topic),
        })
        .collect()
}

/// The rules that a topic of a state rests on: those of its functions, all where it has none.
fn about(ruled: &RuledState, topic: Topic) -> impl Iterator<Item = &FunctionRule> {
    let functions = topic.functions();
    let wanted = move |rule: &&FunctionRule| functions.contains(&rule.function);
    ruled.file.rules.functions.iter().filter(wanted)
}

/// `state_rules` shows all rules, so all are cited; first those that the topic rests on.
fn cite(directory: &Directory, ruled: &RuledState, topic: Topic, shown: &mut Shown<'_>) {
    let all = about(ruled, topic).chain(&ruled.file.rules.functions);
    for case in all.flat_map(|rule| &rule.cases) {
        let row = directory.rule_source(ruled.file.rules.state, case.source);
        row.into_iter().for_each(|row| shown.source(row));
    }
}

/// The sentences of the topic's functions; of the state as a whole where it has none.
fn state_summary(ruled: &RuledState, topic: Topic) -> String {
    let own: Vec<&str> = about(ruled, topic).flat_map(|rule| &rule.summary).map(String::as_str).collect();
    if own.is_empty() { ruled.file.summary.join(" ") } else { own.join(" ") }
}

fn state_rules<'a>(answers: &'a Answers, ruled: &'a RuledState) -> Option<StateRules<'a>> {
    let file = &ruled.file;
    let rule = |function: Function| {
        let rule = file.rules.rule(function)?;
        Some(Rule {
            office: Some(&rule.office),
            level: rule.level,
            place_words: Some(&rule.place_words),
            note: rule.note.as_deref(),
        })
    };
    Some(StateRules {
        state: file.rules.state.usps(),
        name: file.rules.state.name(),
        assessment: rule(Function::Assessment)?,
        tax_collection: rule(Function::TaxCollection)?,
        recording: rule(Function::Recording)?,
        zoning: rule(Function::Zoning),
        exemptions: rule(Function::Exemptions),
        permits: rule(Function::Permits),
        gis: rule(Function::Gis),
        quirks: &file.quirks,
        checked_at: &file.checked,
        page_url: PageUrl::Word { site: answers.site(), folder: "states", word: file.rules.state.usps() },
    })
}
