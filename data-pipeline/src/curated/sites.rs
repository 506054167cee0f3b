//! Reads pages of single counties and cities: one file for each state, `curated/sites/XX.toml`.

use std::{collections::HashSet, path::Path};

use platbook::vocabulary::{Function, FunctionSet, JurisdictionId, StateCode, Topic, TopicSet};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    CuratedError, CuratedSource, Fault,
    checker::{Checker, Label},
    error::line_of,
    file::{SourceTable, Text},
    files::{read_folder, toml_fault, whole},
    lists::sources,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SitesFile {
    state: Text,
    checked: Spanned<Datetime>,
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
    #[serde(default)]
    page: Vec<Spanned<PageTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageTable {
    body: Text,
    kind: Text,
    name: Text,
    url: Text,
    source: Option<Text>,
    provider: Option<Text>,
    search_url_template: Option<Text>,
    phone: Option<Text>,
    phone_source: Option<Text>,
}

/// The purpose of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the words of the files are the names")]
pub enum PageKind {
    Assessor,
    TaxCollector,
    TaxPayment,
    Recorder,
    DeedSearch,
    ParcelMap,
    Gis,
    Planning,
    ZoningCode,
    Permits,
    PropertySearch,
}

/// Kinds of pages, as the files spell them.
const KINDS: [(&str, PageKind); 11] = [
    ("assessor", PageKind::Assessor),
    ("tax_collector", PageKind::TaxCollector),
    ("tax_payment", PageKind::TaxPayment),
    ("recorder", PageKind::Recorder),
    ("deed_search", PageKind::DeedSearch),
    ("parcel_map", PageKind::ParcelMap),
    ("gis", PageKind::Gis),
    ("planning", PageKind::Planning),
    ("zoning_code", PageKind::ZoningCode),
    ("permits", PageKind::Permits),
    ("property_search", PageKind::PropertySearch),
];

impl PageKind {
    /// The functions of the office whose own page this is; empty for a tool that belongs to no office.
    pub fn functions(self) -> FunctionSet {
        let function = match self {
            PageKind::Assessor => Some(Function::Assessment),
            PageKind::TaxCollector => Some(Function::TaxCollection),
            PageKind::Recorder => Some(Function::Recording),
            PageKind::Planning => Some(Function::Zoning),
            PageKind::Permits => Some(Function::Permits),
            PageKind::Gis => Some(Function::Gis),
            PageKind::TaxPayment
            | PageKind::DeedSearch
            | PageKind::ParcelMap
            | PageKind::ZoningCode
            | PageKind::PropertySearch => None,
        };
        function.into_iter().collect()
    }

    /// The topics of the page.
    pub fn topics(self) -> TopicSet {
        let topics: &[Topic] = match self {
            PageKind::Assessor => &[Topic::Assessor],
            PageKind::TaxCollector => &[Topic::TaxCollector],
            PageKind::TaxPayment => &[Topic::PropertyTaxPayment],
            PageKind::Recorder | PageKind::DeedSearch => &[Topic::RecorderDeeds],
            PageKind::ParcelMap => &[Topic::ParcelMap],
            PageKind::Gis => &[Topic::CountyGis],
            PageKind::Planning | PageKind::ZoningCode => &[Topic::Zoning],
            PageKind::Permits => &[Topic::BuildingPermits],
            PageKind::PropertySearch => &[Topic::PropertyRecordsGeneral, Topic::Assessor],
        };
        topics.iter().copied().collect()
    }
}

/// A page of a county or city.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePage {
    /// The government that the page belongs to.
    pub body: JurisdictionId,
    /// Purpose of the page.
    pub kind: PageKind,
    /// Title of the page or office.
    pub name: String,
    /// Address of the page.
    pub url: String,
    /// Position of the page's source in the file; `None` if the registry of .gov domains confirms the host.
    pub source: Option<usize>,
    /// Vendor that runs the page; `None` if the government does.
    pub provider: Option<String>,
    /// Address of a search with {pin} or {q} in it; `None` without one.
    pub search_url_template: Option<String>,
    /// Telephone of the office; `None` if it is not known.
    pub phone: Option<String>,
    /// Line of the address in the file, from 1.
    pub line: usize,
}

/// The pages of a state's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuratedSites {
    /// Path of the file, for later faults.
    pub file: String,
    /// State of the file.
    pub state: StateCode,
    /// Sources, in the order of the file; pages refer to them by position.
    pub sources: Vec<CuratedSource>,
    /// Pages, in the order of the file.
    pub pages: Vec<SitePage>,
    /// Every GEOID with the name that the file gives it.
    pub labels: Vec<Label>,
}

