//! Minnesota's Public Waters Inventory: lakes and streams near a point. Special rules apply to their shores.

use super::{
    Agency, LAKE,
    arcgis::{self, Feature},
};
use crate::upstream::{
    control::ControlQuestion,
    fetch::{Query, Reply},
    service::Line,
};
use platbook::{
    facts::{Attributes as _, Fact, FactKey, Fault, LAKE_FT, STREAM_FT, Said, Shoreland},
    geometry::LonLat,
};

pub(super) const AGENCY: Agency = Agency {
    key: FactKey::Shoreland,
    base: "https://enterprise.gisdata.mn.gov/aghost/rest/services/us_mn_state_dnr/water_mn_public_waters/FeatureServer",
    // The control point is in a lake: a point in a lake counts as near it.
    control: || ControlQuestion {
        query: basins(LAKE.point()),
        finds: |reply| Ok(!read_basins(reply)?.is_empty()),
    },
    fact: |line, point| Box::pin(ask(line, point)),
};

async fn ask(line: &Line, point: LonLat) -> Result<Fact, Fault> {
    let streams = line.ask(arcgis::within("/0/query", point, STREAM_FT, "*"), read_streams);
    let (basins, streams) = tokio::join!(line.ask(basins(point), read_basins), streams);
    judged(basins?, &streams?).ok_or(Fault::Unreadable)
}

fn basins(point: LonLat) -> Query {
    arcgis::within("/1/query", point, LAKE_FT, "*")
}

/// Reads basins. Each must have a class, which distinguishes a lake from a wetland.
pub(super) fn read_basins(reply: &Reply) -> Result<Vec<Feature>, Fault> {
    let features = arcgis::features(reply)?;
    let have_classes = features.iter().all(|feature| feature.text("pwi_class").is_some());
    if have_classes { Ok(features) } else { Err(Fault::Unreadable) }
}

/// Reads streams. Each must have a field that only this layer has.
pub(super) fn read_streams(reply: &Reply) -> Result<Vec<Feature>, Fault> {
    let features = arcgis::features(reply)?;
    let are_streams = features.iter().all(|feature| feature.has("kittle_nbr") || feature.has("pwi_label"));
    if are_streams { Ok(features) } else { Err(Fault::Unreadable) }
}

/// Makes the fact from these waters; `None` if a class is unknown. The service does not report their distance.
pub(super) fn judged(basins: Vec<Feature>, streams: &[Feature]) -> Option<Fact> {
    let basins: Vec<_> = basins.into_iter().map(|basin| (basin, None)).collect();
    let shoreland = Shoreland::judge(&basins, Some(streams))?;
    Some(Fact::new(FactKey::Shoreland, Said::Shoreland(shoreland)))
}
