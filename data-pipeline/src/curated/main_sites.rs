//! Reads main sites of governments: `curated/main_sites.toml`.
//!
//! The registry of .gov domains lacks these sites, or has an old domain instead, or that of a part of the
//! government.

use std::collections::HashSet;

use platbook::vocabulary::JurisdictionId;
use serde::Deserialize;
use toml::Spanned;

use super::{
    CuratedSource, Fault, Label,
    checker::Checker,
    file::{SourceTable, Text},
    files::toml_fault,
    lists::sources,
};

/// The main site of a government.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainSite {
    /// The government that runs the site.
    pub body: JurisdictionId,
    /// Address of the site.
    pub url: String,
    /// Position of the site's source in [`MainSites::sources`].
    pub source: usize,
}

/// The main sites of `main_sites.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MainSites {
    /// Sources, in the order of the file; sites refer to them by position.
    pub sources: Vec<CuratedSource>,
    /// Main sites, at most one for each government.
    pub sites: Vec<MainSite>,
    /// Every GEOID with the name that the file gives it.
    pub labels: Vec<Label>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
    #[serde(default)]
    site: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    body: Text,
    url: Text,
    source: Text,
    /// The main site in a published list, for readers only.
    instead_of: Option<Text>,
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_main_sites(file: &str, text: &str) -> Result<MainSites, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let sources = sources(&mut checker, &table.source);
    let (mut sites, mut seen) = (Vec::new(), HashSet::new());
    for (at, row) in table.site.iter().enumerate() {
        let key = |name: &str| format!("site[{}].{name}", at + 1);
        let url = checker.url(&row.url, &key("url"));
        let source = checker.source(&row.source, &key("source"));
        if let Some(other) = &row.instead_of
            && checker.url(other, &key("instead_of")) == url
        {
            checker.at(other, &key("instead_of"), "is the same address");
        }
        let Some(geoid) = checker.area_of_any_layer(&row.body, &key("body")) else { continue };
        let body = JurisdictionId::Census(geoid);
        if !seen.insert(body.clone()) {
            checker.at(&row.body, &key("body"), format!("duplicate site: {body} already has one"));
        }
        sites.push(MainSite { body, url, source });
    }
    checker.every_source_is_used(&table.source);
    let labels = std::mem::take(&mut checker.labels);
    checker.finish()?;
    Ok(MainSites { sources, sites, labels })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"[[source]]
id = "list"
name = "A list"
url = "https://example.org/list"
publisher = "Somebody"

[[site]]
body = "county:27053 Hennepin County"
url = "https://www.hennepin.us/"
source = "list"
instead_of = "https://old.example.org/"
"#;

    #[test]
    fn a_site_is_read_or_refused_with_its_line() {
        let table = parse_main_sites("m.toml", GOOD).unwrap();
        assert_eq!((table.sites.len(), table.labels.len(), table.sites[0].source), (1, 1, 0));
        let twice = format!("{GOOD}\n{}", GOOD.split("\n\n").nth(1).unwrap());
        for (text, expected) in [
            (GOOD.replace("county:27053 Hennepin County", "county:27 Hennepin"), "m.toml:8: site[1].body:"),
            (GOOD.replace("https://www.hennepin.us/", "hennepin"), "m.toml:9: site[1].url:"),
            (GOOD.replace("source = \"list\"", "source = \"lost\""), "m.toml:10: site[1].source:"),
            (GOOD.replace("https://old.example.org/", "https://www.hennepin.us/"), "is the same address"),
            (twice, "duplicate site"),
        ] {
            let faults = parse_main_sites("m.toml", &text).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{expected}: {all:?}");
        }
    }
}
