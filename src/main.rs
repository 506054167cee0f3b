//! The one service binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    platbook_service::cli::run()
}
