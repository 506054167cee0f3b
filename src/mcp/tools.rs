//! The table of tools. Parameters, parsers and answer types come from the operations that the tools call.

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::app;
use crate::operations::{OPERATIONS, Operation, RESOLVE};
use platbook::{
    answers::{Form, Parameter},
    vocabulary::{Function, Topic},
};

/// The argument that sets the length of the answer.
pub(super) const DETAIL: &str = "detail";
pub(super) const SHORT: &str = "short";
pub(super) const FULL: &str = "full";

/// The argument that lists several governments.
pub(super) const SEVERAL: &str = "jurisdiction_ids";

/// The argument that lists several points.
pub(super) const POINTS: &str = "points";

/// The argument that lists the jobs whose offices are shown.
pub(super) const JOBS: &str = "functions";

/// Maximum number of places in a call that resolves several. Each takes up to 0.3 ms, and an answering thread may
/// take 5 ms.
pub(super) const PLACES_MAX: usize = 10;

/// Maximum number of governments in a call: their pages fill some 1,500 tokens. The tools that list governments cover
/// more, page by page.
pub(super) const SEVERAL_MAX: usize = 25;

/// A tool, as a row of the table.
#[derive(Debug)]
pub struct Tool {
    /// Name by which models call it.
    pub name: &'static str,
    /// Heading that a client shows to people.
    pub title: &'static str,
    /// The content of the answer, and when to use this tool rather than another; written for the model.
    pub description: &'static str,
    /// The operation that the tool calls; `None` for `get_property_facts`, which makes its own lookups.
    operation: Option<&'static str>,
    /// Parameters of `resolve_jurisdiction` that may name the place instead of the operation's own parameters.
    place_by: &'static [&'static str],
    /// Parameters that a call must have.
    required: &'static [&'static str],
    /// Default number of items in an answer; smaller than REST's, since a model reads every item.
    limit: Option<usize>,
    /// Maximum number of governments in [`SEVERAL`]; 0 if the tool takes only one.
    several_max: usize,
    /// Whether the tool takes several points in [`POINTS`], and jobs in [`JOBS`].
    jobs: bool,
    /// Whether the tool may call services outside of this one.
    asks_outside: bool,
}

const NAME: &[&str] = &["place", "state"];

