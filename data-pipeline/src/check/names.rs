//! Checks the names in the tables against the snapshot, which stands for the boundary files.

use std::collections::HashSet;

use platbook::{
    directory::{Directory, Row},
    rules::{Conditions, Governing, StateRules},
    vocabulary::{Geoid, JurisdictionId, StateCode, bare_name},
};

use crate::curated::{CensusNames, Fault, Label, Tables};

/// Returns a fault for each area that a table names differently than the snapshot, or that the snapshot lacks. Also
/// returns a note for each case that only a build can decide.
///
/// Some areas have no row, because they have no government. The build that made the snapshot checked their names, so
/// areas that the snapshot's rules name count as right. Towns of precincts come from lists that are newer than the
/// snapshot.
pub(super) fn faults(tables: &Tables, directory: &Directory) -> (Vec<Fault>, Vec<Fault>) {
    let named = StateCode::all().filter_map(|state| directory.ruled_state(state));
    let named: HashSet<Geoid> = named.flat_map(|state| geoids(&state.file.rules)).collect();
    let has_row = |geoid: Geoid| directory.row_of(geoid).is_some();
    let names = names(tables, directory);
    let notes = towns_of_lists(tables, &names);
    let of_lists: HashSet<Geoid> = notes.iter().map(|(geoid, _)| *geoid).collect();
    let is_known = |geoid| of_lists.contains(&geoid) || !has_row(geoid) && named.contains(&geoid);
    let faults = tables.wrong_names(&names, is_known);
    (faults, notes.into_iter().map(|(_, note)| note).collect())
}

/// A note for each town of the precinct tables that the snapshot lacks.
fn towns_of_lists(tables: &Tables, names: &CensusNames) -> Vec<(Geoid, Fault)> {
    let files = tables.areas.precincts.states.values().map(|state| &state.labels);
    let labels = files.flat_map(|(file, labels)| labels.iter().map(move |label| (file, label)));
    let note = |(file, label): (&String, &Label)| {
        let what = format!("{} ({}) is not in the snapshot", label.geoid, label.name);
        (label.geoid, Fault { file: file.clone(), line: label.line, key: "cousub".to_owned(), what })
    };
    labels.filter(|(_, label)| !names.knows(label.geoid)).map(note).collect()
}

/// The names of every area of the snapshot, and of subdivisions that only repeat a city. Such subdivisions have no row;
/// they take the city's name by its code.
fn names(tables: &Tables, directory: &Directory) -> CensusNames {
    let rows = directory.rows().filter_map(|row| match directory.jurisdiction(row).id {
        JurisdictionId::Census(geoid) => Some((geoid, row)),
        JurisdictionId::Country | JurisdictionId::District(_) => None,
    });
    let labels = tables.labels.iter().flat_map(|(_, labels)| labels);
    let units = labels.filter(|label| directory.row_of(label.geoid).is_none());
    let units =
        units.filter_map(|label| Some((label.geoid, directory.row_of(label.geoid.place_of_unit()?)?)));
    let named = rows
        .chain(units)
        .flat_map(|(geoid, row)| names_of(directory, row).into_iter().map(move |name| (geoid, name)));
    let named: Vec<(Geoid, String)> = named.collect();
    CensusNames::of(named.iter().map(|(geoid, name)| (*geoid, name.as_str())))
}

/// Returns up to three forms of an area's name: with its legal word, without it, and as the snapshot has it.
fn names_of(directory: &Directory, row: Row) -> Vec<String> {
    let view = directory.jurisdiction(row);
    let worded = view.legal_type.map(|word| format!("{} {word}", view.name));
    let bare = bare_name(view.kind, view.name, view.legal_type).map(str::to_owned);
    worded.into_iter().chain(bare).chain([view.name.to_owned()]).collect()
}

/// Every area that a state's rules name, in lists and in conditions.
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
