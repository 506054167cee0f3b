//! `platbook mcp`: serves the MCP interface on standard input and output.

use std::{
    io::{self, BufReader},
    process::ExitCode,
};

use anyhow::Result;
use tokio::runtime::Builder;

use super::{SnapshotArgs, open_directory, outside::OutsideArgs, site};
use crate::{edition::Edition, mcp};

#[derive(Debug, clap::Args)]
pub(super) struct McpArgs {
    #[command(flatten)]
    snapshot: SnapshotArgs,
    /// Public address that answers link to
    #[arg(long, value_name = "URL", env = "PLATBOOK_SITE_URL", value_parser = site::site_url,
          default_value = site::SITE_URL)]
    site_url: String,
    #[command(flatten)]
    outside: OutsideArgs,
}

/// Answers messages from standard input until the input ends.
pub(super) fn mcp(args: &McpArgs) -> Result<ExitCode> {
    let edition = Edition::new(open_directory(args.snapshot.snapshot.as_deref())?, &args.site_url);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (mut input, mut output) = (BufReader::new(io::stdin()), io::stdout());
    // Connections to outside services need this runtime.
    let (lookups, _) = args.outside.lookups_of_copies()?;
    runtime.block_on(mcp::serve_lines(&edition, &lookups, &mut input, &mut output))?;
    Ok(ExitCode::SUCCESS)
}
