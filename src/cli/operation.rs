//! The operations of the interface as commands, generated from their table.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, Args as _, Command, FromArgMatches as _};

use super::{
    SnapshotArgs, UsageError,
    answer::{Format, print_answer},
    batch, lists, open_directory,
    outside::OutsideArgs,
    site,
};
use crate::{
    edition::Edition,
    operations::{OPERATIONS, Operation},
};
use platbook::{
    answers::{Answers, Parameter},
    vocabulary::{Date, DateError, ProblemKind},
};

/// The command that also accepts a file of points.
const BATCH_COMMAND: &str = "resolve";

/// Options of every operation besides its parameters.
#[derive(Debug, clap::Args)]
struct CommonArgs {
    #[command(flatten)]
    snapshot: SnapshotArgs,
    /// Public address that answers link to
    #[arg(long, value_name = "URL", env = "PLATBOOK_SITE_URL", value_parser = site::site_url,
          default_value = site::SITE_URL)]
    site_url: String,
    /// Plain text or JSON [default: text on a terminal, JSON elsewhere]
    #[arg(long, value_enum, value_name = "text|json", hide_possible_values = true)]
    format: Option<Format>,
}

/// Returns a command for each operation. An operation of two words becomes a subcommand.
pub(super) fn commands() -> impl Iterator<Item = Command> {
    let (grouped, single): (Vec<_>, Vec<_>) =
        OPERATIONS.iter().partition(|operation| operation.command.contains(' '));
    let group = Command::new(lists::GROUP)
        .about("List jurisdictions, or the offices for a function, of a state or the nation")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(grouped.into_iter().map(command));
    single.into_iter().map(command).chain([group])
}

/// Returns the operation that the command line selects, with its arguments; `None` for other commands.
pub(super) fn find(matches: &ArgMatches) -> Option<(&'static Operation, &ArgMatches)> {
    let (name, given) = matches.subcommand()?;
    let (name, given) = match given.subcommand().filter(|_| name == lists::GROUP) {
        Some((inner, given)) => (format!("{name} {inner}"), given),
        None => (name.to_owned(), given),
    };
    let operation = OPERATIONS.iter().find(|operation| operation.command == name)?;
    Some((operation, given))
}

fn command(operation: &'static Operation) -> Command {
    let arguments = operation.parameters.iter().map(|parameter| argument(operation, parameter));
    let name = operation.command.rsplit(' ').next().unwrap_or_default();
    let command = CommonArgs::augment_args(Command::new(name).args(arguments));
    let command = if lists::is_list(operation) { lists::with_formats(command) } else { command };
    let command = if looks_up(operation) { OutsideArgs::augment_args(command) } else { command };
    let command =
        if operation.command == BATCH_COMMAND { batch::BatchArgs::add_to(command) } else { command };
    // Set last, because each flattened group of arguments overwrites the description of the command.
    command
        .about(operation.summary)
        .long_about(format!("{}.\n\n{}", operation.summary, operation.description))
}

/// Returns whether an operation may need outside lookups.
fn looks_up(operation: &Operation) -> bool {
    operation.problems.contains(&ProblemKind::LookupLimit)
}

fn argument(operation: &Operation, parameter: &'static Parameter) -> Arg {
    let argument = Arg::new(parameter.name).help(parameter.description);
    if operation.positional.contains(&parameter.name) {
        // clap does not require the argument: the operation itself reports a missing parameter, and says what it
        // expects.
        argument.allow_negative_numbers(true)
    } else {
        let value_name = parameter.name.to_uppercase();
        argument.long(parameter.name.replace('_', "-")).value_name(value_name).allow_negative_numbers(true)
    }
}

/// Runs the command of an operation.
pub(super) fn run(operation: &'static Operation, matches: &ArgMatches) -> Result<std::process::ExitCode> {
    let common = CommonArgs::from_arg_matches(matches)?;
    let snapshot: Option<PathBuf> = common.snapshot.snapshot;
    let directory = open_directory(snapshot.as_deref())?;
    if operation.command == BATCH_COMMAND {
        let args = batch::BatchArgs::from_arg_matches(matches)?;
        if let Some(input) = args.input() {
            let map_files = OutsideArgs::from_arg_matches(matches)?.map_files()?;
            let date = matches.get_one::<String>("date").map(|text| {
                text.parse().map_err(|error: DateError| UsageError(format!("--date: {error}; got {text:?}")))
            });
            let date: Option<Date> = date.transpose()?;
            return batch::run(input, &args, Answers::new(directory), &map_files, date);
        }
    }
    let edition = Edition::new(directory, &common.site_url);
    let given = operation.parameters.iter().filter_map(|parameter| {
        let value = matches.get_one::<String>(parameter.name)?;
        Some((parameter.name, value.as_str()))
    });
    let outside =
        if looks_up(operation) { OutsideArgs::from_arg_matches(matches)? } else { OutsideArgs::default() };
    match common.format {
        Some(format @ (Format::Csv | Format::Jsonl)) => {
            lists::print_rows(&edition, operation, given, format)?
        }
        format => print_answer(&edition, operation, given, || outside.lookups(), format)?,
    }
    Ok(std::process::ExitCode::SUCCESS)
}
