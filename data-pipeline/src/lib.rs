//! Builds platbook snapshots from published data and hand-kept tables.
//!
//! A record passes through the modules in this order. [`input`] reads the published files of a
//! [`manifest`](input::manifest::Manifest). [`curated`] reads the hand-kept tables. [`boundaries`] makes the areas and
//! their names. [`directory`] adds the rules, offices and pages. [`output`] reports the result. [`build`] runs them in
//! that order.
//!
//! [`check`] compares the tables with a built snapshot, without any published file. [`fetch`] downloads published files
//! beforehand. [`addresses`] and [`layers`] make layer files, which a service reads beside a snapshot. [`diff`] lists
//! the differences between two snapshots. [`signing`] signs and verifies snapshots, and [`publish`] fills the folder of
//! a file server with them. [`links`] finds out which pages are still there. [`nightly`] does all of that in one night.

pub mod addresses;
pub mod boundaries;
pub mod build;
pub mod check;
pub mod curated;
pub mod diff;
pub mod directory;
pub mod fetch;
pub mod input;
pub mod layers;
pub mod links;
pub mod nightly;
pub mod output;
pub mod publish;
pub mod signing;
