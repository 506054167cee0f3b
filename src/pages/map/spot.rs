//! The map of a point: its surroundings, steps of zoom, and the lines near it. Each line has a band that shows how
//! far it may be off.

use maud::{Markup, html};

use super::{
    WIDTH,
    area::Frame,
    ground,
    parts::{Layer, Leads, nations},
};
use crate::{
    maps::{Drawing, Extent, Labels, View, label_around, rows_seen, scale_bar},
    pages::{
        site::{Site, point_text},
        zoom::Zoom,
    },
};
use platbook::{
    answers::{Data, Found, Matched, Refusal, Request},
    directory::{BorderLine, Borders, Chain, Directory, Row},
    geometry::{LonLat, METERS_PER_DEGREE},
    vocabulary::Layer as Kind,
};

/// Minimum and maximum meters from the point to the upper edge of its map, if a line is near.
const REACH_NEAR_M: [f64; 2] = [150.0, 6_000.0];
/// Minimum and maximum meters from the point to the upper edge of its map, if no line is near.
const REACH_FAR_M: [f64; 2] = [1_500.0, 20_000.0];

/// Meters from the point to the upper edge of the map at [`Zoom::Block`]. Chosen, not measured.
const REACH_BLOCK_M: f64 = 150.0;
/// Meters from the point to the upper edge of the map at [`Zoom::Walk`]. Chosen, not measured.
const REACH_WALK_M: f64 = 1_200.0;

/// Ratio of the map's width to its height.
const OBLONG: f64 = 1.4;

/// Number of columns and rows of the links that move the point. Each link is some 40 pixels wide, so that a finger
/// can hit it.
const CELLS: (i32, i32) = (12, 8);

/// Distance from the point within which no name may lie, in units.
const DOT_ROOM: i32 = 34;

/// Draws the map of a point. `lineage` has its governments, the largest first. Also returns a text on the source of
/// roads and water and on how exact a click is; empty if the map shows none.
pub(crate) fn spot(
    site: Site<'_>,
    point: LonLat,
    lineage: &[Row],
    borders: &Borders,
    zoom: Zoom,
) -> (Markup, String) {
    let directory = site.directory();
    let view = view(directory, point, lineage, borders, zoom);
    let mut drawing = Drawing::new(directory, view);
    let own = lineage.get(2..).and_then(<[Row]>::last).copied();
    let counties = rows_seen(directory, Kind::County, &view);
    let towns = rows_seen(directory, Kind::Cousub, &view);
    let mut places = rows_seen(directory, Kind::Place, &view);
    places.retain(|place| !towns.iter().any(|town| directory.is_same(*town, *place)));
    let mut layer = |class: &'static str, rows: &[Row]| {
        Layer { class, rows, leads: Leads::Nowhere }.draw(site, &mut drawing)
    };
    let areas = html! {
        (layer("near", &counties)) (layer("area", &towns)) (layer("inner", &places)) (layer("self", own.as_slice()))
    };
    let lines = layer("line", &counties);
    let shapes = ground::shapes(site.ground(), &drawing);
    let band = nearest(borders).map(|line| band(&mut drawing, &line, lineage));
    let (x, y) = drawing.dot(point);
    let mut labels = Labels::new(&view);
    labels.keep_free((x, y), DOT_ROOM);
    let hatched = nations(directory, &mut labels);
    name_areas(&mut labels, directory, own);
    ground::label(&mut labels, &shapes);
    let clicked = format!("at:{}:{}", point_text(point), zoom.word());
    let content = html! {
        (areas)
        @if !shapes.is_empty() { (ground::draw(&drawing, &shapes)) }
        (lines) (hatched)
        @if let Some(band) = band { (band) }
        (labels.draw())
        circle.halo cx=(x) cy=(y) r="22" {}
        circle.dot cx=(x) cy=(y) r="12" {}
        (scale_bar(&view))
        (movers(site, &view, zoom))
    };
    let name = "Map of the point and the lines near it";
    let moves = moves(site, point, &view);
    let remark = if shapes.is_empty() {
        String::new()
    } else {
        ground::caption(site.ground(), view.meters_per_unit())
    };
    let frame = Frame { clicked: Some(&clicked), moves: moves.as_deref(), ..Frame::of(&view, name) };
    (frame.draw(site, &content), remark)
}

/// Names the visible towns and cities, starting with the one at the point.
fn name_areas(labels: &mut Labels<'_>, directory: &Directory, own: Option<Row>) {
    let nearest = |chain: &Chain| chain.rows().skip(1).last();
    let is_own = |row: Row| own.is_some_and(|own| directory.is_same(own, row));
    label_around(
        labels,
        directory,
        |chain| nearest(chain).filter(|row| is_own(*row)),
        |labels, places, row| labels.add(places, directory.name_of(row)),
    );
    label_around(
        labels,
        directory,
        |chain| nearest(chain).filter(|row| !is_own(*row)),
        |labels, places, row| labels.add_around(places, directory.name_of(row)),
    );
}

