//! The changes in this snapshot and in earlier ones, as sentences, the newest first.

use rkyv::{Archive, Deserialize, Serialize, rancor};

/// Maximum length of the texts of all entries, in bytes. One night adds a few kilobytes to a snapshot of 59 MB. Chosen,
/// not measured.
const BYTES_MAX: usize = 64 << 10;

/// The changes between snapshots, as stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct History {
    /// One entry for each snapshot that differs from the one before it, the newest first. The oldest entries are
    /// dropped.
    pub entries: Vec<HistoryEntry>,
}

/// The changes from one snapshot to the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct HistoryEntry {
    /// Id of the earlier snapshot.
    pub from_id: String,
    /// Date of the earlier snapshot, RFC 3339.
    pub from: String,
    /// Date of the later snapshot, RFC 3339.
    pub to: String,
    /// One sentence for each kind of change, with the numbers of governments and people.
    pub totals: Vec<String>,
    /// The single changes that concern the most people.
    pub changes: Vec<HistoryChange>,
    /// Number of changes that `changes` leaves out.
    pub more: u32,
}

/// One change of one government.
#[derive(Clone, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct HistoryChange {
    /// Id of the government.
    pub government: String,
    /// The change as a sentence, without the name of the government.
    pub words: String,
    /// Name of the government at the time of the change, with its state.
    pub name: String,
    /// Number of residents; 0 if unknown.
    pub people: u32,
}

impl History {
    /// Adds the newest entry. Drops the oldest entries if all texts together exceed 64 KiB, but never the newest.
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
    /// Iterates over all texts of the entry.
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
    /// Reads all entries, the newest first.
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
