//! The map of a point: its surroundings, and the lines near it with the band in which they may be off.

use maud::{Markup, html};

use super::{
    area::{frame, rows_seen},
    parts::{LETTERS_HIGH, Labels, Layer, scale_bar},
};
use crate::{
    maps::{Drawing, Extent, View},
    pages::site::Site,
};
use platbook::{
    directory::{BorderLine, Borders, Directory, Resolution, Row},
    geometry::{LonLat, METERS_PER_DEGREE},
    vocabulary::Layer as Kind,
};

/// Width of a point's map in units; chosen, not measured.
const WIDTH: i32 = 960;

/// Least and most meters from the point to the upper edge of its map, if a line is near.
const REACH_NEAR_M: [f64; 2] = [150.0, 6_000.0];
/// Least and most meters from the point to the upper edge of its map, without a line near it.
const REACH_FAR_M: [f64; 2] = [1_500.0, 20_000.0];

/// Columns and rows of sample points, from which the places of names follow.
const GRID: i32 = 12;

/// Ratio of the map's width to its height.
const OBLONG: f64 = 1.4;

/// Draws the map of a point in its chain, the largest jurisdiction first.
pub(crate) fn spot(site: Site<'_>, point: LonLat, lineage: &[Row], borders: &Borders) -> Markup {
    let directory = site.directory();
    let reach_m = reach_m(directory, borders, lineage);
    let view = View::of(&Extent::oblong(point, OBLONG * reach_m, reach_m), WIDTH);
    let mut drawing = Drawing::new(directory, view);
    let own: Vec<Row> = lineage.iter().copied().skip(2).collect();
    let counties = rows_seen(directory, Kind::County, &view);
    let towns = rows_seen(directory, Kind::Cousub, &view);
    let mut places = rows_seen(directory, Kind::Place, &view);
    places.retain(|place| !towns.iter().any(|town| directory.is_same(*town, *place)));
    let mut layer =
        |class: &'static str, rows: &[Row]| Layer { class, rows, leads: false }.draw(site, &mut drawing);
    let ground = layer("near", &counties);
    let (towns_drawn, places_drawn) = (layer("area", &towns), layer("inner", &places));
    let own_drawn = layer("self", own.last().map_or(&[][..], std::slice::from_ref));
    let county_lines = layer("line", &counties);
    let band = nearest(borders).map(|line| band(&mut drawing, &line, lineage));
    let names = names(directory, &view, drawing.dot(point), own.last().copied());
    let (x, y) = drawing.dot(point);
    frame(
        site,
        &view,
        None,
        "Map of the point and the lines near it",
        &html! {
            g.spot {
            (ground) (towns_drawn) (places_drawn) (own_drawn) (county_lines)
            @if let Some(band) = band { (band) }
            (names)
            circle.halo cx=(x) cy=(y) r="22" {}
            circle.dot cx=(x) cy=(y) r="12" {}
            (scale_bar(&view))
            }
        },
    )
}

/// Names the visible towns and cities, the point's own first. Each name is near the middle of the visible part and inside
/// it, because the middle of the whole may lie miles away.
fn names(directory: &Directory, view: &View, dot: (i32, i32), own: Option<Row>) -> Markup {
    let mut seen: Vec<(Row, Vec<(i32, i32)>)> = Vec::new();
    for (x, y) in (1..GRID).flat_map(|x| (1..GRID).map(move |y| (x, y))) {
        let place = (view.width * x / GRID, view.height * y / GRID);
        let point = view.point_at((f64::from(place.0), f64::from(place.1)));
        let Some(Resolution::Inside(chain)) = point.map(|point| directory.resolve(point)) else { continue };
        let Some(row) = chain.rows().skip(2).last() else { continue };
        match seen.iter_mut().find(|(known, _)| *known == row) {
            Some((_, places)) => places.push(place),
            None => seen.push((row, vec![place])),
        }
    }
    seen.sort_by_key(|(row, _)| Some(*row) != own);
    let mut labels = Labels::large(view);
    for (row, places) in seen {
        let Some((x, y)) = middle(&places) else { continue };
        // A name must not cover the point itself.
        let is_over = (x - dot.0).abs() < view.width / 6 && (y - dot.1).abs() < 2 * LETTERS_HIGH;
        labels
            .add((x, if is_over { dot.1 + 3 * LETTERS_HIGH } else { y }), directory.name_of(row).to_owned());
    }
    labels.draw()
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

/// Returns the nearest line that is near enough to matter.
fn nearest(borders: &Borders) -> Option<BorderLine> {
    let lines = [borders.place, borders.county].into_iter().flatten();
    let near = lines.filter(|line| line.distance_m <= line.uncertainty_m);
    near.min_by(|one, other| one.distance_m.total_cmp(&other.distance_m))
}

/// Returns the distance to show: the line and its band if one is near, else about the size of the smallest government.
fn reach_m(directory: &Directory, borders: &Borders, lineage: &[Row]) -> f64 {
    if let Some(line) = nearest(borders) {
        return (line.distance_m * 1.6).max(line.uncertainty_m * 1.8).clamp(REACH_NEAR_M[0], REACH_NEAR_M[1]);
    }
    let extent = lineage.last().and_then(|row| directory.extent(*row));
    let high_m = extent.map_or(0.0, |extent| {
        let degrees = extent.max.lat_degrees() - extent.min.lat_degrees();
        degrees * METERS_PER_DEGREE
    });
    (high_m * 0.6).clamp(REACH_FAR_M[0], REACH_FAR_M[1])
}

/// Draws the band in which the true line may lie: its uncertainty on both sides.
fn band(drawing: &mut Drawing<'_>, line: &BorderLine, lineage: &[Row]) -> Markup {
    let whose = line.neighbor.or(lineage.last().copied());
    let data = whose.map(|row| drawing.outline(row)).unwrap_or_default();
    let width = 2.0 * line.uncertainty_m / drawing.view().meters_per_unit();
    html! { path.band d=(data) stroke-width=(format!("{width:.0}")) {} }
}
