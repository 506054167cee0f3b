//! One night: fetches lists that changed, looks at a part of the links, builds, verifies, signs and publishes.
//!
//! The steps are those of the commands of the same names. A night that goes wrong publishes nothing, and its report
//! says why in one line for each failure. A list that cannot be renewed is not such a failure: the version of the last
//! good night stays.

mod report;

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use platbook::{
    acceptance,
    directory::Directory,
    files::durable::{Disk, PUBLIC},
};
use platbook_https::Hosts;

pub use report::{Level, Line, Outcome, Report, Step};

use crate::{
    diff::Diff,
    fetch::{Limits, News, Renewals},
    input::manifest::Manifest,
    links::{Ledger, Looked, Manners, Part, Round, Table},
    publish::{Published, Publisher},
};
use report::Failure;

/// Number of nights in which each link is looked at once.
const ROUND_DAYS: u8 = 7;

/// Number of reports that are kept, one for each day. Chosen, not measured.
const REPORTS_MAX: usize = 60;

/// Maximum number of lines about faults of tables; the number of further faults follows. Chosen, not measured.
const FAULTS_MAX: usize = 20;

/// The steps that need published files and hand-kept tables.
pub trait Maker {
    /// Checks the hand-kept tables against the snapshot of the night before, and returns a line for each fault.
    fn faults(&self, before: Option<&Directory>) -> Vec<String>;

    /// Builds the snapshot, with the results of links and the history of the previous snapshot. Also returns the
    /// differences from that snapshot.
    ///
    /// # Errors
    /// The reason why nothing was built.
    fn build(
        &self,
        manifest: &Manifest,
        links: &Table,
        before: Option<&Arc<Directory>>,
    ) -> Result<(Directory, Option<Diff>), Box<dyn std::error::Error>>;
}

/// A night: its inputs, and the folder that it fills.
pub struct Night<'a> {
    /// Folder with the lock, the ledger of links, the lists and the reports.
    pub folder: &'a Path,
    /// The published files, with their digests.
    pub manifest: &'a Manifest,
    /// Folder of the published files.
    pub data: &'a Path,
    /// Limits of time and size for lists.
    pub limits: Limits,
    /// The pauses and limits for requests to the hosts of links.
    pub manners: Manners,
    /// Hosts that may get requests for links.
    pub hosts: Hosts,
    /// Maximum time for links; links that are left are due again.
    pub links_last: Duration,
    /// Time of the night.
    pub now: Timestamp,
    /// The folder of the file server, and the key.
    pub publisher: Publisher<'a>,
    /// The steps of a build.
    pub maker: &'a dyn Maker,
}

/// The reason why a night has no report.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct NightError {
    path: PathBuf,
    source: io::Error,
}

