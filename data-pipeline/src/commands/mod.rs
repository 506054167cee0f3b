//! The subcommands: each turns arguments into a call of the library and prints the result.

use std::io::{self, ErrorKind, Write as _};

use anyhow::Result;

/// Prints a line, as [`print`] prints a text.
macro_rules! say {
    ($($text:tt)*) => { $crate::commands::print(&(format!($($text)*) + "\n"))? };
}

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod check_links;
pub(crate) mod diff;
pub(crate) mod fetch;
mod files;
mod input_args;
pub(crate) mod inputs;
pub(crate) mod key;
pub(crate) mod layer;
pub(crate) mod nightly;
pub(crate) mod publish;
pub(crate) mod report;
pub(crate) mod sign;
pub(crate) mod verify;

/// Writes a text to standard output. If the reader has closed it, as in `... | head`, the text is left out: the work of
/// the command goes on, and its exit code says how it ended.
///
/// # Errors
/// If the text cannot be written for another reason, such as a full disk.
fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}
