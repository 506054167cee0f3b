//! The page of a free text: shows its answer, redirects to the place that it names, or offers a choice.

use hyper::StatusCode;
use maud::{Markup, html};
use serde_json::json;

use super::{
    front,
    layout::PageLayout,
    made::Made,
    point,
    route::Whose,
    site::{Site, in_query, place_path, point_path},
    topics,
    words::{WORDS, capital, count, full_name},
};
use platbook::{
    answers::{Answer, Asked, Choice, Data, Notice, PLACES_MAX, Refusal, Resolved, Subject},
    directory::{Directory, Match, MatchedBy, Matches, ResourceView, Row, Unlisted},
    vocabulary::{JurisdictionType, Layer, ProblemKind, StateCode},
    words::{Phrase, Units, Words as _},
};

/// Most suggestions while a person types; chosen, not measured.
pub(super) const SUGGESTIONS_MAX: usize = 8;

/// Most official pages on the page of a choice; chosen, not measured.
const PAGES_MAX: usize = 5;

/// Builds the page of an answer to a free text, or of the reason why it has none.
pub(super) fn page(
    site: Site<'_>,
    text: &str,
    answered: Result<Answer<'_>, Refusal>,
) -> Result<Made, Refusal> {
    let Answer { data, notices, as_of, lifetime_s } = match answered {
        Ok(answer) => answer,
        Err(refusal) => return without_answer(site, text, refusal),
    };
    let Data::Ask(asked) = data else { return Ok(choice(site, text, &Matches::default(), None)) };
    let is_swapped = notices.contains(&Notice::LongitudeFirst);
    let Asked { reading, resolved, matches, counties, refusal } = *asked;
    let elsewhere = |path| Ok(Made::Elsewhere(StatusCode::SEE_OTHER, path));
    match (reading.subject, resolved) {
        (Subject::Point(_), Some(Resolved { point: Some(point), .. })) if !is_swapped => {
            let of_topic = reading.topic.map(|topic| topics::path(topic, &Whose::Point(point)));
            elsewhere(of_topic.unwrap_or_else(|| point_path(point)))
        }
        (_, Some(resolved)) => {
            let answer = Answer { data: Data::Resolve(resolved), notices, as_of, lifetime_s };
            Ok(Made::page(point::page(site, &answer, None)))
        }
        (Subject::Zip(zip), None) => Ok(zip_page(site, zip, &counties, &matches)),
        (_, None) if !matches.unlisted.is_empty() || refusal.is_some() => {
            Ok(choice(site, text, &matches, refusal.as_ref()))
        }
        (_, None) => {
            let directory = site.directory();
            let of_task = || Some((reading.topic?, the_one(directory, &matches, MatchedBy::Words)?));
            match the_one(directory, &matches, MatchedBy::Whole) {
                Some(row) => elsewhere(place_path(directory, row)),
                None => match of_task() {
                    Some((topic, row)) => elsewhere(topics::path(topic, &Whose::Place(directory.id_of(row)))),
                    None => Ok(choice(site, text, &matches, None)),
                },
            }
        }
    }
}

/// Builds the page of an address without an answer: several addresses to choose from, or what to do instead.
fn without_answer(site: Site<'_>, text: &str, refusal: Refusal) -> Result<Made, Refusal> {
    match refusal.kind {
        ProblemKind::Ambiguous => Ok(several_addresses(site, text, &refusal.choices)),
        ProblemKind::AddressNotFound | ProblemKind::UpstreamUnavailable => {
            Ok(choice(site, text, &Matches::default(), Some(&refusal)))
        }
        _ => Err(refusal),
    }
}

/// Builds the page of a ZIP code: the counties that it reaches, to choose from.
fn zip_page(site: Site<'_>, zip: u32, counties: &[(Row, u64)], matches: &Matches) -> Made {
    let place = |row: Row, share: u64| {
        html! { (choice_link(site, row)) @if counties.len() > 1 { " " span { "(" (WORDS.phrase(Phrase::AddressShare(share))) ")" } } }
    };
    let heading = match counties {
        [] => format!("No county is on record for ZIP code {zip:05}"),
        _ => format!("ZIP code {zip:05}: which county is it?"),
    };
    let body = html! {
        h1 { (heading) }
        p.lead { (WORDS.notice(&Notice::ZipIsMailRoute, site.directory(), Units::Feet)) }
        ul.choices { @for (row, share) in counties { li { (place(*row, *share)) } } }
        (pages_of(site, matches, "Official pages for this"))
        (front::field(site, "", false))
    };
    let path = format!("/?q={zip:05}");
    let layout = PageLayout::new(heading, "The counties of a ZIP code, to choose from.", path, body);
    Made::page(PageLayout { listed: false, ..layout })
}

