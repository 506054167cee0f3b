//! Builds platbook snapshots from published data: read -> select -> clean -> join -> compile -> write.
//!
//! [`load_all`] does the input half: it reads every file of a [`manifest::Manifest`] and says which areas are
//! jurisdictions, what they are called and what was left out and why. [`build`] does all of it.

pub mod assemble;
pub mod build;
pub mod clean;
pub mod codes;
pub mod compile;
pub mod content;
pub mod curated;
pub mod digest;
pub mod fetch;
pub mod load;
pub mod manifest;
pub mod naming;
pub mod opendata;
pub mod read;
pub mod records;
pub mod report;
pub mod same_as;
pub mod select;
pub mod simplify;
pub mod status;
pub mod topology;
pub mod websites;

pub use build::build;
pub use load::{Loaded, load_all};
