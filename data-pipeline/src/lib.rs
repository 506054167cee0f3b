//! Builds platbook snapshots from published boundary and directory data.

pub mod curated;
