//! Why a snapshot was refused.

/// Every message names what was expected, what came and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The file could not be read.
    #[error("cannot read the snapshot {path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
}
