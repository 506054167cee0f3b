//! The map of a point: where it is, and the lines near it with the band in which they may be off.

use maud::{Markup, html};

use super::{
    area::{frame, rows_seen},
    parts::{Layer, labels, scale_bar},
};
use crate::{
    directory::{BorderLine, Borders, Row},
    geometry::LonLat,
    maps::{Drawing, Extent, View},
    pages::site::Site,
    vocabulary::Layer as Kind,
};

/// Units that the map of a point is wide.
const WIDTH: i32 = 960;

/// Metres from the point to the edge of its map, at least and at most, and where no line is near.
const REACH_M: [f64; 2] = [200.0, 6_000.0];
const REACH_USUAL_M: f64 = 2_500.0;

/// The map of a point in its chain, the largest jurisdiction first.
pub(crate) fn spot(site: Site<'_>, point: LonLat, lineage: &[Row], borders: &Borders) -> Markup {
    let directory = site.directory();
    let view = View::of(&Extent::around(point, reach_m(borders)), WIDTH);
    let mut drawing = Drawing::new(directory, view);
    let own: Vec<Row> = lineage.iter().copied().skip(2).collect();
    let counties = rows_seen(directory, Kind::County, &view);
    let towns = rows_seen(directory, Kind::Cousub, &view);
    let places = rows_seen(directory, Kind::Place, &view);
    let mut layer =
        |class: &'static str, rows: &[Row]| Layer { class, rows, leads: false }.draw(site, &mut drawing);
    let ground = layer("near", &counties);
    let (towns_drawn, places_drawn) = (layer("area", &towns), layer("inner", &places));
    let own_drawn = layer("self", own.last().map_or(&[][..], std::slice::from_ref));
    let county_lines = layer("line", &counties);
    let band = nearest(borders).map(|line| band(&mut drawing, &line, lineage));
    let names = places.iter().chain(&towns).map(|row| (*row, directory.jurisdiction(*row).name.to_owned()));
    let labels = labels(directory, &view, names.collect::<Vec<_>>());
    let (x, y) = drawing.dot(point);
    frame(
        site,
        &view,
        None,
        "Map of the point and the lines near it",
        &html! {
            (ground) (towns_drawn) (places_drawn) (own_drawn) (county_lines)
            @if let Some(band) = band { (band) }
            (labels)
            circle.halo cx=(x) cy=(y) r="22" {}
            circle.dot cx=(x) cy=(y) r="12" {}
            (scale_bar(&view))
        },
    )
}

/// The nearest line that is near enough to matter.
fn nearest(borders: &Borders) -> Option<BorderLine> {
    let lines = [borders.place, borders.county].into_iter().flatten();
    let near = lines.filter(|line| line.distance_m <= line.uncertainty_m);
    near.min_by(|one, other| one.distance_m.total_cmp(&other.distance_m))
}

fn reach_m(borders: &Borders) -> f64 {
    match nearest(borders) {
        Some(line) => (line.distance_m * 2.0).max(line.uncertainty_m * 2.2).clamp(REACH_M[0], REACH_M[1]),
        None => REACH_USUAL_M,
    }
}

/// The ground on which the line may lie in truth: as wide as it may be off on both sides.
fn band(drawing: &mut Drawing<'_>, line: &BorderLine, lineage: &[Row]) -> Markup {
    let whose = line.neighbour.or(lineage.last().copied());
    let data = whose.map(|row| drawing.outline(row)).unwrap_or_default();
    let width = 2.0 * line.uncertainty_m / drawing.view().metres_per_unit();
    html! { path.band d=(data) stroke-width=(format!("{width:.0}")) {} }
}
