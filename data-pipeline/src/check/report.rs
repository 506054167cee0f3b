//! Joins equal changes of many bodies into one line with an example.

use std::{collections::BTreeMap, fmt};

use platbook::{
    directory::{Directory, Row},
    vocabulary::{JurisdictionId, JurisdictionType, Layer},
};

/// A change of answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Postal code of the state; `US` for the nation.
    pub state: String,
    /// A function, or the kind of record that changes.
    pub about: String,
    /// The first body that changes, with its name; empty if the state as a whole changes.
    pub example: String,
    /// The old and the new value.
    pub what: String,
    /// Number of bodies that change, by kind in the plural.
    pub bodies: BTreeMap<&'static str, usize>,
}

impl Change {
    /// A change of the texts of a whole state, or of the nation.
    pub(super) fn of_state(state: &str, about: &str, what: impl Into<String>) -> Change {
        let (about, example) = (about.to_owned(), String::new());
        Change { state: state.to_owned(), about, example, what: what.into(), bodies: BTreeMap::new() }
    }

    /// A change for one body.
    pub(super) fn of_body(directory: &Directory, row: Row, about: &str, what: String) -> Change {
        let state = directory.jurisdiction(row).state.map_or("US", |state| state.usps()).to_owned();
        let bodies = BTreeMap::from([(kind(directory, row), 1)]);
        Change { state, about: about.to_owned(), example: named(directory, row), what, bodies }
    }

    /// A change for a body that the snapshot lacks. The name of a new district begins with the postal code of its
    /// state.
    pub(super) fn of_new_body(body: &JurisdictionId, about: &str, what: &str) -> Change {
        let state = match body {
            JurisdictionId::District(name) => name.chars().take(2).collect::<String>().to_uppercase(),
            JurisdictionId::Census(_) | JurisdictionId::Country => "US".to_owned(),
        };
        Change::of_state(&state, about, format!("{body}: {what}"))
    }
}

/// Writes `MN: recording: county:27053 Hennepin County: office "A" -> "B" (87 counties)`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: ", self.state, self.about)?;
        if !self.example.is_empty() {
            write!(f, "{}: ", self.example)?;
        }
        f.write_str(&self.what)?;
        if self.bodies.values().sum::<usize>() > 1 {
            let counts: Vec<String> = self
                .bodies
                .iter()
                .map(|(kind, count)| format!("{count} {}", in_number(kind, *count)))
                .collect();
            write!(f, " ({})", counts.join(", "))?;
        }
        Ok(())
    }
}

/// Joins equal changes of different bodies; the first becomes the example.
pub(super) fn grouped(changes: impl IntoIterator<Item = Change>) -> Vec<Change> {
    let mut groups: Vec<Change> = Vec::new();
    let mut known: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for change in changes {
        let key = (change.state.clone(), change.about.clone(), change.what.clone());
        match known.get(&key) {
            Some(at) => {
                for (kind, count) in change.bodies {
                    *groups[*at].bodies.entry(kind).or_default() += count;
                }
            }
            None => {
                known.insert(key, groups.len());
                groups.push(change);
            }
        }
    }
    groups
}

/// Id and name of a row: `county:27053 Hennepin County`.
pub(super) fn named(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    format!("{} {}", view.id, view.name)
}

/// Id and name; only the id if the snapshot lacks it.
pub(super) fn named_id(directory: &Directory, id: &JurisdictionId) -> String {
    directory.found(id).map_or_else(|| id.to_string(), |row| named(directory, row))
}

fn in_number(plural: &'static str, count: usize) -> &'static str {
    match (count, plural) {
        (1, "states") => "state",
        (1, "counties") => "county",
        (1, "subdivisions") => "subdivision",
        (1, "places") => "place",
        (1, "other bodies") => "other body",
        _ => plural,
    }
}

/// The kind of a body, in the plural: "counties".
fn kind(directory: &Directory, row: Row) -> &'static str {
    match directory.jurisdiction(row).kind {
        JurisdictionType::Layer(Layer::State) => "states",
        JurisdictionType::Layer(Layer::County) => "counties",
        JurisdictionType::Layer(Layer::Cousub) => "subdivisions",
        JurisdictionType::Layer(Layer::Place) => "places",
        _ => "other bodies",
    }
}

/// Writes `name "a" -> "b"` for each part that differs; `None` if all parts are equal.
pub(super) fn differences(parts: &[(&str, Option<&str>, Option<&str>)]) -> Option<String> {
    let shown = |text: &Option<&str>| text.map_or("none".to_owned(), |text| format!("{text:?}"));
    let differ = parts.iter().filter(|(_, old, new)| old != new);
    let lines: Vec<String> =
        differ.map(|(what, old, new)| format!("{what} {} -> {}", shown(old), shown(new))).collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}
