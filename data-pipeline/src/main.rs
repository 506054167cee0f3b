//! `platbook-pipeline`: downloads published data and builds snapshots from it.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use platbook::vocabulary::with_causes;

mod commands;

#[derive(Parser)]
#[command(version, about, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Download the full TIGER/Line boundary files of a year and write a manifest for them.
    Fetch(commands::fetch::Args),
    /// Read all inputs and say what was kept and what was left out, without building anything.
    Inputs(commands::inputs::Args),
    /// Say what is wrong with the hand-kept tables, and which answers they would change; needs no published file.
    Check(commands::check::Args),
    /// Build a snapshot from the files that the manifest names.
    Build(commands::build::Args),
    /// Make a layer file: addresses or maps of an area, put beside a snapshot with --layer.
    #[command(subcommand)]
    Layer(commands::layer::Layer),
    /// Say how much of the directory a snapshot fills, for each state and in all.
    Report(commands::report::Args),
    /// Say in words what is different between two snapshots, and for how many people.
    Diff(commands::diff::Args),
    /// Make a pair of keys: one signs snapshots, services know the other.
    Key(commands::key::Args),
    /// Sign a snapshot, so that services with the key take it.
    Sign(commands::sign::Args),
    /// Say whether a snapshot is whole and sound, signed, and fit to take the place of another.
    Verify(commands::verify::Args),
}

fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let outcome = match Cli::parse().command {
        Command::Fetch(args) => commands::fetch::run(args).map(done),
        Command::Inputs(args) => commands::inputs::run(&args).map(done),
        Command::Check(args) => commands::check::run(&args),
        Command::Build(args) => commands::build::run(&args).map(done),
        Command::Layer(layer) => commands::layer::run(&layer).map(done),
        Command::Report(args) => commands::report::run(&args).map(done),
        Command::Diff(args) => commands::diff::run(&args).map(done),
        Command::Key(args) => commands::key::run(&args).map(done),
        Command::Sign(args) => commands::sign::run(&args).map(done),
        Command::Verify(args) => commands::verify::run(&args).map(done),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {}", with_causes(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}
