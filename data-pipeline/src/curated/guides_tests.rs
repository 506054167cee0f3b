//! Tests that the guides load, and that a broken guide is refused with its file, line and key.

use std::path::Path;

use platbook::vocabulary::Topic;

use super::{Fault, GUIDE_HEADINGS, guides::grade, load_guides, parse_guide};

fn good() -> String {
    let mut text = "topic = \"soils\"\ntitle = \"Soils\"\nsummary = \"The map is free. It is rough.\"\nalso = [\"elevation\"]\nchecked = 2026-11-21\n".to_owned();
    let paragraph = "The map shows the soil of a lot. Look at it first. ".repeat(5);
    for heading in GUIDE_HEADINGS {
        text += &format!("\n[[section]]\nheading = \"{heading}\"\ntext = [\"{}\"]\n", paragraph.trim());
    }
    text
}

fn faults(text: &str) -> Vec<Fault> {
    parse_guide("curated/guides/soils.toml", text).err().unwrap_or_default()
}

#[test]
fn every_topic_has_a_guide_that_is_easy_to_read() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated/guides"));
    let guides = load_guides(folder).unwrap_or_else(|error| panic!("\n{error}\n"));
    assert_eq!(guides.len(), Topic::all().count());
    for guide in guides {
        println!("{:5.1} {}", grade(&guide), guide.topic.as_str());
    }
}

#[test]
fn the_good_guide_loads() {
    assert_eq!(faults(&good()), []);
}

/// The replaced text, its replacement, the line of the fault, and words of the message.
#[rustfmt::skip]
const BROKEN: [(&str, &str, usize, &str); 14] = [
    ("topic = \"soils\"", "topic = \"soil\"", 1, "topic: unknown \"soil\""),
    ("topic = \"soils\"", "topic = \"zoning\"", 1, "must be called zoning.toml"),
    ("title = \"Soils\"", "title = \"Soils and all the other things that lie below a house\"", 2, "at most 50"),
    ("title = \"Soils\"", "title = \"Soils!\"", 2, "exclamation mark"),
    ("It is rough.\"", "It is rough\"", 3, "is not a full sentence"),
    ("The map is free. It is rough.", "The map is free.", 3, "has 1 sentences"),
    ("It is rough.", "See www.nrcs.usda.gov for it.", 3, "has an address"),
    ("also = [\"elevation\"]", "also = [\"soils\"]", 4, "also: is the guide itself"),
    ("also = [\"elevation\"]", "also = []", 4, "also: is empty"),
    ("checked = 2026-11-21", "checked = 12:00:00", 5, "expected a date"),
    ("heading = \"Who decides\"", "heading = \"Who rules\"", 12, "section[2].heading: expected \"Who decides\" here"),
    ("heading = \"Who decides\"", "headline = \"Who decides\"", 12, "unknown field `headline`"),
    ("a lot. Look at it first. The", "a lot, look at it first!  The", 9, "section[1].text: has stray spaces"),
    ("The map shows", "Jurisdictional administration necessitates comprehensive documentation, notwithstanding preliminary considerations regarding environmental determination procedures; the map shows", 1, "at most 8.5"),
];

#[test]
fn each_broken_guide_names_its_line() {
    for (old, new, line, words) in BROKEN {
        let all = words == "at most 8.5";
        let text = if all { good().replace(old, new) } else { good().replacen(old, new, 1) };
        assert_ne!(text, good(), "{old}");
        let found = faults(&text);
        let hit = found.iter().any(|fault| fault.line == line && fault.to_string().contains(words));
        assert!(hit, "{new}: expected line {line}: {words}, got {found:#?}");
    }
}

#[test]
fn a_guide_has_all_sections_and_enough_words() {
    let text = good();
    let short = &text[..text.rfind("[[section]]").unwrap()];
    let found = faults(short);
    assert!(
        found.iter().any(|fault| fault.what.contains("\"What this does not tell you\", found none")),
        "{found:#?}"
    );
    let few = faults(&text.replace("Look at it first.", ""));
    assert!(few.iter().any(|fault| fault.what.contains("expected 250 to 500")), "{few:#?}");
}

#[test]
fn a_folder_needs_every_topic() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("soils.toml"), good()).unwrap();
    let message = load_guides(folder.path()).unwrap_err().to_string();
    assert_eq!(message.lines().count(), Topic::all().count() - 1, "{message}");
    assert!(message.contains("zoning.toml:1: expected a guide to zoning, found none"), "{message}");
}
