//! Reads what a person can do on single pages: `curated/actions.toml`.

use std::collections::HashMap;

use platbook::vocabulary::{Action, ActionSet, bare_url};
use serde::Deserialize;

use super::{Fault, checker::Checker, file::Text, files::toml_fault};

/// The words of actions, as the file spells them.
const WORDS: [(&str, Action); Action::ALL.len()] = {
    let mut words = [("", Action::PayBill); Action::ALL.len()];
    let mut at = 0;
    while at < Action::ALL.len() {
        words[at] = (Action::ALL[at].as_str(), Action::ALL[at]);
        at += 1;
    }
    words
};

/// The actions of single pages, by bare URL. These actions replace those that rules find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionTable(HashMap<String, ActionSet>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    page: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    url: Text,
    actions: Vec<Text>,
}

impl ActionTable {
    /// The actions of the page at a bare URL; `None` if the table does not have it.
    pub fn get(&self, bare_url: &str) -> Option<ActionSet> {
        self.0.get(bare_url).copied()
    }

    /// The bare URLs of the table, in no particular order.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_actions(file: &str, text: &str) -> Result<ActionTable, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let mut pages = HashMap::new();
    for (at, row) in table.page.iter().enumerate() {
        let key = |name: &str| format!("page[{}].{name}", at + 1);
        let url = bare_url(&checker.url(&row.url, &key("url")));
        let known = row.actions.iter().filter_map(|word| checker.known_word(word, &key("actions"), &WORDS));
        if pages.insert(url, known.collect()).is_some() {
            checker.at(&row.url, &key("url"), "duplicate page");
        }
    }
    checker.finish()?;
    Ok(ActionTable(pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[[page]]\nurl = \"https://www.example.gov/map/\"\nactions = [\"see_parcel_map\"]\n";

    #[test]
    fn a_page_is_read_or_refused_with_its_line() {
        let table = parse_actions("a.toml", GOOD).unwrap();
        assert_eq!(table.get("example.gov/map"), Some([Action::SeeParcelMap].into_iter().collect()));
        assert_eq!(table.get("example.gov"), None);
        for (text, expected) in [
            (GOOD.replace("https://", ""), "a.toml:2: page[1].url:"),
            (GOOD.replace("see_parcel_map", "see_map"), "a.toml:3: page[1].actions: unknown \"see_map\""),
            (format!("{GOOD}{GOOD}"), "a.toml:5: page[2].url: duplicate page"),
        ] {
            let faults = parse_actions("a.toml", &text).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{expected}: {all:?}");
        }
    }
}
