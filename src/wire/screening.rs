//! The JSON types for the answer of `/screening`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value, json};

use super::{FunctionEntry, Jurisdiction, Point, Resource, schema, words::Word};
use platbook::{
    facts::{FactKey, FactRow},
    vocabulary::Function,
};

/// Facts to look at before asking the office that decides.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Screening<'a> {
    /// Always `screening`: never a determination.
    #[schemars(with = "schema::ScreeningWord")]
    pub kind: &'static str,
    /// The point of the request.
    pub point: Point,
    /// State, county, county subdivision and place, as far as they exist.
    pub jurisdictions: Vec<Jurisdiction<'a>>,
    /// A fact for each kind that applies here.
    pub facts: Facts<'a>,
}

/// One fact for each kind, in the order of the answer.
#[derive(Debug)]
pub struct Facts<'a>(pub Vec<(FactKey, Fact<'a>)>);

/// A fact that a map gives for the point. Never an official determination.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Fact")]
pub struct Fact<'a> {
    /// The fact in one word.
    pub status: &'static str,
    /// The fact in plain words.
    pub summary: String,
    /// More on the fact, in sentences.
    pub detail: Option<String>,
    /// Values of the fact, for machines.
    #[serde(serialize_with = "object")]
    #[schemars(with = "Map<String, Value>")]
    pub values: Vec<(&'static str, Value)>,
    /// The data that the fact is read from.
    pub dataset: &'a str,
    /// The organization that publishes the data.
    pub publisher: &'a str,
    /// Date of the data, where known.
    pub as_of: Option<&'a str>,
    /// The limit of the fact, in a sentence.
    pub caveat: &'static str,
    /// The office that decides, and the rule of its decision.
    pub decided_by: Decider<'a>,
    /// Pages to confirm the fact, best first.
    pub resources: Vec<Resource<'a>>,
}

/// The maker of the official decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Decider<'a> {
    /// The decision and its makers, in plain words.
    pub description: &'static str,
    /// The function whose office is given.
    #[schemars(with = "Option<Word<Function>>")]
    pub function: Option<Function>,
    /// The responsible local body, where one applies.
    pub office: Option<FunctionEntry<'a>>,
}

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, fact)| (key.as_str(), fact)))
    }
}

/// Gives each key a schema of its fact. The schema allows one of the fact's statuses, which come from its row.
impl JsonSchema for Facts<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Facts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fact = <Fact<'_>>::json_schema(generator).to_value();
        let mut properties = Map::new();
        let mut required = Vec::new();
        for key in FactKey::ALL {
            let row = key.row();
            let name = format!("{}Fact", row.schema);
            let mut fact = fact.clone();
            let status = &mut fact["properties"]["status"];
            *status = json!({ "$ref": component(row.schema), "description": status["description"] });
            generator.definitions_mut().insert(row.schema.to_owned(), statuses(row));
            generator.definitions_mut().insert(name.clone(), fact);
            let reference = json!({ "$ref": component(&name) });
            let mut property = match row.only_in {
                None => reference,
                Some(_) => json!({ "anyOf": [reference, { "type": "null" }] }),
            };
            property["description"] = json!(row.about);
            properties.insert(key.as_str().to_owned(), property);
            required.extend(row.only_in.is_none().then_some(key.as_str()));
        }
        json_schema!({
            "type": "object",
            "properties": properties,
            "required": required,
            "description": "One fact for each kind.",
        })
    }
}

fn component(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// Returns the schema of a fact's statuses, each with its meaning.
fn statuses(row: &FactRow) -> Value {
    let words: Vec<&str> = row.statuses.iter().map(|(status, _)| status.as_str()).collect();
    let meanings =
        row.statuses.iter().map(|(status, meaning)| format!("\n- `{}`: {meaning}", status.as_str()));
    json!({
        "description": format!("{}\n{}", row.about_statuses, meanings.collect::<String>()),
        "type": "string",
        "enum": words,
    })
}

/// Writes an object with its keys in this order.
fn object<S: Serializer>(values: &[(&str, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(values.len()))?;
    values.iter().try_for_each(|(key, value)| object.serialize_entry(key, value))?;
    object.end()
}
