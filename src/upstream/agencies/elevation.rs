//! The elevation point service of the USGS.

use serde::Deserialize;
use serde_json::Value;

use super::{ControlQuestion, LAKE, Query, degrees, json, values};
use crate::upstream::{fault::Fault, fetch::Reply};
use platbook::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    vocabulary::Elevation,
};

/// Where it answers when nothing else is set.
pub(crate) const BASE: &str = "https://epqs.nationalmap.gov/v1";

/// Heights of the United States in feet, with room: from Badwater Basin (-282) to Denali (20,310).
const FEET: std::ops::RangeInclusive<f64> = -400.0..=20_400.0;

/// How far the place of an answer may be from the one that was asked for, in degrees: they are rounded.
const PLACE_DEGREES: f64 = 0.001;

/// Asks for the height.
pub(crate) fn query(point: LonLat) -> Query {
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

/// A lake has a height, too.
pub(crate) fn control() -> ControlQuestion {
    let finds = |reply: &Reply| Ok(read(reply, LAKE.point())?.status == Elevation::Ok);
    ControlQuestion { query: query(LAKE.point()), finds }
}

#[derive(Deserialize)]
struct Answer {
    location: Location,
    /// A number or a text.
    value: Value,
    resolution: Option<f64>,
    /// Not sent today; if it comes, it must be what was asked for.
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

/// Reads the height.
pub(crate) fn read(reply: &Reply, point: LonLat) -> Result<Finding<Elevation>, Fault> {
    let answer: Answer = json(reply)?;
    let is_here = (answer.location.x - point.lon_degrees()).abs() < PLACE_DEGREES
        && (answer.location.y - point.lat_degrees()).abs() < PLACE_DEGREES;
    let is_in_feet = answer.units.as_ref().is_none_or(|units| units.eq_ignore_ascii_case("feet"));
    if !is_here || !is_in_feet {
        return Err(Fault::Unreadable);
    }
    if is_nowhere(&answer.value) {
        let summary = "The elevation data has no height at this point.";
        return Ok(Finding::new(Elevation::Unknown, summary));
    }
    let feet = values::number(&answer.value).filter(|feet| FEET.contains(feet)).ok_or(Fault::Unreadable)?;
    let mut found = vec![("feet", FactValue::Number((feet * 100.0).round() / 100.0))];
    found.extend(answer.resolution.map(|metres| ("resolution_m", FactValue::Number(metres))));
    let date = answer.attributes.and_then(|attributes| attributes.acquisition_date);
    Ok(Finding {
        values: found,
        as_of: date.and_then(|date| values::date_of_american(&date)),
        ..Finding::new(Elevation::Ok, format!("The ground is about {feet:.0} ft above sea level."))
    })
}

/// -1000000 stands for no height: open water, or beyond the data.
fn is_nowhere(value: &Value) -> bool {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    number == Some(-1_000_000.0)
}
