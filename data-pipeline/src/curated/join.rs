//! Hand-kept files against the areas at hand: all 56 states there, and every GEOID under the name that the Census
//! gives it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use platbook::vocabulary::{Geoid, StateCode, split_namelsad};

use super::{CuratedState, Fault, Label, wrong_labels};
use crate::load::Loaded;

/// What the Census calls each area.
#[derive(Debug)]
pub struct CensusNames(BTreeMap<Geoid, BTreeSet<String>>);

impl CensusNames {
    /// Names of the areas at hand.
    pub fn of(loaded: &Loaded) -> CensusNames {
        CensusNames(names(loaded))
    }

    /// A fault for each label whose GEOID is not known, or known under other names.
    pub fn faults(&self, file: &str, labels: &[Label]) -> Vec<Fault> {
        let known = |geoid: Geoid| self.0.get(&geoid).into_iter().flatten().map(String::as_str).collect();
        wrong_labels(file, labels, known)
    }
}

/// A fault for each state without a file.
pub fn missing_states(folder: &Path, states: &[CuratedState]) -> Vec<Fault> {
    let there: BTreeSet<StateCode> = states.iter().map(|state| state.rules.state).collect();
    let fault = |state: StateCode| Fault {
        file: folder.join(format!("{state}.toml")).display().to_string(),
        line: 1,
        key: String::new(),
        what: format!("expected a file for {}, found none", state.name()),
    };
    StateCode::all().filter(|state| !there.contains(state)).map(fault).collect()
}

/// Every name of each area: ours, published, with the legal word and without.
fn names(loaded: &Loaded) -> BTreeMap<Geoid, BTreeSet<String>> {
    let mut names: BTreeMap<Geoid, BTreeSet<String>> = BTreeMap::new();
    let kept =
        loaded.kept.iter().flat_map(|area| [(area.geoid, &area.name), (area.geoid, &area.published_name)]);
    let dropped = loaded.dropped.iter().map(|record| (record.geoid, &record.name));
    let listed = loaded.ocd.rows.iter().map(|row| (row.geoid, &row.name));
    for (geoid, name) in kept.chain(dropped).chain(listed) {
        let entry = names.entry(geoid).or_default();
        entry.insert(name.clone());
        entry.extend(split_namelsad(name).map(|(bare, _)| bare.to_owned()));
    }
    names
}
