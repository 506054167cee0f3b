//! The page for a free text. Shows the answer, redirects to the place that the text names, or offers a choice.

use hyper::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    front,
    layout::PageLayout,
    made::Made,
    place, point,
    route::Whose,
    site::{Site, guide_path, in_query, place_path, point_path},
    topics,
    words::{WORDS, capital, full_name, short_place},
    zoom::Zoom,
};
use platbook::{
    answers::{Answer, Asked, Choice, Data, Notice, PLACES_MAX, Refusal, Resolved, Subject},
    directory::{Directory, Match, MatchedBy, Matches, ResourceView, Row, Unlisted},
    vocabulary::{Function, JurisdictionType, Layer, ProblemKind, StateCode, Topic},
    words::{Phrase, Units, Words as _},
};

/// Maximum number of suggestions while a person types; chosen, not measured.
pub(super) const SUGGESTIONS_MAX: usize = 8;

/// Minimum share of a ZIP code's addresses, in percent, with which one county stands for the ZIP code. Chosen, not
/// measured.
const MOST_PERCENT: u64 = 95;

/// Maximum number of official pages on the page of a choice; chosen, not measured.
const PAGES_MAX: usize = 5;

/// Builds the page for a free text: its answer, or the reason why it has none.
pub(super) fn page(
    site: Site<'_>,
    text: &str,
    answered: Result<Answer<'_>, Refusal>,
) -> Result<Made, Refusal> {
    let Answer { data, notices, as_of, lifetime_s } = match answered {
        Ok(answer) => answer,
        Err(refusal) => return without_answer(site, text, refusal),
    };
    let Data::Ask(asked) = data else { return Ok(choice(site, text, &Matches::default(), (&[], None))) };
    let is_swapped = notices.contains(&Notice::LongitudeFirst);
    let Asked { reading, resolved, matches, counties, refusal, .. } = *asked;
    let elsewhere = |path| Ok(Made::Elsewhere(StatusCode::SEE_OTHER, path));
    match (reading.subject, resolved) {
        (Subject::Point(_), Some(Resolved { point: Some(point), .. })) if !is_swapped => {
            let task = first_task(&reading.topics);
            elsewhere(match task {
                Some((_, Some(function))) => format!("{}#{}", point_path(point), function.as_str()),
                Some((topic, None)) => topics::path(topic, &Whose::Point(point)),
                None => point_path(point),
            })
        }
        (_, Some(resolved)) => {
            let answer = Answer { data: Data::Resolve(resolved), notices, as_of, lifetime_s };
            Ok(Made::page(point::page(site, &answer, Zoom::Fitting, None)))
        }
        (Subject::Zip(zip), None) => Ok(zip_page(site, zip, &counties, &matches, &notices)),
        (_, None)
            if !matches.unlisted.is_empty()
                || !matches.others.is_empty()
                || matches.has_more
                || refusal.is_some() =>
        {
            Ok(choice(site, text, &matches, (&reading.topics, refusal.as_ref())))
        }
        (_, None) => {
            let directory = site.directory();
            // A text with a task has more words than the name, so the name need only match some words.
            let at_least = if reading.topics.is_empty() { MatchedBy::Whole } else { MatchedBy::Words };
            let row = the_state(directory, &matches, at_least)
                .or_else(|| the_one(directory, &matches, MatchedBy::Whole))
                .or_else(|| the_one(directory, &matches, MatchedBy::Words));
            match row {
                Some(row) => elsewhere(path_of_tasks(site, row, &reading.topics)),
                None => Ok(choice(site, text, &matches, (&reading.topics, None))),
            }
        }
    }
}

