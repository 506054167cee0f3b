//! Builds platbook snapshots from published data: read -> select -> clean -> (join, check, write).
//!
//! [`load_all`] does the input half: it reads every file of a [`manifest::Manifest`] and says which areas are
//! jurisdictions, what they are called and what was left out and why.

pub mod clean;
pub mod digest;
pub mod fetch;
pub mod load;
pub mod manifest;
pub mod naming;
pub mod read;
pub mod select;
pub mod status;

pub use load::{Loaded, load_all};
