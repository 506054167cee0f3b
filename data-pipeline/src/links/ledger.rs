//! Keeps the ledger: a file of observations for each run, which only grows, and the table into which runs are folded.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use platbook::files::durable::{Disk, PUBLIC};
use serde::{Deserialize, Serialize};

use super::rule::{LinkState, Observation};

/// Name of the folded table.
const TABLE: &str = "links.json";

/// Folder of the runs.
const RUNS: &str = "runs";

/// Ending of a run's file.
const RUN: &str = ".ndjson";

/// The reason why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file does not have the expected content.
    #[error("{}: {fault}", path.display())]
    Form {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser.
        fault: serde_json::Error,
    },
    /// None of many hosts answered.
    #[error("none of {0} hosts answered, so these looks do not count; is this machine online?")]
    Offline(u64),
    /// No request can be sent.
    #[error("cannot ask any host: {0}")]
    Crawler(io::Error),
    /// The run has ended and is folded.
    #[error("the run {0} has ended; its results are in the table")]
    Ended(String),
}

/// The state of each link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The last run that is folded in; empty before the first.
    pub through: String,
    /// The states by URL.
    pub links: BTreeMap<String, LinkState>,
}

/// A folder with observations and their table.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    /// The table of the runs that have ended.
    pub table: Table,
}

/// A run whose observations are being written.
#[derive(Debug)]
pub struct Run {
    name: String,
    path: PathBuf,
    file: File,
    /// URLs that the run has observed.
    seen: BTreeSet<String>,
}

impl Table {
    /// Reads a table from its file.
    ///
    /// # Errors
    /// If there is no such file, or it is not a table.
    pub fn read(path: &Path) -> Result<Table, LedgerError> {
        let bytes = fs::read(path).map_err(|source| failed(path, source))?;
        serde_json::from_slice(&bytes).map_err(|fault| LedgerError::Form { path: path.to_owned(), fault })
    }

    fn add(&mut self, seen: &Observation) {
        let before = self.links.remove(&seen.url);
        self.links.insert(seen.url.clone(), LinkState::after(before, seen));
    }
}

impl Ledger {
    /// Opens a folder, and creates it if necessary.
    ///
    /// # Errors
    /// If the folder or its table cannot be read.
    pub fn open(folder: &Path) -> Result<Ledger, LedgerError> {
        let runs = folder.join(RUNS);
        Disk::default().create_folder(&runs).map_err(|source| failed(&runs, source))?;
        let path = folder.join(TABLE);
        let table = if path.exists() { Table::read(&path)? } else { Table::default() };
        Ok(Ledger { folder: folder.to_owned(), table })
    }

    /// Begins a run, or continues it. First folds earlier runs that never ended.
    ///
    /// # Errors
    /// If the run has ended, or a file cannot be read or written.
    pub fn begin(&mut self, name: &str) -> Result<Run, LedgerError> {
        if name <= self.table.through.as_str() {
            return Err(LedgerError::Ended(name.to_owned()));
        }
        for earlier in self.runs()?.into_iter().filter(|run| run.as_str() < name) {
            self.fold(&earlier)?;
        }
        let path = self.path_of(name);
        let mut seen = BTreeSet::new();
        let whole = read_run(&path, |observation| {
            seen.insert(observation.url);
        })?;
        let open = || -> io::Result<File> {
            let mut file =
                OpenOptions::new().create(true).read(true).write(true).truncate(false).open(&path)?;
            // A line that was cut is removed; the run looks at its link again.
            file.set_len(whole)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|source| failed(&path, source))?;
        Ok(Run { name: name.to_owned(), path, file, seen })
    }

    /// Ends a run: folds its observations into the table, and writes the table.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn end(&mut self, run: Run) -> Result<(), LedgerError> {
        run.file.sync_all().map_err(|source| failed(&run.path, source))?;
        self.fold(&run.name)
    }

    /// Removes the file of a run, so that its observations do not count.
    ///
    /// # Errors
    /// If its file cannot be removed.
    pub(super) fn forget(&mut self, run: &Run) -> Result<(), LedgerError> {
        fs::remove_file(&run.path).map_err(|source| failed(&run.path, source))
    }

    fn fold(&mut self, name: &str) -> Result<(), LedgerError> {
        if name <= self.table.through.as_str() {
            return Ok(());
        }
        let run = self.path_of(name);
        let table = &mut self.table;
        read_run(&run, |seen| table.add(&seen))?;
        name.clone_into(&mut table.through);
        let path = self.folder.join(TABLE);
        let text = serde_json::to_string_pretty(table).expect("texts and dates can be written") + "\n";
        let written = Disk::default().replace(&path, PUBLIC, |file| file.write_all(text.as_bytes()));
        written.map_err(|source| failed(&path, source))
    }

    /// Names of all runs, in the order of the names.
    fn runs(&self) -> Result<Vec<String>, LedgerError> {
        let folder = self.folder.join(RUNS);
        let names = || -> io::Result<Vec<String>> {
            let names = fs::read_dir(&folder)?;
            names.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
        };
        let names = names().map_err(|source| failed(&folder, source))?;
        let mut runs: Vec<String> =
            names.iter().filter_map(|name| name.strip_suffix(RUN)).map(str::to_owned).collect();
        runs.sort();
        Ok(runs)
    }

    fn path_of(&self, run: &str) -> PathBuf {
        self.folder.join(RUNS).join(format!("{run}{RUN}"))
    }
}

