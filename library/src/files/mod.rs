//! Reads files that an operator names, and replaces files so that they survive a power cut.
//!
//! [`regular_file`] does the former, [`durable`] the latter, and [`system`] has what differs between operating systems.
//! All know only bytes and must not know what a file means.

pub mod durable;
pub mod regular_file;
pub mod system;
