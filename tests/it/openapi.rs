use std::{fs, path::PathBuf, process::Command};

use platbook_service::{
    openapi,
    operations::{OPERATIONS, PREFIX},
};
use serde_json::Value;

use crate::harness::{Client, SITE, Server};

/// Maximum number of items of a list in an example.
const ITEMS_MAX: usize = 2;

/// Lists that an example keeps whole, because each item has a meaning of its own.
const WHOLE: [&str; 2] = ["jurisdictions", "coordinates"];

fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// `make openapi` writes the document anew.
#[test]
fn the_committed_document_is_the_current_one() {
    let committed = fs::read_to_string(repository("openapi.json")).unwrap();
    let current = format!("{:#}\n", openapi::document(SITE));
    let differs = committed.lines().zip(current.lines()).find(|(old, new)| old != new);
    assert!(committed == current, "openapi.json is not current, see `make openapi`: {differs:?}");
}

#[test]
fn the_document_is_served_at_both_paths_and_printed() {
    let mut client = Client::connect(Server::shared().address);
    let expected = openapi::document(SITE);
    for target in ["/openapi.json", "/v1/openapi.json", "/v1/openapi.json?x=y"] {
        let response = client.get(target);
        assert_eq!(response.status, 200);
        assert_eq!(response.header("cache-control"), "public, max-age=900");
        assert_eq!(response.json(), expected, "{target}");
    }
    let printed =
        Command::new(env!("CARGO_BIN_EXE_platbook")).args(["openapi", "--site-url", SITE]).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&printed.stdout).unwrap(), expected);
}

#[test]
fn the_example_of_each_operation_is_answered() {
    let mut client = Client::connect(Server::shared().address);
    for operation in OPERATIONS {
        // The client checks the answer against the document.
        assert_eq!(client.get(&format!("{PREFIX}{}", operation.example)).status, 200, "{}", operation.id);
    }
}

/// A program that fills in all examples of an operation gets an answer.
#[test]
fn the_examples_of_parameters_work_together() {
    let mut client = Client::connect(Server::shared().address);
    let document = openapi::document(SITE);
    for operation in OPERATIONS {
        let mut path = operation.path.to_owned();
        let mut pairs = Vec::new();
        for parameter in document["paths"][operation.path]["get"]["parameters"].as_array().unwrap() {
            let Some(name) = parameter["name"].as_str() else { continue };
            let text = match &parameter["example"] {
                Value::Null => continue,
                Value::String(text) => text.replace(' ', "+"),
                number => number.to_string(),
            };
            match parameter["in"].as_str() {
                Some("path") => path = path.replace(&format!("{{{name}}}"), &text),
                Some("query") => pairs.push(format!("{name}={text}")),
                _ => {}
            }
        }
        let target = format!("{PREFIX}{path}?{}", pairs.join("&"));
        assert_eq!(client.get(&target).status, 200, "{target}");
    }
}

/// The examples in the document are checked against it, as answers are.
#[test]
fn the_examples_are_as_documented() {
    let document = openapi::document(SITE);
    for operation in OPERATIONS {
        let response = &document["paths"][operation.path]["get"]["responses"]["200"];
        let media = &response["content"]["application/json"];
        let whole = serde_json::json!({ "allOf": [media["schema"]], "components": document["components"] });
        let validator = jsonschema::validator_for(&whole).unwrap();
        let example = &media["examples"][operation.id]["value"];
        let errors: Vec<String> = validator.iter_errors(example).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", operation.id);
    }
}

/// `make examples` runs this test, which writes the examples anew.
#[test]
#[ignore = "writes into the repository"]
fn take_examples() {
    let mut client = Client::connect(Server::shared().address);
    for operation in OPERATIONS {
        let mut answer = client.get(&format!("{PREFIX}{}", operation.example)).json();
        shorten(&mut answer, "");
        answer["request_id"] = "te2znxmxmnr3ke0gfz82ekzc".into();
        let path = repository(&format!("src/openapi/examples/{}.json", operation.id));
        fs::write(path, format!("{answer:#}\n")).unwrap();
    }
    fs::write(repository(AMBIGUOUS), format!("{:#}\n", ambiguous(&mut client))).unwrap();
}

const AMBIGUOUS: &str = "src/openapi/examples/ambiguous.json";

/// The problem of a name that several places have.
fn ambiguous(client: &mut Client) -> Value {
    let mut problem = client.get("/v1/jurisdictions/resolve?place=Austin&state=TX").json();
    problem["request_id"] = "te2znxmxmnr3ke0gfz82ekzc".into();
    problem
}

#[test]
fn the_example_of_a_choice_is_what_is_answered() {
    let mut client = Client::connect(Server::shared().address);
    let kept: Value = serde_json::from_str(&fs::read_to_string(repository(AMBIGUOUS)).unwrap()).unwrap();
    assert_eq!(ambiguous(&mut client), kept);
}

fn shorten(value: &mut Value, key: &str) {
    match value {
        Value::Array(items) => {
            items.truncate(if WHOLE.contains(&key) { usize::MAX } else { ITEMS_MAX });
            items.iter_mut().for_each(|item| shorten(item, ""));
        }
        Value::Object(fields) => fields.iter_mut().for_each(|(key, value)| shorten(value, key)),
        _ => {}
    }
}
