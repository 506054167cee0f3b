//! FEMA's National Flood Hazard Layer: the zone at a point, and the panel of the flood map that it is from.
//!
//! What a zone means is told by its flag (`SFHA_TF`), not by its letter. A point without a zone is on no digital map, or in
//! a gap of one; the layer of areas that have a digital map tells which.

use super::{
    ControlQuestion, LAKE, Query,
    arcgis::{self, Feature},
};
use crate::upstream::{fault::Fault, fetch::Reply};
use platbook::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    vocabulary::Flood,
};

/// Where it answers when nothing else is set.
pub(crate) const BASE: &str = "https://hazards.fema.gov/arcgis/rest/services/public/NFHL/MapServer";

const FEET_PER_METRE: f64 = 3.280_839_895;

/// Asks for zones.
pub(crate) fn zones(point: LonLat) -> Query {
    let fields = "FLD_ZONE,ZONE_SUBTY,SFHA_TF,STATIC_BFE,DEPTH,LEN_UNIT,V_DATUM";
    arcgis::at("/28/query", point, fields)
}

/// All of a city with a digital map is in some zone.
pub(crate) fn control() -> ControlQuestion {
    ControlQuestion { query: zones(LAKE.point()), finds: |reply| Ok(read_zones(reply)?.is_some()) }
}

/// Asks for the panel of the map. Its date stands here; to ask the zones for it would be an error.
pub(crate) fn panels(point: LonLat) -> Query {
    arcgis::at("/3/query", point, "FIRM_PAN,EFF_DATE,PANEL_TYP")
}

/// Asks whether there is a digital map.
pub(crate) fn availability(point: LonLat) -> Query {
    arcgis::count_at("/0/query", point)
}

/// A panel of the map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Panel {
    number: Option<String>,
    effective: Option<String>,
}

/// Reads panels; of several the latest.
pub(crate) fn read_panels(reply: &Reply) -> Result<Option<Panel>, Fault> {
    let features = arcgis::features(reply)?;
    let panels = features.iter().map(|feature| Panel {
        number: feature.text("FIRM_PAN").map(str::to_owned),
        effective: feature.date("EFF_DATE"),
    });
    Ok(panels.max_by(|one, other| one.effective.cmp(&other.effective)))
}

/// Reads whether there is a digital map.
pub(crate) fn read_availability(reply: &Reply) -> Result<bool, Fault> {
    arcgis::count(reply).map(|count| count > 0)
}

/// Reads zones: of several, as on the line between two, the one with the greatest hazard. `None` where there is none.
pub(crate) fn read_zones(reply: &Reply) -> Result<Option<Finding<Flood>>, Fault> {
    let features = arcgis::features(reply)?;
    if features.iter().any(|feature| !feature.has("FLD_ZONE")) {
        return Err(Fault::Unreadable);
    }
    let findings = features.iter().map(finding);
    Ok(findings.min_by_key(|finding| match finding.status {
        Flood::Sfha => 0,
        Flood::Moderate => 1,
        Flood::Unknown => 2,
        Flood::Minimal | Flood::Unmapped => 3,
    }))
}

/// The finding with what the panel tells.
pub(crate) fn on_panel(mut finding: Finding<Flood>, panel: Option<Panel>) -> Finding<Flood> {
    let Panel { number, effective } = panel.unwrap_or_default();
    finding.values.extend(number.map(|number| ("firm_panel", FactValue::Text(number))));
    finding.as_of = effective;
    finding
}

/// The finding where no zone is: on no digital map, or in a gap of one.
pub(crate) fn without_zone(has_map: bool, panel: Option<&Panel>) -> Finding<Flood> {
    if has_map {
        let summary = "FEMA has a digital flood map of this area, but it has no zone at this point.";
        return Finding::new(Flood::Unknown, summary);
    }
    let summary = "FEMA has no digital flood map of this point. That does not mean that it cannot flood.";
    let number = panel.and_then(|panel| panel.number.as_ref());
    let detail = match number {
        Some(number) => format!("It lies on panel {number}, which may be printed on paper only."),
        None => "An older map on paper may exist; the local floodplain office knows.".to_owned(),
    };
    Finding { detail: Some(detail), ..Finding::new(Flood::Unmapped, summary) }
}

