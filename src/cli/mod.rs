//! The command line, one of the interfaces to the answers. Parses arguments, runs commands and sets exit codes. The
//! answers come from the library.

mod answer;
mod batch;
mod bench;
mod doctor;
mod first_run;
#[cfg(feature = "fleet")]
mod fleet;
mod fresh;
mod inspect;
mod keys;
mod listen;
mod lists;
mod log;
mod manual;
mod mcp;
mod number;
mod openapi;
mod operation;
mod outside;
mod serve;
mod settings;
mod show;
mod site;
mod status;
mod tables;
#[cfg(feature = "tls")]
mod tls;
mod update;
mod variables;
mod verify;

use std::{
    env, fmt,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use batch::BatchInMemory;

use crate::system::take_size_limits_as_errors;
use platbook::{
    directory::Directory,
    snapshot::{Snapshot, SnapshotError},
    vocabulary::with_causes,
};

/// Exit code for wrong usage, the same as clap's.
const EXIT_USAGE: u8 = 2;

/// The text at the end of every help page.
const AFTER_HELP: &str = "\
Examples:
  platbook serve
  platbook resolve 44.9773 -93.2655
  platbook resolve --place \"St. Paul\" --state MN
  platbook resolve --in points.csv --functions assessment > out.csv
  platbook list jurisdictions --type county --function recording --format csv

Exit codes:
  0  done
  1  no answer, or a file that cannot be used; the reason is on stderr
  2  wrong usage";

/// The help of `tables`, which names the formats of this build.
const TABLES: &str = if cfg!(feature = "parquet") {
    "Write all jurisdictions, offices and web pages as CSV and Parquet, with checksums (SHA256SUMS).\n\nThe files lie in a \
     folder with the id of the snapshot, and have the same bytes each time. A file server can show the folder."
} else {
    "Write all jurisdictions, offices and web pages as CSV, with checksums (SHA256SUMS).\n\nThe files lie in a folder with the \
     id of the snapshot, and have the same bytes each time. A file server can show the folder."
};

/// Which US governments cover a point, and which office does each property job there.
///
/// Every option of `serve` can also be set as a PLATBOOK_* environment variable or in a configuration file (--config
/// FILE, TOML). In the file, keys are the names of options. The command line comes first, then the environment, then
/// the file, then the default.
#[derive(Debug, Parser)]
#[command(name = "platbook", version, max_term_width = 80, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer over HTTP.
    ///
    /// SIGTERM and SIGINT stop the service once it has answered open requests. SIGHUP loads a fresh snapshot now.
    /// SIGUSR1 returns to the previous snapshot.
    Serve(Box<serve::ServeArgs>),
    /// Serve a language model over standard input and output (Model Context Protocol).
    Mcp(mcp::McpArgs),
    /// Check file, port, clock, proxies, limits and memory for `serve` with the same options, and say what to do.
    Doctor(Box<serve::ServeArgs>),
    /// Take a newer snapshot from `--snapshot-url` now, for the next start of `serve` with the same options.
    Update(Box<serve::ServeArgs>),
    /// Show the state of a running service.
    Status(status::StatusArgs),
    /// Show the contents of a snapshot.
    Inspect(inspect::InspectArgs),
    /// Measure how long answers take on this machine.
    Bench(bench::BenchArgs),
    /// Check that a snapshot is whole and undamaged.
    Verify(verify::VerifyArgs),
    /// Write all jurisdictions, offices and web pages as files, with checksums.
    #[command(long_about = TABLES)]
    Tables(tables::TablesArgs),
    /// Print the OpenAPI 3.1 document of the interface.
    Openapi(openapi::OpenApiArgs),
    /// Make, list and revoke API keys.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Print the completion script for a shell.
    Completions(manual::CompletionsArgs),
    /// Print the manual as a man page: platbook man | man -l -
    Man,
}

/// Runs the command that the program's arguments name.
pub fn run() -> ExitCode {
    take_size_limits_as_errors();
    let command = variables::without_empty(all_commands()).version(version());
    let matches = command.try_get_matches().unwrap_or_else(|error| variables::name_in(error).exit());
    let outcome = match operation::find(&matches) {
        Some((operation, given)) => operation::run(operation, given),
        None => Cli::from_arg_matches(&matches)
            .map_err(anyhow::Error::from)
            .and_then(|cli| cli.command.map_or_else(first_run::first_run, run_command)),
    };
    outcome.unwrap_or_else(|error| {
        // The reader of the output closed it, as in `platbook ... | head`.
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        tell(format_args!("{}", with_causes(error.as_ref())));
        if error.is::<UsageError>() { EXIT_USAGE.into() } else { ExitCode::FAILURE }
    })
}

/// Writes a message to stderr. Ignores a failure such as a full disk: the work and its exit code matter more.
fn tell(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "platbook: {what}");
}

/// Returns all commands: those of [`Command`], and one for each operation.
fn all_commands() -> clap::Command {
    Cli::command().subcommands(operation::commands())
}

/// Returns the version of the program. Adds the date of the built-in snapshot if the arguments request the version.
fn version() -> String {
    let program = env!("CARGO_PKG_VERSION");
    // Opening the snapshot takes time, so other commands do without it.
    let is_asked = env::args_os().skip(1).any(|argument| argument == "--version" || argument == "-V");
    let snapshot = is_asked.then(|| open_directory(None).ok()).flatten();
    snapshot.map_or_else(
        || program.to_owned(),
        |snapshot| format!("{program} (snapshot of {})", snapshot.as_of()),
    )
}

fn run_command(command: Command) -> Result<ExitCode> {
    match command {
        Command::Serve(args) => serve::serve(*args),
        Command::Mcp(args) => mcp::mcp(&args),
        Command::Doctor(args) => doctor::doctor(*args),
        Command::Update(args) => update::update(*args),
        Command::Status(args) => status::status(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Tables(args) => tables::tables(&args),
        Command::Openapi(args) => openapi::openapi(&args),
        Command::Keys(command) => keys::keys(&command),
        Command::Completions(args) => manual::completions(&args, all_commands()),
        Command::Man => manual::man(all_commands()),
    }
}

/// Error in the command line or the configuration.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UsageError(String);

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(broken)
            || cause.downcast_ref::<csv::Error>().is_some_and(|error| match error.kind() {
                csv::ErrorKind::Io(error) => broken(error),
                _ => false,
            })
    })
}

/// The option for the snapshot of a command.
#[derive(Debug, clap::Args)]
struct SnapshotArgs {
    /// Snapshot to answer from [default: the one built in]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_SNAPSHOT")]
    snapshot: Option<PathBuf>,
}

fn open_directory(path: Option<&Path>) -> Result<Directory> {
    let snapshot = match path {
        Some(path) => Snapshot::open(path).map_err(|error| of_file(error, path))?,
        None => crate::shipping::built_in().context("the built-in snapshot does not open")?,
    };
    Ok(Directory::new(snapshot))
}

/// Makes the error for a file, and names the path exactly once.
fn of_file(error: SnapshotError, path: &Path) -> anyhow::Error {
    match error {
        SnapshotError::Io { .. } => error.into(),
        error => anyhow::Error::from(error).context(path.display().to_string()),
    }
}

/// Writes a value to stdout as indented JSON.
fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Writes a whole text to stdout.
fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}
