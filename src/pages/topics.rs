//! Pages of topics: the subject of each topic, and the official pages on it for a place.

use maud::{Markup, html};

use super::{
    confidence,
    layout::PageLayout,
    nearby, resource,
    route::Whose,
    site::{Site, in_query, point_text},
    tasks,
    words::{WORDS, full_name, function_name, listed, short_place, topic_name},
};
use platbook::{
    answers::{Answer, Assignments, Data, Found, Request, ResourceList, topic_notices},
    directory::Row,
    geometry::LonLat,
    vocabulary::{JurisdictionId, StateCode, Topic},
    words::{Label, Units, Words as _},
};

/// Builds the list of all topics. `None` if the answer is of another kind.
pub(super) fn list(site: Site<'_>, answer: &Answer<'_>) -> Option<PageLayout> {
    let Data::Topics(topics) = &answer.data else { return None };
    let body = html! {
        h1 { "Topics" }
        p.lead { "Topics of land and property, and the official pages on each." }
        dl.topics {
            @for info in topics {
                dt { a href=(site.topic(info.topic)) { (topic_name(info.topic)) } }
                dd { (WORDS.topic(info.topic).description) @if info.has_guide { " " a href=(site.guide(info.topic, None)) { "Guide to " (lower(info.topic)) } } }
            }
        }
    };
    Some(PageLayout {
        json: Some("/v1/topics".to_owned()),
        ..PageLayout::new(
            "Topics",
            "Property and land topics, each with its official pages.",
            "/topics",
            body,
        )
    })
}

/// Builds the page with the official pages on a topic. `None` if the answer is of another kind.
pub(super) fn page(
    site: Site<'_>,
    topic: Topic,
    whose: &Whose,
    is_further: bool,
    answer: &Answer<'_>,
) -> Option<PageLayout> {
    let Data::Resources(found) = &answer.data else { return None };
    let place = short_place(site.directory(), found.place);
    let is_nation = *whose == Whose::Nation;
    let (query, about) = (query(whose), WORDS.topic(topic).description);
    let heading =
        if is_nation { topic_name(topic).to_owned() } else { format!("{}: {place}", topic_name(topic)) };
    let body = html! {
        h1 { (heading) }
        p.lead { (about) " " a href=(site.guide(topic, site.directory().state_of(found.place))) { "Read the guide" } }
        (who(site, topic, whose, found.place))
        (pages(site, topic, &query, found, is_nation))
        (others(site, topic, &query))
        (confidence::section(site, answer, None))
    };
    let path = path(topic, whose);
    let trail = vec![("Topics".to_owned(), site.href("/topics"))];
    let is_listed = is_nation && !is_further;
    let description = format!("{about} Official pages, the nearest first.");
    Some(PageLayout { trail, listed: is_listed, ..PageLayout::new(heading, description, path, body) })
}

/// Returns the path of the pages on a topic.
pub(super) fn path(topic: Topic, whose: &Whose) -> String {
    format!("/topics/{}{}", topic.as_str(), query(whose))
}

fn query(whose: &Whose) -> String {
    match whose {
        Whose::Nation => String::new(),
        Whose::Place(id) => format!("?place={id}"),
        Whose::Point(point) => format!("?at={}", point_text(*point)),
    }
}

/// Links the official pages and the guide of each topic, folded. `query` names the place or point.
pub(super) fn folded(site: Site<'_>, query: &str, state: Option<StateCode>) -> Markup {
    let has_guide = |topic: Topic| site.directory().guides().iter().any(|guide| guide.topic == topic);
    html! {
        details {
            summary { "Official pages and guides, by topic" }
            ul.columns { @for topic in Topic::all() {
                li {
                    a href=(format!("{}{query}", site.topic(topic))) { (topic_name(topic)) }
                    @if has_guide(topic) { " · " a href=(site.guide(topic, state)) { "guide" span.hidden { " to " (lower(topic)) } } }
                }
            } }
        }
    }
}

/// Shows the offices that answer questions on the topic at a place, or how to find such offices.
fn who(site: Site<'_>, topic: Topic, whose: &Whose, place: Row) -> Markup {
    let functions = topic.office_functions();
    let assignments = match whose {
        Whose::Nation | Whose::Place(JurisdictionId::Country) => None,
        Whose::Place(_) => nearby::assignments_of(site, place),
        Whose::Point(point) => assignments_at(site, *point),
    };
    let around = site.directory().with_parents(place);
    let whole = match whose {
        Whose::Point(point) => site.point(*point),
        Whose::Nation | Whose::Place(_) => site.place(place),
    };
    let names: Vec<String> =
        functions.iter().map(|function| function_name(*function).to_lowercase()).collect();
    let said = topic_notices(site.directory(), Some(place), &[topic]);
    html! {
        @for notice in said { p { (WORDS.notice(&notice, site.directory(), Units::Feet)) } }
        @if !functions.is_empty() {
            @match assignments {
                Some(assignments) => {
                    h2 { (WORDS.label(Label::WhoDoesWhat)) }
                    (tasks::list(site, &assignments, &around, functions, &whole))
                    p { a href=(whole) { "All offices here, with the reasons" } }
                }
                None => p { "The office for " (listed(&names)) " answers questions on it. " a href=(site.href("/")) { "Find that office for your place" } "." },
            }
        }
    }
}

fn assignments_at(site: Site<'_>, point: LonLat) -> Option<Assignments> {
    match site.answers().finish(&Request::Resolve { point }, Found::default()).ok()?.data {
        Data::Resolve(resolved) => Some(site.answers().assignments(resolved.territory)),
        _ => None,
    }
}

fn pages(site: Site<'_>, topic: Topic, query: &str, found: &ResourceList<'_>, is_nation: bool) -> Markup {
    let near = full_name(&site.directory().jurisdiction(found.place));
    html! {
        section #pages {
            h2 { @if is_nation { "Official pages for the whole country" } @else { "Official pages, the nearest first" } }
            @if found.resources.is_empty() { p { "No page on this is on record for " (near) "." } }
            ul.records {
                @for view in &found.resources {
                    li {
                        (resource::line(site, view))
                        " " span.where { (full_name(&site.directory().jurisdiction(view.jurisdiction))) }
                    }
                }
            }
            @if let Some(cursor) = &found.next_cursor {
                @let join = if query.is_empty() { '?' } else { '&' };
                p { a.button href=(format!("{}{query}{join}cursor={}", site.topic(topic), in_query(cursor))) rel="next" { "More pages" } }
            }
        }
    }
}

/// Links the other topics at the same place.
fn others(site: Site<'_>, topic: Topic, query: &str) -> Markup {
    html! {
        section {
            h2 { "Other topics here" }
            ul.columns {
                @for other in Topic::all().filter(|other| *other != topic) {
                    li { a href=(format!("{}{query}", site.topic(other))) { (topic_name(other)) } }
                }
            }
        }
    }
}

/// Returns the name of a topic in lower case, for use within a sentence.
fn lower(topic: Topic) -> String {
    let name = topic_name(topic);
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
