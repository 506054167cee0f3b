//! The National Wetlands Inventory of the U.S. Fish and Wildlife Service: wetlands at and near a point, and the year of the
//! image that they were drawn from.

use super::{
    ControlQuestion, LAKE, Query,
    arcgis::{self, Feature},
};
use crate::upstream::{fault::Fault, fetch::Reply};
use platbook::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    vocabulary::Wetlands,
};

/// Where it answers when nothing else is set.
pub(crate) const BASE: &str = "https://fwspublicservices.wim.usgs.gov/wetlandsmapservice/rest/services";

/// How near a wetland is called near, in feet.
const NEAR_FT: u32 = 300;

const PATH: &str = "/Wetlands/MapServer/0/query";
/// The layers of this service are joined, and their fields are asked for with their layer.
const FIELDS: &str = "Wetlands.ATTRIBUTE,Wetlands.WETLAND_TYPE,Wetlands.ACRES";

/// Asks for wetlands at a point.
pub(crate) fn here(point: LonLat) -> Query {
    arcgis::at(PATH, point, FIELDS)
}

/// The inventory counts lakes among wetlands.
pub(crate) fn control() -> ControlQuestion {
    ControlQuestion { query: here(LAKE.point()), finds: |reply| Ok(!read(reply)?.is_empty()) }
}

/// Asks for wetlands near a point.
pub(crate) fn near(point: LonLat) -> Query {
    arcgis::within(PATH, point, NEAR_FT, FIELDS)
}

/// Asks which images were drawn from.
pub(crate) fn images(point: LonLat) -> Query {
    arcgis::at("/Data_Source/MapServer/0/query", point, "IMAGE_YR,STATUS")
}

/// A mapped wetland.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wetland {
    code: String,
    kind: String,
    acres: Option<f64>,
}

/// The images that the map was drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Images {
    /// The area was never mapped.
    None,
    /// It was; the year of the image, where it is known. Of several the oldest.
    Year(Option<u16>),
}

/// Reads wetlands.
pub(crate) fn read(reply: &Reply) -> Result<Vec<Wetland>, Fault> {
    arcgis::features(reply)?.iter().map(|feature| wetland(feature).ok_or(Fault::Unreadable)).collect()
}

/// Reads the images.
pub(crate) fn read_images(reply: &Reply) -> Result<Images, Fault> {
    let features = arcgis::features(reply)?;
    if features.is_empty() {
        return Ok(Images::None);
    }
    let years = features.iter().filter_map(|feature| feature.number("IMAGE_YR"));
    let years = years.filter(|year| (1930.0..2100.0).contains(year)).map(|year| year as u16);
    Ok(Images::Year(years.min()))
}

fn wetland(feature: &Feature) -> Option<Wetland> {
    Some(Wetland {
        code: feature.text("ATTRIBUTE")?.to_owned(),
        kind: feature.text("WETLAND_TYPE").unwrap_or("Wetland").to_owned(),
        acres: feature.number("ACRES").filter(|acres| *acres > 0.0),
    })
}

/// What the inventory says of a point. Without wetlands it says so only where the area was mapped; `images` is `None` where
/// that could not be asked.
pub(crate) fn finding(here: &[Wetland], near: &[Wetland], images: Option<Images>) -> Finding<Wetlands> {
    let mut finding = match (largest(here), largest(near)) {
        (Some(wetland), _) => {
            let summary =
                format!("The inventory maps a wetland at this point: {} ({}).", wetland.kind, wetland.code);
            Finding { values: values(wetland), ..Finding::new(Wetlands::Yes, summary) }
        }
        (None, Some(wetland)) => {
            let summary = format!(
                "No wetland is mapped at this point, but within {NEAR_FT} ft of it: {} ({}).",
                wetland.kind, wetland.code
            );
            Finding { values: values(wetland), ..Finding::new(Wetlands::Near, summary) }
        }
        (None, None) if images == Some(Images::None) => {
            return Finding::new(Wetlands::Unknown, "The inventory has no map of this area.");
        }
        (None, None) => {
            let summary = format!("No wetland is mapped within {NEAR_FT} ft of this point.");
            Finding::new(Wetlands::No, summary)
        }
    };
    finding.values.push(("searched_ft", FactValue::Number(NEAR_FT.into())));
    if images.is_none() && finding.status == Wetlands::No {
        finding.detail = Some("Whether the inventory has mapped this area could not be checked.".to_owned());
    }
    if let Some(Images::Year(Some(year))) = images {
        finding.values.push(("image_year", FactValue::Number(year.into())));
        finding.as_of = Some(year.to_string());
    }
    finding
}

fn largest(wetlands: &[Wetland]) -> Option<&Wetland> {
    let acres = |wetland: &Wetland| wetland.acres.unwrap_or(0.0);
    wetlands.iter().max_by(|one, other| acres(one).total_cmp(&acres(other)))
}

fn values(wetland: &Wetland) -> Vec<(&'static str, FactValue)> {
    let mut values = vec![
        ("wetland_type", FactValue::Text(wetland.kind.clone())),
        ("wetland_code", FactValue::Text(wetland.code.clone())),
    ];
    values.extend(wetland.acres.map(|acres| ("acres", FactValue::Number((acres * 100.0).round() / 100.0))));
    values
}
