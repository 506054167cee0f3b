//! Minnesota's Public Waters Inventory: lakes and streams near a point, whose shores have rules of their own.
//!
//! Shoreland is land within 1,000 feet of a lake, pond or flowage, and within 300 feet of a river or stream or on its
//! floodplain, if that reaches farther (Minnesota Rules, part 6120.2500, subpart 15).

use super::{
    ControlQuestion, LAKE, Query,
    arcgis::{self, Feature},
};
use crate::upstream::{fault::Fault, fetch::Reply};
use platbook::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    vocabulary::Shoreland,
};

/// Where it answers when nothing else is set.
pub(crate) const BASE: &str = "https://enterprise.gisdata.mn.gov/aghost/rest/services/us_mn_state_dnr/water_mn_public_waters/FeatureServer";

const BASIN_FT: u32 = 1_000;
const STREAM_FT: u32 = 300;

/// Asks for basins.
pub(crate) fn basins(point: LonLat) -> Query {
    arcgis::within("/1/query", point, BASIN_FT, "*")
}

/// A point in a lake is near it.
pub(crate) fn control() -> ControlQuestion {
    ControlQuestion { query: basins(LAKE.point()), finds: |reply| Ok(!read_basins(reply)?.is_empty()) }
}

/// Asks for streams.
pub(crate) fn streams(point: LonLat) -> Query {
    arcgis::within("/0/query", point, STREAM_FT, "*")
}

/// A public water.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Water {
    name: Option<String>,
    /// A wetland, which the rules on shoreland leave out unless the local office says otherwise.
    is_wetland: bool,
    /// The class that decides which setbacks hold.
    class: Option<String>,
}

/// Reads basins.
pub(crate) fn read_basins(reply: &Reply) -> Result<Vec<Water>, Fault> {
    arcgis::features(reply)?.iter().map(basin).collect()
}

/// Reads streams.
pub(crate) fn read_streams(reply: &Reply) -> Result<Vec<Water>, Fault> {
    let features = arcgis::features(reply)?;
    if features.iter().any(|feature| !feature.has("kittle_nbr") && !feature.has("pwi_label")) {
        return Err(Fault::Unreadable);
    }
    let name = |feature: &Feature| named(feature.text("kittle_name").or(feature.text("kittle_nam"))?);
    Ok(features.iter().map(|feature| Water { name: name(feature), is_wetland: false, class: None }).collect())
}

fn basin(feature: &Feature) -> Result<Water, Fault> {
    let class = feature.text("pwi_class").ok_or(Fault::Unreadable)?;
    let name = feature.text("pw_basin_name").or(feature.text("pw_basin_n"));
    Ok(Water {
        name: name.and_then(named),
        is_wetland: class == "W",
        class: feature.text("dnr_shoreland_class").map(str::to_owned),
    })
}

fn named(name: &str) -> Option<String> {
    (!name.to_lowercase().starts_with("unnamed")).then(|| name.to_owned())
}

/// What the inventory says of a point.
pub(crate) fn finding(basins: &[Water], streams: &[Water]) -> Finding<Shoreland> {
    let lake = best(basins.iter().filter(|water| !water.is_wetland));
    let stream = best(streams.iter());
    let searched = [
        ("searched_lakes_ft", FactValue::Number(BASIN_FT.into())),
        ("searched_streams_ft", FactValue::Number(STREAM_FT.into())),
    ];
    let mut finding = match (lake, stream) {
        (Some(lake), _) => likely(lake, "lake", BASIN_FT),
        (None, Some(stream)) => likely(stream, "stream", STREAM_FT),
        (None, None) => none(basins),
    };
    finding.values.extend(searched);
    finding
}

/// One with a name rather than one without.
fn best<'w>(mut waters: impl Iterator<Item = &'w Water>) -> Option<&'w Water> {
    let first = waters.next()?;
    Some(std::iter::once(first).chain(waters).find(|water| water.name.is_some()).unwrap_or(first))
}

fn likely(water: &Water, kind: &'static str, feet: u32) -> Finding<Shoreland> {
    let name = water.name.as_ref().map_or("without a name".to_owned(), |name| format!("({name})"));
    let summary = format!("Likely shoreland: a public {kind} {name} is within {feet} ft.");
    let mut values = vec![("water_kind", FactValue::Text(kind.to_owned()))];
    values.extend(water.name.clone().map(|name| ("water_name", FactValue::Text(name))));
    values.extend(water.class.clone().map(|class| ("shoreland_class", FactValue::Text(class))));
    Finding { values, ..Finding::new(Shoreland::Likely, summary) }
}

fn none(basins: &[Water]) -> Finding<Shoreland> {
    let summary = format!("No public lake within {BASIN_FT} ft and no public stream within {STREAM_FT} ft.");
    let wetland =
        "A public water wetland is that near; the local zoning office tells whether rules on shoreland hold.";
    let floodplain = "On the floodplain of a stream, shoreland may reach farther.";
    let detail = if basins.is_empty() { floodplain.to_owned() } else { format!("{wetland} {floodplain}") };
    Finding { detail: Some(detail), ..Finding::new(Shoreland::No, summary) }
}
