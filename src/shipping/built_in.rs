//! The snapshot that is built in, with the feature `embed`.

use platbook::snapshot::{Snapshot, SnapshotError};

/// The file that `build.rs` chose.
mod chosen {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// Opens the snapshot that is built in.
///
/// # Errors
/// [`SnapshotError::NotEmbedded`] when this binary was built without one.
pub fn built_in() -> Result<Snapshot, SnapshotError> {
    Snapshot::built_in(chosen::SNAPSHOT.ok_or(SnapshotError::NotEmbedded)?)
}
