//! Schemas of all JSON types, as components of the OpenAPI document.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, transform::transform_subschemas};
use serde_json::{Map, Value, json};

use super::examples;
use crate::{operations::OPERATIONS, wire::ProblemType};
use platbook::vocabulary::ProblemKind;

/// The schema keyword for an open list of values, to which values may be added later.
const OPEN_WORDS: &str = "x-extensible-enum";

/// Makes a generator whose references point to the components of the document.
pub(super) fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        settings.transforms.clear();
    });
    settings.into_generator()
}

/// Returns all schemas that the generator has been asked for, and those that they refer to.
pub(super) fn definitions(mut generator: SchemaGenerator, site: &str) -> Value {
    generator.subschema_for::<crate::wire::Problem<'static>>();
    let mut definitions: Map<String, Value> = generator
        .take_definitions(true)
        .into_iter()
        .map(|(name, value)| {
            let mut schema = Schema::try_from(value).expect("definitions are schemas");
            tidy(&mut schema);
            (name, schema.to_value())
        })
        .collect();
    let types: Vec<String> = ProblemKind::all().map(|kind| ProblemType(kind).to_string()).collect();
    definitions["Problem"]["properties"]["type"][OPEN_WORDS] = json!(types);
    end_the_circle(&mut definitions);
    add_examples(&mut definitions, site);
    definitions.sort_keys();
    Value::Object(definitions)
}

/// Gives entries of `also` a schema without `also`, so that clients need no recursive type.
fn end_the_circle(definitions: &mut Map<String, Value>) {
    let mut further = definitions["FunctionEntry"].clone();
    further["description"] = json!("A further body that performs a function.");
    further["properties"].as_object_mut().map(|properties| properties.shift_remove("also"));
    definitions["FunctionEntry"]["properties"]["also"]["items"] =
        json!({ "$ref": "#/components/schemas/FurtherEntry" });
    definitions.insert("FurtherEntry".to_owned(), further);
}

fn add_examples(definitions: &mut Map<String, Value>, site: &str) {
    let mut names = generator();
    for operation in OPERATIONS {
        let reference = (operation.schema)(&mut names).to_value();
        let name = reference["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        definitions[name]["examples"] = json!([examples::answer(operation.id, site)]);
    }
    let line = json!({
        "distance_m": 120,
        "neighbor": "county:27123",
        "neighbor_name": "Ramsey County",
        "scale": "1:500,000",
        "uncertainty_m": 254,
    });
    for (name, example) in [("county", line), ("place", Value::Null), ("searched_m", json!(2000))] {
        definitions["Border"]["properties"][name]["examples"] = json!([example]);
    }
}

/// Makes a schema shorter and easier for code generators, with the same meaning.
fn tidy(schema: &mut Schema) {
    fold_words(schema);
    open_words(schema);
    // The width of a number in memory does not belong to the interface.
    if let Some("uint8" | "uint16" | "uint32") = schema.get("format").and_then(Value::as_str) {
        schema.remove("format");
        if schema.get("minimum").is_none() {
            schema.insert("minimum".into(), json!(0));
        }
    }
    transform_subschemas(&mut tidy, schema);
}

/// Opens a list of words: answers may contain new words later, and generated clients must accept unknown ones.
fn open_words(schema: &mut Schema) {
    if schema.get("type") == Some(&json!("string"))
        && let Some(words) = schema.remove("enum")
    {
        schema.insert(OPEN_WORDS.into(), words);
    }
}

/// Converts a `oneOf` of described words to one `enum`; the descriptions become a list.
fn fold_words(schema: &mut Schema) {
    let Some(Value::Array(branches)) = schema.get("oneOf") else { return };
    let word = |branch: &Value| {
        let word = branch.get("const")?.as_str()?.to_owned();
        Some((word, branch.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()))
    };
    let (mut words, mut meanings) = (Vec::new(), Vec::new());
    for branch in branches {
        if let Some((word, meaning)) = word(branch) {
            meanings.push(format!("- `{word}`: {meaning}"));
            words.push(word);
        } else if let Some(Value::Array(undescribed)) = branch.get("enum") {
            words.extend(undescribed.iter().filter_map(Value::as_str).map(str::to_owned));
        } else {
            return;
        }
    }
    let before = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = format!("{before}\n\n{}", meanings.join("\n"));
    schema.remove("oneOf");
    schema.insert("type".into(), json!("string"));
    schema.insert("enum".into(), json!(words));
    open_words(schema);
    schema.insert("description".into(), json!(description.trim()));
}