/// Returns the path of a place's page at its first task. For a state, returns the path of the task's guide, which has
/// more detail than the state's page.
fn path_of_tasks(site: Site<'_>, row: Row, topics: &[Topic]) -> String {
    let directory = site.directory();
    let Some((topic, function)) = first_task(topics) else { return place_path(directory, row) };
    match (directory.state_code_of(row), function) {
        (Some(state), _) => guide_path(topic, Some(state)),
        (None, Some(function)) => format!("{}#{}", place_path(directory, row), function.as_str()),
        (None, None) => topics::path(topic, &Whose::Place(directory.id_of(row))),
    }
}

/// Returns the first task, and the function of its office. Tasks with an office come first, since the page of such a
/// task shows the others as well.
fn first_task(topics: &[Topic]) -> Option<(Topic, Option<&Function>)> {
    let mut with_office = topics.iter().filter_map(|topic| Some((*topic, topic.office_functions().first()?)));
    let found = with_office.next().map(|(topic, function)| (topic, Some(function)));
    found.or_else(|| topics.first().map(|topic| (*topic, None)))
}

/// Returns the state that a text names. `None` if a city of the same name, such as New York, has a quarter of the
/// state's people.
fn the_state(directory: &Directory, matches: &Matches, at_least: MatchedBy) -> Option<Row> {
    let state = matches.places.first().filter(|found| found.matched_by <= at_least)?.row;
    directory.state_code_of(state)?;
    let people = u64::from(directory.population_of(state));
    let rivals = matches.places.iter().skip(1).filter(|found| found.matched_by <= at_least);
    let is_large = |row: Row| {
        directory.layer(row) == Some(Layer::Place) && u64::from(directory.population_of(row)) * 4 > people
    };
    let has_rival = rivals.map(|found| found.row).any(is_large);
    (!has_rival).then_some(state)
}

/// Builds the page for an address without an answer: several addresses to choose from, or advice.
fn without_answer(site: Site<'_>, text: &str, refusal: Refusal) -> Result<Made, Refusal> {
    match refusal.kind {
        ProblemKind::Ambiguous => Ok(several_addresses(site, text, &refusal.choices)),
        ProblemKind::AddressNotFound | ProblemKind::UpstreamUnavailable => {
            Ok(choice(site, text, &Matches::default(), (&[], Some(&refusal))))
        }
        _ => Err(refusal),
    }
}

/// Builds the page for a ZIP code: the counties that it reaches, to choose from. A county with nearly all addresses
/// comes first, with its cities.
fn zip_page(
    site: Site<'_>,
    zip: u32,
    counties: &[(Row, u64)],
    matches: &Matches,
    notices: &[Notice],
) -> Made {
    let place = |row: Row, share: u64| {
        let name = short_place(site.directory(), row);
        let path = path_of_tasks(site, row, &matches.topics);
        html! { a href=(site.href(&path)) { b { (name) } } @if counties.len() > 1 { " " span.where { "(" (WORDS.phrase(Phrase::AddressShare(share))) ")" } } }
    };
    let (few, many): (Vec<_>, Vec<_>) =
        counties.iter().partition(|(_, share)| *share == 0 && counties.len() > 1);
    let main = counties.first().filter(|(_, share)| counties.len() == 1 || *share >= MOST_PERCENT);
    let main = main.map(|(row, _)| *row);
    let heading = match (counties, main) {
        ([], _) => format!("No county is on record for ZIP code {zip:05}"),
        (_, Some(row)) => format!("ZIP code {zip:05}: {}", short_place(site.directory(), row)),
        _ => format!("ZIP code {zip:05}: which county is it?"),
    };
    let sentence = |notice: &Notice| WORDS.notice(notice, site.directory(), Units::Feet);
    let (general, own): (Vec<_>, Vec<_>) =
        notices.iter().partition(|notice| matches!(notice, Notice::ZipIsMailRoute | Notice::NoSuchZip));
    let body = html! {
        h1 { (heading) }
        @for notice in own { p { (sentence(notice)) } }
        @if !matches.places.is_empty() {
            ul.choices { @for found in &matches.places { li { (choice_link(site, found.row, &matches.topics)) } } }
        }
        @if matches.places.is_empty() && !counties.is_empty() { (at_zip(site, zip, counties, main, &matches.topics)) }
        ul.choices { @for (row, share) in &many { li { (place(*row, *share)) } } }
        @if !few.is_empty() {
            p.where { "Fewer than 1% of its addresses are in each of these: "
                @for (at, (row, _)) in few.iter().enumerate() { @if at > 0 { ", " } a href=(site.href(&path_of_tasks(site, *row, &matches.topics))) { (short_place(site.directory(), *row)) } } "." }
        }
        @for notice in general.iter().filter(|notice| ***notice == Notice::ZipIsMailRoute) { p { (sentence(notice)) } }
        (pages_of(site, matches, "Official pages for this"))
        (front::field(site, "", false))
    };
    let path = format!("/?q={zip:05}");
    let layout = PageLayout::new(heading, "The counties of a ZIP code, to choose from.", path, body);
    Made::page(PageLayout { listed: false, ..layout })
}

