//! Tests 30 nights in a row with a clock that is moved on. The list is late, missing, shrunken or corrupt, and tables
//! and builds fail. Three services, which look for a release every night, every third night and every twelfth night,
//! follow the releases.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::{Timestamp, ToSpan as _};
use platbook::{acceptance, directory::Directory, snapshot::Snapshot, testing};
use platbook_https::Hosts;
use platbook_pipeline::{
    build::completed,
    diff::Diff,
    fetch::Limits,
    input::{digest, dotgov, manifest::Manifest},
    links::{self, Ledger, Manners, Observation, Round, Table},
    nightly::{Level, Maker, Night, Outcome, Report},
    publish::{Publisher, STATEMENT},
    signing,
};
use platbook_release::{Release, Sha256, apply};

/// Number of sites in the list of the first night.
const SITES: usize = 40;

/// The fault of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    Nothing,
    /// The server of the list does not respond.
    Late,
    /// The list is not there.
    Missing,
    /// The server answers with an error.
    Broken,
    /// The list has half of its rows.
    Shrunken,
    /// The connection ends within the list.
    Cut,
    /// The server sends a web page in place of the list.
    Page,
    /// The list has a row without its last values.
    Torn,
    /// The list has a row that the build cannot read.
    Unreadable,
    /// The hand-kept tables have two faults.
    Tables,
    /// The build fails with any list.
    Build,
    /// The build loses most sites.
    Lost,
    /// The clock of the machine is a month slow.
    Clock,
    /// The packed snapshot of the last release is damaged.
    Disk,
    /// The ledger of links is damaged.
    Ledger,
    /// Another night is at work.
    Busy,
}

/// Nights with trouble, each with the outcome and words of each line of the report about the trouble.
const TROUBLES: [(i32, Trouble, Outcome, &[&str]); 15] = {
    use Outcome::{Busy, Failed, PublishedWithOlderSources as Older};
    [
        (1, Trouble::Missing, Older, &["not found (status 404)"]),
        (
            2,
            Trouble::Late,
            Older,
            &["not downloaded in 1 attempts, the last time because no response within"],
        ),
        (4, Trouble::Shrunken, Older, &["rows or more, got"]),
        (6, Trouble::Page, Older, &["expected the header of the version before, got another"]),
        (7, Trouble::Torn, Older, &["the version before stays"]),
        (9, Trouble::Unreadable, Older, &["with the new lists: list.csv: record 2: field Domain type"]),
        (10, Trouble::Tables, Failed, &["states/MN.toml:1: one fault", "states/MN.toml:2: another"]),
        (12, Trouble::Cut, Older, &["not downloaded in 1 attempts"]),
        (13, Trouble::Build, Failed, &["the build fails for a reason of two lines"]),
        (15, Trouble::Lost, Failed, &["websites"]),
        (16, Trouble::Clock, Failed, &["older"]),
        (18, Trouble::Broken, Older, &["the server said 500"]),
        (20, Trouble::Disk, Failed, &[".platbook.zst: incomplete frame"]),
        (22, Trouble::Ledger, Failed, &["links.json"]),
        (24, Trouble::Busy, Busy, &[]),
    ]
};

/// A list with the sites of a night: one more site every second night.
fn list(night: i32) -> String {
    let rows = (0..SITES + night as usize / 2)
        .map(|number| format!("h{number}.gov,County,Adams County,,Adams,MN,\n"));
    let header =
        "Domain name,Domain type,Organization name,Suborganization name,City,State,Security contact email\n";
    header.to_owned() + &rows.collect::<String>()
}

/// A server for the list and for all sites, each at its own loopback address.
struct Server {
    port: u16,
    /// The number of the night, and its trouble.
    tonight: Arc<Mutex<(i32, Trouble)>>,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("0.0.0.0:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let tonight = Arc::new(Mutex::new((0, Trouble::Nothing)));
        let shared = Arc::clone(&tonight);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, (night, trouble)) = (stream.unwrap(), *shared.lock().unwrap());
                std::thread::spawn(move || serve(stream, night, trouble));
            }
        });
        Server { port, tonight }
    }
}

