//! Map units of the soil survey: SSURGO, as a survey area's download. Its tables were joined when the file was made.

use super::{attributes::Feature, features_at};
use crate::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    snapshot::ArchivedPolygons,
    vocabulary::Soils,
};

/// Symbol of a map unit where nobody has mapped the soil.
const NOT_MAPPED: &str = "NOTCOM";

/// The map unit at the point.
pub(super) fn finding(polygons: &ArchivedPolygons, point: LonLat) -> Option<Finding<Soils>> {
    let features = features_at(polygons, point);
    let feature = features.first()?;
    if feature.text("musym") == Some(NOT_MAPPED) {
        return Some(Finding::new(Soils::None, "The soil of this point has not been mapped."));
    }
    let name = feature.text("muname")?;
    let mut finding = Finding::new(Soils::Ok, format!("The soil map has here: {name}."));
    finding.values.push(("map_unit", FactValue::Text(name.to_owned())));
    for (value, field) in [
        ("map_unit_symbol", "musym"),
        ("map_unit_key", "mukey"),
        ("survey_area", "areasymbol"),
        ("drainage_class", "drclassdcd"),
        ("hydrologic_group", "hydgrpdcd"),
        ("farmland_class", "farmlndcl"),
    ] {
        finding.values.extend(feature.value(value, field));
    }
    let hydric = feature.number("hydclprs");
    finding.values.extend(hydric.map(|percent| ("hydric_percent", FactValue::Number(percent))));
    finding.detail = detail(feature, hydric);
    finding.as_of = feature.text("saverest").map(str::to_owned);
    Some(finding)
}

fn detail(feature: &Feature<'_>, hydric: Option<f64>) -> Option<String> {
    let drainage =
        feature.text("drclassdcd").map(|class| format!("Its main soil is {}.", class.to_lowercase()));
    let hydric = hydric.filter(|percent| *percent > 0.0);
    let hydric = hydric.map(|percent| {
        format!("About {percent} % of the map unit is hydric soil, as it is found in wetlands.")
    });
    let sentences: Vec<String> = drainage.into_iter().chain(hydric).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
