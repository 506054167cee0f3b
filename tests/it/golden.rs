//! Compares whole answers to requests over all states and territories with those in `tests/golden/`, so that diffs
//! show changes.
//!
//! A code change that should not change answers leaves every file as it is. After a change that should, `make bless`
//! records the answers again, and the diff of the files shows its effect.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use platbook::vocabulary::StateCode;
use serde::Serialize;
use serde_json::{Value, json, ser::PrettyFormatter};

use crate::harness::{Client, Response, Server};

/// Set by `make bless`: the test writes answers instead of comparing them.
const BLESS: &str = "PLATBOOK_BLESS";

/// Sent with each request, because an answer repeats it.
const REQUEST_ID: &str = "golden-request";

/// Replaces the cursor of an answer, which depends on the digest of the snapshot.
const CURSOR: &str = "CURSOR";

/// Headers that depend on the answer. The entity tag is left out, because the body changes with it.
const HEADERS: [&str; 4] = ["content-type", "cache-control", "link", "retry-after"];

/// Maximum number of differences that are shown of one answer.
const SHOWN_MAX: usize = 3;

/// Maximum number of characters that are shown of a value.
const SHOWN_CHARS_MAX: usize = 120;

#[test]
fn answers_are_those_that_were_blessed() {
    let mut client = Client::connect(Server::shared().address);
    let requests = requests();
    let bless = std::env::var_os(BLESS).is_some();
    let mut faults = Vec::new();
    let mut states = BTreeSet::new();
    for (path, target) in &requests {
        let answer = client.ask("GET", target, &format!("X-Request-Id: {REQUEST_ID}\r\n"));
        let current = normal(target, &answer);
        states.extend(current["body"]["data"]["jurisdictions"][0]["state"].as_str().map(str::to_owned));
        if bless {
            write(path, &pretty(&current));
        } else {
            faults.extend(fault(path, &current));
        }
    }
    faults.extend(strays(&requests, bless));
    assert!(faults.is_empty(), "{} answers differ; see `make bless`\n{}", faults.len(), faults.join("\n"));
    let left_out: Vec<_> =
        StateCode::all().map(|state| state.to_string()).filter(|state| !states.contains(state)).collect();
    assert!(left_out.is_empty(), "no point of {left_out:?} is resolved");
}

#[test]
fn differences_have_their_path() {
    let blessed = json!({ "a": [1, { "b": "x" }], "c": null, "d": 1 });
    for (current, expected) in [
        (json!({ "a": [1, { "b": "y" }], "c": null, "d": 1 }), &[r#".a[1].b: expected "x", got "y""#][..]),
        (json!({ "a": [1], "c": null, "d": 1 }), &[r#".a[1]: expected {"b":"x"}, got nothing"#]),
        (
            json!({ "a": [1, { "b": "x" }], "d": 2 }),
            &[".c: expected null, got nothing", ".d: expected 1, got 2"],
        ),
        (json!({ "a": [1, { "b": "x" }], "c": null, "d": 1, "e": [] }), &[".e: expected nothing, got []"]),
        (
            json!({ "a": [1, { "b": "x" }], "d": 1, "c": null }),
            &[": expected the members in the order a, c, d; got a, d, c"],
        ),
    ] {
        let mut differences = Vec::new();
        compare("", Some(&blessed), Some(&current), &mut differences);
        assert_eq!(differences, expected, "{current}");
    }
}

/// The file of each request's answer, and the request's target.
fn requests() -> BTreeMap<PathBuf, String> {
    let text = fs::read_to_string(folder().join("requests.toml")).unwrap();
    let folders: BTreeMap<String, BTreeMap<String, String>> = toml::from_str(&text).unwrap();
    let paths = folders.into_iter().flat_map(|(kind, requests)| {
        requests.into_iter().map(move |(name, target)| (folder().join(&kind).join(name + ".json"), target))
    });
    paths.collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Removes the parts of an answer that differ between runs and between builds.
fn normal(target: &str, answer: &Response) -> Value {
    let kept = HEADERS.iter().filter_map(|name| Some((*name, answer.headers.get(*name)?)));
    let whole = json!({
        "request": format!("GET {target}"),
        "status": answer.status,
        "headers": kept.collect::<BTreeMap<_, _>>(),
        "body": answer.json(),
    });
    match whole["body"]["data"]["next_cursor"].as_str() {
        Some(cursor) => serde_json::from_str(&whole.to_string().replace(cursor, CURSOR)).unwrap(),
        None => whole,
    }
}

/// Writes a value with an indent of one space, because answers are many and nested deeply.
fn pretty(value: &Value) -> String {
    let mut text = Vec::new();
    let format = PrettyFormatter::with_indent(b" ");
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, format)).unwrap();
    String::from_utf8(text).unwrap() + "\n"
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns the differences from the stored answer; `None` if both are equal.
fn fault(path: &Path, current: &Value) -> Option<String> {
    let Ok(text) = fs::read_to_string(path) else {
        return Some(format!("{}: was never blessed", shown(path)));
    };
    let blessed: Value = serde_json::from_str(&text).unwrap();
    let mut differences = Vec::new();
    compare("", Some(&blessed), Some(current), &mut differences);
    let first = &differences[..differences.len().min(SHOWN_MAX)];
    let count = differences.len();
    (count > 0).then(|| format!("{}: {count} differences\n  {}", shown(path), first.join("\n  ")))
}

/// Files without a request, which `make bless` removes.
fn strays(requests: &BTreeMap<PathBuf, String>, bless: bool) -> Vec<String> {
    let kinds = fs::read_dir(folder()).unwrap().map(|kind| kind.unwrap().path()).filter(|path| path.is_dir());
    let files = kinds.flat_map(|kind| fs::read_dir(kind).unwrap()).map(|file| file.unwrap().path());
    let mut strays: Vec<PathBuf> = files.filter(|file| !requests.contains_key(file)).collect();
    if bless {
        strays.drain(..).for_each(|stray| fs::remove_file(stray).unwrap());
    }
    strays.iter().map(|stray| format!("{}: has no request", shown(stray))).collect()
}

fn shown(path: &Path) -> String {
    path.strip_prefix(folder()).unwrap().display().to_string()
}

/// Adds a line for each innermost value that differs. Members of an object have an order, since clients show it.
fn compare(path: &str, blessed: Option<&Value>, current: Option<&Value>, differences: &mut Vec<String>) {
    match (blessed, current) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let before = differences.len();
            for name in old.keys().chain(new.keys().filter(|name| !old.contains_key(*name))) {
                compare(&format!("{path}.{name}"), old.get(name), new.get(name), differences);
            }
            if differences.len() == before && !old.keys().eq(new.keys()) {
                let names = |keys: Vec<&str>| keys.join(", ");
                let [old, new] = [old, new].map(|object| names(object.keys().map(String::as_str).collect()));
                differences.push(format!("{path}: expected the members in the order {old}; got {new}"));
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for at in 0..old.len().max(new.len()) {
                compare(&format!("{path}[{at}]"), old.get(at), new.get(at), differences);
            }
        }
        (old, new) if old == new => {}
        (old, new) => {
            let [old, new] = [old, new].map(short);
            differences.push(format!("{path}: expected {old}, got {new}"));
        }
    }
}

fn short(value: Option<&Value>) -> String {
    let text = value.map_or("nothing".to_owned(), Value::to_string);
    text.chars().take(SHOWN_CHARS_MAX).collect()
}