fn url_of(number: usize, port: u16) -> String {
    format!("http://127.0.1.{}:{port}/", number + 1)
}

fn serve(mut stream: TcpStream, night: i32, trouble: Trouble) {
    let mut first = String::new();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let _ = reader.read_line(&mut first);
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        line.clear();
    }
    let page = "<html><title>Adams County</title></html>".to_owned();
    let (status, body) = match (first.split(' ').nth(1).unwrap_or_default(), trouble) {
        ("/list.csv", Trouble::Missing) => ("404 Not Found", page),
        ("/list.csv", Trouble::Broken) => ("500 Internal Server Error", page),
        ("/list.csv", Trouble::Page) => ("200 OK", page),
        ("/list.csv", Trouble::Shrunken) => {
            let list = list(night);
            let half: String = list.split_inclusive('\n').take(SITES / 2).collect();
            ("200 OK", half)
        }
        ("/list.csv", Trouble::Torn) => ("200 OK", list(night) + "h1.gov,County\n"),
        ("/list.csv", Trouble::Unreadable) => ("200 OK", list(night).replacen("County", "", 1)),
        ("/list.csv", _) => ("200 OK", list(night)),
        ("/robots.txt", _) => ("404 Not Found", String::new()),
        _ => ("200 OK", page),
    };
    if trouble == Trouble::Late && first.contains("/list.csv") {
        std::thread::sleep(Duration::from_millis(600));
    }
    let kind = if first.contains("/list.csv") { "text/csv" } else { "text/html" };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let sent = if trouble == Trouble::Cut && kind == "text/csv" { body.len() / 2 } else { body.len() };
    // A client that has read enough closes the connection.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body.as_bytes()[..sent]));
}

/// Builds the invented world, with the sites of the list.
struct World<'a> {
    data: &'a Path,
    server: &'a Server,
    trouble: Trouble,
}

impl Maker for World<'_> {
    fn faults(&self, _: Option<&Directory>) -> Vec<String> {
        match self.trouble {
            Trouble::Tables => {
                vec!["states/MN.toml:1: one fault".to_owned(), "states/MN.toml:2: another".to_owned()]
            }
            _ => Vec::new(),
        }
    }

    fn build(
        &self,
        manifest: &Manifest,
        table: &Table,
        before: Option<&Arc<Directory>>,
    ) -> Result<(Directory, Option<Diff>), Box<dyn std::error::Error>> {
        if self.trouble == Trouble::Build {
            return Err("the build fails for a reason\nof two lines".into());
        }
        let file = &manifest.sources[0].files[0];
        let bytes = digest::read_checked(&self.data.join(&file.path), &file.sha256)?;
        // A renewed list has another path on each machine, so errors get a fixed name.
        let rows = dotgov::rows("list.csv", &bytes)?;
        let kept = if self.trouble == Trouble::Lost { 3 } else { rows.len() };
        let number = |domain: &str| domain[1..].trim_end_matches(".gov").parse::<usize>();
        let urls = rows.iter().take(kept).map(|row| Ok(url_of(number(&row.domain)?, self.server.port)));
        let urls: Vec<String> = urls.collect::<Result<_, std::num::ParseIntError>>()?;
        let mut contents =
            testing::contents_with_sites(&urls.iter().map(String::as_str).collect::<Vec<_>>())?;
        contents.ruled.meta.as_of = format!("{}T00:00:00Z", manifest.released);
        let unchecked = Directory::new(contents.seal()?);
        contents.pages.link_checks = Some(links::checks(&unchecked, table, manifest.released.parse()?));
        Ok(completed(contents, before.map(Arc::as_ref))?)
    }
}

/// A service that looks for a new release every few nights.
struct Edge {
    every: i32,
    has: Vec<u8>,
    by_delta: usize,
    whole: usize,
}

