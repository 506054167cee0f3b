//! The memory that holds a snapshot's bytes: built into the binary, mapped from a file, or allocated.
#![expect(
    unsafe_code,
    reason = "mapping a file, and keeping views of it beside it, cannot be said in safe Rust"
)]

use std::path::Path;

use memmap2::Mmap;
use rkyv::util::AlignedVec;

use super::{SnapshotError, container::FileKind};
use crate::files::regular_file;

/// The bytes of a file. Their address never changes while this value lives.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Bytes that are built into the binary.
    Embedded(&'static [u8]),
    /// A file that is mapped read-only.
    Mapped(Mmap),
    /// Bytes in memory, aligned for the archived types.
    Owned(Buffer),
}

/// Memory for a file that comes from elsewhere, such as a network. A snapshot takes it over without a copy.
#[derive(Debug)]
pub struct Buffer {
    bytes: AlignedVec<64>,
}

impl Buffer {
    /// Memory for a file of this many bytes, all zero.
    pub fn zeroed(len: usize) -> Buffer {
        let mut bytes = AlignedVec::with_capacity(len);
        bytes.resize(len, 0);
        Buffer { bytes }
    }

    /// The bytes, to write the file into.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        self.bytes.as_mut_slice()
    }
}

impl Bytes {
    /// Maps a file. Publishers must replace snapshots by rename: truncation of a mapped file ends the process.
    pub(super) fn map(kind: &'static FileKind, path: &Path) -> Result<Bytes, SnapshotError> {
        let io = |source| SnapshotError::Io { kind, path: path.to_owned(), source };
        let file = regular_file::open(path).map_err(|fault| io(fault.into()))?;
        // SAFETY: the mapping is read-only. Another process that writes to the file could change bytes behind a shared
        // reference. Snapshots are therefore immutable files, replaced only by rename.
        unsafe { Mmap::map(&file) }.map(Bytes::Mapped).map_err(io)
    }

    /// Copies bytes into memory that is aligned for the archived types.
    pub(super) fn copy(bytes: &[u8]) -> Bytes {
        let mut aligned = AlignedVec::with_capacity(bytes.len());
        aligned.extend_from_slice(bytes);
        Bytes::Owned(Buffer { bytes: aligned })
    }

    /// Whether the bytes are the ones built into the binary.
    pub(super) fn is_embedded(&self) -> bool {
        matches!(self, Bytes::Embedded(_))
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Embedded(bytes) => bytes,
            Bytes::Mapped(map) => map,
            Bytes::Owned(buffer) => &buffer.bytes,
        }
    }

    /// Returns the bytes with an unbounded lifetime.
    ///
    /// # Safety
    /// The slice must not be used after `self` is dropped. `Snapshot` keeps both in one value and drops `self` last.
    /// The views that it returns live no longer than a borrow of it.
    pub(super) unsafe fn as_static(&self) -> &'static [u8] {
        let bytes = self.as_slice();
        // SAFETY: in all three variants, the bytes stay at one address, even if the value moves.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) }
    }
}
