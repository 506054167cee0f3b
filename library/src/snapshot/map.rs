//! The memory of a snapshot's bytes: built into the binary, mapped from a file, or allocated.
#![expect(
    unsafe_code,
    reason = "mapping a file, and keeping views of it beside it, cannot be said in safe Rust"
)]

use std::path::Path;

use memmap2::Mmap;
use rkyv::util::AlignedVec;

use super::{SnapshotError, container::FileKind};
use crate::files::regular_file;

/// The bytes, at an address that never changes while this value lives.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Built into the binary.
    Embedded(&'static [u8]),
    /// A file mapped read-only.
    Mapped(Mmap),
    /// A copy in memory, aligned for the archived types.
    Owned(AlignedVec<64>),
}

impl Bytes {
    /// Maps a file. Publishers must replace snapshots by rename: truncating a mapped file in place ends the process.
    pub(super) fn map(kind: &'static FileKind, path: &Path) -> Result<Bytes, SnapshotError> {
        let io = |source| SnapshotError::Io { kind, path: path.to_owned(), source };
        let file = regular_file::open(path).map_err(|fault| io(fault.into()))?;
        // SAFETY: the mapping is read-only. Another process that changes the file under us could
        // change bytes behind a shared reference; snapshots are immutable files, replaced by rename only.
        unsafe { Mmap::map(&file) }.map(Bytes::Mapped).map_err(io)
    }

    /// Copies bytes into memory that is aligned for the archived types.
    pub(super) fn copy(bytes: &[u8]) -> Bytes {
        let mut aligned = AlignedVec::with_capacity(bytes.len());
        aligned.extend_from_slice(bytes);
        Bytes::Owned(aligned)
    }

    /// Whether the bytes are the ones built into the binary.
    pub(super) fn is_embedded(&self) -> bool {
        matches!(self, Bytes::Embedded(_))
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Embedded(bytes) => bytes,
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }

    /// The bytes with an unbounded lifetime.
    ///
    /// # Safety
    /// The slice must not be used once `self` is dropped. `Snapshot` keeps both in one value, drops `self`
    /// last, and hands out views only for as long as it is borrowed.
    pub(super) unsafe fn as_static(&self) -> &'static [u8] {
        let bytes = self.as_slice();
        // SAFETY: all three kinds keep their bytes at one heap, map or static address however the value moves.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) }
    }
}