impl Edge {
    /// Follows the statement in a folder as services do: signature, expiry, the smallest download, digest, acceptance.
    fn follow(&mut self, folder: &Path, public: &str, now: Timestamp) {
        let text = fs::read(folder.join(STATEMENT)).unwrap();
        let signature = fs::read_to_string(folder.join("release.json.minisig")).unwrap();
        let key = signing::public_key(public).unwrap();
        signing::verify(&text, &signature, &key).unwrap();
        let release = Release::read(&text).unwrap();
        assert!(release.expires.parse::<Timestamp>().unwrap() > now, "the statement has expired on {now}");
        let to = (release.snapshot.bytes, release.snapshot.sha256);
        let own = Sha256::of(&self.has);
        if own == release.snapshot.sha256 {
            return;
        }
        let mut new = Vec::new();
        match release.deltas.iter().find(|delta| delta.from.sha256 == own) {
            Some(delta) => {
                let bytes = fs::read(folder.join(&delta.file.name)).unwrap();
                apply(&self.has, bytes.as_slice(), to, &mut new).unwrap();
                self.by_delta += 1;
            }
            None => {
                let packed = fs::File::open(folder.join(&release.file.name)).unwrap();
                new = zstd::decode_all(packed).unwrap();
                self.whole += 1;
            }
        }
        assert_eq!((new.len() as u64, Sha256::of(&new)), to);
        let signature = fs::read_to_string(folder.join(&release.signature)).unwrap();
        signing::verify(&new, &signature, &key).unwrap();
        if !self.has.is_empty() {
            let [new, old] = [&new, &self.has].map(|bytes| Directory::new(Snapshot::copy(bytes).unwrap()));
            acceptance::may_follow(&new, &old, false).unwrap();
        }
        self.has = new;
    }
}

/// The folders of the simulation.
struct Trial {
    data: tempfile::TempDir,
    state: tempfile::TempDir,
    mirror: tempfile::TempDir,
    server: Server,
    manifest: Manifest,
    public: String,
    secret: String,
}

impl Trial {
    fn new() -> Trial {
        let [data, state, mirror] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let server = Server::start();
        fs::write(data.path().join("list.csv"), list(0)).unwrap();
        let manifest = format!(
            "released = \"2026-11-01\"\n[[source]]\nid = \"list\"\nname = \"List\"\npublisher = \"Publisher\"\n\
             url = \"https://example.gov/\"\nofficial = true\nlicense_class = \"open\"\nvintage = 2026\n\
             retrieved_at = \"2026-11-01\"\nrole = \"dotgov\"\n\
             files = [{{ path = \"list.csv\", states = \"all\", sha256 = \"{}\", fetch = \"https://example.gov/list.csv\" }}]\n",
            digest::sha256(list(0).as_bytes()),
        );
        let mut manifest = Manifest::parse(Path::new("sources.toml"), &manifest).unwrap();
        // A server on loopback has no https.
        manifest.sources[0].files[0].fetch = Some(format!("http://127.0.0.1:{}/list.csv", server.port));
        let (public, secret) = signing::new_key().unwrap();
        Trial { data, state, mirror, server, manifest, public, secret }
    }

    fn night(&self, now: Timestamp, trouble: Trouble) -> Report {
        let key = signing::secret_key(&self.secret, None).unwrap();
        let limits = Limits {
            connect: Duration::from_millis(100),
            idle: Duration::from_millis(200),
            retries: 0,
            ..Limits::default()
        };
        let manners =
            Manners { pause: Duration::from_millis(1), wait: Duration::from_secs(2), ..Manners::default() };
        let publisher =
            Publisher { folder: self.mirror.path(), key: &key, expires: now + 72.hours(), keep: 7 };
        let night = Night {
            folder: self.state.path(),
            manifest: &self.manifest,
            data: self.data.path(),
            limits,
            manners,
            hosts: Hosts::Any,
            links_last: Duration::from_secs(60),
            now,
            publisher,
            maker: &World { data: self.data.path(), server: &self.server, trouble },
        };
        night.run().unwrap()
    }

