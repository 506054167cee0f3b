//! State files against the areas at hand: all 56 there, and every GEOID under the name that the Census gives it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use platbook::vocabulary::{Geoid, StateCode, split_namelsad};

use super::{CuratedError, CuratedState, Fault, load_states, wrong_labels};
use crate::load::Loaded;

/// Reads the folder's state files and compares them with the areas.
///
/// # Errors
/// With all faults at once: of a file's own, a state without a file, a GEOID under another name or unknown.
pub fn load_checked(folder: &Path, loaded: &Loaded) -> Result<Vec<CuratedState>, CuratedError> {
    let states = load_states(folder)?;
    let names = names(loaded);
    let mut faults = missing_states(folder, &states);
    for state in &states {
        let file = folder.join(format!("{}.toml", state.rules.state.usps()));
        let known = |geoid: Geoid| names.get(&geoid).into_iter().flatten().map(String::as_str).collect();
        faults.extend(wrong_labels(&file.display().to_string(), state, known));
    }
    if faults.is_empty() { Ok(states) } else { Err(CuratedError::Faults(faults)) }
}

fn missing_states(folder: &Path, states: &[CuratedState]) -> Vec<Fault> {
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
