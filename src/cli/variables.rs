//! Environment variables that set options.

use std::{env, ffi::OsStr};

use clap::{
    Arg, Command,
    error::{ContextKind, ContextValue},
};

use super::{all_commands, tell};

/// Ignores empty variables, as most programs do: unit files and containers set a variable to nothing to unset it.
pub(super) fn without_empty(command: Command) -> Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    let command = command.mut_args(|argument| match argument.get_env() {
        Some(name) if is_empty(name) => argument.env(None::<&'static str>),
        _ => argument,
    });
    command.mut_subcommands(without_empty)
}

/// Warns of unknown `PLATBOOK_` variables, which are probably misspelled.
pub(super) fn warn_of_unknown() {
    let commands = all_commands();
    let known: Vec<&OsStr> = arguments(&commands).into_iter().filter_map(Arg::get_env).collect();
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("PLATBOOK_") && !known.contains(&name.as_os_str()) {
            tell(format_args!("the variable {} is not known and not read", name.to_string_lossy()));
        }
    }
}

/// In an error about the value of a variable, names the variable instead of an option that the user did not type.
pub(super) fn name_in(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(variable) = variable_of(option)
    {
        error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
    }
    error
}

/// Returns the variable that sets an option. `option` is written as in `--listen <ADDRESS:PORT>`. `None` if the
/// option is on the command line.
fn variable_of(option: &str) -> Option<String> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '-';
    let option = option.split(|letter| !is_of_name(letter)).next()?;
    let is_typed = |argument: &str| argument.split('=').next() == Some(option);
    if env::args_os().any(|argument| is_typed(&argument.to_string_lossy())) {
        return None;
    }
    let commands = all_commands();
    let named =
        arguments(&commands).into_iter().filter(|argument| argument.get_long() == option.strip_prefix("--"));
    let variable = named.filter_map(Arg::get_env).find(|name| env::var_os(name).is_some())?;
    Some(variable.to_string_lossy().into_owned())
}

/// Returns the arguments of a command and of its subcommands.
fn arguments(command: &Command) -> Vec<&Arg> {
    command.get_arguments().chain(command.get_subcommands().flat_map(arguments)).collect()
}
