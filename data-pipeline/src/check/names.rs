//! What the snapshot calls each area, in place of the boundary files.

use std::collections::HashSet;

use platbook::{
    directory::Directory,
    rules::{Conditions, Governing, StateRules},
    vocabulary::{Geoid, JurisdictionId, JurisdictionType, StateCode, bare_name},
};

use crate::curated::{CensusNames, Fault, Tables};

/// A fault for each area that a table calls otherwise than the snapshot does, or that the snapshot does not know.
///
/// Some areas have no row, because they have no government; the build that made the snapshot has seen their names, so
/// those that its rules name are taken as right.
pub(super) fn faults(tables: &Tables, directory: &Directory) -> Vec<Fault> {
    let named = StateCode::all().filter_map(|state| directory.ruled_state(state));
    let named: HashSet<Geoid> = named.flat_map(|state| geoids(&state.file.rules)).collect();
    let has_row = |geoid: Geoid| directory.row_of(geoid).is_some();
    tables.wrong_names(&of(directory), |geoid| !has_row(geoid) && named.contains(&geoid))
}

/// Name, name with its legal word, and name without it.
fn of(directory: &Directory) -> CensusNames {
    let mut names: Vec<(Geoid, String)> = Vec::new();
    for row in directory.rows() {
        let view = directory.jurisdiction(row);
        let JurisdictionId::Census(geoid) = view.id else { continue };
        names.extend(view.legal_type.map(|word| (geoid, format!("{} {word}", view.name))));
        let kind = JurisdictionType::Layer(geoid.layer());
        names.extend(bare_name(kind, view.name, view.legal_type).map(|bare| (geoid, bare.to_owned())));
        names.push((geoid, view.name.to_owned()));
    }
    CensusNames::of(names.iter().map(|(geoid, name)| (*geoid, name.as_str())))
}

/// Every area that a state's rules name.
fn geoids(rules: &StateRules) -> impl Iterator<Item = Geoid> + '_ {
    let governing = [&rules.counties, &rules.cousubs, &rules.places];
    let governing = governing.into_iter().flat_map(|Governing { always, never, .. }| [always, never]);
    let districts = rules.districts.iter().flat_map(|one| [&one.counties, &one.cousubs, &one.rest_of]);
    let cases = rules.functions.iter().flat_map(|rule| rule.cases.iter().chain(&rule.also));
    let conditions = cases.flat_map(|case| [&case.when, &case.unless]);
    let conditions =
        conditions.flat_map(|Conditions { places, cousubs, counties, .. }| [places, cousubs, counties]);
    governing.chain(districts).chain(conditions).flatten().copied()
}
