//! Releases of snapshots: a signed statement of date, digests and deltas, and the deltas themselves.
//!
//! A publisher's server needs no logic, since each file has a name of its own. The statement expires, so clients notice
//! a server that is no longer updated. Its digests cover each file, so files of two releases cannot be mixed.

mod copy;
mod delta;
mod digest;
mod statement;

pub use copy::{CopyFault, copy};
pub use delta::{DeltaFault, apply, make};
pub use digest::Sha256;
pub use statement::{DELTAS_MAX, Delta, FORMAT, Release, ReleaseFault, ReleasedFile, SnapshotOfRelease};
