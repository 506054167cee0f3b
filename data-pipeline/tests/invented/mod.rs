//! A copy of the hand-kept tables to break, and areas invented from the names in them: no published file is needed.
//!
//! Tables of Minnesota come from `tests/tables/`, so tests that damage them do not depend on edits of the real
//! tables. Pages and dates of other states, half of all bytes, are left out where a test reads the tables for each of
//! its cases.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use platbook::vocabulary::Geoid;
use platbook_pipeline::{
    boundaries::{
        load::{Dropped, Loaded},
        select::Reason,
    },
    curated::{CensusNames, CuratedError, Fault, Tables},
};

/// A resource without its `[[resource]]` line; it replaces `RESOURCE` in lines that are added to a file.
pub(crate) const RESOURCE: &str = "name = \"A page\"\nurl = \"https://example.gov/a\"\ntopics = [\"zoning\"]\npublisher = \"Somebody\"\nkind = \"law\"\nconfidence = \"high\"\ndescription = \"A page.\"\n";

/// A copy of the hand-kept tables, with the Census names of every area in them.
pub(crate) struct Copy {
    /// The folder, which is deleted with this value.
    pub(crate) folder: tempfile::TempDir,
    /// Every area that the tables name, under the name in the tables.
    pub(crate) areas: Loaded,
}

impl Copy {
    /// Makes a copy without the pages and dates of other states.
    pub(crate) fn new() -> Copy {
        Copy::with(|part, state| !["sites", "deadlines"].contains(&part) || state == "MN")
    }

    /// Makes a copy of all tables.
    pub(crate) fn whole() -> Copy {
        Copy::with(|_, _| true)
    }

    /// Makes a copy of the files for which `takes` returns true. It gets the folder and the name of each file.
    fn with(takes: impl Fn(&str, &str) -> bool) -> Copy {
        let folder = tempfile::tempdir().unwrap();
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let real = package.join("curated");
        let parts =
            ["", "states", "sites", "contacts", "deadlines", "guides", "tests", "precincts", "federal"];
        for part in parts {
            fs::create_dir_all(folder.path().join(part)).unwrap();
            for entry in fs::read_dir(real.join(part)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
                if path.extension().is_some_and(|extension| extension == "toml") && takes(part, name) {
                    fs::copy(&path, folder.path().join(part).join(path.file_name().unwrap())).unwrap();
                }
            }
        }
        for file in ["states/MN.toml", "sites/MN.toml", "tests/MN.toml"] {
            fs::copy(package.join("tests/tables").join(file), folder.path().join(file)).unwrap();
        }
        let tables = Tables::load(folder.path()).unwrap();
        // Of several names of an area, the longest counts: it has the legal word.
        let mut names: BTreeMap<Geoid, &str> = BTreeMap::new();
        for label in tables.labels.iter().flat_map(|(_, labels)| labels) {
            let name = names.entry(label.geoid).or_default();
            *name = if label.name.len() > name.len() { &label.name } else { *name };
        }
        let area = |(geoid, name): (Geoid, &str)| Dropped {
            file: String::new(),
            geoid,
            name: name.to_owned(),
            reason: Reason::Statistical,
        };
        let areas = Loaded { dropped: names.into_iter().map(area).collect(), ..Loaded::default() };
        Copy { folder, areas }
    }

    /// Reads the tables, and compares their names with the invented ones.
    pub(crate) fn load(&self, areas: &Loaded) -> Result<Tables, Vec<Fault>> {
        let tables = Tables::load(self.folder.path()).map_err(|CuratedError(faults)| faults)?;
        let faults = tables.wrong_names(&CensusNames::of(areas.names()), |_| false);
        if faults.is_empty() { Ok(tables) } else { Err(faults) }
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Adds lines to a file while `then` runs. `then` receives the path and the number of lines before the added ones.
    pub(crate) fn broken<T>(&self, file: &str, lines: &str, then: impl FnOnce(&str, usize) -> T) -> T {
        let path = self.path(file);
        let whole = fs::read_to_string(&path).unwrap();
        assert!(whole.ends_with('\n'), "{file} ends in a line break");
        fs::write(&path, format!("{whole}{}", lines.replace("RESOURCE", RESOURCE))).unwrap();
        let outcome = then(&path.display().to_string(), whole.lines().count());
        fs::write(&path, whole).unwrap();
        outcome
    }
}
