//! Queries of ArcGIS map services, which most agencies run: features at or near a point. Handles the form of requests
//! and responses, which is the same for all agencies.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{degrees, json, values};
use crate::upstream::fetch::{Query, Reply};
use platbook::{
    facts::{Attributes, Fault},
    geometry::LonLat,
};

/// Queries features at a point. `fields` are names separated by commas, or `*`.
pub(super) fn at(path: &'static str, point: LonLat, fields: &str) -> Query {
    let (lon, lat) = degrees(point);
    Query::get(
        path,
        vec![
            ("geometry", format!("{lon},{lat}")),
            ("geometryType", "esriGeometryPoint".to_owned()),
            ("inSR", "4326".to_owned()),
            ("spatialRel", "esriSpatialRelIntersects".to_owned()),
            ("outFields", fields.to_owned()),
            ("returnGeometry", "false".to_owned()),
            ("f", "json".to_owned()),
        ],
    )
}

/// Queries features within `feet` of a point.
pub(super) fn within(path: &'static str, point: LonLat, feet: u16, fields: &str) -> Query {
    let mut query = at(path, point, fields);
    query.pairs.extend([("distance", feet.to_string()), ("units", "esriSRUnit_Foot".to_owned())]);
    query
}

/// Queries the number of features at a point.
pub(super) fn count_at(path: &'static str, point: LonLat) -> Query {
    let mut query = at(path, point, "");
    query.pairs.retain(|(name, _)| *name != "outFields");
    query.pairs.push(("returnCountOnly", "true".to_owned()));
    query
}

/// The fields of one feature, with cleaned texts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Feature(Map<String, Value>);

#[derive(Deserialize)]
struct Answer {
    features: Option<Vec<Named>>,
    count: Option<u64>,
    error: Option<Value>,
}

/// The fields of a feature by name: `attributes` in Esri's JSON, and `properties` in GeoJSON.
#[derive(Deserialize)]
struct Named {
    #[serde(alias = "properties")]
    attributes: Map<String, Value>,
}

/// Reads the features of a response, and cleans their texts.
pub(super) fn features(reply: &Reply) -> Result<Vec<Feature>, Fault> {
    let features = answer(reply)?.features.ok_or(Fault::Unreadable)?;
    let fields =
        |named: Named| named.attributes.into_iter().map(|(name, value)| (name, values::cleaned(value)));
    Ok(features.into_iter().map(|named| Feature(fields(named).collect())).collect())
}

/// Reads the number of features from a response.
pub(super) fn count(reply: &Reply) -> Result<u64, Fault> {
    answer(reply)?.count.ok_or(Fault::Unreadable)
}

fn answer(reply: &Reply) -> Result<Answer, Fault> {
    let answer: Answer = json(reply)?;
    // ArcGIS reports a failed query with status 200.
    if answer.error.is_some() { Err(Fault::Failed) } else { Ok(answer) }
}

impl Attributes for Feature {
    fn text(&self, field: &str) -> Option<&str> {
        values::text(self.value(field)?)
    }

    fn number(&self, field: &str) -> Option<f64> {
        values::number(self.value(field)?)
    }
}

impl Feature {
    /// Returns the date in a field, as `2014-11-19`; `None` if the field has no plausible date.
    pub(super) fn date(&self, field: &str) -> Option<String> {
        values::date_of_millis(self.value(field)?)
    }

    /// Returns whether the field exists, with any value. A response without the field that identifies a feature belongs
    /// to another layer.
    pub(super) fn has(&self, field: &str) -> bool {
        self.value(field).is_some()
    }

    /// Returns the value of a field. Joined layers put their name before that of the field, as in
    /// `Wetlands.ATTRIBUTE`. The case of names differs between servers.
    fn value(&self, field: &str) -> Option<&Value> {
        let is_named =
            |key: &String| key.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(field));
        self.0.iter().find_map(|(key, value)| is_named(key).then_some(value))
    }
}