/// All tools, in the contract's order.
pub static TOOLS: [Tool; 10] = [
    Tool {
        name: "resolve_jurisdiction",
        title: "Governments and offices at a place",
        description: "Which US state, county, town and city cover a place. Also which office there does assessment, property \
                      tax, deeds, zoning, permits and parcel maps, with reason, law and links. Use it first for any \
                      question about who to ask. Give one of: lat and lon; address, ZIP code included; place and state; \
                      jurisdiction_id; jurisdiction_ids; points. Give functions where only some jobs are asked.",
        operation: Some("resolve_jurisdiction"),
        place_by: &[],
        required: &[],
        limit: None,
        several_max: PLACES_MAX,
        jobs: true,
        asks_outside: true,
    },
    Tool {
        name: "find_official_resource",
        title: "Official page on a topic",
        description: "The best official web page on one topic at a place, with alternatives, the nearest government first: \
                      a parcel map, a tax payment page. Give one of: jurisdiction_id; jurisdiction_ids; lat and lon; \
                      address; place and state.",
        operation: Some("list_resources"),
        place_by: &["address", "place", "state"],
        required: &["topic"],
        limit: Some(3),
        several_max: SEVERAL_MAX,
        jobs: false,
        asks_outside: true,
    },
    Tool {
        name: "get_place_directory",
        title: "Directory of one government",
        description: "Everything listed for one county, city, town or state: its offices, its pages by topic, who does each \
                      job. Give jurisdiction_id, or place and state.",
        operation: Some("get_place"),
        place_by: NAME,
        required: &[],
        limit: Some(5),
        several_max: 0,
        jobs: false,
        asks_outside: false,
    },
    Tool {
        name: "search_directory",
        title: "Search places and pages by name",
        description: "Places and official pages by name, with their jurisdiction_id. Use it when a name is unsure or its \
                      state is not known. Not for street addresses; never for people.",
        operation: Some("search"),
        place_by: &[],
        required: &["q"],
        limit: None,
        several_max: 0,
        jobs: false,
        asks_outside: false,
    },
    Tool {
        name: "get_guide",
        title: "Guide to a topic",
        description: "A plain guide to a topic, with a state's own rules on who does the job. Use it for how something works \
                      in a state when no exact place is given.",
        operation: Some("get_guide"),
        place_by: &[],
        required: &["topic"],
        limit: None,
        several_max: 0,
        jobs: false,
        asks_outside: false,
    },
    Tool {
        name: "screen_location",
        title: "Screening of a point",
        description: "First look at flood zone, wetlands, soil, elevation, shoreland (Minnesota) and radon at one point, with \
                      who decides. Never an official determination: keep the caveats. Give lat and lon, or address. A place \
                      or jurisdiction_id gives the radon zone of its county.",
        operation: Some("screen_point"),
        place_by: &["address"],
        required: &[],
        limit: None,
        several_max: 0,
        jobs: false,
        asks_outside: true,
    },
    Tool {
        name: "get_property_facts",
        title: "Facts on a parcel",
        description: "Facts on one parcel from a licensed data provider, only where one is configured; never owner names. \
                      Otherwise it says so and names the office that has them. Give one of: lat and lon; address; place \
                      and state.",
        operation: None,
        place_by: &["lat", "lon", "address", "place", "state", "jurisdiction_id"],
        required: &[],
        limit: None,
        several_max: 0,
        jobs: false,
        asks_outside: true,
    },
    Tool {
        name: "list_jurisdictions",
        title: "List of governments",
        description: "Lists states, counties, towns or cities of a state or an area, by id, name or population. With function, \
                      also who does that job in each. An example is the five largest counties of a state.",
        operation: Some("list_jurisdictions"),
        place_by: &[],
        required: &[],
        limit: Some(25),
        several_max: 0,
        jobs: false,
        asks_outside: false,
    },
    Tool {
        name: "list_offices",
        title: "List of offices",
        description: "Lists all offices for one job in a state or an area, each once with its links and telephone: all \
                      county assessors of Wyoming.",
        operation: Some("list_offices"),
        place_by: &[],
        required: &["function"],
        limit: Some(25),
        several_max: 0,
        jobs: false,
        asks_outside: false,
    },
    Tool {
        name: "ask_directory",
        title: "Answer for a free text",
        description: "Takes whatever a user typed or pasted: coordinates in any writing, a map link, a ZIP code, a street \
                      address, or a place. A task may stand beside it (\"pay property tax austin tx\"). Says how it was read.",
        operation: Some("ask"),
        place_by: &[],
        required: &["q"],
        limit: None,
        several_max: 0,
        jobs: false,
        asks_outside: true,
    },
];

