//! The subcommands: arguments in, words out.

pub(crate) mod build;
pub(crate) mod fetch;
pub(crate) mod inputs;

use std::path::PathBuf;

/// Where the published files are.
#[derive(clap::Args)]
pub(crate) struct InputArgs {
    /// Directory that the manifest's paths are relative to.
    #[arg(long, env = "PLATBOOK_DATA")]
    data: PathBuf,
    /// The manifest.
    #[arg(long, default_value = "data-pipeline/sources.toml")]
    manifest: PathBuf,
}
