//! Compares hand-kept files with the known areas: each of the 56 states has a file, and each GEOID its Census
//! name.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use platbook::vocabulary::{Geoid, StateCode, split_namelsad};

use super::{Fault, Label, wrong_labels};

/// The Census names of each area.
#[derive(Debug)]
pub struct CensusNames(BTreeMap<Geoid, BTreeSet<String>>);

impl CensusNames {
    /// Gathers names. An area may occur several times: with its published name, with the name of the
    /// snapshot, and so on.
    pub fn of<'n>(names: impl IntoIterator<Item = (Geoid, &'n str)>) -> CensusNames {
        let mut all: BTreeMap<Geoid, BTreeSet<String>> = BTreeMap::new();
        for (geoid, name) in names {
            let known = all.entry(geoid).or_default();
            known.insert(name.to_owned());
            known.extend(split_namelsad(name).map(|(bare, _)| bare.to_owned()));
        }
        CensusNames(all)
    }

    /// Whether the area has a name at all.
    pub fn knows(&self, geoid: Geoid) -> bool {
        self.0.contains_key(&geoid)
    }

    /// A fault for each label with an unknown GEOID, or with a name that its GEOID does not have.
    pub fn faults(&self, file: &str, labels: &[Label]) -> Vec<Fault> {
        let known = |geoid: Geoid| self.0.get(&geoid).into_iter().flatten().map(String::as_str).collect();
        wrong_labels(file, labels, known)
    }
}

/// A fault for each state without a file.
pub fn missing_states(folder: &Path) -> Vec<Fault> {
    let fault = |state: StateCode| Fault {
        file: folder.join(format!("{state}.toml")).display().to_string(),
        line: 1,
        key: String::new(),
        what: format!("expected a file for {}, found none", state.name()),
    };
    let is_missing = |state: &StateCode| !folder.join(format!("{state}.toml")).exists();
    StateCode::all().filter(is_missing).map(fault).collect()
}