/// Finds a tool by its name.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// Returns the operation that the tool calls.
    pub(super) fn operation(&self) -> Option<&'static Operation> {
        let id = self.operation?;
        Some(
            OPERATIONS
                .iter()
                .find(|operation| operation.id == id)
                .expect("tools ask operations of the table"),
        )
    }

    /// Iterates over the parameters of the tool's operation, then over those that may name the place instead.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        let own = self.operation().map_or(&[][..], |operation| operation.parameters).iter();
        own.chain(RESOLVE.parameters.iter().filter(|parameter| self.is_place_by(parameter.name)))
    }

    /// Returns whether a parameter is one of `resolve_jurisdiction` that may name the place.
    pub(super) fn is_place_by(&self, parameter: &str) -> bool {
        self.place_by.contains(&parameter)
    }

    /// Returns the default number of items in an answer; `None` if REST's default applies.
    pub(super) fn limit(&self) -> Option<usize> {
        self.limit
    }

    /// Returns whether the caller may choose the length of the answer.
    pub(super) fn has_detail(&self) -> bool {
        self.operation.is_some()
    }

    /// Returns the maximum number of governments in [`SEVERAL`]; 0 if the tool takes only one.
    pub(super) fn several_max(&self) -> usize {
        self.several_max
    }

    /// Returns whether the tool takes several points in [`POINTS`], and jobs in [`JOBS`].
    pub(super) fn takes_jobs(&self) -> bool {
        self.jobs
    }

    /// Returns the names of the arguments that REST does not have.
    pub(super) fn own_arguments(&self) -> impl Iterator<Item = &'static str> {
        let several = (self.several_max > 0).then_some(SEVERAL);
        let jobs = if self.jobs { &[POINTS, JOBS][..] } else { &[] };
        several.into_iter().chain(jobs.iter().copied()).chain(self.has_detail().then_some(DETAIL))
    }

    /// Returns the entry of `tools/list`.
    ///
    /// Directories of clients ask for `destructiveHint`, although a read-only tool destroys nothing. `idempotentHint` has
    /// no meaning for a read-only tool.
    pub(super) fn descriptor(&self) -> Value {
        let mut descriptor = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema(),
            "outputSchema": self.output_schema(),
            "annotations": {
                "readOnlyHint": true,
                "destructiveHint": false,
                "openWorldHint": self.asks_outside,
            },
        });
        if self.operation == Some(RESOLVE.id) {
            descriptor["_meta"] = app::of_tool();
        }
        descriptor
    }

    fn input_schema(&self) -> Value {
        let property = |parameter: &Parameter| {
            let mut schema = form(parameter);
            schema["description"] = words(parameter).into();
            if let (Form::Whole { .. }, Some(limit)) = (parameter.form, self.limit) {
                schema["default"] = limit.into();
            }
            (parameter.name.to_owned(), schema)
        };
        let own = self.own_arguments().map(|name| (name.to_owned(), self.own_schema(name)));
        let mut schema = json!({
            "type": "object",
            "properties": self.parameters().map(property).chain(own).collect::<Map<_, _>>(),
            "additionalProperties": false,
        });
        if !self.required.is_empty() {
            schema["required"] = self.required.into();
        }
        schema
    }

    /// Returns the schema of an argument that REST does not have.
    fn own_schema(&self, name: &str) -> Value {
        let words: Vec<&str> = Function::ALL.iter().map(|function| function.as_str()).collect();
        let list = |max: usize, says: &str| {
            json!({
                "type": "array", "items": { "type": "string" }, "maxItems": max, "description": says,
            })
        };
        match name {
            SEVERAL if self.jobs => {
                list(PLACES_MAX, "Several at once, ids or names as \"Boise, ID\"; with functions")
            }
            SEVERAL => {
                list(self.several_max, "Several, ids or names: office, telephone and best page of each")
            }
            POINTS => list(PLACES_MAX, "Several, each \"lat,lon\""),
            JOBS => json!({
                "type": "array", "items": { "enum": words }, "description": "Only these jobs; all by default",
            }),
            _ => json!({
                "enum": [SHORT, FULL], "default": SHORT, "description": "full adds evidence",
            }),
        }
    }

    /// Returns an outline of the schema of the answer, short or full. The OpenAPI document has the whole schema,
    /// which would fill a model's context. A short answer omits empty members, so only the outermost are required.
    fn output_schema(&self) -> Value {
        let Some(operation) = self.operation() else { return facts_schema() };
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut generator: SchemaGenerator = settings.into_generator();
        let schema = (operation.schema)(&mut generator).to_value();
        let definitions = Value::Object(generator.take_definitions(true));
        let mut outline = outline(&schema, &definitions, 2);
        outline["required"] = ["data", "as_of"].into();
        outline
    }
}

/// Returns the schema of the answer of `get_property_facts`.
fn facts_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "status": {
                "enum": ["ok", "not_configured", "not_cleared", "no_parcel", "needs_point", "unavailable"],
            },
            "detail": { "type": "string" },
            "facts": {
                "type": "object",
                "properties": {
                    "values": { "type": "object" },
                    "as_of": { "type": ["string", "null"] },
                    "dataset": { "type": "string" },
                    "publisher": { "type": "string" },
                    "url": { "type": "string" },
                },
                "required": ["values", "as_of", "dataset", "publisher", "url"],
            },
            "request_id": { "type": "string" },
        },
        "required": ["status", "detail", "request_id"],
    })
}

/// Lists all tools for `tools/list`. The list does not depend on the snapshot.
pub(super) fn descriptors() -> Value {
    TOOLS.iter().map(Tool::descriptor).collect()
}