    /// The file of the machine that a trouble damages.
    fn damaged(&self, trouble: Trouble) -> Option<PathBuf> {
        match trouble {
            Trouble::Disk => Some(self.mirror.path().join(self.statement().file.name)),
            Trouble::Ledger => Some(self.state.path().join("links/links.json")),
            _ => None,
        }
    }

    fn statement(&self) -> Release {
        Release::read(&fs::read(self.mirror.path().join(STATEMENT)).unwrap()).unwrap()
    }

    /// Runs a night with its trouble, which is gone the next morning.
    fn troubled(&self, night: i32, now: Timestamp, trouble: Trouble) -> Report {
        *self.server.tonight.lock().unwrap() = (night, trouble);
        let lock = fs::File::create(self.state.path().join("lock")).unwrap();
        if trouble == Trouble::Busy {
            lock.lock().unwrap();
        }
        let damaged = self.damaged(trouble).map(|path| (fs::read(&path).unwrap(), path));
        if let Some((bytes, path)) = &damaged {
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }
        let now = if trouble == Trouble::Clock { now - (24 * 30).hours() } else { now };
        let report = self.night(now, trouble);
        if let Some((bytes, path)) = damaged {
            fs::write(path, bytes).unwrap();
        }
        report
    }

    /// The days on which each link was looked at.
    fn looks(&self) -> BTreeMap<String, Vec<jiff::civil::Date>> {
        let mut looks: BTreeMap<String, Vec<_>> = BTreeMap::new();
        let runs = fs::read_dir(self.state.path().join("links/runs")).unwrap();
        for run in runs {
            for line in fs::read_to_string(run.unwrap().path()).unwrap().lines() {
                let seen: Observation = serde_json::from_str(line).unwrap();
                looks.entry(seen.url).or_default().push(seen.day);
            }
        }
        looks.values_mut().for_each(|days| days.sort());
        looks
    }
}

