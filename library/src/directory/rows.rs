//! Numbers of jurisdictions and sources: given out by a directory, never made up.

/// A jurisdiction, by its row in the snapshot.
///
/// Only a [`Directory`](super::Directory) makes rows, so each one stands for a jurisdiction that is there. A row means
/// nothing to the directory of another snapshot: keep a [`JurisdictionId`](crate::vocabulary::JurisdictionId) instead
/// where an answer outlives its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(u32);

/// A source of records, by its row in the snapshot. As with [`Row`], only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceRow(u32);

impl Row {
    /// The row that the snapshot's sections know by this number.
    pub(super) fn new(number: u32) -> Row {
        Row(number)
    }

    /// The number by which the snapshot's sections know the jurisdiction.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Place in a table that has an entry for each jurisdiction: below
    /// [`Directory::jurisdiction_count`](super::Directory::jurisdiction_count).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SourceRow {
    /// The source that the snapshot's sections know by this number.
    pub(super) fn new(number: u16) -> SourceRow {
        SourceRow(u32::from(number))
    }

    /// Place in a table that has an entry for each source: below
    /// [`Directory::source_count`](super::Directory::source_count).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
