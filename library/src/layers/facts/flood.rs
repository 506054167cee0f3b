//! Flood hazard areas: FEMA's layer `S_FLD_HAZ_AR`, of the National Flood Hazard Layer or of a county's own download.

use super::{attributes::Feature, features_at};
use crate::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    snapshot::ArchivedPolygons,
    vocabulary::Flood,
};

/// The zone at a point: of several, as where maps of two kinds of floods overlap, the one with the greatest hazard. Where
/// no zone is, nothing is said: the file may leave out what has little hazard.
pub(super) fn finding(polygons: &ArchivedPolygons, point: LonLat) -> Option<Finding<Flood>> {
    let features = features_at(polygons, point);
    features.iter().filter_map(of_zone).min_by_key(rank)
}

/// The greatest hazard first; a floodway before the rest of its area.
fn rank(finding: &Finding<Flood>) -> (u8, bool) {
    let hazard = match finding.status {
        Flood::Sfha => 0,
        Flood::Moderate => 1,
        Flood::Unknown => 2,
        Flood::Minimal | Flood::Unmapped => 3,
    };
    let is_floodway = finding.values.iter().any(|(name, value)| {
        *name == "subtype" && matches!(value, FactValue::Text(text) if text.contains("FLOODWAY"))
    });
    (hazard, !is_floodway)
}

fn of_zone(feature: &Feature<'_>) -> Option<Finding<Flood>> {
    let zone = feature.text("fld_zone")?;
    let subtype = feature.text("zone_subty");
    let (status, summary) = judged(zone, subtype, feature.text("sfha_tf"));
    let mut finding = Finding::new(status, summary);
    finding.values.push(("zone", FactValue::Text(zone.to_owned())));
    finding.values.extend(feature.value("subtype", "zone_subty"));
    finding.values.push(("special_flood_hazard_area", FactValue::Flag(status == Flood::Sfha)));
    let is_in_feet = feature.text("len_unit").is_none_or(|unit| unit.to_lowercase().starts_with('f'));
    let elevation = feature.number("static_bfe").filter(|_| is_in_feet);
    finding.values.extend(elevation.map(|feet| ("base_flood_elevation_ft", FactValue::Number(feet))));
    finding.values.extend(feature.value("vertical_datum", "v_datum").filter(|_| elevation.is_some()));
    let depth = feature.number("depth").filter(|_| is_in_feet);
    finding.values.extend(depth.map(|feet| ("flood_depth_ft", FactValue::Number(feet))));
    let kind = subtype.map(|subtype| format!("The map calls it: {}.", subtype.to_lowercase()));
    let height = elevation.map(|feet| format!("The base flood elevation is {feet} ft."));
    let sentences: Vec<String> = kind.into_iter().chain(height).collect();
    finding.detail = (!sentences.is_empty()).then(|| sentences.join(" "));
    Some(finding)
}

/// What a zone means. Its flag tells, not its letter.
fn judged(zone: &str, subtype: Option<&str>, flag: Option<&str>) -> (Flood, String) {
    let text = |text: &str| text.to_owned();
    match (flag, zone) {
        (Some("T"), _) => (
            Flood::Sfha,
            format!(
                "In a special flood hazard area (zone {zone}): a chance of at least 1 percent in any year that it floods."
            ),
        ),
        (Some("F"), "X")
            if subtype
                .is_some_and(|subtype| subtype.eq_ignore_ascii_case("AREA OF MINIMAL FLOOD HAZARD")) =>
        {
            (
                Flood::Minimal,
                text("Zone X, minimal flood hazard: outside the areas that are likely to flood."),
            )
        }
        (Some("F"), "X") if subtype.is_some() => (
            Flood::Moderate,
            text("Zone X, moderate flood hazard: less likely to flood than a special flood hazard area."),
        ),
        (Some("F"), "X") => (
            Flood::Moderate,
            text(
                "Zone X, outside the special flood hazard area; the map does not say whether the hazard is moderate or minimal, and the more cautious is given.",
            ),
        ),
        (Some("F"), "D") => (
            Flood::Unknown,
            text("Zone D: floods are possible here, but FEMA has not studied how likely they are."),
        ),
        _ => (
            Flood::Unknown,
            format!("The flood map has zone {zone} here, but does not tell clearly what that means."),
        ),
    }
}
