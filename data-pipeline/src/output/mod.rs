//! Reports on builds and snapshots: a summary, a line for each record that was left out, and counts by state.

pub mod report;
