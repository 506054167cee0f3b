//! Numbers of jurisdictions and sources, which only a directory hands out.

/// A jurisdiction, by its row in the snapshot.
///
/// Only a [`Directory`](super::Directory) makes rows, so each one stands for an existing jurisdiction. A row is not
/// valid in the directory of another snapshot. Keep a [`JurisdictionId`](crate::vocabulary::JurisdictionId) instead if
/// an answer outlives its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(u32);

/// A source of records, by its row in the snapshot. As with [`Row`], only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceRow(u32);

impl Row {
    /// The row with this number in the snapshot's sections.
    pub(super) fn new(number: u32) -> Row {
        Row(number)
    }

    /// The number of the jurisdiction in the snapshot's sections.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Index in a table with an entry for each jurisdiction, below
    /// [`Directory::jurisdiction_count`](super::Directory::jurisdiction_count).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SourceRow {
    /// The source with this number in the snapshot's sections.
    pub(super) fn new(number: u16) -> SourceRow {
        SourceRow(u32::from(number))
    }

    /// Index in a table with an entry for each source, below
    /// [`Directory::source_count`](super::Directory::source_count).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
