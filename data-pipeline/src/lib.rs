//! Builds platbook snapshots from published data and hand-kept tables.
//!
//! The way of a record is the order of the rooms: [`input`] reads the published files of a
//! [`manifest`](input::manifest::Manifest), [`curated`] the hand-kept tables, [`boundaries`] makes the areas and
//! their names, [`directory`] the rules, offices and pages, and [`output`] says what came of it. [`build`] runs them
//! in that order. [`check`] holds the tables against a built snapshot, without any published file;
//! [`fetch`] downloads published files beforehand. [`addresses`] and [`layers`] make layer files, which stand beside a
//! snapshot. [`diff`] tells what is different between two snapshots, and [`signing`] says who made one.

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
pub mod output;
pub mod signing;
