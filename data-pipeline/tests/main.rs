//! Tests the pipeline from outside. The tests are one binary, because each further binary would be linked with the
//! whole library again.

#![expect(clippy::unwrap_used, reason = "in a test, to panic is to fail")]

mod broken_tables; // a broken table stops a build and is named
mod check; // the command `check`, and the tables of this repository
mod fuzzed; // published files and tables that are nearly good
mod invented; // tables and areas for these tests
mod links; // link checks of an internet on loopback
mod nights; // 30 nights with sources that are late, missing, shrunken and corrupt
mod on_day; // forty changes of cities on both sides of their day
mod publish; // releases in the folder of a file server
#[path = "../../fuzz/sweep.rs"]
mod sweep; // the number of steps of long tests
mod world; // a small world: compiled, and resolved
