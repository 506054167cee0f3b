//! Reads names of areas that the rule of naming does not give: `curated/naming.toml`.

use std::collections::BTreeMap;

use platbook::vocabulary::Geoid;
use serde::Deserialize;

use super::{
    checker::{Checker, Label},
    error::Fault,
    file::Text,
    files::toml_fault,
};

/// The names and legal words of `naming.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamingTable {
    /// Legal words that stay in the name of a county subdivision.
    pub spoken_words: Vec<String>,
    /// Endings of Census names with the legal word that each means; the first match counts.
    pub endings: Vec<(String, String)>,
    /// Legal words of areas whose Census code says that they have none.
    pub words: BTreeMap<Geoid, String>,
    /// The areas with their names, for comparison with the Census names.
    pub labels: Vec<Label>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    spoken_words: Vec<Text>,
    #[serde(default)]
    ending: Vec<Ending>,
    #[serde(default)]
    area: Vec<Area>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ending {
    text: Text,
    word: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Area {
    id: Text,
    word: Text,
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_naming(file: &str, text: &str) -> Result<NamingTable, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let spoken_words = checker.types(&table.spoken_words, "spoken_words");
    let endings = endings(&mut checker, &table.ending);
    let mut words = BTreeMap::new();
    for (at, row) in table.area.iter().enumerate() {
        let key = |name: &str| format!("area[{}].{name}", at + 1);
        checker.types(std::slice::from_ref(&row.word), &key("word"));
        let Some(geoid) = checker.area_of_any_layer(&row.id, &key("id")) else { continue };
        if words.insert(geoid, row.word.get_ref().clone()).is_some() {
            checker.at(&row.id, &key("id"), format!("{geoid} is in two rows"));
        }
    }
    let labels = std::mem::take(&mut checker.labels);
    checker.finish().map(|()| NamingTable { spoken_words, endings, words, labels })
}

/// Reads the endings. An ending that itself ends in an earlier ending would never be reached, so that is a fault.
fn endings(checker: &mut Checker<'_>, rows: &[Ending]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let key = |name: &str| format!("ending[{}].{name}", at + 1);
        checker.types(std::slice::from_ref(&row.word), &key("word"));
        let text = row.text.get_ref();
        if text.trim().is_empty() {
            checker.at(&row.text, &key("text"), "is empty");
        } else if let Some((earlier, _)) = found.iter().find(|(earlier, _)| text.ends_with(earlier.as_str()))
        {
            let what = format!("is never reached: {earlier:?} above it matches all the same names");
            checker.at(&row.text, &key("text"), what);
        }
        found.push((text.clone(), row.word.get_ref().clone()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_tables_name_their_line() {
        let good = "spoken_words = [\"gore\"]\n[[ending]]\ntext = \" (balance)\"\nword = \"city\"\n[[area]]\nid = \"county:66010 Guam\"\nword = \"territory\"\n";
        assert_eq!(parse_naming("n", good).unwrap().words.len(), 1);
        for (broken, expected) in [
            (good.replace("gore", "Gore"), "n:1: spoken_words: "),
            (good.replace(" (balance)", " "), "n:3: ending[1].text: is empty"),
            (good.replace("\"city\"", "\"City\""), "n:4: ending[1].word: "),
            (good.replace("county:66010", "66010"), "n:6: area[1].id: expected an area"),
            (good.replace("66010 Guam", "66010"), "n:6: area[1].id: 66010 has no name beside it"),
            (
                format!("{good}[[area]]\nid = \"county:66010 Guam\"\nword = \"a\"\n"),
                "n:9: area[2].id: county:66010 is in two rows",
            ),
            (
                good.replace("[[area]]", "[[ending]]\ntext = \"x (balance)\"\nword = \"city\"\n[[area]]"),
                "n:6: ending[2].text: is never reached",
            ),
        ] {
            let faults = parse_naming("n", &broken).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.starts_with(expected)), "{expected}: {all:?}");
        }
    }
}
