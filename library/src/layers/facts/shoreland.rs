//! Minnesota's public waters. A file has the basins; streams are lines and in no file.
//!
//! Shoreland is land within 1,000 feet of a lake, pond or flowage (Minnesota Rules, part 6120.2500, subpart 15). That a
//! point is near no basin does not tell that it is near no stream, so only what is likely is told.

use super::attributes::Feature;
use crate::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    snapshot::ArchivedPolygons,
    vocabulary::Shoreland,
};

const BASIN_FT: u16 = 1_000;
const METRES_PER_FOOT: f64 = 0.3048;

/// A lake at the point or near it.
pub(super) fn finding(polygons: &ArchivedPolygons, point: LonLat) -> Option<Finding<Shoreland>> {
    let inside = polygons.at(point).into_iter().map(|number| (number, 0.0));
    let near = polygons.nearest(point, f64::from(BASIN_FT) * METRES_PER_FOOT);
    let mut lakes = inside.chain(near).map(|(number, metres)| (Feature { polygons, number }, metres));
    // The rules leave out wetlands unless the local office says otherwise.
    let (lake, metres) = lakes.find(|(feature, _)| feature.text("pwi_class") != Some("W"))?;
    let name = lake.text("pw_basin_n").or(lake.text("pw_basin_name"));
    let name = name.filter(|name| !name.to_lowercase().starts_with("unnamed"));
    let feet = (metres / METRES_PER_FOOT).round();
    let called = name.map_or("without a name".to_owned(), |name| format!("({name})"));
    let mut finding = Finding::new(
        Shoreland::Likely,
        format!("Likely shoreland: a public lake {called} is within {BASIN_FT} ft."),
    );
    finding.values.push(("water_kind", FactValue::Text("lake".to_owned())));
    finding.values.extend(name.map(|name| ("water_name", FactValue::Text(name.to_owned()))));
    finding.values.push(("distance_ft", FactValue::Number(feet)));
    finding.values.push(("searched_lakes_ft", FactValue::Number(BASIN_FT.into())));
    Some(finding)
}