/// Offers the cities and towns of these counties that have an office in the ZIP code. Without such a place, offers
/// the largest ones of `main`, the county with nearly all of the addresses.
fn at_zip(site: Site<'_>, zip: u32, counties: &[(Row, u64)], main: Option<Row>, topics: &[Topic]) -> Markup {
    let directory = site.directory();
    let is_there = |row: &Row| {
        let is_local = matches!(directory.layer(*row), Some(Layer::Cousub | Layer::Place));
        let county = directory.county_around(*row);
        is_local && counties.iter().any(|(known, _)| Some(*known) == county)
    };
    let rows = directory.each_government_once(directory.governments_at_zip(zip).filter(is_there));
    html! {
        p { b { "This ZIP code does not show which city or town." } " Type " @if site.takes_addresses() { "the street address, or " } "the town, below." }
        @if !rows.is_empty() {
            p { "These have an office there, and other towns may have land there:" }
            ul.choices { @for row in &rows { li { (choice_link(site, *row, topics)) } } }
            p { "Or choose the county:" }
        } @else if let Some(county) = main {
            @let task = first_task(topics).and_then(|(_, function)| function);
            (place::cities(site, county, &task.map_or_else(String::new, |task| format!("#{}", task.as_str()))))
            p { "Or all of the county:" }
        }
    }
}

/// Lists the first official pages among the matches, below a heading.
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

/// Returns the only government that a text names. All matches of at least this quality must be that government, under
/// any of its ids.
fn the_one(directory: &Directory, matches: &Matches, at_least: MatchedBy) -> Option<Row> {
    let mut rows = matches.places.iter().filter(|found| found.matched_by <= at_least).map(|found| found.row);
    let first = rows.next()?;
    rows.all(|other| directory.is_same(first, other)).then_some(first)
}

