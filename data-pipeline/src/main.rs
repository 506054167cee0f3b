//! Builds snapshots from published data.
fn main() {}
