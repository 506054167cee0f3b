//! Builds snapshots.
pub mod codes;
pub mod compile;
pub mod simplify;
pub mod topology;
