//! The answer of `/screening`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

use super::words::Word;
use super::{FunctionEntry, Jurisdiction, Point, Resource, schema};
use platbook::vocabulary::{Elevation, FactStatus, Flood, Function, Radon, Shoreland, Soils, Wetlands};

/// Facts to look at before one asks the office that decides.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Screening<'a> {
    /// Always `screening`.
    #[schemars(with = "schema::ScreeningWord")]
    pub kind: &'static str,
    /// The point.
    pub point: Point,
    /// State, county, county subdivision, place.
    pub jurisdictions: Vec<Jurisdiction<'a>>,
    /// What the maps say.
    pub facts: Facts<'a>,
}

/// One fact for each kind.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Facts<'a> {
    /// Flood zone.
    pub flood: Fact<'a, StatusWord<Flood>>,
    /// Wetlands.
    pub wetlands: Fact<'a, StatusWord<Wetlands>>,
    /// Soil.
    pub soils: Fact<'a, StatusWord<Soils>>,
    /// Height of the ground.
    pub elevation: Fact<'a, StatusWord<Elevation>>,
    /// Shoreland; only in Minnesota.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shoreland: Option<Fact<'a, StatusWord<Shoreland>>>,
    /// Radon zone of the county.
    pub radon: Fact<'a, StatusWord<Radon>>,
}

/// What a map says of the point. Never an official determination.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{S}Fact")]
pub struct Fact<'a, S> {
    /// The fact in one word.
    pub status: S,
    /// The fact in plain words.
    pub summary: Cow<'a, str>,
    /// More on it.
    pub detail: Option<&'a str>,
    /// Values for machines.
    #[serde(serialize_with = "object")]
    #[schemars(with = "Map<String, Value>")]
    pub values: Vec<(&'a str, Value)>,
    /// The data that the fact is read from.
    pub dataset: &'a str,
    /// Who publishes the data.
    pub publisher: &'a str,
    /// Date of the data, where known.
    pub as_of: Option<&'a str>,
    /// What the fact is not.
    pub caveat: &'static str,
    /// Who decides.
    pub decided_by: Decider<'a>,
    /// Pages to confirm the fact.
    pub resources: Vec<Resource<'a>>,
}

/// Who makes the official decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Decider<'a> {
    /// In plain words.
    pub description: &'static str,
    /// The function whose office is given.
    #[schemars(with = "Option<Word<Function>>")]
    pub function: Option<Function>,
    /// The responsible local body, where one applies.
    pub office: Option<FunctionEntry<'a>>,
}

/// The status of a fact, as the contract's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusWord<S>(pub S);

impl<S: FactStatus> Serialize for StatusWord<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl<S: FactStatus> JsonSchema for StatusWord<S> {
    fn schema_name() -> Cow<'static, str> {
        S::KIND.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let meanings = S::ALL.iter().map(|status| format!("\n- `{}`: {}", status.as_str(), status.meaning()));
        json_schema!({
            "description": format!("{}\n{}", S::DESCRIPTION, meanings.collect::<String>()),
            "type": "string",
            "enum": S::ALL.iter().map(|status| status.as_str()).collect::<Vec<_>>(),
        })
    }
}

/// An object with its keys in the order given.
fn object<S: Serializer>(values: &[(&str, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(values.len()))?;
    values.iter().try_for_each(|(key, value)| object.serialize_entry(key, value))?;
    object.end()
}