impl Run {
    /// Whether the run has observed this link.
    pub fn has_seen(&self, url: &str) -> bool {
        self.seen.contains(url)
    }

    /// Appends an observation; a second one of the same link is left out.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, observation: &Observation) -> Result<(), LedgerError> {
        if !self.seen.insert(observation.url.clone()) {
            return Ok(());
        }
        let line = serde_json::to_string(observation).expect("texts and dates can be written") + "\n";
        self.file.write_all(line.as_bytes()).map_err(|source| failed(&self.path, source))
    }
}

/// Reads the observations of a run, and returns the length of its whole lines. A line that was cut at the end is left
/// out.
fn read_run(path: &Path, mut take: impl FnMut(Observation)) -> Result<u64, LedgerError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(source) => return Err(failed(path, source)),
    };
    let (mut lines, mut line, mut whole) = (BufReader::new(file), String::new(), 0);
    loop {
        line.clear();
        let length = lines.by_ref().read_line(&mut line).map_err(|source| failed(path, source))?;
        if !line.ends_with('\n') {
            return Ok(whole);
        }
        let fault = |fault| LedgerError::Form { path: path.to_owned(), fault };
        take(serde_json::from_str(&line).map_err(fault)?);
        whole += length as u64;
    }
}

fn failed(path: &Path, source: io::Error) -> LedgerError {
    LedgerError::Io { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::links::{Finding, Outcome, rule::Status};

    fn observation(number: u32, day: i8) -> Observation {
        Observation {
            url: format!("https://a.example/{number}"),
            day: date(2026, 11, day),
            finding: Finding { http_status: Some(200), ..Finding::new(Outcome::Works, None) },
        }
    }

    /// A run of 100 links is killed again and again, also within a line: no link is lost, and none is observed twice.
    #[test]
    fn a_run_continues_where_it_was_killed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs/2026-11-01.ndjson");
        let mut rounds = 0;
        loop {
            rounds += 1;
            let mut ledger = Ledger::open(folder.path()).unwrap();
            let mut run = ledger.begin("2026-11-01").unwrap();
            let open: Vec<u32> =
                (0..100).filter(|number| !run.has_seen(&observation(*number, 1).url)).collect();
            if open.is_empty() {
                ledger.end(run).unwrap();
                break;
            }
            for number in open.into_iter().take(5) {
                run.add(&observation(number, 1)).unwrap();
                run.add(&observation(number, 1)).unwrap();
            }
            drop(run);
            // A kill may cut the last line anywhere.
            let length = fs::metadata(&path).unwrap().len();
            OpenOptions::new().write(true).open(&path).unwrap().set_len(length - rounds % 7).unwrap();
        }
        assert!((20..60).contains(&rounds), "{rounds}");
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 100);
        let table = Ledger::open(folder.path()).unwrap().table;
        assert_eq!((table.links.len(), table.through.as_str()), (100, "2026-11-01"));
        assert!(table.links.values().all(|state| state.status == Status::Verified));
    }

    #[test]
    fn a_run_that_never_ended_is_folded_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(folder.path()).unwrap();
        ledger.begin("2026-11-01").unwrap().add(&observation(1, 1)).unwrap();
        let mut run = ledger.begin("2026-11-02").unwrap();
        run.add(&observation(2, 2)).unwrap();
        ledger.end(run).unwrap();
        assert_eq!(Ledger::open(folder.path()).unwrap().table.links.len(), 2);
        let ended = ledger.begin("2026-11-02").unwrap_err().to_string();
        assert!(ended.contains("has ended"), "{ended}");
        fs::write(folder.path().join("links.json"), "[]").unwrap();
        assert!(Ledger::open(folder.path()).unwrap_err().to_string().contains("links.json"));
    }
}
