//! Roads, rivers and lakes below the lines of a map, if a layer file has them.

use maud::{Markup, html};

use crate::maps::{Drawing, Extent, Labels};
use platbook::{
    geometry::METERS_PER_FOOT,
    map_files::{Ground, GroundShape},
    vocabulary::GroundClass,
};

/// Maximum meters per unit of a map that draws streets, and of a map that names them. Such maps show about 2 miles,
/// and half a mile. Chosen, not measured.
const STREETS_M: f64 = 4.0;
const STREET_NAMES_M: f64 = 1.0;

/// Maximum meters per unit of a map that draws main roads: maps of some 40 miles, as most whole counties need. A larger
/// map shows only highways.
const ROADS_M: f64 = 75.0;

/// Maximum number of names of roads and waters on a map; chosen, not measured.
const NAMES_MAX: usize = 12;

/// Distance by which a click may miss, in units: two pixels on a wide screen.
const MISS: f64 = 4.0;

/// Classes with their names in the style sheet, in the order in which they are drawn. A later class covers earlier
/// ones.
const CLASSES: [(GroundClass, &str); 5] = [
    (GroundClass::Lake, "lake"),
    (GroundClass::River, "river"),
    (GroundClass::Street, "street"),
    (GroundClass::Road, "road"),
    (GroundClass::Highway, "highway"),
];

/// Draws lines and areas of the ground.
pub(super) fn draw(drawing: &Drawing<'_>, shapes: &[GroundShape]) -> Markup {
    let paths = CLASSES.map(|(class, name)| {
        let of_class = shapes.iter().filter(|shape| shape.class == class);
        let data: String = of_class.flat_map(|shape| &shape.parts).map(|part| drawing.line(part)).collect();
        (name, data)
    });
    html! { g.ground { @for (name, data) in paths.iter().filter(|(_, data)| !data.is_empty()) { path class=(name) d=(data) {} } } }
}

/// Returns the shapes that layer files have of the ground in a view.
pub(super) fn shapes(ground: &Ground, drawing: &Drawing<'_>) -> Vec<GroundShape> {
    let view = drawing.view();
    let least = match view.meters_per_unit() {
        meters if meters <= STREETS_M => GroundClass::Street,
        meters if meters <= ROADS_M => GroundClass::Road,
        _ => GroundClass::Highway,
    };
    view.seen().boxes().into_iter().flat_map(|bbox| ground.meeting(bbox, least)).collect()
}

/// Returns whether a layer file has streets or roads in a part of the map.
pub(super) fn has_streets(ground: &Ground, extent: &Extent) -> bool {
    let has_one = |bbox| {
        ground.meeting(bbox, GroundClass::Street).iter().any(|shape| shape.class >= GroundClass::Street)
    };
    extent.boxes().into_iter().any(has_one)
}

/// A road or a body of water with a name.
struct Named<'s> {
    class: GroundClass,
    name: &'s str,
    /// The vertices within the view, in units.
    places: Vec<(i32, i32)>,
}

/// Names roads and waters, the most important class first. Each name is written once, near the middle of the visible
/// part.
pub(super) fn label(labels: &mut Labels<'_>, shapes: &[GroundShape]) {
    let view = *labels.view();
    let is_named = |class| class != GroundClass::Street || view.meters_per_unit() <= STREET_NAMES_M;
    let mut named: Vec<Named<'_>> = Vec::new();
    for shape in shapes.iter().filter(|shape| !shape.name.is_empty() && is_named(shape.class)) {
        let places = shape.parts.iter().flatten().map(|point| view.place(*point));
        let whole = places.map(|(x, y)| (x.round() as i32, y.round() as i32));
        let seen = whole.filter(|(x, y)| (0..view.width).contains(x) && (0..view.height).contains(y));
        match named.iter_mut().find(|known| known.name == shape.name) {
            Some(known) => known.places.extend(seen),
            None => named.push(Named { class: shape.class, name: &shape.name, places: seen.collect() }),
        }
    }
    named.retain(|one| !one.places.is_empty());
    named.sort_by_key(|one| std::cmp::Reverse((one.class, one.places.len())));
    for one in named.iter().take(NAMES_MAX) {
        labels.add_way(&one.places, one.name, matches!(one.class, GroundClass::Lake | GroundClass::River));
    }
}

/// Says where the roads and waters come from, and how exact a click is.
pub(super) fn caption(ground: &Ground, meters_per_unit: f64) -> String {
    let sources = ground.sources();
    let names =
        sources.iter().map(|(source, as_of)| format!("{}, {} ({as_of})", source.publisher, source.name));
    let feet = (MISS * meters_per_unit / METERS_PER_FOOT / 5.0).ceil() * 5.0;
    format!(
        "Roads and water: {}. A click is exact to about {feet} feet here.",
        names.collect::<Vec<_>>().join("; ")
    )
}
