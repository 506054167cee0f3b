//! Reads files that an operator names ([`regular_file`]), and replaces files so that they survive a power cut
//! ([`durable`]).
//!
//! [`system`] has what differs between operating systems. The modules know only bytes. They must not know of the meaning
//! of a file.

// A browser has no files, and edge workers only read them.
#[cfg(any(unix, windows))]
pub mod durable;
pub mod regular_file;
#[cfg(any(unix, windows))]
pub mod system;
