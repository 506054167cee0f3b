//! The elevation point service of the USGS: the height of the ground in feet.

use serde::Deserialize;
use serde_json::Value;

use super::{Agency, LAKE, degrees, json, values};
use crate::upstream::{
    control::ControlQuestion,
    fetch::{Query, Reply},
};
use platbook::{
    facts::{Elevation, Fact, FactKey, FactStatus, Fault, Said},
    geometry::LonLat,
};

pub(super) const AGENCY: Agency = Agency {
    key: FactKey::Elevation,
    base: "https://epqs.nationalmap.gov/v1",
    // The control point is in a lake, whose surface has a height as well.
    control: || ControlQuestion {
        query: query(LAKE.point()),
        finds: |reply| Ok(read(reply, LAKE.point())?.status() == FactStatus::Ok),
    },
    fact: |line, point| Box::pin(line.ask(query(point), move |reply| read(reply, point))),
};

/// Maximum distance of the location in a response from the requested point, in degrees: the service rounds
/// coordinates. Chosen, not measured.
const PLACE_DEGREES: f64 = 0.001;

fn query(point: LonLat) -> Query {
    let (lon, lat) = degrees(point);
    let pairs = vec![
        ("x", lon),
        ("y", lat),
        ("units", "Feet".to_owned()),
        ("wkid", "4326".to_owned()),
        ("includeDate", "true".to_owned()),
    ];
    Query::get("/json", pairs)
}

#[derive(Deserialize)]
struct Answer {
    location: Location,
    /// The height in feet, as a JSON number or as text.
    value: Value,
    resolution: Option<f64>,
    /// The service does not send this now; if present, it must be the requested unit.
    units: Option<String>,
    attributes: Option<Attributes>,
}

#[derive(Deserialize)]
struct Location {
    x: f64,
    y: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Attributes {
    acquisition_date: Option<String>,
}

/// Reads the height from a response about this point.
pub(super) fn read(reply: &Reply, point: LonLat) -> Result<Fact, Fault> {
    let answer: Answer = json(reply)?;
    let is_here = (answer.location.x - point.lon_degrees()).abs() < PLACE_DEGREES
        && (answer.location.y - point.lat_degrees()).abs() < PLACE_DEGREES;
    let is_in_feet = answer.units.as_ref().is_none_or(|units| units.eq_ignore_ascii_case("feet"));
    if !is_here || !is_in_feet {
        return Err(Fault::Unreadable);
    }
    let feet = match values::number(&answer.value) {
        None if !is_nowhere(&answer.value) => return Err(Fault::Unreadable),
        feet => feet,
    };
    let elevation = Elevation::judge(feet, answer.resolution).ok_or(Fault::Unreadable)?;
    let date = answer.attributes.and_then(|attributes| attributes.acquisition_date);
    Ok(Fact {
        as_of: date.filter(|_| feet.is_some()).and_then(|date| values::date_of_american(&date)),
        ..Fact::new(FactKey::Elevation, Said::Elevation(elevation))
    })
}

/// Returns whether the value is -1000000, which means no height: open water, or outside the data.
fn is_nowhere(value: &Value) -> bool {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    number == Some(-1_000_000.0)
}
