//! A small map around a point, without links: county, town and city lines, names, and a scale bar.

use maud::{Markup, html};

use super::{Drawing, Extent, Labels, View, label_around, rows_seen, scale_bar};
use platbook::{
    directory::{Chain, Directory, Row},
    geometry::{LonLat, METERS_PER_DEGREE},
    vocabulary::Layer,
};

/// Width of the drawing in units.
const WIDTH: i32 = 960;

/// Ratio of the drawing's width to its height.
const OBLONG: f64 = 1.4;

/// Minimum and maximum meters to the north and to the south of the point. Larger maps would have too many lines.
const REACH_M: [f64; 2] = [1_500.0, 12_000.0];

/// Maximum number of towns that are drawn, since a thread that answers requests makes the drawing.
const TOWNS_MAX: usize = 40;

/// Returns the map around a point as a whole SVG document. `chain` has the governments at the point.
pub fn sketch(directory: &Directory, point: LonLat, chain: &Chain) -> String {
    let own = chain.rows().skip(2).last();
    let view = View::of(&extent(directory, point, own.unwrap_or(chain.county)), WIDTH);
    let mut drawing = Drawing::new(directory, view);
    let counties = rows_seen(directory, Layer::County, &view);
    let mut towns = rows_seen(directory, Layer::Cousub, &view);
    towns.truncate(TOWNS_MAX);
    let mut group = |class: &str, rows: &[Row]| {
        let outlines: Vec<String> = rows.iter().map(|row| drawing.outline(*row)).collect();
        html! { g class=(class) { @for data in outlines.iter().filter(|data| !data.is_empty()) { path d=(data) {} } } }
    };
    let areas: Markup = html! {
        (group("near", &counties)) (group("area", &towns)) (group("self", own.as_slice())) (group("line", &counties))
    };
    let (x, y) = drawing.dot(point);
    let mut labels = Labels::new(&view);
    labels.keep_free((x, y), 34);
    let nearest = |chain: &Chain| chain.rows().skip(1).last();
    label_around(&mut labels, directory, nearest, |labels, places, row| {
        labels.add_around(places, directory.name_of(row));
    });
    let drawn = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {} {}", view.width, view.height)) role="img" aria-label="Map of the point" {
            (areas) (labels.draw())
            circle.halo cx=(x) cy=(y) r="22" {}
            circle.dot cx=(x) cy=(y) r="12" {}
            (scale_bar(&view))
        }
    };
    drawn.into_string()
}

/// Returns the part of the Earth around a point that is about as large as the government `around`.
fn extent(directory: &Directory, point: LonLat, around: Row) -> Extent {
    let extent = directory.extent(around);
    let degrees = extent.map_or(0.0, |extent| extent.max.lat_degrees() - extent.min.lat_degrees());
    let reach_m = (degrees * METERS_PER_DEGREE * 0.6).clamp(REACH_M[0], REACH_M[1]);
    Extent::oblong(point, OBLONG * reach_m, reach_m)
}
