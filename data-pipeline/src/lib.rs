//! Builds snapshots.
pub mod simplify;
pub mod topology;