fn finding(feature: &Feature) -> Finding<Flood> {
    let zone = feature.text("FLD_ZONE").unwrap_or("without a name");
    let subtype = feature.text("ZONE_SUBTY");
    let (status, summary, remark) = judged(zone, subtype, feature.text("SFHA_TF"));
    let mut values = vec![("zone", FactValue::Text(zone.to_owned()))];
    values.extend(subtype.map(|subtype| ("subtype", FactValue::Text(subtype.to_owned()))));
    values.push(("special_flood_hazard_area", FactValue::Flag(status == Flood::Sfha)));
    let datum = feature.text("V_DATUM");
    let elevation = feature.number("STATIC_BFE").and_then(|number| feet(feature, number));
    values.extend(elevation.map(|feet| ("base_flood_elevation_ft", FactValue::Number(feet))));
    values.extend(
        datum
            .filter(|_| elevation.is_some())
            .map(|datum| ("vertical_datum", FactValue::Text(datum.to_owned()))),
    );
    let depth = feature.number("DEPTH").and_then(|number| feet(feature, number));
    values.extend(depth.map(|feet| ("flood_depth_ft", FactValue::Number(feet))));
    let height = elevation.map(|feet| {
        let datum = datum.map_or(String::new(), |datum| format!(" ({datum})"));
        format!("The base flood elevation is {feet} ft{datum}.")
    });
    let sentences: Vec<String> = remark.into_iter().chain(height).collect();
    let detail = (!sentences.is_empty()).then(|| sentences.join(" "));
    Finding { detail, values, ..Finding::new(status, summary) }
}

/// What a zone means: its status, a summary, and a remark.
fn judged(zone: &str, subtype: Option<&str>, flag: Option<&str>) -> (Flood, String, Option<String>) {
    let kind = subtype.map(|subtype| format!("The map calls it: {}.", subtype.to_lowercase()));
    match flag {
        Some("T") => {
            let summary = format!(
                "In a special flood hazard area (zone {zone}): a chance of at least 1 percent in any year that it floods."
            );
            (Flood::Sfha, summary, kind)
        }
        Some("F") if zone == "X" => low(subtype, kind),
        Some("F") if zone == "D" => {
            let summary = "Zone D: floods are possible here, but FEMA has not studied how likely they are.";
            (Flood::Unknown, summary.to_owned(), kind)
        }
        Some("F") if zone == "OPEN WATER" => {
            (Flood::Unknown, "Open water: the flood map gives no zone here.".to_owned(), kind)
        }
        // Zones A and V are special flood hazard areas by definition: such a flag contradicts the letter.
        _ => {
            let summary =
                format!("The flood map has zone {zone} here, but does not tell clearly what that means.");
            (Flood::Unknown, summary, kind)
        }
    }
}

/// Zone X is of moderate or of minimal hazard; its subtype tells.
fn low(subtype: Option<&str>, kind: Option<String>) -> (Flood, String, Option<String>) {
    match subtype {
        Some(subtype) if subtype.eq_ignore_ascii_case("AREA OF MINIMAL FLOOD HAZARD") => {
            let summary = "Zone X, minimal flood hazard: outside the areas that are likely to flood.";
            (Flood::Minimal, summary.to_owned(), None)
        }
        Some(_) => {
            let summary =
                "Zone X, moderate flood hazard: less likely to flood than a special flood hazard area.";
            (Flood::Moderate, summary.to_owned(), kind)
        }
        None => {
            let summary = "Zone X, outside the special flood hazard area.";
            let remark =
                "The map does not say whether the hazard is moderate or minimal; the more cautious is given.";
            (Flood::Moderate, summary.to_owned(), Some(remark.to_owned()))
        }
    }
}

/// A height in feet. One in another unit is converted, one in an unknown unit is none.
fn feet(feature: &Feature, number: f64) -> Option<f64> {
    match feature.text("LEN_UNIT").map(str::to_lowercase).as_deref() {
        None | Some("feet" | "foot" | "ft") => Some(number),
        Some("meters" | "metres" | "meter" | "m") => Some((number * FEET_PER_METRE * 10.0).round() / 10.0),
        Some(_) => None,
    }
}
