//! What is said of a build: its summary, a line for each record that was left out, and counts by state.

pub mod report;
