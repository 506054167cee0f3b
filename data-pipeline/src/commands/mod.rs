//! The subcommands: each turns arguments into a call of the library and prints the result.

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
