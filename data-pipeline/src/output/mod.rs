//! What came of a build, and how is it written? Its summary, a line for each record that was left out, counts by state.

pub mod report;
