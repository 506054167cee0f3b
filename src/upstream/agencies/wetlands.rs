//! The National Wetlands Inventory of the U.S. Fish and Wildlife Service: wetlands at and near a point, and the year
//! of the images from which they were drawn.

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
    facts::{Attributes as _, Fact, FactKey, Fault, Images, NEAR_FT, Said, Wetlands},
    geometry::LonLat,
};

pub(super) const AGENCY: Agency = Agency {
    key: FactKey::Wetlands,
    base: "https://fwspublicservices.wim.usgs.gov/wetlandsmapservice/rest/services",
    // The control point is in a lake, because the inventory includes lakes.
    control: || ControlQuestion { query: here(LAKE.point()), finds: |reply| Ok(!read(reply)?.is_empty()) },
    fact: |line, point| Box::pin(ask(line, point)),
};

const PATH: &str = "/Wetlands/MapServer/0/query";
/// Fields with the names of their layers. This service requires the names, since its layers are joined.
const FIELDS: &str = "Wetlands.ATTRIBUTE,Wetlands.WETLAND_TYPE,Wetlands.ACRES";

async fn ask(line: &Line, point: LonLat) -> Result<Fact, Fault> {
    let near = line.ask(arcgis::within(PATH, point, NEAR_FT, FIELDS), read);
    let images = arcgis::at("/Data_Source/MapServer/0/query", point, "IMAGE_YR,STATUS");
    let images = line.ask(images, read_images);
    let (here, near, images) = tokio::join!(line.ask(here(point), read), near, images);
    Ok(judged(&here?, near?, images.unwrap_or(Images::NotChecked)))
}

fn here(point: LonLat) -> Query {
    arcgis::at(PATH, point, FIELDS)
}

/// Reads wetlands. Each must have the code of its type.
pub(super) fn read(reply: &Reply) -> Result<Vec<Feature>, Fault> {
    let features = arcgis::features(reply)?;
    let has_codes = features.iter().all(|feature| feature.text("attribute").is_some());
    if has_codes { Ok(features) } else { Err(Fault::Unreadable) }
}

/// Reads the oldest year of the images from which the map was drawn.
pub(super) fn read_images(reply: &Reply) -> Result<Images, Fault> {
    let features = arcgis::features(reply)?;
    if features.is_empty() {
        return Ok(Images::None);
    }
    let years = features.iter().filter_map(|feature| feature.number("image_yr"));
    let years = years.filter(|year| (1930.0..2100.0).contains(year)).map(|year| year as u16);
    Ok(Images::Year(years.min()))
}

/// Makes the fact from the wetlands at and near a point. The service does not report the distance of the near ones.
pub(super) fn judged(here: &[Feature], near: Vec<Feature>, images: Images) -> Fact {
    let near: Vec<_> = near.into_iter().map(|feature| (feature, None)).collect();
    let as_of = match images {
        Images::Year(year) => year.map(|year| year.to_string()),
        Images::None | Images::NotChecked => None,
    };
    Fact { as_of, ..Fact::new(FactKey::Wetlands, Said::Wetlands(Wetlands::judge(here, &near, images))) }
}
