//! Why a snapshot was refused.

use std::path::PathBuf;

use super::container::{FORMAT_VERSION, OLDEST_READABLE_VERSION};

const REMEDY: &str = "fetch the file again, or build one with `platbook-pipeline build`";

/// Every message names what was expected, what came and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The file could not be read.
    #[error("cannot read the snapshot {}: {source}; give an existing file to --snapshot, or leave it out for the built-in one", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Shorter than its own header or section table says, or longer.
    #[error(
        "expected a snapshot of {expected} bytes, got {got}: the file is cut short or has been appended to; {REMEDY}"
    )]
    Length {
        /// Bytes expected.
        expected: u64,
        /// Bytes found.
        got: u64,
    },
    /// Does not begin like a snapshot.
    #[error(
        "expected a platbook snapshot, which begins with {expected:?}, got {got:?}; give a .platbook file"
    )]
    Magic {
        /// The magic.
        expected: String,
        /// The first bytes, cut.
        got: String,
    },
    /// Written in a format that this binary does not read.
    #[error(
        "this binary reads snapshot formats {OLDEST_READABLE_VERSION} to {FORMAT_VERSION}, got format {got}; use the platbook release that goes with the file, or build the file again with `platbook-pipeline build`"
    )]
    Version {
        /// The format found.
        got: u32,
    },
    /// Bytes differ from those that were written.
    #[error(
        "the {part} of the snapshot is damaged: expected checksum {expected:016x}, got {got:016x}; {REMEDY}"
    )]
    Checksum {
        /// `header` or the section's name.
        part: String,
        /// Checksum recorded.
        expected: u64,
        /// Checksum of the bytes found.
        got: u64,
    },
    /// The checksums are right but the contents do not fit together.
    #[error(
        "the {part} of the snapshot does not hold what this binary expects ({detail}); build it again with `platbook-pipeline build` of the same release"
    )]
    Layout {
        /// The section.
        part: String,
        /// What is wrong.
        detail: String,
    },
    /// This binary was built without a snapshot inside.
    #[error(
        "no snapshot is built into this binary; give one with --snapshot FILE, or build again with snapshots/default.platbook in place"
    )]
    NotEmbedded,
}

impl SnapshotError {
    pub(super) fn layout(part: &str, detail: impl ToString) -> SnapshotError {
        SnapshotError::Layout { part: part.to_owned(), detail: detail.to_string() }
    }
}