/// Lists the first official pages that were found, below a heading.
fn pages_of(site: Site<'_>, matches: &Matches, heading: &str) -> Markup {
    let views = matches.resources.iter().filter_map(|number| site.directory().resource(*number));
    let views: Vec<_> = views.take(PAGES_MAX).collect();
    html! {
        @if !views.is_empty() {
            @if !heading.is_empty() { h2 { (heading) } }
            ul { @for view in &views {
                li { a href=(site.resource(view)) { (view.name) } " " span.where { (of_whom(site.directory(), view)) } }
            } }
        }
    }
}

/// Returns the one government that a text names. All matches of at least this quality must be that government, under any of its ids.
fn the_one(directory: &Directory, matches: &Matches, at_least: MatchedBy) -> Option<Row> {
    let mut rows = matches.places.iter().filter(|found| found.matched_by <= at_least).map(|found| found.row);
    let first = rows.next()?;
    rows.all(|other| directory.is_same(first, other)).then_some(first)
}

/// Builds a page of places to choose from.
fn choice(site: Site<'_>, text: &str, matches: &Matches, refusal: Option<&Refusal>) -> Made {
    let places = &matches.places;
    let has_pages = !matches.resources.is_empty();
    let heading = match (refusal, places.is_empty()) {
        (None, false) if !matches.unlisted.is_empty() => heading_of_unlisted(matches),
        (None, false) => "Which one do you mean?",
        (None, true) if has_pages => "Official pages for this",
        (None, true) => "Nothing found",
        (Some(_), false) => "Which town is it in?",
        (Some(_), true) => "No answer for this address",
    };
    let body = html! {
        h1 { (heading) }
        @if let Some(refusal) = refusal { (why_no_address(text, refusal, !places.is_empty())) }
        @for one in &matches.unlisted { (unlisted(site, *one)) }
        @if places.is_empty() && !has_pages && refusal.is_none() { p { (WORDS.notice(&Notice::NoSuchName, site.directory(), Units::Feet)) } }
        (front::field(site, text, false))
        @if !places.is_empty() {
            p { (lead_in(site.directory(), places)) }
            ul.choices { @for found in places { li { (choice_link(site, found.row)) } } }
        }
        (pages_of(site, matches, if places.is_empty() { "" } else { "Official pages of this name" }))
        p { a href=(site.href("/")) { "Find it on the map instead" } }
    };
    let path = format!("/?q={}", in_query(text));
    let description = "Places of this name, to choose from.";
    let layout = PageLayout {
        listed: false,
        ..PageLayout::new(format!("{heading} {text:.60}"), description, path, body)
    };
    Made::page(layout)
}

fn heading_of_unlisted(matches: &Matches) -> &'static str {
    match matches.unlisted.first() {
        Some(Unlisted::YoungCity(_)) => "This city is younger than our lines",
        Some(Unlisted::TribalLand(_)) => "This is land of a nation",
        Some(Unlisted::Community(_)) | None => "This is a community without a government",
    }
}

/// Shows the caveat of a name without an area of its own, and the government that stands for it.
fn unlisted(site: Site<'_>, unlisted: Unlisted) -> Markup {
    let directory = site.directory();
    let body = match unlisted {
        Unlisted::Community(row) => directory.community(row).map(|known| known.body),
        Unlisted::YoungCity(city) => Some(city.county),
        Unlisted::TribalLand(_) => None,
    };
    html! {
        p.lead {
            (WORDS.notice(&unlisted.into(), directory, Units::Feet))
            @if let Some(row) = body { " " a href=(site.place(row)) { (full_name(&directory.jurisdiction(row))) } }
        }
    }
}

fn lead_in(directory: &Directory, places: &[Match]) -> String {
    if places.iter().all(|found| found.matched_by == MatchedBy::Spelling) {
        return WORDS.notice(&Notice::SpelledNearlySo, directory, Units::Feet);
    }
    let count = count(places.len(), "match", "matches");
    if places.len() < PLACES_MAX {
        format!("{count}:")
    } else {
        "The largest places that match; add the state to see fewer:".to_owned()
    }
}

