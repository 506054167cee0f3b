//! What is wrong with the hand-kept tables, and which answers would change?
//!
//! For a contributor who has no Census file: the built snapshot stands in for them. It knows what each area is called,
//! and what the answers are today; the tables say what the answers would be. Nothing is written.
//!
//! The catch: what only published lists decide cannot be told here. A page whose domain no page of the same government
//! has today is a note, and a topic that is taken away from a page still counts where a list may give it as well.

mod answers;
mod areas;
mod names;
mod report;
mod resources;
mod websites;

use std::path::Path;

use platbook::directory::Directory;

use crate::curated::{Fault, Tables};

pub use report::Change;

/// What came of a check.
#[derive(Debug, Default)]
pub struct Checked {
    /// What a build would stop at, in the order of files and lines.
    pub faults: Vec<Fault>,
    /// What only a build with the published lists can tell.
    pub notes: Vec<Fault>,
    /// What answers would change, by state.
    pub changes: Vec<Change>,
}

/// Reads every table below `folder` and holds it against the snapshot. Files with a fault are compared with nothing. Without
/// a snapshot only the tables themselves are checked.
pub fn check(folder: &Path, directory: Option<&Directory>) -> Checked {
    let (tables, mut faults) = Tables::read(folder);
    let Some(directory) = directory else { return Checked { faults, ..Checked::default() } };
    let (wrong_names, mut notes) = names::faults(&tables, directory);
    faults.extend(wrong_names);
    faults.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let mut changes = areas::changes(&tables, directory);
    changes.extend(answers::changes(&tables, directory));
    let (of_records, on_records) = resources::changes(folder, &tables, directory);
    notes.extend(on_records);
    changes.extend(of_records);
    changes.sort();
    Checked { faults, notes, changes }
}