/// Returns the explanation of a parameter for a model, in fewer words than the interface for programs has.
fn words(parameter: &Parameter) -> &'static str {
    match parameter.name {
        "lat" | "lon" => "WGS84 degrees",
        "jurisdiction_id" => "From an earlier answer, such as county:27053",
        "address" => "Street address with city and state; ZIP code; or city and state",
        "place" => "County, city, town or state; with state unless the name has it",
        "state" => "Two-letter code or name",
        "within" => "jurisdiction_id of a state, county or town whose parts are listed",
        "date" => "Day of the governments, YYYY-MM-DD",
        "cursor" => "next_cursor of the last answer; keep other arguments",
        "q" if parameter.chars_max > 200 => "The text, unchanged",
        "q" => "Name of a place or page",
        "topic" => "Subject",
        "function" => "The job",
        "limit" => "Most items",
        "type" => "Only this kind",
        "order" => "Order",
        _ => parameter.description,
    }
}

/// Returns a small schema for the values of a parameter; the parser checks further rules.
fn form(parameter: &Parameter) -> Value {
    match parameter.form {
        Form::Text | Form::Opaque => json!({ "type": "string", "maxLength": parameter.chars_max }),
        Form::Degrees { max } => json!({ "type": "number", "minimum": -max as i64, "maximum": max as i64 }),
        Form::Whole { min, max, default } => {
            json!({ "type": "integer", "minimum": min, "maximum": max, "default": default })
        }
        Form::Id | Form::State | Form::Day => json!({ "type": "string" }),
        Form::Word(words) => json!({ "type": "string", "enum": words }),
        Form::Topic => {
            json!({ "type": "string", "enum": Topic::all().map(Topic::as_str).collect::<Vec<_>>() })
        }
    }
}

/// Cuts off a schema below this many levels, and removes its descriptions.
fn outline(schema: &Value, definitions: &Value, levels: usize) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return outline(&definitions[name], definitions, levels);
    }
    let mut plain = Map::new();
    if let Some(kind) = kind(schema, definitions) {
        plain.insert("type".to_owned(), kind);
    }
    if let (Some(properties), true) = (schema["properties"].as_object(), levels > 0) {
        let inner =
            |(name, inner): (&String, &Value)| (name.clone(), outline(inner, definitions, levels - 1));
        plain.insert("properties".to_owned(), Value::Object(properties.iter().map(inner).collect()));
    }
    Value::Object(plain)
}

/// Returns the type that a schema names; for alternatives, the types of all of them.
fn kind(schema: &Value, definitions: &Value) -> Option<Value> {
    if let Some(kind) = schema.get("type") {
        return Some(kind.clone());
    }
    let branches = schema.get("anyOf")?.as_array()?;
    branches.iter().map(|branch| outline(branch, definitions, 0).get("type").cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_asks_an_operation_with_its_parameters() {
        for tool in &TOOLS {
            let names: Vec<&str> = tool.parameters().map(|parameter| parameter.name).collect();
            assert_eq!(tool.operation().map(|operation| operation.id), tool.operation, "{}", tool.name);
            for name in tool.required {
                assert!(names.contains(name), "{}: {name}", tool.name);
            }
            let place_by = tool.place_by.iter().filter(|name| names.contains(name)).count();
            assert_eq!(place_by, tool.place_by.len(), "{}: {names:?}", tool.name);
            for (name, schema) in tool.input_schema()["properties"].as_object().unwrap() {
                assert!(schema["description"].is_string(), "{}: {name}", tool.name);
            }
            let has_limit = tool.parameters().any(|parameter| parameter.name == "limit");
            assert!(tool.limit.is_none() || has_limit, "{}", tool.name);
        }
    }

    #[test]
    fn schemas_are_schemas_and_all_outputs_are_objects() {
        for tool in &TOOLS {
            let descriptor = tool.descriptor();
            for schema in [&descriptor["inputSchema"], &descriptor["outputSchema"]] {
                assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
                assert_eq!(schema["type"], "object", "{schema}");
                assert!(!schema["properties"].as_object().unwrap().is_empty(), "{schema}");
            }
        }
    }
}
