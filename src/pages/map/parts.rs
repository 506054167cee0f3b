//! The parts of a drawn map: areas that link to a page, labels that fit, a scale bar.

use maud::{Markup, html};

use crate::{
    maps::{Drawing, View},
    pages::{site::Site, words::full_name},
};
use platbook::{
    directory::{Directory, Row},
    geometry::METERS_PER_FOOT,
};

/// Units that a letter of a label takes in width, and its height.
const LETTER: i32 = 16;
pub(super) const LETTERS_HIGH: i32 = 28;

/// Width and height in units of a letter that can be read on a phone, too.
const LARGE_LETTER: i32 = 20;
const LARGE_LETTERS_HIGH: i32 = 36;

/// Width and height in units of the lower left corner, which the scale bar occupies.
const BAR_ROOM: [i32; 2] = [470, 84];

/// Feet of one mile, by definition.
const FEET_PER_MILE: f64 = 5_280.0;

/// Lengths that a scale bar may have, in feet: round numbers of feet and miles.
const BAR_FEET: [f64; 15] = [
    100.0,
    200.0,
    500.0,
    1_000.0,
    0.5 * FEET_PER_MILE,
    FEET_PER_MILE,
    2.0 * FEET_PER_MILE,
    5.0 * FEET_PER_MILE,
    10.0 * FEET_PER_MILE,
    20.0 * FEET_PER_MILE,
    50.0 * FEET_PER_MILE,
    100.0 * FEET_PER_MILE,
    200.0 * FEET_PER_MILE,
    500.0 * FEET_PER_MILE,
    1_000.0 * FEET_PER_MILE,
];

/// The longest scale bar, in units; chosen, not measured.
const BAR_MAX: f64 = 400.0;

/// Areas of one kind that are drawn on a map.
pub(super) struct Layer<'a> {
    /// The class of the style sheet that colors them.
    pub(super) class: &'static str,
    /// Rows of the areas to draw.
    pub(super) rows: &'a [Row],
    /// Whether each area links to its page.
    pub(super) leads: bool,
}

impl Layer<'_> {
    /// Draws the areas that are visible.
    pub(super) fn draw(&self, site: Site<'_>, drawing: &mut Drawing<'_>) -> Markup {
        let outlines: Vec<(Row, String)> =
            self.rows.iter().map(|row| (*row, drawing.outline(*row))).collect();
        html! {
            g class=(self.class) {
                @for (row, data) in outlines.iter().filter(|(_, data)| !data.is_empty()) {
                    @if self.leads { (link(site, *row, data)) } @else { path d=(data) {} }
                }
            }
        }
    }
}

/// Links an area to its page, with its name.
fn link(site: Site<'_>, row: Row, data: &str) -> Markup {
    let name = full_name(&site.directory().jurisdiction(row));
    html! { a href=(site.place(row)) { title { (name) } path d=(data) {} } }
}

/// Names on a drawing that do not overlap.
pub(super) struct Labels<'v> {
    view: &'v View,
    /// Width and height of a letter, in units.
    letter: (i32, i32),
    /// Left, top, right and bottom of each name, in units.
    taken: Vec<[i32; 4]>,
    texts: Vec<(i32, i32, String)>,
}

impl<'v> Labels<'v> {
    pub(super) fn new(view: &'v View) -> Labels<'v> {
        let bar = [0, view.height - BAR_ROOM[1], BAR_ROOM[0], view.height];
        Labels { view, letter: (LETTER, LETTERS_HIGH), taken: vec![bar], texts: Vec::new() }
    }

    /// Makes labels that can be read on a phone, too.
    pub(super) fn large(view: &'v View) -> Labels<'v> {
        Labels { letter: (LARGE_LETTER, LARGE_LETTERS_HIGH), ..Labels::new(view) }
    }

    /// Adds a name in the middle of this place, unless it would be cut or hide another.
    pub(super) fn add(&mut self, (x, y): (i32, i32), text: String) {
        let (width, high) = self.letter;
        let half = text.chars().count() as i32 * width / 2;
        let spot = [x - half, y - high, x + half, y + high / 2];
        let is_seen =
            spot[0] >= 0 && spot[1] >= 0 && spot[2] <= self.view.width && spot[3] <= self.view.height;
        let is_free = self.taken.iter().all(|other| {
            spot[2] < other[0] || other[2] < spot[0] || spot[3] < other[1] || other[3] < spot[1]
        });
        if is_seen && is_free {
            self.taken.push(spot);
            self.texts.push((x, y, text));
        }
    }

    pub(super) fn draw(&self) -> Markup {
        html! {
            g.labels aria-hidden="true" { @for (x, y, text) in &self.texts { text x=(x) y=(y) { (text) } } }
        }
    }
}

fn half_width(text: &str) -> i32 {
    text.chars().count() as i32 * LETTER / 2
}

/// Labels areas that have room for their names; earlier rows come first.
pub(super) fn labels(
    directory: &Directory,
    view: &View,
    rows: impl IntoIterator<Item = (Row, String)>,
) -> Markup {
    let mut labels = Labels::new(view);
    for (row, text) in rows {
        let (Some(point), Some(extent)) = (directory.jurisdiction(row).point, directory.extent(row)) else {
            continue;
        };
        let (left, bottom) = view.place(extent.min);
        let (right, top) = view.place(extent.max);
        let is_wide = f64::from(2 * half_width(&text)) < right - left;
        if is_wide && f64::from(LETTERS_HIGH) * 1.4 < bottom - top {
            let (x, y) = view.place(point);
            labels.add((x.round() as i32, y.round() as i32), text);
        }
    }
    labels.draw()
}

/// Draws a bar that shows how long a round length is.
pub(super) fn scale_bar(view: &View) -> Markup {
    let units = |feet: f64| feet * METERS_PER_FOOT / view.meters_per_unit();
    let fitting = BAR_FEET.into_iter().rev().find(|feet| units(*feet) <= BAR_MAX);
    let Some(feet) = fitting else { return html! {} };
    let text = match feet {
        feet if feet < 0.4 * FEET_PER_MILE => format!("{feet} feet"),
        feet if feet < FEET_PER_MILE => "half a mile".to_owned(),
        FEET_PER_MILE => "1 mile".to_owned(),
        feet => format!("{} miles", feet / FEET_PER_MILE),
    };
    let (left, y) = (24, view.height - 24);
    html! {
        g.bar {
            path d=(format!("M{left} {}v10h{:.0}v-10", y - 10, units(feet))) {}
            text x=(left) y=(y - 20) { (text) }
        }
    }
}