/// Reads one file's text. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_sites(file: &str, text: &str) -> Result<CuratedSites, Vec<Fault>> {
    let table: SitesFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let Ok(state) = table.state.get_ref().parse::<StateCode>() else {
        let line = line_of(text, table.state.span().start);
        let what =
            format!("{:?} is not a state, DC or a territory of the United States", table.state.get_ref());
        return Err(vec![Fault { file: file.to_owned(), line, key: "state".to_owned(), what }]);
    };
    let mut checker = Checker::new(file, text, state);
    checker.file_is_named_after(&table.state, state);
    checker.date(&table.checked, "checked");
    let sources = sources(&mut checker, &table.source);
    let pages = pages(&mut checker, &table.page);
    checker.every_source_is_used(&table.source);
    let labels = std::mem::take(&mut checker.labels);
    checker.finish()?;
    Ok(CuratedSites { file: file.to_owned(), state, sources, pages, labels })
}

fn pages(checker: &mut Checker<'_>, tables: &[Spanned<PageTable>]) -> Vec<SitePage> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for (at, table) in tables.iter().enumerate() {
        let (table, key) = (table.get_ref(), |name: &str| format!("page[{}].{name}", at + 1));
        let kind = checker.known_word(&table.kind, &key("kind"), &KINDS);
        let page = SitePage {
            name: checker.words(&table.name, &key("name")),
            url: checker.url(&table.url, &key("url")),
            source: table.source.as_ref().map(|source| checker.source(source, &key("source"))),
            provider: checker.opt_words(table.provider.as_ref(), &key("provider")),
            search_url_template: table
                .search_url_template
                .as_ref()
                .map(|text| checker.template(text, &key("search_url_template"))),
            phone: table.phone.as_ref().map(|phone| checker.phone(phone, &key("phone"))),
            line: checker.lines.at(table.url.span().start),
            kind: kind.unwrap_or(PageKind::Assessor),
            body: match checker.body(&table.body, &key("body")) {
                Some(body) => body,
                None => continue,
            },
        };
        match (&table.phone, &table.phone_source) {
            (Some(_), Some(source)) => _ = checker.source(source, &key("phone_source")),
            (Some(phone), None) => checker.at(phone, &key("phone"), "needs a phone_source"),
            (None, Some(source)) => checker.at(source, &key("phone_source"), "has no phone beside it"),
            (None, None) => {}
        }
        if kind.is_none() {
            continue;
        }
        if !seen.insert((page.body.clone(), page.kind)) {
            let what = format!("duplicate page: {} already has one of this kind", page.body);
            checker.at(&table.kind, &key("kind"), what);
        }
        found.push(page);
    }
    found
}

/// Reads every `XX.toml` of a folder, in the order of names.
///
/// # Errors
/// All faults of all files; an unreadable file is one fault.
pub fn load_sites(folder: &Path) -> Result<Vec<CuratedSites>, CuratedError> {
    whole(read_folder(folder, parse_sites))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"state = "MN"
checked = 2026-11-21

[[source]]
id = "list"
name = "A list"
url = "https://example.org/list"
publisher = "Somebody"

[[page]]
body = "county:27053 Hennepin"
kind = "assessor"
name = "Assessor"
url = "https://www.hennepin.us/assessor"
source = "list"
"#;

    #[test]
    fn a_page_says_what_it_is_for() {
        let sites = parse_sites("MN.toml", GOOD).unwrap();
        let page = &sites.pages[0];
        assert_eq!((page.kind, page.source, page.line), (PageKind::Assessor, Some(0), 14));
        for (_, kind) in KINDS {
            assert!(!kind.topics().is_empty());
            assert!(
                kind.functions()
                    .iter()
                    .all(|function| { function.topics().iter().any(|topic| kind.topics().has(*topic)) })
            );
        }
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line() {
        for (good, broken, expected) in [
            ("kind = \"assessor\"", "kind = \"sheriff\"", "MN.toml:12: page[1].kind: unknown \"sheriff\""),
            ("county:27053 Hennepin", "county:2705 Hennepin", "MN.toml:11: page[1].body:"),
            ("https://www.hennepin.us/assessor", "www.hennepin.us", "MN.toml:14: page[1].url:"),
            ("source = \"list\"", "source = \"lost\"", "MN.toml:15: page[1].source: no [[source]]"),
            ("source = \"list\"", "", "MN.toml:5: source: nothing refers to the source"),
            ("source = \"list\"", "sauce = \"list\"", "MN.toml:15: unknown field `sauce`"),
            ("state = \"MN\"", "state = \"WI\"", "MN.toml:1: state: a file for WI must be called WI.toml"),
            (
                "source = \"list\"",
                "source = \"list\"\nphone = \"612-348-3011\"",
                "page[1].phone: needs a phone_source",
            ),
        ] {
            let faults = parse_sites("MN.toml", &GOOD.replace(good, broken)).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{broken}: {all:?}");
        }
        let twice = format!(
            "{GOOD}\n[[page]]\nbody = \"county:27053 Hennepin\"\nkind = \"assessor\"\nname = \"A\"\nurl = \"https://a.gov/\"\n"
        );
        let faults = parse_sites("MN.toml", &twice).unwrap_err();
        assert!(faults[0].what.contains("duplicate page"), "{faults:?}");
    }
}
