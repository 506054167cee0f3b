//! The map of the country. The 48 contiguous states share one drawing; the others are drawn beside it at their own
//! scales.

use maud::{Markup, html};

use super::{
    WIDTH,
    area::{Frame, view_of_state},
    parts::{Layer, Leads},
};
use crate::{
    maps::{Albers, Drawing, LETTERS_HIGH, Labels, View, label_areas},
    pages::site::Site,
};
use platbook::{directory::Row, geometry::LonLat, vocabulary::StateCode};

/// The outermost points of the 48 states, as latitude and longitude. In the west: Cape Alava, Cape Mendocino. In the
/// south: San Diego, the mouth of the Rio Grande, Key West. In the east and north: West Quoddy Head, northern Maine,
/// the Northwest Angle, Blaine.
const LOWER_48: [(f64, f64); 9] = [
    (48.16, -124.73),
    (40.44, -124.41),
    (32.53, -117.12),
    (25.84, -97.14),
    (24.55, -81.80),
    (44.82, -66.95),
    (47.46, -69.22),
    (49.38, -95.15),
    (49.00, -122.76),
];

/// States and territories that are drawn beside the 48 contiguous ones, each with its width in units.
const BESIDE: [(&str, i32); 7] =
    [("AK", 220), ("HI", 166), ("PR", 146), ("VI", 100), ("GU", 74), ("MP", 74), ("AS", 112)];

/// Gap between the drawings beside the contiguous states, in units; chosen, not measured.
const GAP: i32 = 10;

/// Draws the map of the states. Each state links to its page.
pub(crate) fn nation(site: Site<'_>) -> Markup {
    let directory = site.directory();
    let ends = LOWER_48.into_iter().filter_map(|(lat, lon)| LonLat::from_lat_lon(lat, lon).ok());
    let view = View::fitted(Albers::lower_48(), ends, WIDTH);
    let is_beside = |state: StateCode| BESIDE.iter().any(|(usps, _)| *usps == state.usps());
    let states: Vec<Row> = StateCode::all()
        .filter(|state| !is_beside(*state))
        .filter_map(|state| directory.state_row(state))
        .collect();
    let mut drawing = Drawing::new(directory, view);
    let areas = Layer { class: "area", rows: &states, leads: Leads::Listed }.draw(site, &mut drawing);
    let mut largest = states.clone();
    largest.sort_by_key(|row| std::cmp::Reverse(directory.population_of(*row)));
    let codes = largest.iter().filter_map(|row| Some((*row, directory.state_code_of(*row)?.usps())));
    let mut labels = Labels::new(&view);
    label_areas(&mut labels, directory, codes);
    let insets: Vec<(View, Markup, StateCode)> =
        BESIDE.into_iter().filter_map(|(usps, width)| inset(site, usps.parse().ok()?, width)).collect();
    let row_height = insets.iter().map(|(view, ..)| view.height).max().unwrap_or_default();
    let mut left = 0;
    let placed = insets.iter().map(|(view, drawn, state)| {
        let x = left;
        left += view.width + GAP;
        beside((x, drawn), view, *state, view.height.max(row_height))
    });
    let content = html! { (areas) (labels.draw()) g transform=(format!("translate(0 {})", view.height)) { @for one in placed { (one) } } };
    let mut whole = view;
    whole.height += row_height + 2 * LETTERS_HIGH;
    Frame::of(&whole, "Map of the states and territories").draw(site, &content)
}

/// Draws one state in a view of its own.
fn inset(site: Site<'_>, state: StateCode, width: i32) -> Option<(View, Markup, StateCode)> {
    let view = view_of_state(site.directory(), state, width)?;
    let row = site.directory().state_row(state)?;
    let mut drawing = Drawing::new(site.directory(), view);
    Some((view, Layer { class: "area", rows: &[row], leads: Leads::Listed }.draw(site, &mut drawing), state))
}

/// Places a drawing beside the contiguous states, on a background that can be clicked: small islands would be hard to
/// hit.
fn beside((x, drawn): (i32, &Markup), view: &View, state: StateCode, height: i32) -> Markup {
    let top = height - view.height;
    html! {
        g transform=(format!("translate({x} {top})")) { (drawn) }
        g.labels aria-hidden="true" {
            text x=(x + view.width / 2) y=(height + LETTERS_HIGH) { (state.usps()) }
        }
    }
}
