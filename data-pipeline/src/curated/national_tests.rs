//! Tests that the national pages load, and that a broken file is refused with its line and key.

use std::path::Path;

use platbook::vocabulary::{JurisdictionId, Topic};

use super::{Fault, load_national, parse_national};

/// Two pages with every topic.
fn good() -> String {
    let topics: Vec<String> = Topic::all().map(|topic| format!("\"{}\"", topic.as_str())).collect();
    let page = |name: &str| {
        format!(
            "\n[[resource]]\nname = \"{name}\"\nurl = \"https://{name}.gov/\"\ntopics = [{}]\npublisher = \"U.S. {name}\"\nkind = \"portal\"\nconfidence = \"high\"\ndescription = \"All there is.\"\n",
            topics.join(", ")
        )
    };
    format!("checked = 2026-11-21\n{}{}", page("one"), page("two"))
}

fn faults(text: &str) -> Vec<Fault> {
    parse_national("curated/national.toml", text).err().unwrap_or_default()
}

#[test]
fn the_national_pages_load() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated/national.toml"));
    let national = load_national(path).unwrap_or_else(|error| panic!("\n{error}\n"));
    assert!(national.resources.iter().all(|resource| resource.bodies == [JurisdictionId::Country]));
}

#[test]
fn the_good_file_loads() {
    assert_eq!(faults(&good()), []);
    let named = good().replacen("kind =", "body = \"country:us\"\nkind =", 1);
    assert_eq!(faults(&named), []);
}

/// The text that is replaced once, its replacement, the line of the fault, and words of the message.
#[rustfmt::skip]
const BROKEN: [(&str, &str, usize, &str); 9] = [
    ("checked = 2026-11-21", "checked = 12:00:00", 1, "checked: expected a date"),
    ("checked = 2026-11-21", "state = \"US\"", 1, "unknown field `state`"),
    ("https://one.gov/", "one.gov", 5, "resource[1].url: bad URL"),
    ("\"zoning\", ", "", 1, "zoning has 1 pages: at least 2"),
    ("\"zoning\", ", "\"zones\", ", 6, "resource[1].topics: unknown \"zones\""),
    ("kind =", "body = \"state\"\nkind =", 8, "resource[1].body: \"state\" is not for a file on the whole country"),
    ("confidence = \"high\"", "confidence = \"low\"", 9, "leave out what is not sure"),
    ("description = \"All there is.\"\n", "", 3, "resource[1].description: expected a sentence"),
    ("All there is.", "All there is", 10, "is not a full sentence"),
];

#[test]
fn each_broken_file_names_its_line() {
    for (old, new, line, words) in BROKEN {
        let found = faults(&good().replacen(old, new, 1));
        let hit = found.iter().any(|fault| fault.line == line && fault.to_string().contains(words));
        assert!(hit, "{new}: expected line {line}: {words}, got {found:#?}");
    }
}

#[test]
fn the_country_is_no_body_in_a_state_file() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated/states/DE.toml"));
    let text = std::fs::read_to_string(path).unwrap();
    let with = format!(
        "{text}\n[[resource]]\nname = \"One\"\nurl = \"https://one.gov/\"\ntopics = [\"soils\"]\npublisher = \"U.S.\"\nkind = \"portal\"\nconfidence = \"high\"\nbody = \"country:us\"\n"
    );
    let found = super::parse_state("curated/states/DE.toml", &with).unwrap_err();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].what.contains("is not a body"), "{found:#?}");
}
