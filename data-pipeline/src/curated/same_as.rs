//! Reads ids that are one government: `curated/same_as.toml`.

use std::collections::BTreeSet;

use platbook::vocabulary::{Geoid, JurisdictionId};
use serde::Deserialize;
use toml::Spanned;

use super::{checker::Checker, error::Fault, file::Text, files::toml_fault};

/// A government that the Census lists under several ids, such as a city that is a county of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameGovernment {
    /// The ids of the government, two or more.
    pub ids: Vec<Geoid>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    same: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    ids: Spanned<Vec<Text>>,
    why: Text,
    source: Text,
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_same_as(file: &str, text: &str) -> Result<Vec<SameGovernment>, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (at, row) in table.same.iter().enumerate() {
        let key = |name: &str| format!("same[{}].{name}", at + 1);
        checker.words(&row.why, &key("why"));
        checker.words(&row.source, &key("source"));
        let list = row.ids.get_ref();
        if list.len() < 2 {
            let what = format!("expected two or more ids of one government, got {}", list.len());
            checker.at(&row.ids, &key("ids"), what);
        }
        let mut ids = Vec::with_capacity(list.len());
        for text in list {
            let Some(id) = census_id(&mut checker, text, &key("ids")) else { continue };
            if !seen.insert(id) {
                checker.at(text, &key("ids"), format!("{id} is in two rows; put all its ids into one"));
            }
            ids.push(id);
        }
        found.push(SameGovernment { ids });
    }
    checker.finish().map(|()| found)
}

fn census_id(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<Geoid> {
    let what = match text.get_ref().parse::<JurisdictionId>() {
        Ok(JurisdictionId::Census(geoid)) => return Some(geoid),
        Ok(other) => format!("expected a Census id such as county:24510, got {other}"),
        Err(error) => error.to_string(),
    };
    checker.at(text, key, what);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_tables_name_their_line() {
        let good = "[[same]]\nids = [\"county:24510\", \"place:2404000\"]\nwhy = \"a\"\nsource = \"b\"\n";
        assert_eq!(parse_same_as("t", good).unwrap().len(), 1);
        for (broken, expected) in [
            (good.replace("24510", "2451"), "t:2: same[1].ids: "),
            (good.replace("county:24510", "country:us"), "t:2: same[1].ids: expected a Census id"),
            (good.replace("why", "wy"), "t:3: unknown field `wy`"),
            (good.replace("\"b\"", "\"\""), "t:4: same[1].source: is empty"),
            (good.replace(", \"place:2404000\"", ""), "t:2: same[1].ids: expected two or more ids"),
            (format!("{good}{good}"), "t:6: same[2].ids: county:24510 is in two rows"),
        ] {
            let faults = parse_same_as("t", &broken).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.starts_with(expected)), "{expected}: {all:?}");
        }
    }
}