/// Checks a report on a night with trouble, and what it left in the folder of the mirror.
fn check_night(trial: &Trial, night: i32, report: &Report, before: Option<&[u8]>) {
    let quiet = (night, Trouble::Nothing, Outcome::Published, &[][..]);
    let (_, trouble, outcome, lines) = TROUBLES.iter().find(|row| row.0 == night).copied().unwrap_or(quiet);
    let text = report.to_text();
    assert_eq!(report.outcome, outcome, "night {night}, {trouble:?}: {text}");
    let level = if outcome == Outcome::Failed { Level::Failed } else { Level::Kept };
    let said: Vec<&str> = report.lines_of(level).map(|line| line.text.as_str()).collect();
    assert_eq!(said.len(), lines.len(), "night {night}: {text}");
    for (said, expected) in said.iter().zip(lines) {
        assert!(said.contains(expected) && !said.contains('\n'), "night {night}: {said}");
        let is_shown = |line: &str| line.contains(said) && line.starts_with(['!', '?']);
        assert_eq!(text.lines().filter(|line| is_shown(line)).count(), 1, "{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["lines"].as_array().unwrap().len(), report.lines.len());
    let after = fs::read(trial.mirror.path().join(STATEMENT)).unwrap();
    let is_new = before.is_none_or(|before| before != after);
    let is_published = matches!(outcome, Outcome::Published | Outcome::PublishedWithOlderSources);
    assert_eq!(is_new, is_published, "night {night}: {text}");
    assert_eq!(report.release.is_some(), is_published);
}

#[test]
fn thirty_nights_publish_nothing_bad() {
    let trial = Trial::new();
    let mut edges = [1, 3, 12].map(|every| Edge { every, has: Vec::new(), by_delta: 0, whole: 0 });
    let (mut good, mut published): (i32, Vec<String>) = (0, Vec::new());
    for night in 0..30 {
        let now = "2026-12-01T03:00:00Z".parse::<Timestamp>().unwrap() + (24 * night).hours();
        let trouble = TROUBLES.iter().find(|row| row.0 == night).map_or(Trouble::Nothing, |row| row.1);
        let before = fs::read(trial.mirror.path().join(STATEMENT)).ok();
        let report = trial.troubled(night, now, trouble);
        check_night(&trial, night, &report, before.as_deref());
        if let Some(release) = &report.release {
            assert_eq!(*release, trial.statement());
            assert_eq!(release.snapshot.as_of[..10], now.to_string()[..10]);
            if report.outcome == Outcome::Published {
                good = night;
            }
            published.push(release.snapshot.id.clone());
        }
        for edge in &mut edges {
            if night % edge.every == 0 || night == 29 {
                edge.follow(trial.mirror.path(), &trial.public, now);
            }
            // No service has a snapshot of a night that failed, or sites from a list that is wrong.
            let has = Directory::new(Snapshot::copy(&edge.has).unwrap());
            assert!(published.iter().any(|id| id == has.snapshot_id()), "night {night}");
            if edge.every == 1 {
                let sites = has.snapshot().records().websites().len();
                assert_eq!(sites, SITES + good as usize / 2, "night {night}");
            }
        }
    }
    assert_eq!(published.len(), 30 - 7);
    let newest = trial.statement().snapshot;
    assert!(edges.iter().all(|edge| Sha256::of(&edge.has) == newest.sha256));
    assert_eq!(edges.each_ref().map(|edge| edge.whole), [1, 1, 2], "whole files");
    assert!(edges[0].by_delta == published.len() - 1 && edges[1].by_delta >= 7);
    check_looks(&trial);
    check_history(&edges[0].has, &published);
}

/// A machine without a network learns nothing about links, and forgets the looks of that day.
#[test]
fn a_night_offline_does_not_count() {
    let server = Server::start();
    // Nobody listens at port 0.
    let world = |port| {
        let urls: Vec<String> = (0..SITES).map(|number| url_of(number, port)).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        Directory::new(testing::contents_with_sites(&urls).unwrap().seal().unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let round = Round {
        part: "1/1".parse().unwrap(),
        manners: Manners { pause: Duration::ZERO, wait: Duration::from_secs(2), ..Manners::default() },
        hosts: Hosts::Any,
        day: jiff::civil::date(2026, 12, 1),
        until: None,
    };
    let mut ledger = Ledger::open(folder.path()).unwrap();
    let error = round.look(&world(0), &mut ledger, |_, _| {}).unwrap_err().to_string();
    assert!(error.starts_with("none of 4") && error.contains("is this machine online?"), "{error}");
    assert_eq!(ledger.table, Table::default());
    let looked = round.look(&world(server.port), &mut ledger, |_, _| {}).unwrap();
    assert_eq!((looked.found["works"], looked.left), (SITES as u64, 0));
    assert!(ledger.table.links.len() > SITES);
}

/// Checks that each link is looked at once a week, or soon after a night that failed before its looks.
fn check_looks(trial: &Trial) {
    let looks = trial.looks();
    assert!(looks.len() >= SITES, "{} links", looks.len());
    for (url, days) in &looks {
        assert!((1..=5).contains(&days.len()), "{url}: {days:?}");
        for pair in days.windows(2) {
            let days = (pair[1] - pair[0]).get_days();
            assert!((6..=8).contains(&days), "{url}: {pair:?}");
        }
    }
    let often = looks.values().filter(|days| days.len() >= 3).count();
    assert!(often >= SITES, "{often} links were looked at three times");
}

/// Checks that the newest snapshot has the changes of each snapshot that differs from its predecessor.
fn check_history(newest: &[u8], published: &[String]) {
    let history = Directory::new(Snapshot::copy(newest).unwrap()).history().unwrap();
    assert!((8..=15).contains(&history.entries.len()), "{} entries", history.entries.len());
    for entry in &history.entries {
        assert!(published.contains(&entry.from_id), "{entry:?}");
        let [change] = &entry.changes[..] else { panic!("{entry:?}") };
        assert!(change.name == "Adams County, MN" && change.words.contains("new: main site http://127.0.1."));
    }
    assert!(history.entries.is_sorted_by(|one, next| one.to > next.to));
}
