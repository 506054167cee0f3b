//! The `check-links` subcommand: requests the links of a snapshot and records the results.

use std::{path::PathBuf, sync::Arc, time::Duration};

use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::{SignedDuration, Timestamp};
use platbook_https::Hosts;
use platbook_pipeline::links::{
    Ledger, LinkState, Manners, Outcome, Part, Plan, Round, Table, links, patch, plan,
};

use super::files::{open, publish};

/// Path of the hand-kept tables in the repository.
const CURATED: &str = "data-pipeline/curated";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot whose links are checked.
    #[arg(long)]
    snapshot: PathBuf,
    /// Folder that keeps all observations, and the table for `build --links`.
    #[arg(long, value_name = "DIR", required_unless_present = "plan")]
    ledger: Option<PathBuf>,
    /// Check the links of a part of the hosts, such as 2/7 on the second day of the week.
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: Part,
    #[command(flatten)]
    manners: MannersArgs,
    /// Folder of the hand-kept tables: links that have moved for good become a patch in the folder of the ledger.
    #[arg(long, value_name = "DIR")]
    curated: Option<PathBuf>,
    /// Ask no host: print how many requests the part takes, and how long.
    #[arg(long)]
    plan: bool,
}

/// The options for how hosts are treated.
#[derive(clap::Args)]
pub(super) struct MannersArgs {
    /// Pause between two requests to a host.
    #[arg(long, value_name = "TIME", default_value = "1s")]
    pause: SignedDuration,
    /// Maximum number of hosts that get requests at the same time.
    #[arg(long, value_name = "N", default_value_t = 64)]
    hosts: u16,
}

impl MannersArgs {
    pub(super) fn manners(&self) -> Result<Manners> {
        ensure!(!self.pause.is_negative(), "expected a time such as 1s in --pause, got {}", self.pause);
        let pause = Duration::try_from(self.pause).context("--pause")?;
        Ok(Manners { pause, hosts_max: self.hosts.into(), ..Manners::default() })
    }
}

/// Checks a part of the links today. A run that was interrupted on the same day continues.
pub(crate) fn run(args: &Args) -> Result<()> {
    let manners = args.manners.manners()?;
    let directory = open(&args.snapshot)?;
    let Some(folder) = args.ledger.as_ref().filter(|_| !args.plan) else {
        let part: Vec<_> =
            links(&directory, &Table::default()).into_iter().filter(|link| args.part.has(link)).collect();
        return print_plan(&plan(&part, &manners));
    };
    let mut ledger = Ledger::open(folder)?;
    let day = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let round = Round { part: args.part, manners, hosts: Hosts::Public(Arc::default()), day, until: None };
    let bar = ProgressBar::new(0);
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos} of {len} links, {eta} left")?);
    let looked = round.look(&directory, &mut ledger, |observation, due| {
        bar.set_length(due as u64);
        bar.inc(1);
        if observation.finding.outcome == Outcome::TakenOver {
            let title = observation.finding.note.as_deref().unwrap_or("");
            bar.println(format!("taken over: {} ({title})", observation.url));
        }
    })?;
    bar.finish_and_clear();
    for (word, count) in &looked.found {
        say!("{word}: {count}");
    }
    let known = |state: &&LinkState| state.result(day).is_some();
    let known = ledger.table.links.values().filter(known).count();
    say!("{known} links have a result that counts today");
    if let Some(curated) = &args.curated {
        let patch = patch(curated, CURATED, &ledger.table).with_context(|| curated.display().to_string())?;
        let path = folder.join("moves.patch");
        publish(&path, patch.as_bytes())?;
        say!("wrote {}: git apply --unidiff-zero", path.display());
    }
    Ok(())
}

fn print_plan(Plan { links, hosts, requests, longest: (host, most), lasts }: &Plan) -> Result<()> {
    let minutes = lasts.as_secs().div_ceil(60);
    say!(
        "{links} links of {hosts} hosts take {requests} requests and {} h {} min",
        minutes / 60,
        minutes % 60
    );
    say!("the most requests go to {host}: {most}");
    Ok(())
}
