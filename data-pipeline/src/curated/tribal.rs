//! Reads sentences on owning land of American Indian nations: `curated/tribal.toml`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    checker::Checker,
    error::Fault,
    file::{SourceTable, Text},
    files::toml_fault,
    lists::{CuratedSource, sources},
};

/// The kinds of land and the names of `tribal.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TribalTable {
    /// Sources of the sentences and names.
    pub sources: Vec<CuratedSource>,
    /// LSAD codes of areas that are not land of an American Indian nation: they are statistical, or belong to a
    /// state.
    pub left_out: BTreeSet<String>,
    /// Kinds of land; the first match counts.
    pub kinds: Vec<LandKind>,
    /// Names of nations by the Census code of their land.
    pub nations: BTreeMap<String, Sourced>,
    /// Main sites of nations by the Census code of their land.
    pub sites: BTreeMap<String, Sourced>,
}

/// A kind of land with its sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LandKind {
    /// LSAD codes of the kind.
    pub lsad: BTreeSet<String>,
    /// The first Census code of the kind, in text order; empty for all codes.
    pub codes_from: String,
    /// The only Census codes of the kind; empty for all codes.
    pub codes: BTreeSet<String>,
    /// Sentences on what the status of the land changes for an owner.
    pub words: String,
    /// Sources of the sentences, by position in the table's sources.
    pub sources: Vec<usize>,
}

/// A text with its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced {
    /// The text as the table has it: a name or a URL.
    pub text: String,
    /// Source of the text, by position in the table's sources.
    pub source: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    checked: Spanned<Datetime>,
    source: Vec<Spanned<SourceTable>>,
    left_out: Vec<LeftOut>,
    kind: Vec<Kind>,
    #[serde(default)]
    nation: Vec<Nation>,
    #[serde(default)]
    sites: Vec<Sites>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftOut {
    lsad: Vec<Text>,
    why: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    lsad: Vec<Text>,
    #[serde(default)]
    codes_from: Option<Text>,
    #[serde(default)]
    codes: Vec<Text>,
    words: Spanned<Vec<Text>>,
    sources: Vec<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nation {
    land: Text,
    name: Text,
    source: Text,
}

/// Main sites from one source.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sites {
    source: Text,
    /// Each list has a URL, then the lands of the nation.
    of: Vec<Spanned<Vec<Text>>>,
}

impl TribalTable {
    /// The kind of an area by its LSAD and Census code; `Ok(None)` for one that is left out.
    ///
    /// # Errors
    /// When the table does not know the LSAD.
    pub fn kind(&self, lsad: &str, code: &str) -> Result<Option<&LandKind>, UnknownLsad> {
        if self.left_out.contains(lsad) {
            return Ok(None);
        }
        let fits = |kind: &&LandKind| {
            let is_listed = kind.codes.is_empty() || kind.codes.contains(code);
            kind.lsad.contains(lsad) && code >= kind.codes_from.as_str() && is_listed
        };
        self.kinds.iter().find(fits).map(Some).ok_or_else(|| UnknownLsad(lsad.to_owned()))
    }
}

/// The LSAD code of an area whose kind the table does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("curated/tribal.toml: expected each LSAD in a `kind` or in `left_out`, got {0:?}; add it to one")]
pub struct UnknownLsad(pub String);

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_tribal(file: &str, text: &str) -> Result<TribalTable, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    checker.date(&table.checked, "checked");
    let mut found = TribalTable { sources: sources(&mut checker, &table.source), ..TribalTable::default() };
    for (at, row) in table.left_out.iter().enumerate() {
        checker.words(&row.why, &format!("left_out[{}].why", at + 1));
        found.left_out.extend(row.lsad.iter().map(|lsad| lsad.get_ref().clone()));
    }
    for (at, row) in table.kind.iter().enumerate() {
        let key = |name: &str| format!("kind[{}].{name}", at + 1);
        let sources = row.sources.iter().map(|source| checker.source(source, &key("sources"))).collect();
        found.kinds.push(LandKind {
            lsad: row.lsad.iter().map(|lsad| lsad.get_ref().clone()).collect(),
            codes_from: row.codes_from.as_ref().map_or(String::new(), |code| code.get_ref().clone()),
            // Each entry is the code, then the name of the land for readers.
            codes: row.codes.iter().map(|land| code_of(land.get_ref()).to_owned()).collect(),
            words: checker.sentences(&row.words, &key("words")).join(" "),
            sources,
        });
    }
    for (at, row) in table.nation.iter().enumerate() {
        let key = |name: &str| format!("nation[{}].{name}", at + 1);
        let source = checker.source(&row.source, &key("source"));
        let text = checker.words(&row.name, &key("name"));
        let code = code_of(row.land.get_ref());
        let name = Sourced { text, source };
        if code.len() != 4 || found.nations.insert(code.to_owned(), name).is_some() {
            let what = format!(
                "expected four digits that no other row has, and a name, got {:?}",
                row.land.get_ref()
            );
            checker.at(&row.land, &key("land"), what);
        }
    }
    found.sites = sites_of(&mut checker, &table.sites);
    checker.every_source_is_used(&table.source);
    checker.finish().map(|()| found)
}

