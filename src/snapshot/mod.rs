//! One immutable, versioned, checksummed file.

mod error;
pub use error::SnapshotError;

/// An opened and verified snapshot.
#[derive(Debug)]
pub struct Snapshot {}
