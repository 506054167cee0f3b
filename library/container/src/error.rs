//! The reasons why a snapshot or a layer file is rejected.

use std::path::PathBuf;

use crate::{FileKind, SNAPSHOT};

/// Why a file was rejected. Every message says what was expected, what was found and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The file could not be read.
    #[error("cannot read the {} {}: {source}; name a file that exists and may be read", kind.noun, path.display())]
    Io {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is shorter or longer than its header or section table says.
    #[error(
        "expected a {} of {expected} bytes, got {got}: the file is cut short or has been appended to; fetch the file again, or build one with `{}`",
        kind.noun, kind.command
    )]
    Length {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// Number of bytes that it should have.
        expected: u64,
        /// Number of bytes that it has.
        got: u64,
    },
    /// The file does not begin with the magic bytes of the expected kind.
    #[error(
        "expected a platbook {}, which begins with {expected:?}, got {got:?}; name another file",
        kind.noun
    )]
    Magic {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// The first bytes that it should have.
        expected: String,
        /// The first bytes that it has.
        got: String,
    },
    /// The file has a format that this binary does not read.
    #[error(
        "this binary reads {} formats {} to {}, got format {got}; use the platbook release that goes with the file, or build the file again with `{}`",
        kind.noun, kind.oldest, kind.version, kind.command
    )]
    Version {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// The format of the file.
        got: u32,
    },
    /// Bytes differ from those that were written.
    #[error(
        "the {part} of the {} is damaged: expected checksum {expected:016x}, got {got:016x}; fetch the file again, or build one with `{}`",
        kind.noun, kind.command
    )]
    Checksum {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// The word `header`, or the section's name.
        part: String,
        /// The checksum stored in the file.
        expected: u64,
        /// The checksum of the bytes.
        got: u64,
    },
    /// The checksums are correct, but the contents do not fit together.
    #[error(
        "the {part} of the {} does not hold what this binary expects ({detail}); build it again with `{}` of the same release",
        kind.noun, kind.command
    )]
    Layout {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// Name of the section.
        part: String,
        /// Description of the defect.
        detail: String,
    },
    /// This binary was built without an embedded snapshot.
    #[error(
        "no snapshot is built into this binary; give one with --snapshot FILE, or build again with snapshots/default.platbook in place"
    )]
    NotEmbedded,
}

impl SnapshotError {
    /// An error for a section of a snapshot whose checksum is correct and whose contents are not.
    pub fn layout(part: &str, detail: impl ToString) -> SnapshotError {
        SnapshotError::layout_of(&SNAPSHOT, part, detail)
    }

    /// An error for a section of a file of this kind, as [`SnapshotError::layout`] makes for snapshots.
    pub fn layout_of(kind: &'static FileKind, part: &str, detail: impl ToString) -> SnapshotError {
        SnapshotError::Layout { kind, part: part.to_owned(), detail: detail.to_string() }
    }
}
