//! A provider of parcel data in platbook's own documented form. The response is an object with `as_of` and the fields
//! of [`PARCEL_FIELDS`](platbook::answers::PARCEL_FIELDS) that the provider knows. For a point without a known
//! parcel, the response is a 404 with a JSON body or an empty one.

use jiff::civil::Date;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{degrees, json, values};
use crate::upstream::fetch::{Query, Reply};
use platbook::{
    answers::{PARCEL_FIELDS, ParcelForm},
    facts::{FactValue, Fault, Values},
    geometry::LonLat,
    vocabulary::{clean_text, is_clean_text},
};

/// Makes the query for the parcel at a point.
pub(crate) fn query(point: LonLat) -> Query {
    let (lon, lat) = degrees(point);
    Query::get("", vec![("lat", lat), ("lon", lon)])
}

/// The values of a parcel, and the date of the data if the response has one.
pub(crate) type Parcel = (Values, Option<String>);

/// Reads only the known fields of a response, and passes on no others. `None` if the provider knows no parcel.
pub(crate) fn read(reply: &Reply) -> Result<Option<Parcel>, Fault> {
    if reply.status == 404 && says_no_parcel(&reply.body) {
        return Ok(None);
    }
    let fields: Map<String, Value> = json(reply)?;
    let mut found = Vec::new();
    for (name, form) in PARCEL_FIELDS {
        let Some(value) = fields.get(name).filter(|value| !value.is_null()) else { continue };
        found.push((name, read_value(value, form).ok_or(Fault::Unreadable)?));
    }
    // A person could not look up a parcel at the county without its number.
    if !found.iter().any(|(name, _)| *name == "parcel_id") {
        return Err(Fault::Unreadable);
    }
    let as_of = fields.get("as_of").and_then(day);
    Ok(Some((found, as_of)))
}

/// Returns whether a 404 comes from the provider itself. A web server without this path also responds with 404, but
/// in HTML.
fn says_no_parcel(body: &[u8]) -> bool {
    body.trim_ascii().is_empty() || serde_json::from_slice::<IgnoredAny>(body).is_ok()
}

fn read_value(value: &Value, form: ParcelForm) -> Option<FactValue> {
    match form {
        ParcelForm::Text(chars_max) => {
            let text = values::text(value)?;
            is_clean_text(text, chars_max).then(|| FactValue::Text(clean_text(text, chars_max)))
        }
        ParcelForm::Number => {
            let number = value.as_f64()?;
            (number.is_finite() && number >= 0.0).then_some(FactValue::Number(number))
        }
        ParcelForm::Day => day(value).map(FactValue::Text),
    }
}

fn day(value: &Value) -> Option<String> {
    let date: Date = value.as_str()?.parse().ok()?;
    Some(date.to_string())
}
