//! Reads pages for the whole country, in tables like those of a state file.

use std::path::Path;

use platbook::vocabulary::Topic;
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    checker::Checker,
    error::{CuratedError, Fault},
    file::{ResourceTable, SourceTable},
    files::{read_file, toml_fault},
    lists::{CuratedResource, CuratedSource, resources, sources},
};

/// Minimum number of pages of a topic. Chosen, not measured.
const PER_TOPIC_MIN: usize = 2;
/// Maximum length of a description, in characters. Chosen, not measured.
const DESCRIPTION_CHARS_MAX: usize = 200;

/// The content of `national.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct National {
    /// Day of the last review of the file, `YYYY-MM-DD`.
    pub checked: String,
    /// Sources of the guides and descriptions.
    pub sources: Vec<CuratedSource>,
    /// Pages; their body is the country.
    pub resources: Vec<CuratedResource>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NationalFile {
    checked: Spanned<Datetime>,
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
    #[serde(default)]
    resource: Vec<Spanned<ResourceTable>>,
}

/// Reads the text of `national.toml`. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_national(file: &str, text: &str) -> Result<National, Vec<Fault>> {
    let table: NationalFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let national = National {
        checked: table.checked.get_ref().to_string(),
        sources: sources(&mut checker, &table.source),
        resources: resources(&mut checker, None, &table.resource),
    };
    checker.date(&table.checked, "checked");
    described(&mut checker, &table.resource);
    covered(&mut checker, &national.resources);
    checker.finish().map(|()| national)
}

/// Checks that each page has a description in a full sentence, and that none is of low confidence.
fn described(checker: &mut Checker<'_>, tables: &[Spanned<ResourceTable>]) {
    for (at, spanned) in tables.iter().enumerate() {
        let (table, key) = (spanned.get_ref(), |name: &str| format!("resource[{}].{name}", at + 1));
        match &table.description {
            None => checker.at(spanned, &key("description"), "expected a sentence that says what it is"),
            Some(text) => {
                checker.at_most(text, &key("description"), DESCRIPTION_CHARS_MAX);
                if !text.get_ref().ends_with('.') {
                    checker.at(
                        text,
                        &key("description"),
                        "is not a full sentence: it must end in a full stop",
                    );
                }
            }
        }
        if table.confidence.get_ref() == "low" {
            checker.at(&table.confidence, &key("confidence"), "leave out what is not sure");
        }
    }
}

fn covered(checker: &mut Checker<'_>, resources: &[CuratedResource]) {
    for topic in Topic::all() {
        let count = resources.iter().filter(|resource| resource.topics.contains(&topic)).count();
        if count < PER_TOPIC_MIN {
            let what = format!("{} has {count} pages: at least {PER_TOPIC_MIN}", topic.as_str());
            checker.fault(0, "resource", what);
        }
    }
}

/// Reads the file `national.toml`.
///
/// # Errors
/// All faults of the file; an unreadable file is one fault.
pub fn load_national(path: &Path) -> Result<National, CuratedError> {
    read_file(path, parse_national).map_err(CuratedError)
}
