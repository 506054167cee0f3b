//! The page of a jurisdiction: its map, its offices and pages, and the places around it and in it.

use maud::{Markup, html};

use super::{
    cards, confidence, front,
    layout::PageLayout,
    linked, map,
    point::{guides, trail},
    questions, resource, short,
    site::{Site, boundary_path, place_path},
    words::{capital, chain, count, full_name, listed, nearest_first, short_place},
};
use platbook::{
    answers::{Answer, Data, Office, PlaceDetails},
    directory::{JurisdictionView, Lookup, Row},
    vocabulary::{JurisdictionId, JurisdictionType, Layer, StateCode},
};

/// Returns the path of the page that replaces this one: states have their own, and a retired id has a successor.
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
        (head(site, place, &around, is_further))
        @if !is_further {
            @if place.assignments.iter().next().is_some() {
                section #who { h2 { "Why these offices, and where to begin" } (cards::cards(site, &place.assignments, &around)) }
            }
            (questions::section(site, place))
            (offices(site, &place.offices))
        }
        (resource::section(site, place))
        @if !is_further {
            (inside(site, place.place))
            section { h2 { "Guides" @if let Some(state) = view.state { ", with the rules of " (state.name()) } } (guides(site, view.state)) }
        }
        (confidence::section(site, answer))
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

/// Names the state, unless the jurisdiction has the same name: Guam is a county as well.
fn state_besides(view: &JurisdictionView<'_>) -> Option<&'static str> {
    view.state.map(StateCode::name).filter(|state| *state != view.name)
}

/// Shows name, kind and map.
fn head(site: Site<'_>, place: &PlaceDetails<'_>, around: &[Row], is_further: bool) -> Markup {
    let directory = site.directory();
    let view = directory.jurisdiction(place.place);
    let map = map::place(site, place.place);
    html! {
        div.split {
            div {
                h1 { (full_name(&view)) @if let Some(state) = state_besides(&view) { ", " (state) } }
                p.lead { (what_it_is(site, place.place, around)) }
                (cards::main_site(site, place.place))
                @if !is_further && place.assignments.iter().next().is_some() {
                    h2 { "Who to call" }
                    (short::list(site, &place.assignments, around))
                }
                (front::field(site, "", false))
            }
            @if let Some(map) = map {
                figure {
                    (map)
                    figcaption {
                        "Click inside for the exact point, or choose a neighbor. "
                        a href=(site.href(&boundary_path(&view.id))) download { "Download the outline (GeoJSON)" }
                    }
                }
            }
        }
    }
}

/// Says in one sentence what a jurisdiction is, and where.
fn what_it_is(site: Site<'_>, row: Row, around: &[Row]) -> String {
    let directory = site.directory();
    let view = directory.jurisdiction(row);
    let kind = match view.kind {
        JurisdictionType::Country => {
            return "Pages of federal agencies that hold for the whole country.".to_owned();
        }
        JurisdictionType::District => "A district of its own",
        JurisdictionType::Layer(_) => view.legal_type.unwrap_or("place"),
    };
    let names: Vec<String> =
        around.iter().skip(1).map(|row| full_name(&directory.jurisdiction(*row))).collect();
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "An" } else { "A" };
    let kind =
        if view.kind == JurisdictionType::District { kind.to_owned() } else { format!("{article} {kind}") };
    let also: Vec<String> = directory
        .same_as(row)
        .map(|same| directory.jurisdiction(same))
        .filter(|same| same.legal_type != view.legal_type || same.name != view.name)
        .map(|same| full_name(&same))
        .collect();
    let one = if also.is_empty() {
        String::new()
    } else {
        format!(" It is one government with {}.", listed(&also))
    };
    format!("{} in {}.{one}", capital(&kind), names.join(", "))
}

fn offices(site: Site<'_>, offices: &[Office]) -> Markup {
    html! {
        @if !offices.is_empty() {
            section {
                h2 { "Its offices" }
                ul { @for office in offices {
                    li { a href=(site.office(office)) { (office.title) } ": " (listed(&cards::functions_of(office)).to_lowercase()) }
                } }
            }
        }
    }
}

/// Lists the places in a county or a town.
pub(super) fn inside(site: Site<'_>, row: Row) -> Markup {
    let directory = site.directory();
    let is_county = directory.jurisdiction(row).kind == JurisdictionType::Layer(Layer::County);
    let towns = if is_county { directory.subdivisions_in(row) } else { Vec::new() };
    let is_shown = |place: &Row| !towns.iter().chain([&row]).any(|town| directory.is_same(*town, *place));
    let places: Vec<Row> = directory.places_in(row).filter(is_shown).collect();
    html! {
        (members(site, "Towns and townships", &towns))
        (members(site, "Cities, villages and other places", &places))
    }
}

/// Lists jurisdictions by name.
pub(super) fn members(site: Site<'_>, heading: &str, rows: &[Row]) -> Markup {
    let mut named: Vec<(String, Row)> =
        rows.iter().map(|row| (full_name(&site.directory().jurisdiction(*row)), *row)).collect();
    named.sort_by_cached_key(|(_, row)| site.directory().name_of(*row).to_lowercase());
    html! {
        @if !named.is_empty() {
            section {
                h2 { (heading) }
                p { (count(named.len(), "place", "places")) }
                ul.columns { @for (name, row) in &named { li { a href=(site.place(*row)) { (name) } } } }
            }
        }
    }
}