/// Returns the main sites by the Census code of the land.
fn sites_of(checker: &mut Checker<'_>, tables: &[Sites]) -> BTreeMap<String, Sourced> {
    let mut sites = BTreeMap::new();
    for (at, table) in tables.iter().enumerate() {
        let key = format!("sites[{}].of", at + 1);
        let source = checker.source(&table.source, &format!("sites[{}].source", at + 1));
        for row in &table.of {
            let [url, lands @ ..] = &row.get_ref()[..] else {
                checker.at(row, &key, "expected a URL and the lands of its nation, got an empty list");
                continue;
            };
            let site = Sourced { text: checker.url(url, &key), source };
            for land in lands {
                let code = code_of(land.get_ref());
                if code.len() != 4 || sites.insert(code.to_owned(), site.clone()).is_some() {
                    let got = land.get_ref();
                    let what =
                        format!("expected four digits that no other site has, and a name, got {got:?}");
                    checker.at(land, &key, what);
                }
            }
        }
    }
    sites
}

/// The Census code of an entry, which comes before the name of the land.
fn code_of(land: &str) -> &str {
    land.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"checked = 2026-11-22
[[source]]
id = "law"
name = "A law"
url = "https://example.gov/law"
publisher = "P"
[[left_out]]
lsad = ["79"]
why = "Drawn for statistics."
[[kind]]
lsad = ["86"]
codes_from = "9000"
words = ["Of a state."]
sources = ["law"]
[[kind]]
lsad = ["86"]
words = ["Of a nation."]
sources = ["law"]
[[nation]]
land = "4760 Yurok"
name = "Yurok Tribe"
source = "law"
[[sites]]
source = "law"
of = [
  ["https://yurok.example/", "4760 Yurok"],
]
"#;

    #[test]
    fn the_first_kind_that_fits_is_taken() {
        let table = parse_tribal("t", GOOD).unwrap();
        let words =
            |lsad: &str, code: &str| table.kind(lsad, code).map(|kind| kind.map(|kind| kind.words.as_str()));
        assert_eq!(words("86", "4760"), Ok(Some("Of a nation.")));
        assert_eq!(words("86", "9370"), Ok(Some("Of a state.")));
        assert_eq!(words("79", "6005"), Ok(None));
        assert_eq!(words("99", "1"), Err(UnknownLsad("99".to_owned())));
        assert_eq!(table.nations["4760"].text, "Yurok Tribe");
        assert_eq!(table.sites["4760"].text, "https://yurok.example/");
    }

    #[test]
    fn a_kind_may_be_of_some_lands_alone() {
        let settlement = "[[kind]]\nlsad = [\"86\"]\ncodes = [\"2850 Pleasant Point\"]\nwords = [\"Of a settlement.\"]\n\
                          sources = [\"law\"]\n[[kind]]";
        let table = parse_tribal("t", &GOOD.replacen("[[kind]]", settlement, 1)).unwrap();
        let words = |code: &str| table.kind("86", code).unwrap().map(|kind| kind.words.as_str());
        assert_eq!(words("2850"), Some("Of a settlement."));
        assert_eq!(words("4760"), Some("Of a nation."));
        assert_eq!(words("9370"), Some("Of a state."));
    }

    #[test]
    fn broken_tables_name_their_line() {
        for (from, to, expected) in [
            ("\"Of a state.\"", "\"Of a state\"", "t:13: kind[1].words"),
            ("sources = [\"law\"]\n[[kind]]", "sources = [\"lw\"]\n[[kind]]", "t:14: kind[1].sources"),
            ("4760 Yurok", "476 Yurok", "t:20: nation[1].land: expected four digits"),
            (
                "\"4760 Yurok\"],",
                "\"4760 Yurok\", \"4760 Yurok\"],",
                "t:26: sites[1].of: expected four digits",
            ),
            ("\"https://yurok.example/\", \"4760 Yurok\"", "", "t:26: sites[1].of: expected a URL"),
            ("https://yurok.example/", "yurok", "t:26: sites[1].of"),
            ("why = \"Drawn for statistics.\"", "why = \"\"", "t:9: left_out[1].why"),
        ] {
            let broken = GOOD.replacen(from, to, 1);
            assert_ne!(broken, GOOD, "{from}");
            let faults = parse_tribal("t", &broken).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.starts_with(expected)), "{expected}: {all:?}");
        }
    }
}
