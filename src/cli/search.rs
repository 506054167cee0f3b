//! `platbook search`

use std::process::ExitCode;

use anyhow::Result;

use super::{SnapshotArgs, answer::print_answer, open_directory, site};
use crate::{answers::Answers, operations::SEARCH};

#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// Name of a county, city, town, township or web resource
    text: String,
    /// Two-letter state code; only what is in this state
    #[arg(long, value_name = "ST")]
    state: Option<String>,
    /// Places and resources at most, 1 to 50 of each [default: 10]
    #[arg(long, value_name = "N")]
    limit: Option<String>,
    #[command(flatten)]
    snapshot: SnapshotArgs,
    /// Public address that answers link to
    #[arg(long, value_name = "URL", env = "PLATBOOK_SITE_URL", value_parser = site::site_url,
          default_value = site::SITE_URL)]
    site_url: String,
}

pub(super) fn search(args: &SearchArgs) -> Result<ExitCode> {
    let answers = Answers::new(open_directory(args.snapshot.snapshot.as_deref())?, &args.site_url);
    let SearchArgs { text, state, limit, .. } = args;
    let named = [("q", Some(text)), ("state", state.as_ref()), ("limit", limit.as_ref())];
    print_answer(&answers, &SEARCH, named)?;
    Ok(ExitCode::SUCCESS)
}