/// Returns the address of the point, the center of the view and its meters per unit. A script moves the view with
/// these values.
fn moves(site: Site<'_>, point: LonLat, view: &View) -> Option<String> {
    let middle = view.point_at((f64::from(view.width) / 2.0, f64::from(view.height) / 2.0))?;
    Some(format!(
        "{} {} {:.4}",
        site.point(point),
        point_text(middle).replace(',', " "),
        view.meters_per_unit()
    ))
}

/// Covers the map with links that move the point to the middle of the link, so that a click works without a script.
/// The links are hidden from keyboards and screen readers, which have the field for coordinates.
fn movers(site: Site<'_>, view: &View, zoom: Zoom) -> Markup {
    let (columns, rows) = CELLS;
    let (wide, high) = (view.width / columns, view.height / rows);
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column * wide, row * high)));
    html! {
        g.movers aria-hidden="true" {
            @for (x, y) in cells {
                @if let Some(point) = view.point_at((f64::from(x + wide / 2), f64::from(y + high / 2))) {
                    a href=(format!("{}{}", site.point(point), zoom.query())) tabindex="-1" { rect x=(x) y=(y) width=(wide) height=(high) {} }
                }
            }
        }
    }
}

/// Links the zoom steps of a point's map. The line step is offered if a line is near. The block step is offered if
/// streets are known, since the map would otherwise be empty.
pub(crate) fn steps(site: Site<'_>, point: LonLat, lineage: &[Row], borders: &Borders, zoom: Zoom) -> Markup {
    let has_line = nearest(borders).is_some();
    let smallest = lineage.last().and_then(|row| site.directory().layer(*row));
    let is_in_town = matches!(smallest, Some(Kind::Cousub | Kind::Place));
    let shown = if zoom == Zoom::Fitting && !has_line { Zoom::Town } else { zoom };
    let is_offered = |step: &Zoom| match step {
        Zoom::Fitting => has_line,
        Zoom::Block => ground::has_streets(site.ground(), &Extent::oblong(point, REACH_WALK_M, REACH_WALK_M)),
        _ => true,
    };
    html! {
        ul.plain.steps { @for step in Zoom::STEPS.into_iter().filter(is_offered) {
            li { a href=(format!("{}{}#map", site.point(point), step.query())) aria-current=[(step == shown).then_some("true")] { (step.words(is_in_town)) } }
        } }
    }
}

/// Returns the view of a point's map.
///
/// # Errors
/// `outside-coverage`.
pub(super) fn view_at(site: Site<'_>, point: LonLat, zoom: Zoom) -> Result<Option<View>, Refusal> {
    let answer = site.answers().finish(&Request::Resolve { point }, Found::default())?;
    let Data::Resolve(resolved) = &answer.data else { return Ok(None) };
    let Matched::Point { borders, .. } = &resolved.matched else { return Ok(None) };
    Ok(Some(view(site.directory(), point, &resolved.lineage, borders, zoom)))
}

fn view(directory: &Directory, point: LonLat, lineage: &[Row], borders: &Borders, zoom: Zoom) -> View {
    let (center, reach_m) = match zoom {
        Zoom::Fitting => (point, fitting_m(directory, borders, lineage)),
        Zoom::Block => (point, REACH_BLOCK_M),
        Zoom::Walk => (point, REACH_WALK_M),
        Zoom::Town => (point, town_m(directory, lineage)),
        Zoom::View(center, meters) => (center, f64::from(meters)),
    };
    View::of(&Extent::oblong(center, OBLONG * reach_m, reach_m), WIDTH)
}

/// Returns the nearest line that is near enough to matter.
fn nearest(borders: &Borders) -> Option<BorderLine> {
    let lines = [borders.place, borders.county].into_iter().flatten();
    let near = lines.filter(|line| line.distance_m <= line.uncertainty_m);
    near.min_by(|one, other| one.distance_m.total_cmp(&other.distance_m))
}

/// Returns the meters from the point to the upper edge of its map. The map shows a near line with its band, or else
/// the smallest government.
fn fitting_m(directory: &Directory, borders: &Borders, lineage: &[Row]) -> f64 {
    match nearest(borders) {
        Some(line) => {
            (line.distance_m * 1.6).max(line.uncertainty_m * 1.8).clamp(REACH_NEAR_M[0], REACH_NEAR_M[1])
        }
        None => town_m(directory, lineage),
    }
}

fn town_m(directory: &Directory, lineage: &[Row]) -> f64 {
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
