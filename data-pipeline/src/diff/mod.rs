//! Lists the differences between two snapshots, and how many people they concern, for review before release.
//!
//! Both directories answer the same questions, by id: row numbers of one mean nothing in the other. Each kind
//! of change has a file. `words` turns them into a report for people, state by state.

mod borders;
mod change;
mod history;
mod jurisdictions;
mod links;
mod offices;
mod past;
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
pub use history::history;
pub use past::past_changes;
use people::people_of;

/// The name of a snapshot in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edition {
    /// Digest of the snapshot.
    pub id: String,
    /// Day of the snapshot's data, as RFC 3339.
    pub as_of: String,
}

/// All differences between two snapshots.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    /// Name of the older snapshot.
    pub old: Edition,
    /// Name of the newer snapshot.
    pub new: Edition,
    /// Differences by state, the nation first; states without differences are missing.
    pub states: Vec<StateDiff>,
}

/// The differences in a state.
#[derive(Clone, Debug, Serialize)]
pub struct StateDiff {
    /// Two-letter code; `US` for the nation.
    pub state: &'static str,
    /// Residents of the state by the new snapshot, else by the old.
    pub people: u64,
    /// Changes by kind; kinds without changes are missing.
    pub kinds: Vec<KindDiff>,
}

/// The changes of one kind in a state.
#[derive(Clone, Debug, Serialize)]
pub struct KindDiff {
    /// Kind of the changes.
    pub kind: Kind,
    /// Number of governments concerned.
    pub governments: usize,
    /// Residents of these governments; a resident of several counts once.
    pub people: u64,
    /// Square kilometers that passed between governments, for borders. A strip counts for each government
    /// that gained or lost it.
    pub moved_km2: f64,
    /// All changes; those that concern the most people come first.
    pub changes: Vec<Change>,
}

/// The changes of one kind in all states.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KindTotal {
    /// Kind of the changes.
    pub kind: Kind,
    /// Number of governments concerned.
    pub governments: usize,
    /// Residents of these governments; 0 for rules, which concern whole states.
    pub people: u64,
    /// Square kilometers that passed between governments.
    pub moved_km2: f64,
}

impl Diff {
    /// Compares every jurisdiction, border, job, rule and page of two snapshots.
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

    /// Adds up the changes of a kind.
    pub fn total(&self, kind: Kind) -> KindTotal {
        KindTotal {
            kind,
            governments: self.of(kind).map(|found| found.governments).sum(),
            people: self.of(kind).filter(|_| kind != Kind::Rules).map(|found| found.people).sum(),
            moved_km2: self.of(kind).map(|found| found.moved_km2).sum(),
        }
    }

    /// The changes of a kind, one item for each state.
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
