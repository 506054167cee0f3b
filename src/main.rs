//! The binary `platbook`, which runs the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    platbook_service::cli::run()
}