/// Builds a page of places to choose from. Each entry begins with the state, in which the places differ. The search
/// field comes last.
fn choice(
    site: Site<'_>,
    text: &str,
    matches: &Matches,
    (topics, refusal): (&[Topic], Option<&Refusal>),
) -> Made {
    let places = &matches.places;
    let has_pages = !matches.resources.is_empty();
    let heading = match (refusal, places.is_empty()) {
        (None, false) if !matches.others.is_empty() => "Several places: choose one".to_owned(),
        (None, false) if !matches.unlisted.is_empty() => heading_of_unlisted(site, matches),
        (None, false) => which(site.directory(), places),
        (None, true) if has_pages => "Official pages for this".to_owned(),
        (None, true) => format!("Nothing found for “{text:.60}”"),
        (Some(_), false) => "Which town is it in?".to_owned(),
        (Some(_), true) => "No answer for this address".to_owned(),
    };
    let nothing = places.is_empty() && !has_pages && refusal.is_none();
    let body = html! {
        h1 { (heading) }
        @if let Some(refusal) = refusal { (why_no_address(site, text, refusal, !places.is_empty())) }
        @for one in &matches.unlisted { (unlisted(site, *one, topics)) }
        @if nothing { (nothing_found(site)) }
        @if !places.is_empty() {
            @if let Some(words) = lead_in(site.directory(), places) { p { (words) } }
            ul.choices {
                @for found in places { li { (choice_link(site, found.row, topics)) } }
                @for other in &matches.others {
                    li { (choice_link(site, other.row, &other.topics.iter().collect::<Vec<Topic>>())) }
                }
            }
            @if matches.has_more { p { (WORDS.notice(&Notice::PartNotFound, site.directory(), Units::Feet)) } }
            @if places.len() >= PLACES_MAX { p { "These are the largest places that match. Add the state to see fewer." } }
        }
        @if places.is_empty() { (pages_of(site, matches, "")) }
        (front::field(site, text, false))
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

/// Asks which of these places is meant. Uses their name if they share one.
fn which(directory: &Directory, places: &[Match]) -> String {
    let name = places.first().map_or("", |found| directory.name_of(found.row));
    match places {
        [only] => format!("Do you mean {}?", short_place(directory, only.row)),
        _ if places.iter().all(|found| directory.name_of(found.row).starts_with(name)) => {
            format!("{name}: which one do you mean?")
        }
        _ => "Which one do you mean?".to_owned(),
    }
}

fn nothing_found(site: Site<'_>) -> Markup {
    html! {
        p { (WORDS.notice(&Notice::NoSuchName, site.directory(), Units::Feet)) }
        p { "These work: a city, town or county with its state (Stowe, Vermont), a ZIP code, two coordinates, or a link from a map." }
        p lang="es" { "Escriba el nombre de la ciudad o del condado con su estado, por ejemplo: Hialeah, Florida." }
    }
}

fn heading_of_unlisted(site: Site<'_>, matches: &Matches) -> String {
    let directory = site.directory();
    match matches.unlisted.first() {
        Some(Unlisted::YoungCity(city)) => {
            let name = directory.city_change(city.change).map_or("This city", |change| change.name);
            format!("{name} is a city that our map does not show yet")
        }
        Some(Unlisted::TribalLand(land)) => {
            let view = directory.tribal_land(*land);
            let nation = view.nation.map_or_else(|| "a nation".to_owned(), |nation| format!("the {nation}"));
            format!("{} is land of {nation}", view.name)
        }
        Some(Unlisted::FederalLand(land)) => {
            let name = directory.federal_land(*land).map_or("This land", |view| view.name);
            format!("{name} is federal land")
        }
        Some(Unlisted::Community(row)) => {
            let name = directory.community(*row).map_or("This community", |community| community.name);
            format!("{name} has no government of its own")
        }
        None => "Which one do you mean?".to_owned(),
    }
}

/// Shows the caveat for a name without an area of its own, and the government at that place.
fn unlisted(site: Site<'_>, unlisted: Unlisted, topics: &[Topic]) -> Markup {
    let directory = site.directory();
    let body = match unlisted {
        Unlisted::Community(row) => directory.community(row).map(|known| known.body),
        Unlisted::YoungCity(city) => Some(city.county),
        Unlisted::TribalLand(_) | Unlisted::FederalLand(_) => None,
    };
    html! {
        p.lead {
            (WORDS.notice(&unlisted.into(), directory, Units::Feet))
            @if let Some(row) = body { " " a href=(site.href(&path_of_tasks(site, row, topics))) { (full_name(&directory.jurisdiction(row))) } }
        }
    }
}

/// Returns a sentence that the places are only spelled similarly; `None` if a place has the exact name.
fn lead_in(directory: &Directory, places: &[Match]) -> Option<String> {
    let is_similar = places.iter().all(|found| found.matched_by == MatchedBy::Spelling);
    is_similar.then(|| WORDS.notice(&Notice::SpelledNearlySo, directory, Units::Feet))
}

/// Names the owner of a page, with the state.
fn of_whom(directory: &Directory, view: &ResourceView<'_>) -> String {
    let owner = directory.jurisdiction(view.jurisdiction);
    let state = owner.state.map(StateCode::name).filter(|state| *state != owner.name);
    [Some(full_name(&owner).as_str()), state].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Links a place and its tasks as a choice: shows its state, then its name and its county.
fn choice_link(site: Site<'_>, row: Row, topics: &[Topic]) -> Markup {
    let directory = site.directory();
    let view = directory.jurisdiction(row);
    let county = directory.county_around(row).filter(|county| !directory.is_same(*county, row));
    let (first, second) = match (view.state, directory.state_code_of(row)) {
        (_, Some(state)) => (state.name(), state_word(state).to_owned()),
        (Some(state), None) => {
            let county = county.map(|county| directory.name_of(county).to_owned());
            let names = std::iter::once(full_name(&view)).chain(county);
            (state.name(), names.collect::<Vec<_>>().join(", "))
        }
        (None, None) => (view.name, String::new()),
    };
    html! {
        a href=(site.href(&path_of_tasks(site, row, topics))) {
            b { (first) @if !second.is_empty() { ":" } } " " span.where { (second) }
        }
    }
}

/// Returns the word for a state or territory.
fn state_word(state: StateCode) -> &'static str {
    match state.usps() {
        "PR" | "VI" | "GU" | "MP" | "AS" => "Territory",
        "DC" => "District",
        _ => "State",
    }
}

/// Names the kind of a place with its county and its state: "Town in Lamoille County, Vermont".
fn kind_and_place(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    let kind = match (view.kind, directory.state_code_of(row)) {
        (_, Some(state)) => return state_word(state).to_owned(),
        (JurisdictionType::District, _) => "District",
        (JurisdictionType::Country, _) => "Country",
        (JurisdictionType::Layer(_), _) => view.legal_type.unwrap_or("place"),
    };
    let county = directory.county_around(row).filter(|county| !directory.is_same(*county, row));
    let county = county.map(|county| directory.name_of(county));
    let names: Vec<&str> = county.into_iter().chain(view.state.map(StateCode::name)).collect();
    format!("{} in {}", capital(kind), names.join(", "))
}

/// Explains why an address has no answer, and gives advice.
fn why_no_address(site: Site<'_>, text: &str, refusal: &Refusal, has_places: bool) -> Markup {
    html! {
        div.note.caution {
            @if refusal.kind == ProblemKind::UpstreamUnavailable {
                p { @if site.takes_addresses() { "Street addresses cannot be looked up right now." } @else { "This server looks up no street addresses." }
                     " Choose the town" @if has_places { " below" } @else { " by its name" } ", then click on \
                     its map where the land is. The next page has larger maps, on which a click moves the point. A phone’s location or two \
                     coordinates are more exact." }
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

/// Returns the suggestions for the field while a person types, as JSON: names with their county or state, and links.
pub(super) fn suggestions(site: Site<'_>, text: &str, answer: &Answer<'_>) -> String {
    let Data::Search(matches) = &answer.data else { return "[]".to_owned() };
    let mut rows: Vec<Row> = matches.places.iter().map(|found| found.row).collect();
    // "stowe, v" may match other names by spelling alone. An unfinished state then explains the text better.
    let is_near = matches.places.first().is_none_or(|place| place.matched_by == MatchedBy::Spelling);
    let stated = if is_near { with_unfinished_state(site, text) } else { Vec::new() };
    if !stated.is_empty() {
        rows = stated;
    }
    let entry = |row: Row| {
        json!({
            "name": site.directory().jurisdiction(row).name,
            "where": kind_and_place(site.directory(), row),
            "href": site.href(&path_of_tasks(site, row, &matches.topics)),
        })
    };
    let rows = site.directory().each_government_once(rows);
    Value::from_iter(rows.into_iter().map(entry)).to_string()
}

/// Finds places for a name with a state that is not complete yet: "stowe, v".
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
