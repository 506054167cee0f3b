//! The parts of a drawn map: areas that link to a page, and land of American Indian nations.

use maud::{Markup, html};

use crate::{
    maps::{Drawing, Labels, middle},
    pages::{site::Site, words::full_name},
};
use platbook::directory::{Directory, Row, TribalLandRow};

/// Distance between the samples of a nation's land, in units: 8 pixels.
const HATCH: i32 = 16;

/// Minimum number of samples with which the land of a nation is named on a map. Chosen, not measured.
const NAMED_SAMPLES: usize = 12;

/// Areas of one kind that are drawn on a map.
pub(super) struct Layer<'a> {
    /// The class in the style sheet that colors the areas.
    pub(super) class: &'static str,
    /// Rows of the areas to draw.
    pub(super) rows: &'a [Row],
    /// How each area links to its page.
    pub(super) leads: Leads,
}

/// How the areas of a map link to their pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// The areas do not link.
    Nowhere,
    /// The areas link, but the Tab key skips them: the page has the same links as a list.
    Listed,
    /// The areas link, and no list has the same links.
    Alone,
}

impl Layer<'_> {
    /// Draws the areas that are visible.
    pub(super) fn draw(&self, site: Site<'_>, drawing: &mut Drawing<'_>) -> Markup {
        let outlines: Vec<(Row, String)> =
            self.rows.iter().map(|row| (*row, drawing.outline(*row))).collect();
        html! {
            g class=(self.class) {
                @for (row, data) in outlines.iter().filter(|(_, data)| !data.is_empty()) {
                    @if self.leads == Leads::Nowhere { path d=(data) {} } @else { (self.link(site, *row, data)) }
                }
            }
        }
    }

    /// Links an area to its page, with its name.
    fn link(&self, site: Site<'_>, row: Row, data: &str) -> Markup {
        let name = full_name(&site.directory().jurisdiction(row));
        let is_listed = self.leads == Leads::Listed;
        html! { a href=(site.place(row)) tabindex=[is_listed.then_some("-1")] { title { (name) } path d=(data) {} } }
    }
}

/// Hatches land of American Indian nations. Draws a line along each covered part of a row of samples, because the
/// trie with these areas can only answer for points.
pub(super) fn nations(directory: &Directory, labels: &mut Labels<'_>) -> Markup {
    let view = *labels.view();
    let land_at = |x: i32, y: i32| {
        let point = view.point_at((f64::from(x), f64::from(y)))?;
        directory.tribal_land_at(point)
    };
    let mut data = String::new();
    let mut seen: Vec<(TribalLandRow, Vec<(i32, i32)>)> = Vec::new();
    for y in (HATCH / 2..view.height).step_by(HATCH as usize) {
        let mut start = None;
        for x in (0..=view.width).step_by(HATCH as usize) {
            let land = land_at(x, y);
            if let Some(land) = land {
                match seen.iter_mut().find(|(known, _)| *known == land) {
                    Some((_, places)) => places.push((x, y)),
                    None => seen.push((land, vec![(x, y)])),
                }
            }
            let is_end = land.is_none() || x + HATCH > view.width;
            match start {
                None => start = land.map(|_| x),
                Some(from) if is_end => {
                    data.push_str(&format!("M{from} {y}H{x}"));
                    start = None;
                }
                Some(_) => {}
            }
        }
    }
    for (land, places) in &seen {
        if let Some(place) = middle(places).filter(|_| places.len() >= NAMED_SAMPLES) {
            labels.add_around(&[place], directory.tribal_land(*land).name);
        }
    }
    html! { @if !data.is_empty() { path.nation d=(data) {} } }
}
