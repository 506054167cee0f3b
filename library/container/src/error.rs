//! Why a snapshot or a layer file was refused.

use std::path::PathBuf;

use crate::{FileKind, SNAPSHOT};

/// Every message names what was expected, what came and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The file could not be read.
    #[error("cannot read the {} {}: {source}; name a file that exists and may be read", kind.noun, path.display())]
    Io {
        /// What was expected.
        kind: &'static FileKind,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Shorter than its own header or section table says, or longer.
    #[error(
        "expected a {} of {expected} bytes, got {got}: the file is cut short or has been appended to; fetch the file again, or build one with `{}`",
        kind.noun, kind.command
    )]
    Length {
        /// What was expected.
        kind: &'static FileKind,
        /// Bytes expected.
        expected: u64,
        /// Bytes found.
        got: u64,
    },
    /// Does not begin like a snapshot.
    #[error(
        "expected a platbook {}, which begins with {expected:?}, got {got:?}; name another file",
        kind.noun
    )]
    Magic {
        /// What was expected.
        kind: &'static FileKind,
        /// The magic.
        expected: String,
        /// The first bytes, cut.
        got: String,
    },
    /// Written in a format that this binary does not read.
    #[error(
        "this binary reads {} formats {} to {}, got format {got}; use the platbook release that goes with the file, or build the file again with `{}`",
        kind.noun, kind.oldest, kind.version, kind.command
    )]
    Version {
        /// What was expected.
        kind: &'static FileKind,
        /// The format found.
        got: u32,
    },
    /// Bytes differ from those that were written.
    #[error(
        "the {part} of the {} is damaged: expected checksum {expected:016x}, got {got:016x}; fetch the file again, or build one with `{}`",
        kind.noun, kind.command
    )]
    Checksum {
        /// What was expected.
        kind: &'static FileKind,
        /// `header` or the section's name.
        part: String,
        /// Checksum recorded.
        expected: u64,
        /// Checksum of the bytes found.
        got: u64,
    },
    /// The checksums are right but the contents do not fit together.
    #[error(
        "the {part} of the {} does not hold what this binary expects ({detail}); build it again with `{}` of the same release",
        kind.noun, kind.command
    )]
    Layout {
        /// What was expected.
        kind: &'static FileKind,
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
    /// A section of a snapshot whose checksum is right and whose contents are not.
    pub fn layout(part: &str, detail: impl ToString) -> SnapshotError {
        SnapshotError::layout_of(&SNAPSHOT, part, detail)
    }

    /// The same, of a file of this kind.
    pub fn layout_of(kind: &'static FileKind, part: &str, detail: impl ToString) -> SnapshotError {
        SnapshotError::Layout { kind, part: part.to_owned(), detail: detail.to_string() }
    }
}
