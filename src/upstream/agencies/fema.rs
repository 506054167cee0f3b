//! FEMA's National Flood Hazard Layer: the zone at a point, and the panel of the flood map with this zone.
//!
//! A point without a zone lies outside all digital maps, or in a gap of a map. The layer of mapped areas
//! distinguishes these two cases.

use super::{Agency, LAKE, arcgis};
use crate::upstream::{
    control::ControlQuestion,
    fetch::{Query, Reply},
    service::Line,
};
use platbook::{
    facts::{Attributes as _, Fact, FactKey, Fault, Flood, FloodZone, Said},
    geometry::LonLat,
};

pub(super) const AGENCY: Agency = Agency {
    key: FactKey::Flood,
    base: "https://hazards.fema.gov/arcgis/rest/services/public/NFHL/MapServer",
    // The control point is in a lake of a city with a digital map: each point of this map lies in a zone.
    control: || ControlQuestion {
        query: zones(LAKE.point()),
        finds: |reply| Ok(read_zones(reply)?.is_some()),
    },
    fact: |line, point| Box::pin(ask(line, point)),
};

async fn ask(line: &Line, point: LonLat) -> Result<Fact, Fault> {
    let zone = line.ask(zones(point), read_zones);
    // Only panels have a date: a query for a zone's date would fail.
    let panel = line.ask(arcgis::at("/3/query", point, "FIRM_PAN,EFF_DATE,PANEL_TYP"), read_panels);
    let (zone, panel) = tokio::join!(zone, panel);
    let zone = zone?;
    let is_mapped =
        zone.is_some() || line.ask(arcgis::count_at("/0/query", point), read_availability).await?;
    // The zone matters most, so the fact does not fail if the panel query fails.
    Ok(on_panel(zone, is_mapped, panel.ok().flatten()))
}

fn zones(point: LonLat) -> Query {
    let fields = "FLD_ZONE,ZONE_SUBTY,SFHA_TF,STATIC_BFE,DEPTH,LEN_UNIT,V_DATUM";
    arcgis::at("/28/query", point, fields)
}

/// A panel of the map: its number, and the day from which it is effective. `None` for a missing value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Panel {
    number: Option<String>,
    effective: Option<String>,
}

/// Reads panels and returns the latest; `None` if there are no panels.
pub(super) fn read_panels(reply: &Reply) -> Result<Option<Panel>, Fault> {
    let features = arcgis::features(reply)?;
    let panels = features.iter().map(|feature| Panel {
        number: feature.text("firm_pan").map(str::to_owned),
        effective: feature.date("eff_date"),
    });
    Ok(panels.max_by(|one, other| one.effective.cmp(&other.effective)))
}

/// Reads whether a digital map covers the point.
pub(super) fn read_availability(reply: &Reply) -> Result<bool, Fault> {
    arcgis::count(reply).map(|count| count > 0)
}

/// Reads zones and returns the one with the greatest risk; `None` if there are no zones.
pub(super) fn read_zones(reply: &Reply) -> Result<Option<FloodZone>, Fault> {
    let features = arcgis::features(reply)?;
    if features.iter().any(|feature| !feature.has("fld_zone")) {
        return Err(Fault::Unreadable);
    }
    Ok(FloodZone::greatest(&features))
}

/// Makes the fact from the zone and the panel with this zone.
pub(super) fn on_panel(zone: Option<FloodZone>, is_mapped: bool, panel: Option<Panel>) -> Fact {
    let Panel { number, effective } = panel.unwrap_or_default();
    let said = Said::Flood(Flood { zone, is_mapped, firm_panel: number });
    Fact { as_of: effective, ..Fact::new(FactKey::Flood, said) }
}
