//! The page of a jurisdiction: its map, its offices and pages, and the places around it and within it.

use maud::{Markup, html};

use super::{
    confidence, front,
    layout::PageLayout,
    linked, lists, map, nearby, questions, reach, reasons, resource,
    site::{Site, boundary_path, place_path, trail},
    tasks, topics,
    words::{WORDS, capital, chain, full_name, listed, nearest_first, short_place, with_article},
};
use platbook::{
    answers::{Answer, Data, PlaceDetails},
    directory::{JurisdictionView, Lookup, Row, Scope},
    rules::Part,
    vocabulary::{Function, JurisdictionId, JurisdictionType, Layer, StateCode},
    words::{Label, Phrase, Words as _},
};

/// Maximum number of cities that a county's page offers at its top: more would push the tasks off a phone's screen.
/// Chosen, not measured.
const CITIES_MAX: usize = 6;

/// Returns the path of the page that replaces the page of this id. A state has a page of another kind, and a retired
/// id has a successor.
pub(super) fn moved(site: Site<'_>, id: &JurisdictionId) -> Option<String> {
    let directory = site.directory();
    match directory.lookup(id) {
        Lookup::Found(row) => directory.state_code_of(row).map(|_| place_path(directory, row)),
        Lookup::Replaced(rows) => match rows[..] {
            [row] => Some(place_path(directory, row)),
            _ => None,
        },
        Lookup::Unknown => None,
    }
}

/// Builds the page of a jurisdiction. `None` if the answer is of another kind.
pub(super) fn page(site: Site<'_>, answer: &Answer<'_>, is_further: bool) -> Option<PageLayout> {
    let Data::Place(place) = &answer.data else { return None };
    let directory = site.directory();
    let view = directory.jurisdiction(place.place);
    let around: Vec<Row> = nearest_first(directory, &place.lineage);
    let body = html! {
        (head(site, answer, place, &around, is_further))
        @if !is_further { (reasons::section(site, &place.assignments)) (questions::section(site, place)) }
        (resource::section(site, place, is_further))
        @if !is_further {
            (lists::inside(site, place.place))
            (topics::folded(site, &format!("?place={}", view.id), view.state))
        }
        (confidence::section(site, answer, Some(&place.assignments)))
    };
    let path = place_path(directory, place.place);
    let short = short_place(directory, place.place);
    let title = format!("{short}: property tax, deeds, zoning and permits");
    let description = format!(
        "Which offices handle property value, tax, deeds, zoning, permits and maps in {}.",
        chain(directory, &place.lineage)
    );
    let mut linked = vec![linked::place(site, place.place, around.get(1).copied())];
    linked.extend(place.offices.iter().map(|office| linked::office(site, office)));
    let above = trail(site, &place.lineage);
    let trail = above[..above.len().saturating_sub(1)].to_vec();
    let json = Some(format!("/v1{}", format_args!("/places/{}", view.id)));
    Some(PageLayout {
        trail,
        json,
        linked,
        listed: !is_further,
        ..PageLayout::new(title, description, path, body)
    })
}

/// Returns the name of the state, unless the jurisdiction has the same name: Guam is a county as well.
fn state_besides(view: &JurisdictionView<'_>) -> Option<&'static str> {
    view.state.map(StateCode::name).filter(|state| *state != view.name)
}

/// Shows the name, caveats that may change the answer, the tasks and the map.
fn head(
    site: Site<'_>,
    answer: &Answer<'_>,
    place: &PlaceDetails<'_>,
    around: &[Row],
    is_further: bool,
) -> Markup {
    let view = site.directory().jurisdiction(place.place);
    let (map, inner) = (map::place(site, place.place), depends_on_city(site, place.place));
    let has_tasks = !is_further && place.assignments.iter().next().is_some();
    html! {
        div.split {
            div {
                h1 { (full_name(&view)) @if let Some(state) = state_besides(&view) { ", " (state) } }
                @if let Some(lead) = what_it_is(site, place.place, around) { p.lead { (lead) } }
                (nearby::cautions(site, answer))
                @if !inner.is_empty() { (cities(site, place.place, "")) }
                @if has_tasks { (grouped(site, place, around, &inner)) }
            }
            div.beside {
                @if let Some(map) = map {
                    figure #map {
                        (map)
                        figcaption {
                            (how_to_click(&view)) " Blue is water or land outside the United States. "
                            a href=(site.href(&boundary_path(&view.id))) download { "Download the outline (GeoJSON)" }
                        }
                    }
                }
                (reach::main_site(site, place.place))
                (front::field(site, "", false))
            }
        }
    }
}

