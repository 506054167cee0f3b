//! `platbook-pipeline`: downloads published data, and builds, compares and signs snapshots.

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
    /// Read all inputs and list the kept and dropped records, without building anything.
    Inputs(commands::inputs::Args),
    /// List faults in the hand-kept tables and the answers that they would change; needs no published file.
    Check(commands::check::Args),
    /// Check the links of a snapshot politely, and record which work in a table for `build --links`.
    CheckLinks(commands::check_links::Args),
    /// Build a snapshot from the files that the manifest names.
    Build(commands::build::Args),
    /// Make a layer file: addresses or maps of an area, put beside a snapshot with --layer.
    #[command(subcommand)]
    Layer(commands::layer::Layer),
    /// Print how much of the directory a snapshot fills, for each state and in all.
    Report(commands::report::Args),
    /// Print the differences between two snapshots in words, with the number of people concerned.
    Diff(commands::diff::Args),
    /// Make a pair of keys: a secret one to sign snapshots, a public one for services.
    Key(commands::key::Args),
    /// Sign a snapshot, so that services with the public key accept it.
    Sign(commands::sign::Args),
    /// Publish a snapshot in the folder of a file server: packed, signed, with deltas and a statement that expires.
    Publish(commands::publish::Args),
    /// Make, verify and publish the snapshot of a night: lists, a seventh of the links, build, deltas, one report.
    Nightly(commands::nightly::Args),
    /// Check that a snapshot is whole, sound, signed, and fit to replace another.
    Verify(commands::verify::Args),
}

fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let outcome = match Cli::parse().command {
        Command::Fetch(args) => commands::fetch::run(args).map(done),
        Command::Inputs(args) => commands::inputs::run(&args).map(done),
        Command::Check(args) => commands::check::run(&args),
        Command::CheckLinks(args) => commands::check_links::run(&args).map(done),
        Command::Build(args) => commands::build::run(&args).map(done),
        Command::Layer(layer) => commands::layer::run(&layer).map(done),
        Command::Report(args) => commands::report::run(&args).map(done),
        Command::Diff(args) => commands::diff::run(&args).map(done),
        Command::Key(args) => commands::key::run(&args).map(done),
        Command::Sign(args) => commands::sign::run(&args).map(done),
        Command::Publish(args) => commands::publish::run(&args).map(done),
        Command::Nightly(args) => commands::nightly::run(&args),
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
