//! The one service binary.
fn main() {}
