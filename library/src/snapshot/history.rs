//! The changes of this snapshot and of those before it, in sentences: the newest first.

use rkyv::{Archive, Deserialize, Serialize, rancor};

/// Most bytes of text in all entries, so that a night adds a few kilobytes to a snapshot of 59 MB. Chosen, not measured.
const BYTES_MAX: usize = 64 << 10;

/// The changes as stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct History {
    /// Changes from one snapshot to the next, the newest first.
    pub entries: Vec<HistoryEntry>,
}

/// The changes from one snapshot to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct HistoryEntry {
    /// Id of the snapshot before.
    pub from_id: String,
    /// Date of the snapshot before, RFC 3339.
    pub from: String,
    /// Date of the snapshot with the changes, RFC 3339.
    pub to: String,
    /// A sentence for each kind of change, with numbers of governments and people.
    pub totals: Vec<String>,
    /// The changes that concern the most people.
    pub changes: Vec<HistoryChange>,
    /// Number of further changes.
    pub more: u32,
}

/// One change of one government.
#[derive(Clone, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct HistoryChange {
    /// Id of the government.
    pub government: String,
    /// The change in words, without the name of the government.
    pub words: String,
    /// Name of the government at that time, with its state.
    pub name: String,
    /// Residents; 0 if unknown.
    pub people: u32,
}

impl History {
    /// Adds the newest entry. The oldest ones are dropped where the texts become too long; the newest stays.
    #[must_use]
    pub fn with(mut self, entry: HistoryEntry) -> History {
        self.entries.insert(0, entry);
        let mut bytes = 0;
        let fits = self.entries.iter().take_while(|entry| {
            bytes += entry.bytes();
            bytes <= BYTES_MAX
        });
        let kept = fits.count().max(1);
        self.entries.truncate(kept);
        self
    }
}

impl HistoryEntry {
    /// All texts of the entry.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let changes =
            self.changes.iter().flat_map(|change| [&change.government, &change.words, &change.name]);
        [&self.from_id, &self.from, &self.to]
            .into_iter()
            .chain(&self.totals)
            .chain(changes)
            .map(String::as_str)
    }

    fn bytes(&self) -> usize {
        self.texts().map(str::len).sum()
    }
}

impl ArchivedHistory {
    /// All entries, the newest first.
    pub fn read(&self) -> History {
        rkyv::deserialize::<_, rancor::Error>(self).expect("texts and numbers are read as they stand")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: usize, bytes: usize) -> HistoryEntry {
        let change = HistoryChange { words: "x".repeat(bytes), ..HistoryChange::default() };
        HistoryEntry { from_id: format!("{number:04}"), changes: vec![change], ..HistoryEntry::default() }
    }

    #[test]
    fn the_oldest_entries_are_dropped() {
        for (bytes, expected) in [(996, 65), (BYTES_MAX - 4, 1), (2 * BYTES_MAX, 1)] {
            let history =
                (0..100).fold(History::default(), |history, number| history.with(entry(number, bytes)));
            let ids: Vec<&str> = history.entries.iter().map(|entry| entry.from_id.as_str()).collect();
            assert_eq!((ids.len(), ids[0]), (expected, "0099"), "{bytes} bytes");
            assert!(ids.is_sorted_by(|one, next| one > next), "{ids:?}");
            let stored = rkyv::to_bytes::<rancor::Error>(&history).unwrap();
            assert_eq!(rkyv::access::<ArchivedHistory, rancor::Error>(&stored).unwrap().read(), history);
        }
    }
}
