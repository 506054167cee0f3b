//! Makes the history in a snapshot: its own changes in words come first, then those of earlier snapshots.

use platbook::{
    directory::{History, HistoryChange, HistoryEntry},
    vocabulary::clean_text,
};

use super::{Change, Diff, Kind};

/// Maximum number of changes of one snapshot that are stored; those that concern the most people come first. Chosen,
/// not measured.
const CHANGES_MAX: usize = 40;

/// Maximum length of the text of a change, in characters. Chosen, not measured.
const WORDS_MAX: usize = 240;

/// Returns the history of the newer snapshot. `before` is the history of the older one. A snapshot without differences
/// adds no entry.
pub fn history(diff: &Diff, before: Option<History>) -> History {
    let before = before.unwrap_or_default();
    let mut changes: Vec<&Change> =
        diff.states.iter().flat_map(|state| &state.kinds).flat_map(|kind| &kind.changes).collect();
    if changes.is_empty() {
        return before;
    }
    // People look for pages and offices, so changed outlines come last: a replaced source moves lines for nearly
    // everybody.
    changes.sort_by_key(|change| (change.kind == Kind::Borders, u64::MAX - change.people));
    let totals = diff.totals().into_iter().filter(|total| !total.ends_with(": 0")).collect();
    before.with(HistoryEntry {
        from_id: diff.old.id.clone(),
        from: diff.old.as_of.clone(),
        to: diff.new.as_of.clone(),
        totals,
        more: changes.len().saturating_sub(CHANGES_MAX) as u32,
        changes: changes.into_iter().take(CHANGES_MAX).map(stored).collect(),
    })
}

fn stored(change: &Change) -> HistoryChange {
    let state = change.state.map(|state| format!(", {state}")).unwrap_or_default();
    HistoryChange {
        government: change.id.clone(),
        words: clean_text(&change.what, WORDS_MAX),
        name: format!("{}{state}", change.name),
        people: u32::try_from(change.people).unwrap_or(u32::MAX),
    }
}
