//! FEMA's National Flood Hazard Layer: the zone at a point, and the panel of the flood map that it is from.
//!
//! A point without a zone is on no digital map, or in a gap of one; the layer of areas that have a digital map says which.

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
    // All of a city with a digital map is in some zone.
    control: || ControlQuestion {
        query: zones(LAKE.point()),
        finds: |reply| Ok(read_zones(reply)?.is_some()),
    },
    fact: |line, point| Box::pin(ask(line, point)),
};

async fn ask(line: &Line, point: LonLat) -> Result<Fact, Fault> {
    let zone = line.ask(zones(point), read_zones);
    // The date stands on the panel: zones have none, and to ask them for one is an error.
    let panel = line.ask(arcgis::at("/3/query", point, "FIRM_PAN,EFF_DATE,PANEL_TYP"), read_panels);
    let (zone, panel) = tokio::join!(zone, panel);
    let zone = zone?;
    let is_mapped =
        zone.is_some() || line.ask(arcgis::count_at("/0/query", point), read_availability).await?;
    // The zone is what counts: it is given without its panel, too.
    Ok(on_panel(zone, is_mapped, panel.ok().flatten()))
}

fn zones(point: LonLat) -> Query {
    let fields = "FLD_ZONE,ZONE_SUBTY,SFHA_TF,STATIC_BFE,DEPTH,LEN_UNIT,V_DATUM";
    arcgis::at("/28/query", point, fields)
}

/// A panel of the map: its number, and the day from which it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Panel {
    number: Option<String>,
    effective: Option<String>,
}

/// Reads panels; of several the latest.
pub(super) fn read_panels(reply: &Reply) -> Result<Option<Panel>, Fault> {
    let features = arcgis::features(reply)?;
    let panels = features.iter().map(|feature| Panel {
        number: feature.text("firm_pan").map(str::to_owned),
        effective: feature.date("eff_date"),
    });
    Ok(panels.max_by(|one, other| one.effective.cmp(&other.effective)))
}

/// Reads whether there is a digital map.
pub(super) fn read_availability(reply: &Reply) -> Result<bool, Fault> {
    arcgis::count(reply).map(|count| count > 0)
}

/// Reads zones.
pub(super) fn read_zones(reply: &Reply) -> Result<Option<FloodZone>, Fault> {
    let features = arcgis::features(reply)?;
    if features.iter().any(|feature| !feature.has("fld_zone")) {
        return Err(Fault::Unreadable);
    }
    Ok(FloodZone::greatest(&features))
}

/// The fact with what the panel says.
pub(super) fn on_panel(zone: Option<FloodZone>, is_mapped: bool, panel: Option<Panel>) -> Fact {
    let Panel { number, effective } = panel.unwrap_or_default();
    let said = Said::Flood(Flood { zone, is_mapped, firm_panel: number });
    Fact { as_of: effective, ..Fact::new(FactKey::Flood, said) }
}
