//! The `check-links` subcommand: looks at the links of a snapshot, and keeps what it found.

use std::{collections::BTreeMap, path::PathBuf, str::FromStr, time::Duration};

use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::{SignedDuration, Timestamp};
use platbook_https::Hosts;
use platbook_pipeline::links::{Crawler, Ledger, Link, LinkState, Manners, Outcome, links, patch};

use super::files::{open, publish};

/// Path of the hand-kept tables in the repository.
const CURATED: &str = "data-pipeline/curated";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot whose links are checked.
    #[arg(long)]
    snapshot: PathBuf,
    /// Folder that keeps all observations, and the table for `build --links`.
    #[arg(long, value_name = "DIR")]
    ledger: PathBuf,
    /// Check a part of the links, such as 2/7 on the second day of the week.
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: Part,
    /// Pause between two requests to a host.
    #[arg(long, value_name = "TIME", default_value = "1s")]
    pause: SignedDuration,
    /// Most hosts that are asked at the same time.
    #[arg(long, value_name = "N", default_value_t = 64)]
    hosts: u16,
    /// Folder of the hand-kept tables: links that have moved for good become a patch in the folder of the ledger.
    #[arg(long, value_name = "DIR")]
    curated: Option<PathBuf>,
}

/// A part of all links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    number: u64,
    of: u64,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
            _ => Err(format!("expected K/N with K from 1 to N, got {text:?}")),
        }
    }
}

impl Part {
    /// Whether a link belongs to this part: the same each time.
    fn has(self, link: &Link) -> bool {
        let digest = blake3::hash(link.url.as_bytes());
        let number = u64::from_le_bytes(digest.as_bytes()[..8].try_into().expect("a digest has 32 bytes"));
        number % self.of == self.number - 1
    }
}

/// Checks a part of the links today. A run that was interrupted on the same day continues.
pub(crate) fn run(args: &Args) -> Result<()> {
    ensure!(!args.pause.is_negative(), "expected a time such as 1s in --pause, got {}", args.pause);
    let directory = open(&args.snapshot)?;
    let mut ledger = Ledger::open(&args.ledger)?;
    let today = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let mut run = ledger.begin(&today.to_string())?;
    let all = links(&directory, &ledger.table);
    let due: Vec<Link> =
        all.into_iter().filter(|link| args.part.has(link) && !run.has_seen(&link.url)).collect();
    let manners = Manners {
        pause: Duration::try_from(args.pause).context("--pause")?,
        hosts_max: args.hosts.into(),
        ..Manners::default()
    };
    let bar = ProgressBar::new(due.len() as u64);
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos} of {len} links, {eta} left")?);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let crawler = Crawler::new(manners, Hosts::Public(std::sync::Arc::default()));
    crawler.run_here(due, today, |observation| {
        bar.inc(1);
        *counts.entry(word(observation.finding.outcome)).or_default() += 1;
        if observation.finding.outcome == Outcome::TakenOver {
            bar.println(format!(
                "taken over: {} ({})",
                observation.url,
                observation.finding.note.as_deref().unwrap_or("")
            ));
        }
        run.add(&observation).map_err(anyhow::Error::from)
    })?;
    bar.finish_and_clear();
    ledger.end(run)?;
    for (word, count) in &counts {
        println!("{word}: {count}");
    }
    let known = |state: &&LinkState| state.result(today).is_some();
    let links = ledger.table.links.values();
    println!("{} links have a result that counts today", links.filter(known).count());
    if let Some(curated) = &args.curated {
        let patch = patch(curated, CURATED, &ledger.table).with_context(|| curated.display().to_string())?;
        let path = args.ledger.join("moves.patch");
        publish(&path, patch.as_bytes())?;
        println!("wrote {}: git apply --unidiff-zero", path.display());
    }
    Ok(())
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Works => "works",
        Outcome::Gone => "gone",
        Outcome::SoftMissing => "gone, though the server does not say so",
        Outcome::TakenOver => "taken over",
        Outcome::Unknown => "nothing can be said",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_link_is_in_one_part() {
        let link = |number: u32| Link { url: number.to_string(), words: Vec::new(), etag: None };
        let parts: Vec<Part> = (1..=7).map(|number| format!("{number}/7").parse().unwrap()).collect();
        let mut sizes = [0; 7];
        for number in 0..700 {
            let of: Vec<usize> = (0..7).filter(|part| parts[*part].has(&link(number))).collect();
            let [part] = of[..] else { panic!("{number} is in {of:?}") };
            sizes[part] += 1;
        }
        assert!(sizes.iter().all(|size| (60..140).contains(size)), "{sizes:?}");
        for text in ["", "0/7", "8/7", "1", "1/0", "-1/7", "a/b"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}
