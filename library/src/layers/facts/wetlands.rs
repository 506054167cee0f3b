//! Wetlands: the National Wetlands Inventory, as a state's download.

use super::attributes::Feature;
use crate::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    snapshot::ArchivedPolygons,
    vocabulary::Wetlands,
};

/// How near a wetland is called near, in feet.
const NEAR_FT: u16 = 300;
const METRES_PER_FOOT: f64 = 0.3048;

/// A wetland at the point or near it; that there is none only where the file says that it reaches here.
pub(super) fn finding(polygons: &ArchivedPolygons, point: LonLat) -> Option<Finding<Wetlands>> {
    let here = polygons.at(point).into_iter().next();
    let near = || polygons.nearest(point, f64::from(NEAR_FT) * METRES_PER_FOOT);
    let mut finding = if let Some(number) = here {
        let feature = Feature { polygons, number };
        let summary = format!("The inventory maps a wetland at this point: {}.", named(&feature));
        Finding { values: values(&feature), ..Finding::new(Wetlands::Yes, summary) }
    } else if let Some((number, metres)) = near() {
        let feature = Feature { polygons, number };
        let feet = (metres / METRES_PER_FOOT).round();
        let summary =
            format!("No wetland is mapped at this point, but {feet} ft from it: {}.", named(&feature));
        let mut values = values(&feature);
        values.push(("distance_ft", FactValue::Number(feet)));
        Finding { values, ..Finding::new(Wetlands::Near, summary) }
    } else if polygons.reaches(point) {
        Finding::new(Wetlands::No, format!("No wetland is mapped within {NEAR_FT} ft of this point."))
    } else {
        return None;
    };
    finding.values.push(("searched_ft", FactValue::Number(NEAR_FT.into())));
    Some(finding)
}

fn named(feature: &Feature<'_>) -> String {
    let kind = feature.text("wetland_ty").or(feature.text("wetland_type")).unwrap_or("wetland");
    feature.text("attribute").map_or(kind.to_owned(), |code| format!("{kind} ({code})"))
}

fn values(feature: &Feature<'_>) -> Vec<(&'static str, FactValue)> {
    let kind = feature.value("wetland_type", "wetland_ty").or(feature.value("wetland_type", "wetland_type"));
    let acres = feature.number("acres").filter(|acres| *acres > 0.0);
    let acres = acres.map(|acres| ("acres", FactValue::Number((acres * 100.0).round() / 100.0)));
    kind.into_iter().chain(feature.value("wetland_code", "attribute")).chain(acres).collect()
}
