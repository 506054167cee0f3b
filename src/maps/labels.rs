//! Names on a drawn map. The largest places come first. No name overlaps another or the scale bar, or is cut by the
//! edge.

use std::cmp::Reverse;

use maud::{Markup, html};

use super::View;
use platbook::directory::{Chain, Directory, Quality, Resolution, Row};

/// Size of the letters in units on a wide screen, as in the style sheet.
pub const LETTERS_HIGH: i32 = 26;

/// Size of the letters in units on a phone.
const LARGE_LETTERS_HIGH: i32 = 36;

/// Minimum gap between two names in units, so that they do not read as one.
const GAP: i32 = 8;

/// Widths of characters in thousandths of the letter size. They are those of DejaVu Sans, the widest font of the
/// style sheet. A character that no row contains has the width in the last row.
const WIDTHS: [(&str, i32); 6] = [
    ("ijlIJ.,:;'’| ", 330),
    ("frt-()/", 420),
    ("aceosxyzkvLFTY", 620),
    ("bdghnpquESP0123456789", 640),
    ("wmGOQNDHUMW&@%", 990),
    ("", 700),
];

/// Maximum number of names that may reach beyond their areas; chosen, not measured.
const BEYOND_AREAS: usize = 12;

/// Number of columns and rows of sample points, which decide where the names around the subject are placed.
const GRID: i32 = 12;

/// Number of sample points in an area at which its name is tried; chosen, not measured.
const TRIED: usize = 6;

/// Width and height of the lower left corner that the scale bar occupies, in units.
const BAR_ROOM: [i32; 2] = [470, 84];

/// A name on a drawing.
#[derive(Debug)]
struct Label {
    place: (i32, i32),
    text: String,
    /// The class of the name in the style sheet: empty for a part of the map's subject, `of` for a neighbor. Roads have
    /// `way`, and rivers and lakes `water`.
    class: &'static str,
    /// Whether the name is shown only on a wide screen, because a phone has no room for it.
    is_wide_only: bool,
}

/// The box of a part of a drawing: left, top, right and bottom, in units.
type Spot = [i32; 4];

/// Names on a drawing. They do not overlap with the letters of a wide screen, nor with the larger letters of a phone.
#[derive(Debug)]
pub struct Labels<'v> {
    view: &'v View,
    /// The boxes that are taken on a wide screen.
    taken: Vec<Spot>,
    /// The boxes that are taken on a phone.
    taken_on_phone: Vec<Spot>,
    labels: Vec<Label>,
}

