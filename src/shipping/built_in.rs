//! The snapshot within the binary, with the feature `embed`.

use platbook::snapshot::{Snapshot, SnapshotError};

#[cfg(feature = "embed")]
use platbook_embedded::SNAPSHOT;

#[cfg(not(feature = "embed"))]
const SNAPSHOT: Option<&[u8]> = None;

/// Returns the bytes of the snapshot within the binary; `None` if the binary was built without one.
pub(super) fn bytes() -> Option<&'static [u8]> {
    SNAPSHOT
}

/// Opens the snapshot within the binary.
///
/// # Errors
/// [`SnapshotError::NotEmbedded`] if the binary was built without one.
pub fn built_in() -> Result<Snapshot, SnapshotError> {
    Snapshot::built_in(SNAPSHOT.ok_or(SnapshotError::NotEmbedded)?)
}