/// Explains what a click on the map does. Links cover the map of a county, so only a second click chooses a point.
fn how_to_click(view: &JurisdictionView<'_>) -> &'static str {
    if view.kind == JurisdictionType::Layer(Layer::County) {
        "Choose a town, a city or a neighbor; a click on other land shows its offices."
    } else {
        "Click inside for the answer at that point, or choose a neighbor. Thick lines are county lines."
    }
}

/// Lists the tasks. Tasks come last if a city inside does them itself, or if it is not certain which body does them.
fn grouped(site: Site<'_>, place: &PlaceDetails<'_>, around: &[Row], inner: &[Function]) -> Markup {
    let is_open = |function| place.assignments.get(function).is_none_or(|entry| entry.body.is_none());
    let (outside, same): (Vec<Function>, Vec<Function>) =
        Function::AS_TASKS.into_iter().partition(|function| inner.contains(function) || is_open(*function));
    let name = with_article(&site.directory().jurisdiction(place.place));
    html! {
        @if inner.is_empty() || same.is_empty() {
            h2 { (WORDS.label(Label::Tasks)) }
            (tasks::list(site, &place.assignments, around, &Function::AS_TASKS, ""))
        } @else {
            h2 { (WORDS.phrase(Phrase::Anywhere(&name))) }
            (tasks::list(site, &place.assignments, around, &same, ""))
            h2 { (WORDS.label(Label::DependsOnCity)) }
            p { (WORDS.label(Label::ChooseAbove)) }
            (tasks::list(site, &place.assignments, &[], &outside, ""))
        }
    }
}

/// Returns the functions that cities or villages inside a county or a town perform themselves.
fn depends_on_city(site: Site<'_>, row: Row) -> Vec<Function> {
    let directory = site.directory();
    let Some(outside) = directory.scope_of(row).filter(|scope| scope.place == Part::Nowhere) else {
        return Vec::new();
    };
    if directory.same_as(row).next().is_some() || directory.places_in(row).next().is_none() {
        return Vec::new();
    }
    let anywhere = Scope { place: Part::Open, ..outside };
    let who =
        |scope, function| directory.who_does(scope, function).map(|outcome| (outcome.body, outcome.office));
    Function::AS_TASKS
        .into_iter()
        .filter(|function| who(anywhere, *function) != who(outside, *function))
        .collect()
}

/// Offers the largest cities inside, the largest towns if towns do a job, and a link to the full list. Links end with
/// `task`: `#permits`, or nothing.
pub(super) fn cities(site: Site<'_>, row: Row, task: &str) -> Markup {
    let directory = site.directory();
    let mut places: Vec<Row> = directory.places_in(row).filter(|place| directory.governs(*place)).collect();
    let is_place = |town: &Row| places.iter().any(|place| directory.is_same(*place, *town));
    let towns =
        directory.subdivisions_in(row).into_iter().filter(|town| !is_place(town) && does_a_job(site, *town));
    let towns: Vec<Row> = towns.collect();
    let label = if towns.is_empty() { Label::ChooseCity } else { Label::ChooseTown };
    places.extend(towns);
    places.sort_by_key(|place| std::cmp::Reverse(directory.population_of(*place)));
    let more = places.len().saturating_sub(CITIES_MAX);
    html! {
        @if !places.is_empty() {
            nav.cities aria-label=(WORDS.label(label)) {
                p { strong { (WORDS.label(label)) } }
                ul.plain {
                    @for place in places.iter().take(CITIES_MAX) {
                        li { a href=(format!("{}{task}", site.place(*place))) { (directory.name_of(*place)) } }
                    }
                    @if more > 0 { li { a href=(format!("{}#inside", site.place(row))) { (more) " more" } } }
                }
            }
        }
    }
}

/// Returns whether a town does at least one of the jobs on its land.
fn does_a_job(site: Site<'_>, town: Row) -> bool {
    let directory = site.directory();
    let Some(scope) = directory.scope_of(town) else { return false };
    let is_town =
        |body: &JurisdictionId| directory.found(body).is_some_and(|body| directory.is_same(body, town));
    let outcome = |function| directory.who_does(scope, function).and_then(|outcome| outcome.body);
    Function::AS_TASKS.into_iter().filter_map(outcome).any(|body| is_town(&body))
}

/// Returns what a jurisdiction is, if its name does not say so: the nation, a district, or one of two names for a
/// government.
fn what_it_is(site: Site<'_>, row: Row, around: &[Row]) -> Option<String> {
    let directory = site.directory();
    let view = directory.jurisdiction(row);
    let also: Vec<String> = directory
        .same_as(row)
        .map(|same| directory.jurisdiction(same))
        .filter(|same| same.legal_type != view.legal_type || same.name != view.name)
        .map(|same| full_name(&same))
        .collect();
    match view.kind {
        JurisdictionType::Country => {
            Some("Pages of federal agencies that hold for the whole country.".to_owned())
        }
        JurisdictionType::District => {
            let names = around.iter().skip(1).map(|row| full_name(&directory.jurisdiction(*row)));
            Some(format!("A district of its own in {}.", names.collect::<Vec<_>>().join(", ")))
        }
        JurisdictionType::Layer(_) if also.is_empty() => None,
        JurisdictionType::Layer(_) => {
            Some(format!("{} is one government with {}.", capital(&full_name(&view)), listed(&also)))
        }
    }
}
