//! Compares the hand-kept tables with a built snapshot: faults, and answers that would change.
//!
//! A contributor needs no Census file: the snapshot knows the name of each area and the current answers, and the
//! tables give the new answers. Nothing is written.
//!
//! Limits: some results depend on published lists. A page becomes a note if no current page of its government has its
//! domain. A topic that is removed from a page is not reported if a list may give it as well.

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

/// The result of a check.
#[derive(Debug, Default)]
pub struct Checked {
    /// Faults that would stop a build, in the order of files and lines.
    pub faults: Vec<Fault>,
    /// Cases that only a build with the published lists can decide.
    pub notes: Vec<Fault>,
    /// Answers that would change, by state.
    pub changes: Vec<Change>,
}

/// Reads every table below `folder` and compares it with the snapshot; files with a fault are left out.
/// Without a snapshot only the tables themselves are checked.
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
