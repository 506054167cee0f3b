//! What is different in a new snapshot, and for how many people: read before it is shipped.
//!
//! Two directories are asked the same questions, by id: rows of one mean nothing to the other. Each kind of change has a
//! file; `words` makes a report of them that a person can read, whole states at a time.

mod borders;
mod change;
mod jurisdictions;
mod links;
mod offices;
mod people;
mod rules;
mod words;

use std::collections::BTreeSet;

use platbook::{
    directory::{Directory, Row},
    vocabulary::StateCode,
};
use serde::Serialize;

pub use change::{Change, Kind};
use people::people_of;

/// A snapshot, as a report names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edition {
    /// Its id.
    pub id: String,
    /// Its date.
    pub as_of: String,
}

/// What is different between two snapshots.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    /// The one before.
    pub old: Edition,
    /// The one after.
    pub new: Edition,
    /// By state, the nation first.
    pub states: Vec<StateDiff>,
}

/// What is different in a state.
#[derive(Clone, Debug, Serialize)]
pub struct StateDiff {
    /// Its two letters; `US` for what is the nation's.
    pub state: &'static str,
    /// People who live there.
    pub people: u64,
    /// By kind.
    pub kinds: Vec<KindDiff>,
}

/// The changes of one kind in a state.
#[derive(Clone, Debug, Serialize)]
pub struct KindDiff {
    /// The kind.
    pub kind: Kind,
    /// Governments concerned.
    pub governments: usize,
    /// People who live in them; who lives in several counts once.
    pub people: u64,
    /// The area that passed from one to another, of borders: a strip counts for each government that has or had it.
    pub moved_km2: f64,
    /// All of them, those of most people first.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Compares two snapshots.
    pub fn between(old: &Directory, new: &Directory) -> Diff {
        let mut changes = jurisdictions::changes(old, new);
        changes.extend(borders::changes(old, new));
        changes.extend(offices::changes(old, new));
        changes.extend(rules::changes(old, new));
        changes.extend(links::changes(old, new));
        changes.sort_by(|one, other| {
            let order =
                |change: &Change| (change.state.map(StateCode::usps), change.kind, u64::MAX - change.people);
            order(one).cmp(&order(other)).then_with(|| (&one.id, &one.what).cmp(&(&other.id, &other.what)))
        });
        let states = changes.chunk_by(|one, other| one.state == other.state);
        let states = states.map(|changes| state_diff(old, new, changes)).collect();
        Diff { old: edition(old), new: edition(new), states }
    }

    /// All changes of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &KindDiff> {
        self.states.iter().flat_map(|state| &state.kinds).filter(move |found| found.kind == kind)
    }
}

fn edition(directory: &Directory) -> Edition {
    Edition { id: directory.snapshot_id().to_owned(), as_of: directory.as_of().to_owned() }
}

fn state_diff(old: &Directory, new: &Directory, changes: &[Change]) -> StateDiff {
    let state = changes[0].state;
    let row = |directory: &Directory| match state {
        Some(state) => directory.state_row(state),
        None => directory.country_row(),
    };
    let people = |directory: &Directory| row(directory).map(|row| directory.jurisdiction(row).population);
    let people = u64::from(people(new).or_else(|| people(old)).unwrap_or(0));
    let kinds = changes.chunk_by(|one, other| one.kind == other.kind);
    StateDiff {
        state: state.map_or("US", StateCode::usps),
        people,
        kinds: kinds.map(|changes| kind_diff(old, new, changes, people)).collect(),
    }
}

fn kind_diff(old: &Directory, new: &Directory, changes: &[Change], people_max: u64) -> KindDiff {
    let ids: BTreeSet<&str> = changes.iter().map(|change| change.id.as_str()).collect();
    let rows = |directory: &Directory| -> Vec<Row> {
        ids.iter().filter_map(|id| directory.found(&id.parse().ok()?)).collect()
    };
    let people = people_of(new, &rows(new)).max(people_of(old, &rows(old)));
    KindDiff {
        kind: changes[0].kind,
        governments: ids.len(),
        people: people.min(people_max),
        moved_km2: changes.iter().filter_map(|change| change.moved_km2).sum(),
        changes: changes.to_vec(),
    }
}

#[cfg(test)]
mod tests;
