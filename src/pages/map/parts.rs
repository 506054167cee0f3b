//! The parts of a drawn map: areas that link to a page, labels that fit, a scale bar.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::{
    maps::{Drawing, View},
    pages::{site::Site, words::full_name},
};
use platbook::{
    directory::{Chain, Directory, Quality, Resolution, Row, TribalLandRow},
    geometry::METERS_PER_FOOT,
};

/// Units that a letter of a label takes in width, and its height, on a wide screen.
const LETTER: i32 = 17;
pub(super) const LETTERS_HIGH: i32 = 26;

/// Names that may reach beyond their areas; chosen, not measured.
const BEYOND_AREAS: usize = 12;

/// Columns and rows of sample points, from which the places of names around the subject follow.
const GRID: i32 = 12;

/// Units between the samples of land of a nation: 8 pixels.
const HATCH: i32 = 16;

/// Samples from which on land of a nation is named on a map. Chosen, not measured.
const NAMED_SAMPLES: usize = 12;

/// Width and height in units of a letter that can be read on a phone, too.
const LARGE_LETTER: i32 = 24;
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
    /// How each area links to its page.
    pub(super) leads: Leads,
}

/// How the areas of a map link to their pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// They do not link.
    Nowhere,
    /// They link, out of the order of the tabulator key: the page has the same links as a list.
    Listed,
    /// They link, and no list has these links.
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

/// A name on a drawing.
struct Label {
    place: (i32, i32),
    text: String,
    /// Whether it names something around the subject of the map, such as a neighbor.
    is_around: bool,
    /// Whether a phone has no room for it.
    is_wide_only: bool,
}

/// Names on a drawing that do not overlap, neither with the letters of a wide screen nor with the larger ones of a phone.
pub(super) struct Labels<'v> {
    view: &'v View,
    /// Left, top, right and bottom of what the letters of a wide screen take, in units.
    taken: Vec<[i32; 4]>,
    /// The boxes that the larger letters of a phone take, in units.
    taken_on_phone: Vec<[i32; 4]>,
    labels: Vec<Label>,
}