/// Names the owner of a page, with the state.
fn of_whom(directory: &Directory, view: &ResourceView<'_>) -> String {
    let owner = directory.jurisdiction(view.jurisdiction);
    let state = owner.state.map(StateCode::name).filter(|state| *state != owner.name);
    [Some(full_name(&owner).as_str()), state].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Links a place, with the places around it.
fn choice_link(site: Site<'_>, row: Row) -> Markup {
    html! { a href=(site.place(row)) { (full_name(&site.directory().jurisdiction(row))) } " " span.where { (whereabouts(site.directory(), row)) } }
}

/// Names county and state of a place, and its kind if the name does not say it.
pub(super) fn whereabouts(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    let county = directory.county_around(row).filter(|county| !directory.is_same(*county, row));
    let county = county.map(|county| directory.name_of(county).to_owned());
    let state = view.state.map(StateCode::name).filter(|state| *state != view.name).map(str::to_owned);
    let kind = match (view.kind, view.legal_type) {
        (JurisdictionType::Layer(Layer::State), _) => Some("State".to_owned()),
        (_, Some(word)) if !full_name(&view).to_lowercase().contains(word) => Some(capital(word)),
        _ => None,
    };
    [kind, county, state].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Explains why an address has no answer, and what to do instead.
fn why_no_address(text: &str, refusal: &Refusal, has_places: bool) -> Markup {
    html! {
        div.note.caution {
            @if refusal.kind == ProblemKind::UpstreamUnavailable {
                p { "Street addresses cannot be looked up here right now. Choose the town" @if has_places { " below" } @else { " by its name" } ", then click on \
                     its map where the land is: that is as exact as an address. A phone’s location or two coordinates do as well." }
            } @else {
                p { "No address matched " q { (text) } ". Check the number and the street, add the town and the state, or choose the \
                     town below." }
            }
            @if refusal.kind == ProblemKind::AddressNotFound { p { "The look-up says: " (refusal.detail) "." } }
        }
    }
}

/// Builds the page of addresses that match equally well.
fn several_addresses(site: Site<'_>, text: &str, choices: &[Choice]) -> Made {
    let body = html! {
        h1 { "Which address do you mean?" }
        ul.choices {
            @for choice in choices {
                @if let Some(point) = choice.point { li { a href=(site.point(point)) { (choice.label) } } }
            }
        }
        (front::field(site, text, false))
    };
    let layout = PageLayout::new(
        "Which address do you mean?",
        "Addresses to choose from.",
        format!("/?q={}", in_query(text)),
        body,
    );
    Made::page(PageLayout { listed: false, ..layout })
}

/// Returns the suggestions for the field while a person types, as JSON: names with their surroundings, and links.
pub(super) fn suggestions(site: Site<'_>, text: &str, answer: &Answer<'_>) -> String {
    let Data::Search(matches) = &answer.data else { return "[]".to_owned() };
    let mut rows: Vec<Row> = matches.places.iter().map(|found| found.row).collect();
    if rows.is_empty() {
        rows = with_unfinished_state(site, text);
    }
    let mut entries = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if rows[..at].iter().any(|known| site.directory().is_same(*known, *row)) {
            continue;
        }
        let view = site.directory().jurisdiction(*row);
        entries.push(json!({
            "name": full_name(&view),
            "where": whereabouts(site.directory(), *row),
            "href": site.place(*row),
        }));
    }
    json!(entries).to_string()
}

/// Finds places of a name with a state that is not written out yet: "stowe, v".
fn with_unfinished_state(site: Site<'_>, text: &str) -> Vec<Row> {
    let Some((name, state)) = text.rsplit_once(',') else { return Vec::new() };
    let begun = state.trim().to_lowercase();
    let is_begun = |state: StateCode| {
        [state.name(), state.usps()].iter().any(|word| word.to_lowercase().starts_with(&begun))
    };
    let found = site.directory().search(name, None, PLACES_MAX);
    let rows = found.places.into_iter().map(|found| found.row);
    rows.filter(|row| site.directory().state_of(*row).is_some_and(is_begun)).take(SUGGESTIONS_MAX).collect()
}
