//! Maps in pages: chooses the visible areas and their links, and turns a click into a point.

mod area;
mod ground;
mod nation;
mod parts;
mod spot;

use serde_json::json;

use super::{route::Clicked, site::Site, words::full_name};
use crate::maps;
use platbook::{
    answers::Refusal,
    directory::{Lookup, Row},
    geometry::LonLat,
    vocabulary::{JurisdictionId, ProblemKind},
};

pub(super) use area::{place, state};
pub(super) use nation::nation;
pub(super) use spot::{spot, steps};

/// Width of a map in units: 480 pixels, the width of the right column on a wide screen.
const WIDTH: i32 = 480 * maps::UNITS_PER_PIXEL;

/// Returns the outline of a jurisdiction as a GeoJSON file.
///
/// # Errors
/// `unknown-jurisdiction`; `not-found` if the snapshot has no outline of the jurisdiction.
pub(super) fn boundary(site: Site<'_>, id: &JurisdictionId) -> Result<String, Refusal> {
    let row = row_of_id(site, id)?;
    let view = site.directory().jurisdiction(row);
    let source = site.directory().source(view.source);
    let properties = json!({
        "name": full_name(&view),
        "jurisdiction_id": id.to_string(),
        "source": source.name,
        "publisher": source.publisher,
        "vintage": view.tiger_vintage,
        "scale": source.scale.map(|scale| scale.to_string()),
        "simplified_m": source.simplified_m,
    });
    let none = || Refusal::new(ProblemKind::NotFound, format!("this data has no outline of {id}"));
    maps::geojson(site.directory(), row, &properties).ok_or_else(none)
}

/// Returns the point on the ground under a click on a map. `place` is the position of the click, in units of the
/// drawing.
///
/// # Errors
/// `unknown-jurisdiction`; `bad-point` if the click is not on the Earth; `outside-coverage` for the map of a foreign
/// point.
pub(super) fn clicked(site: Site<'_>, map: &Clicked, place: (f64, f64)) -> Result<LonLat, Refusal> {
    let off =
        || Refusal::new(ProblemKind::BadPoint, "the click was beside the map; click on it, or type a place");
    let view = match map {
        Clicked::Place(id) => area::view(site.directory(), row_of_id(site, id)?),
        Clicked::Spot(point, zoom) => spot::view_at(site, *point, *zoom)?,
    };
    view.and_then(|view| view.point_at(place)).ok_or_else(off)
}

fn row_of_id(site: Site<'_>, id: &JurisdictionId) -> Result<Row, Refusal> {
    match site.directory().lookup(id) {
        Lookup::Found(row) => Ok(row),
        Lookup::Replaced(_) | Lookup::Unknown => {
            Err(Refusal::new(ProblemKind::UnknownJurisdiction, format!("no jurisdiction has the id {id}")))
        }
    }
}
