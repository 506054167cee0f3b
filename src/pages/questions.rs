//! Ten questions that home owners have about a place, answered from its rules and the guides.

use maud::{Markup, html};

use super::{
    site::Site,
    words::{WORDS, full_name, host, is_web, topic_name, with_article},
};
use platbook::{
    answers::{Entry, PlaceDetails},
    vocabulary::{Function, Role, Topic},
    words::{Label, Words as _},
};

/// A question: the function whose office answers it, and the topic whose guide explains more.
struct Question {
    words: &'static str,
    function: Function,
    topic: Topic,
    /// Whether the office for overdue tax answers the question, if there is such an office.
    overdue: bool,
}

const fn question(words: &'static str, function: Function, topic: Topic) -> Question {
    Question { words, function, topic, overdue: false }
}

const QUESTIONS: [Question; 10] = [
    question(
        "Who sets the taxable value of my home, and how do I appeal?",
        Function::Assessment,
        Topic::Assessor,
    ),
    question("Where do I pay my property tax?", Function::TaxCollection, Topic::PropertyTaxPayment),
    Question {
        overdue: true,
        ..question("Who do I ask about overdue property tax?", Function::TaxCollection, Topic::TaxCollector)
    },
    question("Can I get a homestead, senior or veteran exemption?", Function::Exemptions, Topic::Assessor),
    question("Where can I get a copy of my deed?", Function::Recording, Topic::RecorderDeeds),
    question("Where is the plat or survey of my lot?", Function::Recording, Topic::PlatsSurveys),
    question("Where are my property lines on a map?", Function::Gis, Topic::ParcelMap),
    question(
        "What does the zoning allow on my lot, and how far from the line?",
        Function::Zoning,
        Topic::Zoning,
    ),
    question(
        "Do I need a permit for a deck, a shed, a fence or an addition?",
        Function::Permits,
        Topic::BuildingPermits,
    ),
    question("Who is in charge of septic systems and wells?", Function::Permits, Topic::SepticWell),
];

/// Shows the questions with their answers, folded.
pub(super) fn section(site: Site<'_>, place: &PlaceDetails<'_>) -> Markup {
    let name = with_article(&site.directory().jurisdiction(place.place));
    html! {
        @if place.assignments.iter().next().is_some() {
            details #questions {
                summary { "Ten questions of home owners in " (name) }
                dl { @for question in &QUESTIONS { (answered(site, place, question)) } }
            }
        }
    }
}

fn answered(site: Site<'_>, place: &PlaceDetails<'_>, question: &Question) -> Markup {
    html! {
        dt { (question.words) }
        dd {
            @match place.assignments.get(question.function).map(|main| entry_for(main, question.overdue)) {
                Some(entry) => (answer(site, entry, question)),
                None => (WORDS.label(Label::NoRule)),
            }
            " More: " a href=(site.guide(question.topic, site.directory().state_of(place.place))) { (topic_name(question.topic)) } "."
        }
    }
}

/// Returns the entry that answers a question. For overdue tax, this is the entry of its collector.
fn entry_for(main: &Entry, overdue: bool) -> &Entry {
    let delinquent = main.also.iter().find(|entry| entry.outcome.role == Role::Delinquent);
    delinquent.filter(|_| overdue).unwrap_or(main)
}

fn answer(site: Site<'_>, entry: &Entry, question: &Question) -> Markup {
    let page = entry
        .resources
        .iter()
        .filter_map(|number| site.directory().resource(*number))
        .find(|view| view.topics.has(question.topic) && is_web(view.url));
    html! {
        @match &entry.office {
            Some(office) => { "Ask the " a href=(site.office(office)) { (office.title) } }
            None => { @match entry.outcome.office.as_deref() {
                Some(title) => { "Ask the " (title) }
                None => { (WORDS.label(Label::NoOffice)) ". " (WORDS.basis(&entry.outcome.basis)) }
            } }
        }
        @if let Some(body) = entry.body { " of " (full_name(&site.directory().jurisdiction(body))) }
        "."
        @if let Some(view) = page {
            " Begin at " a href=(view.url) rel="external" { (view.name) } " " span.host { (host(view.url)) } "."
        }
    }
}