impl<'v> Labels<'v> {
    /// Makes labels without names. Keeps the lower left corner free for a scale bar.
    pub fn new(view: &'v View) -> Labels<'v> {
        let bar = [0, view.height - BAR_ROOM[1], BAR_ROOM[0], view.height];
        Labels { view, taken: vec![bar], taken_on_phone: vec![bar], labels: Vec::new() }
    }

    /// Returns the view that is labeled.
    pub fn view(&self) -> &View {
        self.view
    }

    /// Keeps names away from a point of the map.
    pub fn keep_free(&mut self, (x, y): (i32, i32), reach: i32) {
        let spot = [x - reach, y - reach, x + reach, y + reach];
        self.taken.push(spot);
        self.taken_on_phone.push(spot);
    }

    /// Adds a name centered at the first of these positions where it is not cut and overlaps no other name.
    pub fn add(&mut self, places: &[(i32, i32)], text: &str) {
        self.put(places, text, "");
    }

    /// Adds the name of an area around the subject of the map.
    pub fn add_around(&mut self, places: &[(i32, i32)], text: &str) {
        self.put(places, text, "of");
    }

    /// Adds the name of a road, or of a body of water.
    pub fn add_way(&mut self, places: &[(i32, i32)], text: &str, is_water: bool) {
        let mut places = places.to_vec();
        from_middle(&mut places);
        places.truncate(TRIED);
        self.put(&places, text, if is_water { "water" } else { "way" });
    }

    fn put(&mut self, places: &[(i32, i32)], text: &str, class: &'static str) {
        let small = |place: &(i32, i32)| spot(*place, text, LETTERS_HIGH);
        let large = |place: &(i32, i32)| spot(*place, text, LARGE_LETTERS_HIGH);
        let fitting = || places.iter().filter(|place| self.is_free(small(place), &self.taken));
        let on_both = fitting().find(|place| self.is_free(large(place), &self.taken_on_phone));
        let Some(place) = on_both.or_else(|| fitting().next()).copied() else { return };
        let is_wide_only = on_both.is_none();
        self.taken.push(small(&place));
        if !is_wide_only {
            self.taken_on_phone.push(large(&place));
        }
        self.labels.push(Label { place, text: text.to_owned(), class, is_wide_only });
    }

    fn is_free(&self, spot: Spot, taken: &[Spot]) -> bool {
        let is_seen =
            spot[0] >= 0 && spot[1] >= 0 && spot[2] <= self.view.width && spot[3] <= self.view.height;
        is_seen
            && taken.iter().all(|other| {
                spot[2] < other[0] || other[2] < spot[0] || spot[3] < other[1] || other[3] < spot[1]
            })
    }

    /// Draws the names as a group of texts.
    pub fn draw(&self) -> Markup {
        html! {
            g.labels aria-hidden="true" { @for Label { place: (x, y), text, class, is_wide_only } in &self.labels {
                text.(class).wide-only[*is_wide_only] x=(x) y=(y) { (text) }
            } }
        }
    }
}

/// Returns the box that a name takes with letters of this size, including the gap around it.
fn spot((x, y): (i32, i32), text: &str, high: i32) -> Spot {
    let half = (width(text) * high / 1_000 + GAP) / 2 + 1;
    [x - half, y - high, x + half, y + high * 3 / 10]
}

/// Returns the width of a text in thousandths of the letter size.
fn width(text: &str) -> i32 {
    let of = |letter: char| {
        let row = WIDTHS.iter().find(|(letters, _)| letters.contains(letter));
        row.or(WIDTHS.last()).map_or(0, |(_, width)| *width)
    };
    text.chars().map(of).sum()
}

/// Labels areas at their inner points, earlier rows first. The first few names may reach beyond their areas, since
/// people recognize a map by its largest places.
pub fn label_areas<'a>(
    labels: &mut Labels<'_>,
    directory: &Directory,
    rows: impl IntoIterator<Item = (Row, &'a str)>,
) {
    for (at, (row, text)) in rows.into_iter().enumerate() {
        let (Some(point), Some(extent)) = (directory.jurisdiction(row).point, directory.extent(row)) else {
            continue;
        };
        let (left, bottom) = labels.view.place(extent.min);
        let (right, top) = labels.view.place(extent.max);
        let wide = width(text) * LETTERS_HIGH / 1_000;
        let is_roomy = f64::from(wide) < right - left && f64::from(LETTERS_HIGH) * 1.4 < bottom - top;
        if is_roomy || at < BEYOND_AREAS {
            let (x, y) = labels.view.place(point);
            let (x, y) = (x.round() as i32, y.round() as i32);
            labels.add(&[(x, y), (x, y - LETTERS_HIGH), (x, y + LETTERS_HIGH)], text);
        }
    }
}

/// Labels the other areas that the drawing shows, each near the middle of its visible part. The inner point of an
/// area may lie outside of the drawing. `pick` names the area to label at a point, and `put` labels it at one of
/// these positions.
pub fn label_around(
    labels: &mut Labels<'_>,
    directory: &Directory,
    pick: impl Fn(&Chain) -> Option<Row>,
    mut put: impl FnMut(&mut Labels<'_>, &[(i32, i32)], Row),
) {
    let view = *labels.view;
    let mut seen: Vec<(Row, Vec<(i32, i32)>)> = Vec::new();
    for (x, y) in (1..GRID).flat_map(|x| (1..GRID).map(move |y| (x, y))) {
        let place = (view.width * x / GRID, view.height * y / GRID);
        let point = view.point_at((f64::from(place.0), f64::from(place.1)));
        let Some(Resolution::Inside(chain)) = point.map(|point| directory.resolve(point)) else { continue };
        // The sea within a county's area has the color of water, so a name there would not seem to belong to the
        // county.
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
    for (row, mut places) in seen {
        from_middle(&mut places);
        places.truncate(TRIED);
        put(labels, &places, row);
    }
}

/// Returns the position nearest to the average of all positions.
pub fn middle(places: &[(i32, i32)]) -> Option<(i32, i32)> {
    let mut places = places.to_vec();
    from_middle(&mut places);
    places.first().copied()
}

/// Orders positions by their distance from the average of all.
fn from_middle(places: &mut [(i32, i32)]) {
    let count = i32::try_from(places.len()).unwrap_or(i32::MAX).max(1);
    let sum = places.iter().fold((0, 0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
    places.sort_by_key(|place| {
        let (x, y) = (place.0 - sum.0 / count, place.1 - sum.1 / count);
        x * x + y * y
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Extent;
    use platbook::geometry::LonLat;

    /// The second of two names at one position moves to its next position. A third name without room is left out.
    #[test]
    fn names_do_not_overlap() {
        let point = LonLat::from_lat_lon(44.0, -93.0).unwrap();
        let view = View::of(&Extent::oblong(point, 14_000.0, 10_000.0), 960);
        let mut labels = Labels::new(&view);
        labels.add(&[(480, 300)], "Minneapolis");
        labels.add(&[(500, 310), (480, 360)], "St. Paul");
        labels.add(&[(500, 310), (470, 370)], "Edina");
        labels.add_around(&[(20, 300)], "Wayzata");
        let drawn: Vec<_> = labels.labels.iter().map(|label| (&*label.text, label.place)).collect();
        assert_eq!(drawn, [("Minneapolis", (480, 300)), ("St. Paul", (480, 360))]);
    }

    #[test]
    fn wide_letters_take_more_room() {
        for (narrow, wide) in [("ill", "mmm"), ("Ely", "Way"), ("Mo", "MO"), ("Peña", "Penña")] {
            assert!(width(narrow) < width(wide), "{narrow} {wide}");
        }
    }
}
