//! Flood hazard areas, from FEMA's National Flood Hazard Layer (`S_FLD_HAZ_AR`) or a county's download of that layer.
//!
//! The flag `SFHA_TF`, not the letter of the zone, decides what a zone means. A point without a zone lies on no
//! digital map, or in a gap of a map.

use super::{
    Attributes, FactRow, FactStatus, FactValue, Judged, Values,
    fact::{number, text},
};
use crate::{
    geometry::METERS_PER_FOOT,
    vocabulary::{Function, OutsideSource, Topic},
};

pub(super) static ROW: FactRow = FactRow {
    word: "flood",
    schema: "Flood",
    about: "Flood zone.",
    about_statuses: "Flood zone.",
    statuses: &[
        (FactStatus::Sfha, "In a special flood hazard area."),
        (FactStatus::Moderate, "Moderate hazard."),
        (FactStatus::Minimal, "Minimal hazard."),
        (FactStatus::Unmapped, "On no flood map."),
        (FactStatus::Unknown, "Not checked."),
    ],
    source: OutsideSource::published(
        "National Flood Hazard Layer",
        "https://www.fema.gov/flood-maps/national-flood-hazard-layer",
        "Federal Emergency Management Agency",
    ),
    function: Some(Function::Permits),
    topic: Some(Topic::Floodplain),
    page: Some("https://msc.fema.gov/portal/home"),
    only_in: None,
};

/// The statement of the flood map about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Flood {
    /// The zone at the point; `None` if the map has no zone there.
    pub zone: Option<FloodZone>,
    /// Whether a digital map covers the area. Without a zone, the point then lies in a gap of the map.
    pub is_mapped: bool,
    /// Number of the panel of the flood insurance rate map, if it was looked up.
    pub firm_panel: Option<String>,
}

/// A zone of the flood map.
#[derive(Clone, Debug, PartialEq)]
pub struct FloodZone {
    /// FEMA's name of the zone, such as `AE`.
    pub zone: String,
    /// FEMA's name of the kind of zone, such as `FLOODWAY`.
    pub subtype: Option<String>,
    /// The hazard that the zone stands for.
    pub hazard: FloodHazard,
    /// Base flood elevation in feet, if stated.
    pub base_flood_elevation_ft: Option<f64>,
    /// Datum of the elevation, such as `NAVD88`.
    pub vertical_datum: Option<String>,
    /// Depth of the base flood in feet, if stated.
    pub depth_ft: Option<f64>,
}

/// The hazard of a zone, the greatest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FloodHazard {
    /// A special flood hazard area.
    Special,
    /// Zone X with moderate hazard.
    Moderate,
    /// Zone X without a statement whether its hazard is moderate or minimal.
    ModerateOrMinimal,
    /// Zone D: floods are possible, but their hazard was not studied.
    NotStudied,
    /// Open water, which has no zone.
    OpenWater,
    /// A letter that contradicts its flag, or an undetermined flag.
    Unclear,
    /// Zone X with minimal hazard.
    Minimal,
}

impl FloodZone {
    /// The zone of the greatest hazard; a floodway comes before the rest of its area. `None` if no feature has a
    /// zone. Several features are possible: a point may lie on the line between zones, and maps of two kinds of
    /// floods overlap.
    pub fn greatest(features: &[impl Attributes]) -> Option<FloodZone> {
        let is_floodway =
            |zone: &FloodZone| zone.subtype.as_ref().is_some_and(|subtype| subtype.contains("FLOODWAY"));
        features.iter().filter_map(FloodZone::read).min_by_key(|zone| (zone.hazard, !is_floodway(zone)))
    }

    fn read(feature: &impl Attributes) -> Option<FloodZone> {
        let zone = feature.text("fld_zone")?.to_owned();
        let subtype = feature.text("zone_subty").map(str::to_owned);
        let hazard = hazard(&zone, subtype.as_deref(), feature.text("sfha_tf"));
        Some(FloodZone {
            base_flood_elevation_ft: feet(feature, "static_bfe"),
            vertical_datum: feature.text("v_datum").map(str::to_owned),
            depth_ft: feet(feature, "depth"),
            zone,
            subtype,
            hazard,
        })
    }

    fn values(&self) -> Values {
        let datum = self.vertical_datum.as_deref().filter(|_| self.base_flood_elevation_ft.is_some());
        let is_special = FactValue::Flag(self.hazard == FloodHazard::Special);
        let values = [
            text("zone", Some(&self.zone)),
            text("subtype", self.subtype.as_deref()),
            Some(("special_flood_hazard_area", is_special)),
            number("base_flood_elevation_ft", self.base_flood_elevation_ft),
            text("vertical_datum", datum),
            number("flood_depth_ft", self.depth_ft),
        ];
        values.into_iter().flatten().collect()
    }

    fn status(&self) -> FactStatus {
        match self.hazard {
            FloodHazard::Special => FactStatus::Sfha,
            // The more cautious status is given if the map does not say which applies.
            FloodHazard::Moderate | FloodHazard::ModerateOrMinimal => FactStatus::Moderate,
            FloodHazard::Minimal => FactStatus::Minimal,
            FloodHazard::NotStudied | FloodHazard::OpenWater | FloodHazard::Unclear => FactStatus::Unknown,
        }
    }
}

fn hazard(zone: &str, subtype: Option<&str>, flag: Option<&str>) -> FloodHazard {
    let is_minimal = |subtype: &str| subtype.eq_ignore_ascii_case("AREA OF MINIMAL FLOOD HAZARD");
    match (flag, zone) {
        (Some("T"), _) => FloodHazard::Special,
        (Some("F"), "X") if subtype.is_some_and(is_minimal) => FloodHazard::Minimal,
        (Some("F"), "X") if subtype.is_some() => FloodHazard::Moderate,
        (Some("F"), "X") => FloodHazard::ModerateOrMinimal,
        (Some("F"), "D") => FloodHazard::NotStudied,
        (Some("F"), "OPEN WATER") => FloodHazard::OpenWater,
        // Zones A and V are special flood hazard areas by definition, so any other flag contradicts the letter.
        _ => FloodHazard::Unclear,
    }
}

/// A height in feet, converted from the unit that the feature names; `None` for an unknown unit.
fn feet(feature: &impl Attributes, field: &str) -> Option<f64> {
    let number = feature.number(field)?;
    match feature.text("len_unit").map(str::to_lowercase).as_deref() {
        None | Some("feet" | "foot" | "ft") => Some(number),
        Some("meters" | "metres" | "meter" | "m") => Some((number / METERS_PER_FOOT * 10.0).round() / 10.0),
        Some(_) => None,
    }
}

impl Judged for Flood {
    fn status(&self) -> FactStatus {
        match &self.zone {
            Some(zone) => zone.status(),
            None if self.is_mapped => FactStatus::Unknown,
            None => FactStatus::Unmapped,
        }
    }

    fn values(&self) -> Values {
        let panel = text("firm_panel", self.firm_panel.as_deref());
        let zone = self.zone.as_ref().map_or_else(Vec::new, FloodZone::values);
        zone.into_iter().chain(panel).collect()
    }
}
