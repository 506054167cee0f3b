//! The map of a jurisdiction, with the places in it and its neighbors.

use maud::{Markup, PreEscaped, html};

use super::{
    WIDTH,
    parts::{Layer, Leads, nations},
};
use crate::{
    maps::{Drawing, Extent, Labels, View, label_areas, label_around, rows_seen, scale_bar},
    pages::{site::Site, words::full_name},
};
use platbook::{
    directory::{Chain, Directory, Row},
    geometry::LonLat,
    vocabulary::{JurisdictionType, Layer as Kind, StateCode},
};

/// Boxes around the inhabited parts of states whose uninhabited islands reach hundreds of miles farther.
const INHABITED: [(&str, Extent); 3] = [
    ("HI", Extent { west: -160.6, south: 18.7, east: -154.6, north: 22.4 }),
    ("MP", Extent { west: 144.9, south: 13.9, east: 146.1, north: 15.5 }),
    ("AS", Extent { west: -170.95, south: -14.45, east: -169.35, north: -14.1 }),
];

/// Step between the vertices that are read to fit a state into its map. Reading only every seventh vertex saves time;
/// chosen, not measured.
const VERTEX_STEP: usize = 7;

/// Maximum length of a drawn map in characters, some 15 kB over the wire. A longer map is drawn again with coarser
/// lines.
const MAP_CHARS_MAX: usize = 40_000;

/// Factors by which lines become coarser, tried in this order.
const COARSER: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Margin around a county, as a part of its size.
const AROUND_COUNTY: f64 = 0.04;

/// Margin around a town or city, as a part of its size: wide enough to show its neighbors.
const AROUND: f64 = 0.18;

/// Returns the view of a jurisdiction's map; `None` if the snapshot has no outline of the jurisdiction.
pub(super) fn view(directory: &Directory, row: Row) -> Option<View> {
    match directory.state_code_of(row) {
        Some(state) => view_of_state(directory, state, WIDTH),
        None => Some(View::of(&extent(directory, row)?, WIDTH)),
    }
}

/// Returns the closest view that shows the whole outline of a state.
pub(super) fn view_of_state(directory: &Directory, state: StateCode, width: i32) -> Option<View> {
    let row = directory.state_row(state)?;
    let inhabited = INHABITED.iter().find(|(usps, _)| *usps == state.usps()).map(|(_, extent)| *extent);
    let extent = inhabited.or_else(|| extent_itself(directory, row))?;
    let boxes = extent.boxes();
    let is_shown = |point: &LonLat| boxes.iter().any(|bbox| bbox.contains(*point));
    let vertices = directory.rings(row).into_iter().flatten().filter(is_shown);
    Some(View::close(&extent, vertices.step_by(VERTEX_STEP), width))
}

fn extent_itself(directory: &Directory, row: Row) -> Option<Extent> {
    let bbox = directory.extent(row)?;
    let vertices = || directory.rings(row).into_iter().flatten();
    let is_wide = bbox.max.lon_degrees() - bbox.min.lon_degrees() > 180.0;
    Some(Extent::of(bbox, is_wide.then(vertices).into_iter().flatten()))
}

/// Returns the extent of a jurisdiction that is not a state, with its surroundings.
fn extent(directory: &Directory, row: Row) -> Option<Extent> {
    let Extent { west, south, east, north } = extent_itself(directory, row)?;
    let around = if is_county(directory, row) { AROUND_COUNTY } else { AROUND };
    let room = around * (north - south).max((east - west) / 2.0);
    Some(Extent { west: west - room, south: south - room, east: east + room, north: north + room })
}

/// Draws the map of a state; each county links to its page.
pub(crate) fn state(site: Site<'_>, state: StateCode) -> Option<Markup> {
    let directory = site.directory();
    let own = directory.state_row(state)?;
    let view = view(directory, own)?;
    let mut drawing = Drawing::new(directory, view);
    let others = without(rows_seen(directory, Kind::State, &view), &[own]);
    let counties = directory.counties_in(state);
    let near = Layer { class: "near", rows: &others, leads: Leads::Alone }.draw(site, &mut drawing);
    let areas = Layer { class: "area", rows: &counties, leads: Leads::Listed }.draw(site, &mut drawing);
    let mut labels = Labels::new(&view);
    let nations = nations(directory, &mut labels);
    let names = counties.iter().map(|row| (*row, short_name(directory, *row)));
    label_areas(&mut labels, directory, largest_first(directory, names));
    let neighbor = |chain: &Chain| Some(chain.state).filter(|row| *row != own);
    label_around(&mut labels, directory, neighbor, |labels, places, row| {
        labels.add_around(places, directory.name_of(row));
    });
    let name = state.name();
    let content = html! { (near) (areas) (nations) (labels.draw()) (scale_bar(&view)) };
    Some(Frame::of(&view, &format!("Map of {name}")).draw(site, &content))
}

/// Draws the map of a county, town, city or district. Its neighbors and the places in it link to their pages. `None`
/// if the snapshot has no outline of the jurisdiction.
pub(crate) fn place(site: Site<'_>, row: Row) -> Option<Markup> {
    let view = view(site.directory(), row)?;
    let draw = |times: f64| {
        let mut drawing = Drawing::new(site.directory(), view).coarser(times);
        let is_county = is_county(site.directory(), row);
        let content = if is_county { county(site, row, &mut drawing) } else { town(site, row, &mut drawing) };
        content.into_string()
    };
    let [finest, coarser @ ..] = COARSER;
    let mut content = draw(finest);
    for times in coarser {
        if content.len() <= MAP_CHARS_MAX {
            break;
        }
        content = draw(times);
    }
    let content = PreEscaped(content);
    let view_of_row = site.directory().jurisdiction(row);
    let (name, id) = (full_name(&view_of_row), view_of_row.id.to_string());
    let name = format!("Map of {name}");
    Some(Frame { clicked: Some(&id), ..Frame::of(&view, &name) }.draw(site, &content))
}