impl Night<'_> {
    /// Runs the night, and writes its report as text and JSON.
    ///
    /// # Errors
    /// If the lock or the report cannot be written.
    pub fn run(&self) -> Result<Report, NightError> {
        let day = self.day().to_string();
        Disk::default().create_folder(self.folder).map_err(|source| failed(self.folder, source))?;
        let path = self.folder.join("lock");
        let lock = File::create(&path).map_err(|source| failed(&path, source))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Report::new(day, Outcome::Busy)),
            Err(TryLockError::Error(source)) => return Err(failed(&path, source)),
        }
        let mut report = Report::new(day, Outcome::Published);
        match self.steps(&mut report) {
            Err(failure) => report.fail(failure),
            Ok(()) if report.lines_of(Level::Kept).next().is_some() => {
                report.outcome = Outcome::PublishedWithOlderSources;
            }
            Ok(()) => {}
        }
        self.write(&report)?;
        Ok(report)
    }

    fn day(&self) -> Date {
        self.now.to_zoned(TimeZone::UTC).date()
    }

    fn steps(&self, report: &mut Report) -> Result<(), Failure> {
        let before = self.publisher.latest().map_err(|error| Failure::new(Step::Before, &error))?;
        let before = before.map(Arc::new);
        let lists = |error| Failure::new(Step::Fetch, &error);
        let mut renewals = Renewals::open(&self.folder.join("lists")).map_err(lists)?;
        let news = self.fetch(&renewals, report)?;
        let table = self.look(before.as_deref(), report)?;
        self.check(before.as_deref(), report)?;
        let (directory, diff, is_with_news) =
            self.built(&renewals, &news, &table, before.as_ref(), report)?;
        if let Some(diff) = &diff {
            report.compare(diff);
        }
        self.publish(&directory, report)?;
        if is_with_news { renewals.keep(&news).map_err(lists) } else { Ok(()) }
    }

    /// Fetches the lists that changed.
    fn fetch(&self, renewals: &Renewals, report: &mut Report) -> Result<Vec<News>, Failure> {
        let day = self.day().to_string();
        let news = renewals.fetch(self.manifest, self.data, &day, &self.limits);
        let news = news.map_err(|error| Failure::new(Step::Fetch, &error))?;
        for News { path, version } in &news {
            match version {
                Ok(Some(_)) => report.add(Step::Fetch, Level::Done, &format!("{path} is new")),
                Ok(None) => report.add(Step::Fetch, Level::Done, &format!("{path} is as before")),
                Err(error) => report.add(Step::Fetch, Level::Kept, &error.to_string()),
            }
        }
        Ok(news)
    }

    /// Looks at the links of this night, and returns the results of all nights.
    fn look(&self, before: Option<&Directory>, report: &mut Report) -> Result<Table, Failure> {
        let failed = |error| Failure::new(Step::Links, &error);
        let mut ledger = Ledger::open(&self.folder.join("links")).map_err(failed)?;
        let day = self.day();
        match before {
            None => report.add(Step::Links, Level::Done, "no snapshot before, so no links to look at"),
            Some(_) if ledger.table.through >= day.to_string() => {
                report.add(Step::Links, Level::Done, "looked at already on this day");
            }
            Some(before) => {
                let round = Round {
                    part: Part::of_day(day, ROUND_DAYS),
                    manners: self.manners.clone(),
                    hosts: self.hosts.clone(),
                    day,
                    until: Some(Instant::now() + self.links_last),
                };
                let looked = round.look(before, &mut ledger, |_, _| {}).map_err(failed)?;
                add_looks(report, &looked);
            }
        }
        Ok(ledger.table)
    }

    fn check(&self, before: Option<&Directory>, report: &mut Report) -> Result<(), Failure> {
        let mut lines = self.maker.faults(before);
        if lines.is_empty() {
            report.add(Step::Check, Level::Done, "no faults");
            return Ok(());
        }
        let more = lines.len().saturating_sub(FAULTS_MAX);
        lines.truncate(FAULTS_MAX);
        if more > 0 {
            lines.push(format!("and {more} more; `platbook-pipeline check` lists them"));
        }
        Err(Failure { step: Step::Check, lines })
    }

    /// Builds and verifies the snapshot: with the new lists, and if that fails, with those of the last good night.
    /// Also returns whether the snapshot has the new lists.
    fn built(
        &self,
        renewals: &Renewals,
        news: &[News],
        table: &Table,
        before: Option<&Arc<Directory>>,
        report: &mut Report,
    ) -> Result<(Directory, Option<Diff>, bool), Failure> {
        let mut refused = None;
        if news.iter().any(|news| matches!(news.version, Ok(Some(_)))) {
            match self.candidate(renewals.with(self.manifest, news), table, before) {
                Ok((directory, diff)) => return Ok((directory, diff, true)),
                Err(failure) => refused = Some(failure),
            }
        }
        // A failure with the older lists as well shows that the new lists are not the reason. The report then has
        // only this second failure.
        let (directory, diff) = self.candidate(renewals.kept(self.manifest), table, before)?;
        if let Some(Failure { step, lines }) = refused {
            for line in lines {
                let text = format!("with the new lists: {line}; those before are used");
                report.add(step, Level::Kept, &text);
            }
        }
        Ok((directory, diff, false))
    }

    fn candidate(
        &self,
        mut manifest: Manifest,
        table: &Table,
        before: Option<&Arc<Directory>>,
    ) -> Result<(Directory, Option<Diff>), Failure> {
        manifest.released = self.day().to_string();
        let built = self.maker.build(&manifest, table, before);
        let (directory, diff) = built.map_err(|error| Failure::new(Step::Build, error.as_ref()))?;
        let verified = acceptance::is_sound(&directory)
            .and_then(|()| before.map_or(Ok(()), |before| acceptance::may_follow(&directory, before, false)));
        verified.map_err(|rejection| Failure::new(Step::Verify, &rejection))?;
        Ok((directory, diff))
    }

    fn publish(&self, directory: &Directory, report: &mut Report) -> Result<(), Failure> {
        report.add(Step::Build, Level::Done, &format!("snapshot {}", directory.snapshot_id()));
        let published = self.publisher.publish(directory.snapshot().bytes());
        let Published { release, removed, .. } =
            published.map_err(|error| Failure::new(Step::Publish, &error))?;
        let text = format!("{} bytes, until {}", release.file.bytes, release.expires);
        report.add(Step::Publish, Level::Done, &text);
        for delta in &release.deltas {
            let text = format!("from {}: {} bytes", delta.from.as_of, delta.file.bytes);
            report.add(Step::Publish, Level::Done, &text);
        }
        report.add(Step::Publish, Level::Done, &format!("{} older files removed", removed.len()));
        report.release = Some(release);
        Ok(())
    }

    /// Writes the report, and removes reports older than the last [`REPORTS_MAX`].
    fn write(&self, report: &Report) -> Result<(), NightError> {
        let folder = self.folder.join("reports");
        Disk::default().create_folder(&folder).map_err(|source| failed(&folder, source))?;
        for (ending, text) in [("txt", report.to_text()), ("json", report.to_json())] {
            let path = folder.join(format!("{}.{ending}", report.day));
            let written = Disk::default().replace(&path, PUBLIC, |file| file.write_all(text.as_bytes()));
            written.map_err(|source| failed(&path, source))?;
        }
        let entries = fs::read_dir(&folder).map_err(|source| failed(&folder, source))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let others = paths.len().saturating_sub(2 * REPORTS_MAX);
        for path in paths.into_iter().take(others) {
            fs::remove_file(&path).map_err(|source| failed(&path, source))?;
        }
        Ok(())
    }
}

fn add_looks(report: &mut Report, looked: &Looked) {
    let found: Vec<String> = looked.found.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let looks: u64 = looked.found.values().sum();
    let text = format!("{looks} looks ({}), {} left for other nights", found.join(", "), looked.left);
    report.add(Step::Links, Level::Done, &text);
    for (url, title) in &looked.taken_over {
        report.add(Step::Links, Level::Done, &format!("taken over: {url} ({title})"));
    }
}

fn failed(path: &Path, source: io::Error) -> NightError {
    NightError { path: path.to_owned(), source }
}