impl<'v> Labels<'v> {
    pub(super) fn new(view: &'v View) -> Labels<'v> {
        let bar = [0, view.height - BAR_ROOM[1], BAR_ROOM[0], view.height];
        Labels { view, taken: vec![bar], taken_on_phone: vec![bar], labels: Vec::new() }
    }

    /// Keeps names away from the point of a map.
    pub(super) fn keep_free(&mut self, (x, y): (i32, i32), reach: i32) {
        let spot = [x - reach, y - reach, x + reach, y + reach];
        self.taken.push(spot);
        self.taken_on_phone.push(spot);
    }

    /// Adds a name in the middle of this place, unless it would be cut or hide another.
    pub(super) fn add(&mut self, place: (i32, i32), text: String) {
        self.put(place, text, false);
    }

    /// Adds the name of something around the subject of the map.
    pub(super) fn add_around(&mut self, place: (i32, i32), text: String) {
        self.put(place, text, true);
    }

    fn put(&mut self, place: (i32, i32), text: String, is_around: bool) {
        let small = spot(place, &text, (LETTER, LETTERS_HIGH));
        let large = spot(place, &text, (LARGE_LETTER, LARGE_LETTERS_HIGH));
        if !self.is_free(small, &self.taken) {
            return;
        }
        let is_wide_only = !self.is_free(large, &self.taken_on_phone);
        self.taken.push(small);
        if !is_wide_only {
            self.taken_on_phone.push(large);
        }
        self.labels.push(Label { place, text, is_around, is_wide_only });
    }

    fn is_free(&self, spot: [i32; 4], taken: &[[i32; 4]]) -> bool {
        let is_seen =
            spot[0] >= 0 && spot[1] >= 0 && spot[2] <= self.view.width && spot[3] <= self.view.height;
        is_seen
            && taken.iter().all(|other| {
                spot[2] < other[0] || other[2] < spot[0] || spot[3] < other[1] || other[3] < spot[1]
            })
    }

    pub(super) fn draw(&self) -> Markup {
        html! {
            g.labels aria-hidden="true" { @for Label { place: (x, y), text, is_around, is_wide_only } in &self.labels {
                text.of[*is_around].wide-only[*is_wide_only] x=(x) y=(y) { (text) }
            } }
        }
    }
}

/// Returns the box of a name with letters of this width and height.
fn spot((x, y): (i32, i32), text: &str, (wide, high): (i32, i32)) -> [i32; 4] {
    // Half a letter between two names, so that they do not read as one.
    let half = (text.chars().count() as i32 + 1) * wide / 2;
    [x - half, y - high, x + half, y + high / 2]
}

/// Labels areas at their inner points; earlier rows come first. The first few may reach beyond their areas, since the largest
/// places are what people know a map by.
pub(super) fn label_areas(
    labels: &mut Labels<'_>,
    directory: &Directory,
    rows: impl IntoIterator<Item = (Row, String)>,
) {
    for (at, (row, text)) in rows.into_iter().enumerate() {
        let (Some(point), Some(extent)) = (directory.jurisdiction(row).point, directory.extent(row)) else {
            continue;
        };
        let (left, bottom) = labels.view.place(extent.min);
        let (right, top) = labels.view.place(extent.max);
        let wide = text.chars().count() as i32 * LETTER;
        let is_roomy = f64::from(wide) < right - left && f64::from(LETTERS_HIGH) * 1.4 < bottom - top;
        if is_roomy || at < BEYOND_AREAS {
            let (x, y) = labels.view.place(point);
            labels.add((x.round() as i32, y.round() as i32), text);
        }
    }
}

/// Labels what the drawing shows of other areas, each near the middle of its visible part: the inner point may lie outside.
/// `name` picks the area to name at a point.
pub(super) fn label_around(
    labels: &mut Labels<'_>,
    directory: &Directory,
    pick: impl Fn(&Chain) -> Option<Row>,
    mut put: impl FnMut(&mut Labels<'_>, (i32, i32), Row),
) {
    let view = *labels.view;
    let mut seen: Vec<(Row, Vec<(i32, i32)>)> = Vec::new();
    for (x, y) in (1..GRID).flat_map(|x| (1..GRID).map(move |y| (x, y))) {
        let place = (view.width * x / GRID, view.height * y / GRID);
        let point = view.point_at((f64::from(place.0), f64::from(place.1)));
        let Some(Resolution::Inside(chain)) = point.map(|point| directory.resolve(point)) else { continue };
        // Sea within the area of a county has the color of water, so a name there would float.
        let Some(row) =
            Some(chain).filter(|chain| chain.quality == Quality::Inside).and_then(|chain| pick(&chain))
        else {
            continue;
        };
        match seen.iter_mut().find(|(known, _)| *known == row) {
            Some((_, places)) => places.push(place),
            None => seen.push((row, vec![place])),
        }
    }
    seen.sort_by_key(|(row, places)| (Reverse(directory.population_of(*row)), Reverse(places.len())));
    for (row, places) in seen {
        if let Some(place) = middle(&places) {
            put(labels, place, row);
        }
    }
}

/// Returns the place nearest to the average of all.
fn middle(places: &[(i32, i32)]) -> Option<(i32, i32)> {
    let count = i32::try_from(places.len()).ok().filter(|count| *count > 0)?;
    let sum = places.iter().fold((0, 0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
    let from_middle = |place: &&(i32, i32)| {
        let (x, y) = (place.0 - sum.0 / count, place.1 - sum.1 / count);
        x * x + y * y
    };
    places.iter().min_by_key(from_middle).copied()
}

/// Hatches land of American Indian nations: a line along each covered part of a row of samples. Their outlines are in a trie
/// that only answers for points.
pub(super) fn nations(directory: &Directory, labels: &mut Labels<'_>) -> Markup {
    let view = *labels.view;
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
            labels.add_around(place, directory.tribal_land(*land).name.to_owned());
        }
    }
    html! { @if !data.is_empty() { path.nation d=(data) {} } }
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
