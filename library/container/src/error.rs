//! The reasons why a snapshot or a layer file is rejected.

use std::path::PathBuf;

use crate::{FileKind, SNAPSHOT};

/// The reason why a file was rejected. Each message says what was expected, what was found and what to do.
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
    /// The file is shorter or longer than the length in its header or section table.
    #[error(
        "expected a {} of {expected} bytes, got {got}: the file is cut short or has been appended to; fetch the file again, or build one with `{}`",
        kind.noun, kind.command
    )]
    Length {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// The correct length of the file, in bytes.
        expected: u64,
        /// The actual length of the file, in bytes.
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
        /// The magic bytes of the expected kind.
        expected: String,
        /// The first bytes of the file.
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
    /// The checksum shows that bytes were changed after the file was written.
    #[error(
        "the {part} of the {} is damaged: expected checksum {expected:016x}, got {got:016x}; fetch the file again, or build one with `{}`",
        kind.noun, kind.command
    )]
    Checksum {
        /// The kind of file that was expected.
        kind: &'static FileKind,
        /// The word `header`, or the name of the section.
        part: String,
        /// The checksum stored in the file.
        expected: u64,
        /// The checksum of the bytes as they are.
        got: u64,
    },
    /// The checksums are correct, but the contents contradict each other.
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
    /// Creates the error for a snapshot's section whose checksum is correct and whose contents are wrong.
    pub fn layout(part: &str, detail: impl ToString) -> SnapshotError {
        SnapshotError::layout_of(&SNAPSHOT, part, detail)
    }

    /// Creates the same error as [`SnapshotError::layout`], for a file of the given kind.
    pub fn layout_of(kind: &'static FileKind, part: &str, detail: impl ToString) -> SnapshotError {
        SnapshotError::Layout { kind, part: part.to_owned(), detail: detail.to_string() }
    }
}
