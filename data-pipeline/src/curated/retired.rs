//! Reads ids of offices and resources that are out of use: `curated/retired_ids.toml`.

use std::path::Path;

use platbook::vocabulary::RecordId;
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    checker::Checker,
    error::{CuratedError, Fault},
    file::Text,
    files::{read_file, toml_fault},
};

/// Beginnings of natural keys by kind of record, with the prefix of the kind's ids.
const KINDS: [(&str, &str); 2] = [("office ", "off_"), ("resource ", "res_")];

/// The id of a record that is out of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetiredId {
    /// The id with its prefix.
    pub id: String,
    /// Natural key of the record: `office BODY TITLE` or `resource BODY ADDRESS`.
    pub key: String,
    /// First day out of use, `YYYY-MM-DD`.
    pub since: String,
    /// The reason, in a sentence.
    pub note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RetiredFile {
    #[serde(default)]
    retired: Vec<RetiredTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RetiredTable {
    id: Text,
    key: Text,
    since: Spanned<Datetime>,
    note: Text,
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_retired(file: &str, text: &str) -> Result<Vec<RetiredId>, Vec<Fault>> {
    let table: RetiredFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let mut found: Vec<RetiredId> = Vec::new();
    for (at, row) in table.retired.iter().enumerate() {
        let key = |name: &str| format!("retired[{}].{name}", at + 1);
        checker.date(&row.since, &key("since"));
        let retired = RetiredId {
            id: row.id.get_ref().clone(),
            key: checker.words(&row.key, &key("key")),
            since: row.since.get_ref().to_string(),
            note: checker.sentence(&row.note, &key("note")),
        };
        match id_of(&retired.key) {
            None => checker.at(
                &row.key,
                &key("key"),
                "expected \"office BODY TITLE\" or \"resource BODY ADDRESS\"",
            ),
            Some(id) if id != retired.id => {
                checker.at(
                    &row.id,
                    &key("id"),
                    format!("{:?} is not the id of its key, which is {id}", retired.id),
                );
            }
            Some(_) => {}
        }
        if found.iter().any(|other| other.id == retired.id) {
            checker.at(&row.id, &key("id"), format!("duplicate id {:?}", retired.id));
        }
        found.push(retired);
    }
    checker.finish().map(|()| found)
}

/// The id of a natural key, which never changes; `None` for an unknown kind.
fn id_of(key: &str) -> Option<String> {
    let (_, prefix) = KINDS.iter().find(|(kind, _)| key.starts_with(kind))?;
    Some(RecordId::of(key).text(prefix))
}

/// Reads the file `retired_ids.toml`.
///
/// # Errors
/// All faults of the file; an unreadable file is one fault.
pub fn load_retired(path: &Path) -> Result<Vec<RetiredId>, CuratedError> {
    read_file(path, parse_retired).map_err(CuratedError)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, key: &str) -> String {
        format!(
            "[[retired]]\nid = \"{id}\"\nkey = \"{key}\"\nsince = 2026-11-21\nnote = \"The office was closed.\"\n"
        )
    }

    #[test]
    fn a_retired_id_is_that_of_its_key() {
        let key = "office county:27053 county assessor";
        let good = row(&id_of(key).unwrap(), key);
        assert_eq!(parse_retired("r.toml", &good).unwrap()[0].key, key);
        assert_eq!(parse_retired("r.toml", "# none\n"), Ok(Vec::new()));
        for (broken, expected) in [
            (
                row("off_0000000000000000", key),
                "r.toml:2: retired[1].id: \"off_0000000000000000\" is not the id",
            ),
            (
                row("off_1", "county:27053 county assessor"),
                "r.toml:3: retired[1].key: expected \"office BODY",
            ),
            (format!("{good}{good}"), "r.toml:7: retired[2].id: duplicate id"),
            (
                good.replace("since = 2026-11-21", "since = 12:00:00"),
                "r.toml:4: retired[1].since: expected a date",
            ),
            (good.replace("closed.", "closed"), "r.toml:5: retired[1].note: is not a full sentence"),
            (good.replace("note", "nota"), "r.toml:5: unknown field `nota`"),
        ] {
            let faults = parse_retired("r.toml", &broken).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{expected}: {all:?}");
        }
    }
}