fn is_county(directory: &Directory, row: Row) -> bool {
    directory.jurisdiction(row).kind == JurisdictionType::Layer(Kind::County)
}

/// Draws a county with its towns and cities, and only the outlines of its neighbors.
fn county(site: Site<'_>, row: Row, drawing: &mut Drawing<'_>) -> Markup {
    let directory = site.directory();
    let view = *drawing.view();
    let others = without(rows_seen(directory, Kind::County, &view), &[row]);
    let towns = directory.subdivisions_in(row);
    let is_shown = |place: &Row| !towns.iter().any(|town| directory.is_same(*town, *place));
    let places: Vec<Row> = directory.places_in(row).filter(is_shown).collect();
    let named = towns.iter().chain(&places).map(|row| (*row, short_name(directory, *row)));
    let names = largest_first(directory, named);
    let own = [row];
    let mut layer =
        |class: &'static str, rows: &[Row], leads| Layer { class, rows, leads }.draw(site, drawing);
    let areas = html! {
        (layer("near", &others, Leads::Alone)) (layer("area", &own, Leads::Nowhere)) (layer("area", &towns, Leads::Listed))
        (layer("inner", &places, Leads::Listed)) (layer("line", &own, Leads::Nowhere))
    };
    let mut labels = Labels::new(&view);
    let nations = nations(directory, &mut labels);
    label_areas(&mut labels, directory, names);
    let neighbor = |chain: &Chain| Some(chain.county).filter(|county| *county != row);
    label_around(&mut labels, directory, neighbor, |labels, places, row| {
        labels.add_around(places, directory.name_of(row));
    });
    html! { (areas) (nations) (labels.draw()) (scale_bar(&view)) }
}

/// Draws a town, city or district with its neighbors.
fn town(site: Site<'_>, row: Row, drawing: &mut Drawing<'_>) -> Markup {
    let directory = site.directory();
    let view = *drawing.view();
    let counties = rows_seen(directory, Kind::County, &view);
    let own = same_and(directory, row);
    let towns = without(rows_seen(directory, Kind::Cousub, &view), &own);
    let places = without(rows_seen(directory, Kind::Place, &view), &own);
    let is_shown = |place: &Row| !towns.iter().any(|town| directory.is_same(*town, *place));
    let places: Vec<Row> = places.into_iter().filter(is_shown).collect();
    let mut layer =
        |class: &'static str, rows: &[Row], leads| Layer { class, rows, leads }.draw(site, drawing);
    let areas = html! {
        (layer("near", &counties, Leads::Nowhere)) (layer("area", &towns, Leads::Alone)) (layer("self", &[row], Leads::Nowhere))
        (layer("inner", &places, Leads::Alone)) (layer("line", &counties, Leads::Nowhere))
    };
    let mut labels = Labels::new(&view);
    let nations = nations(directory, &mut labels);
    label_areas(&mut labels, directory, [(row, short_name(directory, row))]);
    let nearest = |chain: &Chain| chain.rows().last().filter(|row| !own.contains(row));
    label_around(&mut labels, directory, nearest, |labels, places, row| {
        labels.add_around(places, directory.name_of(row));
    });
    html! { (areas) (nations) (labels.draw()) (scale_bar(&view)) }
}

/// The frame of a drawing.
pub(super) struct Frame<'a> {
    pub(super) view: &'a View,
    pub(super) name: &'a str,
    /// The name of the map, if a click on the map can become a point.
    pub(super) clicked: Option<&'a str>,
    /// Address, center and scale, with which a script moves the view; `None` for a fixed view.
    pub(super) moves: Option<&'a str>,
}

impl<'a> Frame<'a> {
    pub(super) fn of(view: &'a View, name: &'a str) -> Frame<'a> {
        Frame { view, name, clicked: None, moves: None }
    }

    /// Puts a drawing into the frame, after a link that skips the drawing.
    pub(super) fn draw(&self, site: Site<'_>, content: &Markup) -> Markup {
        let Frame { view, name, clicked, moves } = self;
        let at = clicked.map(|_| site.href("/at"));
        html! {
            a.skip href="#after-map" { "Skip the map" }
            svg.map viewBox=(format!("0 0 {} {}", view.width, view.height)) role="group" aria-label=(name) data-map=[clicked] data-at=[at] data-moves=[moves] {
                (content)
            }
            span #after-map tabindex="-1" {}
        }
    }
}

fn without(mut rows: Vec<Row>, others: &[Row]) -> Vec<Row> {
    rows.retain(|row| !others.contains(row));
    rows
}

fn same_and(directory: &Directory, row: Row) -> Vec<Row> {
    std::iter::once(row).chain(directory.same_as(row)).collect()
}

/// Returns the name without "County", which the names of all counties have.
fn short_name(directory: &Directory, row: Row) -> &str {
    let view = directory.jurisdiction(row);
    let words = [" County", " Parish", " Municipio", " Borough", " Census Area", " Planning Region"];
    let short = words.iter().find_map(|word| view.name.strip_suffix(word));
    short.unwrap_or(view.name)
}

fn largest_first<'d>(
    directory: &Directory,
    names: impl Iterator<Item = (Row, &'d str)>,
) -> Vec<(Row, &'d str)> {
    let mut names: Vec<_> = names.collect();
    // A city that is also a county subdivision has its population under one of its two ids.
    let people =
        |row: Row| same_and(directory, row).into_iter().map(|row| directory.population_of(row)).max();
    names.sort_by_cached_key(|(row, _)| std::cmp::Reverse(people(*row)));
    names
}
