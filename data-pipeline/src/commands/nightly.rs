//! The `nightly` subcommand: makes, verifies and publishes the snapshot of a night.

use std::{path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

use anyhow::{Context as _, Result, ensure};
use jiff::{SignedDuration, Timestamp};
use platbook::directory::Directory;
use platbook_https::Hosts;
use platbook_pipeline::{
    build::{self, Built, Options},
    check::check,
    diff::Diff,
    fetch::Limits,
    input::manifest::Manifest,
    links::Table,
    nightly::{Maker, Night, Outcome},
    publish::Publisher,
};

use super::{
    check_links::MannersArgs,
    input_args::{InputArgs, SimplifyArgs},
    print,
    publish::ReleaseArgs,
    sign::secret_key,
};

/// Exit status of a night that published, with sources of an earlier night.
const OLDER_SOURCES: u8 = 3;

/// Exit status of a night that finds another at work: EX_TEMPFAIL of sysexits.h.
const BUSY: u8 = 75;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    #[command(flatten)]
    simplify: SimplifyArgs,
    /// Folder for the lock, the ledger of links, renewed lists and reports.
    #[arg(long, value_name = "DIR")]
    state: PathBuf,
    #[command(flatten)]
    release: ReleaseArgs,
    #[command(flatten)]
    manners: MannersArgs,
    /// Longest time for links; those that are left are due on other nights.
    #[arg(long, value_name = "TIME", default_value = "8h")]
    links_last: SignedDuration,
    /// Print the report as JSON, for programs.
    #[arg(long)]
    json: bool,
}

/// Runs a night and prints its report. The status is 0 if all went well, and 1 if nothing was published. It is 3 if a
/// list is that of an earlier night, and 75 if another night is at work.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    ensure!(
        args.links_last.is_positive(),
        "expected a time such as 8h in --links-last, got {}",
        args.links_last
    );
    let manifest = args.inputs.manifest()?;
    let key = secret_key(&args.release.key)?;
    let now = Timestamp::now();
    let publisher = Publisher {
        folder: &args.release.to,
        key: &key,
        expires: args.release.expires_after(now)?,
        keep: args.release.keep.into(),
    };
    let night = Night {
        folder: &args.state,
        manifest: &manifest,
        data: &args.inputs.data,
        limits: Limits { retries: 2, bytes_max: 64 << 20, ..Limits::default() },
        manners: args.manners.manners()?,
        hosts: Hosts::Public(Arc::default()),
        links_last: Duration::try_from(args.links_last).context("--links-last")?,
        now,
        publisher,
        maker: &FromFiles { inputs: &args.inputs, simplify: &args.simplify },
    };
    let report = night.run()?;
    let text = if args.json { report.to_json() } else { report.to_text() };
    print(&text)?;
    Ok(match report.outcome {
        Outcome::Published => ExitCode::SUCCESS,
        Outcome::PublishedWithOlderSources => OLDER_SOURCES.into(),
        Outcome::Failed => ExitCode::FAILURE,
        Outcome::Busy => BUSY.into(),
    })
}

/// Builds from the published files and the hand-kept tables.
struct FromFiles<'a> {
    inputs: &'a InputArgs,
    simplify: &'a SimplifyArgs,
}

impl Maker for FromFiles<'_> {
    fn faults(&self, before: Option<&Directory>) -> Vec<String> {
        check(&self.inputs.curated, before).faults.iter().map(ToString::to_string).collect()
    }

    fn build(
        &self,
        manifest: &Manifest,
        links: &Table,
        before: Option<&Arc<Directory>>,
    ) -> Result<(Directory, Option<Diff>), Box<dyn std::error::Error>> {
        let options = Options {
            data: self.inputs.data.clone(),
            curated: self.inputs.curated.clone(),
            simplify: self.simplify.tolerance(),
            links: links.clone(),
            after: before.cloned(),
        };
        let Built { directory, diff, .. } = build::build(manifest, &options, &|what| eprintln!("{what}"))?;
        Ok((directory, diff))
    }
}
