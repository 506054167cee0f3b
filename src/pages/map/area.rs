//! The map of a jurisdiction: what lies in it, and its neighbours.

use maud::{Markup, html};

use super::{
    WIDTH,
    parts::{Layer, labels, scale_bar},
};
use crate::{
    directory::{Directory, Row},
    geometry::Bbox,
    maps::{Drawing, Extent, View},
    pages::{site::Site, words::full_name},
    vocabulary::{JurisdictionType, Layer as Kind, StateCode},
};

/// The part of Hawaii that people live in; its chain goes on for 1,300 miles of single rocks.
const HAWAII: Extent = Extent { west: -160.6, south: 18.7, east: -154.6, north: 22.4 };

/// Room around a town or city, so that its neighbours are seen, to its size.
const AROUND: f64 = 0.18;

/// The view of a jurisdiction's map; `None` where no outline of it is at hand.
pub(super) fn view(directory: &Directory, row: Row) -> Option<View> {
    let extent = match directory.state_code_of(row) {
        Some(state) => extent_of_state(directory, state)?,
        None => extent(directory, row)?,
    };
    Some(View::of(&extent, WIDTH))
}

/// The part of the globe that a state's map shows.
pub(super) fn extent_of_state(directory: &Directory, state: StateCode) -> Option<Extent> {
    match state.usps() {
        "HI" => Some(HAWAII),
        _ => extent_itself(directory, directory.state_row(state)?),
    }
}

fn extent_itself(directory: &Directory, row: Row) -> Option<Extent> {
    let bbox = directory.extent(row)?;
    let vertices = || directory.rings(row).into_iter().flatten();
    let is_wide = bbox.max.lon_degrees() - bbox.min.lon_degrees() > 180.0;
    Some(Extent::of(bbox, is_wide.then(vertices).into_iter().flatten()))
}

/// A jurisdiction below a state, with its surroundings.
fn extent(directory: &Directory, row: Row) -> Option<Extent> {
    let Extent { west, south, east, north } = extent_itself(directory, row)?;
    let room = AROUND * (north - south).max((east - west) / 2.0);
    Some(Extent { west: west - room, south: south - room, east: east + room, north: north + room })
}

/// The map of a state: its counties, each leads to its page.
pub(crate) fn state(site: Site<'_>, state: StateCode) -> Option<Markup> {
    let directory = site.directory();
    let own = directory.state_row(state)?;
    let view = view(directory, own)?;
    let mut drawing = Drawing::new(directory, view);
    let others = without(rows_seen(directory, Kind::State, &view), &[own]);
    let counties = directory.counties_in(state);
    let near = Layer { class: "near", rows: &others, leads: true }.draw(site, &mut drawing);
    let areas = Layer { class: "area", rows: &counties, leads: true }.draw(site, &mut drawing);
    let names = counties.iter().map(|row| (*row, short_name(directory, *row)));
    let labels = labels(directory, &view, largest_first(directory, names));
    let name = state.name();
    Some(frame(
        site,
        &view,
        None,
        &format!("Map of {name}"),
        &html! { (near) (areas) (labels) (scale_bar(&view)) },
    ))
}

/// The map of a county, town, city or district: what lies in it leads to its page, and so do its neighbours. `None` where
/// no outline of it is at hand.
pub(crate) fn place(site: Site<'_>, row: Row) -> Option<Markup> {
    let directory = site.directory();
    let view = view(directory, row)?;
    let is_county = directory.jurisdiction(row).kind == JurisdictionType::Layer(Kind::County);
    let mut drawing = Drawing::new(directory, view);
    let own = [row];
    let counties = without(rows_seen(directory, Kind::County, &view), &own);
    let towns = without(rows_seen(directory, Kind::Cousub, &view), &same_and(directory, row));
    let places = rows_seen(directory, Kind::Place, &view);
    let places: Vec<Row> = without(places, &same_and(directory, row))
        .into_iter()
        .filter(|place| !towns.iter().any(|town| directory.is_same(*town, *place)))
        .collect();
    let mut layer =
        |class: &'static str, rows: &[Row], leads| Layer { class, rows, leads }.draw(site, &mut drawing);
    let county_lines = layer("near", &counties, is_county);
    let county_itself = is_county.then(|| layer("self", &own, false));
    let town_areas = layer("area", &towns, true);
    let place_areas = layer("inner", &places, true);
    let place_itself = (!is_county).then(|| layer("self", &own, false));
    let county_line = is_county.then(|| layer("line", &own, false));
    let named = own.iter().chain(&towns).chain(&places).filter(|named| !is_county || **named != row);
    let names = named.map(|named| (*named, short_name(directory, *named)));
    let labels = labels(directory, &view, names.collect::<Vec<_>>());
    let name = full_name(&directory.jurisdiction(row));
    let id = directory.jurisdiction(row).id.to_string();
    Some(frame(
        site,
        &view,
        Some(&id),
        &format!("Map of {name}"),
        &html! {
            (county_lines) @if let Some(own) = county_itself { (own) }
            (town_areas) (place_areas)
            @if let Some(own) = place_itself { (own) }
            @if let Some(own) = county_line { (own) }
            (labels) (scale_bar(&view))
        },
    ))
}

/// A drawing in its frame. `id` is whose map it is, where a click on it can be turned into a point.
pub(super) fn frame(site: Site<'_>, view: &View, id: Option<&str>, name: &str, content: &Markup) -> Markup {
    let at = id.map(|_| site.href("/at"));
    html! {
        svg.map viewBox=(format!("0 0 {} {}", view.width, view.height)) role="group" aria-label=(name) data-map=[id] data-at=[at] {
            (content)
        }
    }
}

/// The jurisdictions of a layer that may be seen.
pub(super) fn rows_seen(directory: &Directory, layer: Kind, view: &View) -> Vec<Row> {
    let boxes: Vec<Bbox> = view.seen().boxes();
    let mut rows: Vec<Row> = boxes.into_iter().flat_map(|bbox| directory.rows_meeting(layer, bbox)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn without(mut rows: Vec<Row>, others: &[Row]) -> Vec<Row> {
    rows.retain(|row| !others.contains(row));
    rows
}

fn same_and(directory: &Directory, row: Row) -> Vec<Row> {
    std::iter::once(row).chain(directory.same_as(row)).collect()
}

/// The name without "County", which all have.
fn short_name(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    let words = [" County", " Parish", " Municipio", " Borough", " Census Area", " Planning Region"];
    let short = words.iter().find_map(|word| view.name.strip_suffix(word));
    short.unwrap_or(view.name).to_owned()
}

fn largest_first(directory: &Directory, names: impl Iterator<Item = (Row, String)>) -> Vec<(Row, String)> {
    let mut names: Vec<_> = names.collect();
    names.sort_by_key(|(row, _)| std::cmp::Reverse(directory.jurisdiction(*row).population));
    names
}
