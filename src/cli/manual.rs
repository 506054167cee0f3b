//! `platbook completions` and `platbook man`, generated from the definitions of the commands.

use std::process::ExitCode;

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use super::print;

#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// Shell to complete for
    shell: Shell,
}

/// Prints the completion script for a shell.
pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "platbook", &mut text);
    print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual: the page of the program, then one for each command.
pub(super) fn man(mut command: Command) -> Result<ExitCode> {
    command.build();
    let mut text = Vec::new();
    let commands = command.get_subcommands().filter(|command| command.get_name() != "help").cloned();
    let pages: Vec<Command> = commands.collect();
    for page in std::iter::once(command.clone()).chain(pages) {
        Man::new(page).render(&mut text)?;
    }
    print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}
