//! Tests link checks with an internet on loopback: hosts that work, lie, redirect, forbid, break and never answer.
//! Checks run on three of ten days, and the first run is killed twenty times.

use std::{
    collections::BTreeMap,
    fs,
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use jiff::civil::{Date, date};
use platbook::vocabulary::VerifiedStatus;
use platbook_https::Hosts;
use platbook_pipeline::links::{Crawler, Ledger, LedgerError, Link, Manners, Observation};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::sweep;

/// A kind of host, what its page `/adams/assessor` answers, and the result after ten days.
type Kind = (&'static str, fn(&Asked<'_>) -> String, Option<VerifiedStatus>);

/// A request to a host.
struct Asked<'a> {
    path: &'a str,
    /// The address of the server, for redirects.
    server: SocketAddr,
}

/// Kind of hosts without encryption.
const NO_TLS: &str = "without TLS";

/// Pause between two requests to a host.
const PAUSE: Duration = Duration::from_millis(100);

/// Time by which one request may be slower to arrive than a later one, on a busy machine. Chosen, not measured.
const JITTER: Duration = Duration::from_millis(100);

/// Number of times that the first run is killed.
const KILLS: usize = 20;

/// Maximum memory of a process that looks at 2,000 hosts, in kilobytes.
const MEMORY_KB_MAX: u64 = 100_000;

const WORKS: Option<VerifiedStatus> = Some(VerifiedStatus::Verified);
const BROKEN: Option<VerifiedStatus> = Some(VerifiedStatus::PossiblyBroken);

const KINDS: [Kind; 18] = [
    ("works", |asked| if asked.is_page() { page("Assessor", "Adams County") } else { missing() }, WORKS),
    (
        "works, and gives its begin for all else",
        |asked| {
            if asked.is_page() {
                page("Assessor", "Adams County")
            } else {
                page("Welcome", "Adams County, welcome")
            }
        },
        WORKS,
    ),
    ("gone", |_| missing(), BROKEN),
    ("gone for good", |_| answer("410 Gone", "", "gone"), BROKEN),
    ("soft", |_| page("Page not found", "Adams County has no such page"), BROKEN),
    ("soft, with another title", |_| page("Adams County", "Welcome to Adams County"), BROKEN),
    ("forbidden", |_| answer("403 Forbidden", "", "no"), None),
    ("busy", |_| answer("429 Too Many Requests", "Retry-After: 1\r\n", "later"), None),
    ("broken", |_| answer("500 Internal Server Error", "", "oops"), None),
    ("silent", |_| String::new(), None),
    (
        "moved",
        |asked| match asked.path {
            "/adams/assessor" => {
                let to = format!("Location: http://127.0.0.1:{}/adams/new\r\n", asked.server.port());
                answer("301 Moved Permanently", &to, "")
            }
            "/adams/new" => page("Assessor", "Adams County"),
            _ => missing(),
        },
        WORKS,
    ),
    ("circle", |_| answer("302 Found", "Location: /adams/assessor\r\n", ""), None),
    (
        "taken over",
        |asked| if asked.is_page() { page("win big", "Buy this domain now") } else { missing() },
        BROKEN,
    ),
    ("of another subject", |asked| if asked.is_page() { page("Brown", "Brown") } else { missing() }, None),
    (
        "robots forbid",
        |asked| match asked.path {
            "/robots.txt" => answer("200 OK", "", "User-agent: *\nDisallow: /adams\n"),
            _ => page("Assessor", "Adams County"),
        },
        None,
    ),
    (
        "robots break",
        |asked| match asked.path {
            "/robots.txt" => answer("500 Internal Server Error", "", "oops"),
            _ => page("Assessor", "Adams County"),
        },
        None,
    ),
    // The link has https, and the server speaks http.
    (NO_TLS, |_| page("Assessor", "Adams County"), None),
    (
        "endless",
        |asked| if asked.is_page() { page("Assessor", &"Adams County. ".repeat(40_000)) } else { missing() },
        WORKS,
    ),
];

impl Asked<'_> {
    fn is_page(&self) -> bool {
        self.path == "/adams/assessor"
    }
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}", body.len())
}

fn page(title: &str, text: &str) -> String {
    let body = format!("<html><title>{title}</title><p>{text}</p></html>");
    answer("200 OK", "Content-Type: text/html\r\n", &body)
}

fn missing() -> String {
    answer("404 Not Found", "", "none")
}

/// The host with this number. Each host has its own loopback address.
fn host(number: usize, port: u16) -> String {
    format!("127.{}.{}.{}:{port}", 1 + number / 62_500, number / 250 % 250, 1 + number % 250)
}

/// An internet: its hosts, and the times of the requests to each.
#[derive(Default)]
struct Internet {
    kinds: BTreeMap<String, usize>,
    asked: Mutex<BTreeMap<String, Vec<Instant>>>,
}

/// Answers one request by the kind of its host.
async fn serve(mut stream: TcpStream, server: SocketAddr, internet: Arc<Internet>) {
    let mut head = vec![0; 4096];
    let Ok(length) = stream.read(&mut head).await else { return };
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    let mut words = head.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let host = head.lines().find_map(|line| line.to_lowercase().strip_prefix("host: ").map(str::to_owned));
    // Redirects of the kind "moved" lead to a host that is not listed.
    let kind = host.as_ref().and_then(|host| internet.kinds.get(host).copied()).unwrap_or(10);
    if let Some(host) = host {
        internet.asked.lock().unwrap().entry(host).or_default().push(Instant::now());
    }
    let answer = KINDS[kind].1(&Asked { path, server });
    if answer.is_empty() {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    let body_from = if method == "HEAD" {
        answer.find("\r\n\r\n").map_or(answer.len(), |at| at + 4)
    } else {
        answer.len()
    };
    // A client that has read enough closes the connection.
    let _ = stream.write_all(&answer.as_bytes()[..body_from]).await;
}

/// An internet with this number of hosts, and a link to a page of each.
async fn internet(count: usize) -> (Arc<Internet>, Vec<(usize, Link)>) {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let server = listener.local_addr().unwrap();
    let kinds = (0..count).map(|number| (host(number, server.port()), number % KINDS.len())).collect();
    let internet = Arc::new(Internet { kinds, ..Internet::default() });
    let served = Arc::clone(&internet);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, server, Arc::clone(&served)));
        }
    });
    let link = |number: usize| {
        let scheme = if KINDS[number % KINDS.len()].0 == NO_TLS { "https" } else { "http" };
        Link {
            url: format!("{scheme}://{}/adams/assessor", host(number, server.port())),
            words: vec!["adams".to_owned()],
            etag: None,
        }
    };
    (internet, (0..count).map(|number| (number % KINDS.len(), link(number))).collect())
}

/// The reason why a run ends early.
enum Stopped {
    Killed,
    Ledger(LedgerError),
}

/// Looks at all links on a day. The run is killed `kills` times, in the middle of a line of its file, and resumed.
async fn look(folder: &Path, links: &[Link], day: Date, kills: usize) {
    let mut random = fastrand::Rng::with_seed(38);
    for left in (0..=kills).rev() {
        let manners =
            Manners { pause: PAUSE, wait: Duration::from_secs(2), hosts_max: 200, ..Manners::default() };
        let mut ledger = Ledger::open(folder).unwrap();
        let mut run = ledger.begin(&day.to_string()).unwrap();
        let due: Vec<Link> = links.iter().filter(|link| !run.has_seen(&link.url)).cloned().collect();
        let mut until = if left == 0 { usize::MAX } else { random.usize(1..=2 * due.len() / kills) };
        let tell = |seen: Observation| {
            run.add(&seen).map_err(Stopped::Ledger)?;
            until -= 1;
            if until == 0 { Err(Stopped::Killed) } else { Ok(()) }
        };
        match Crawler::new(manners, Hosts::Any).run(due, day, tell).await {
            Ok(()) => return ledger.end(run).unwrap(),
            Err(Stopped::Ledger(error)) => panic!("{error}"),
            Err(Stopped::Killed) => {
                drop(run);
                let file = fs::File::options().write(true).open(file_of(folder, day)).unwrap();
                let length = file.metadata().unwrap().len();
                file.set_len(length - random.u64(0..20)).unwrap();
            }
        }
    }
    panic!("the last run is not killed");
}

fn file_of(folder: &Path, day: Date) -> std::path::PathBuf {
    folder.join(format!("runs/{day}.ndjson"))
}

/// Peak memory of this process, in kilobytes; `None` if the system does not report it.
fn peak_kb() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_an_internet_get_their_results() {
    let (internet, links) = internet(sweep::steps(2_000)).await;
    let gone = Link { url: "http://no-such-host.invalid/".to_owned(), words: Vec::new(), etag: None };
    let all: Vec<Link> = links.iter().map(|(_, link)| link.clone()).chain([gone]).collect();
    let folder = tempfile::tempdir().unwrap();
    let today = |day: i8| -> Date { date(2026, 11, day) };
    // Three looks within ten days.
    for (day, kills) in [(1, KILLS), (4, 0), (10, 0)] {
        look(folder.path(), &all, today(day), kills).await;
        let lines = fs::read_to_string(file_of(folder.path(), today(day))).unwrap();
        let seen = lines.lines().map(|line| serde_json::from_str::<Observation>(line).unwrap().url);
        let mut seen: Vec<String> = seen.collect();
        seen.sort();
        let mut expected: Vec<String> = all.iter().map(|link| link.url.clone()).collect();
        expected.sort();
        assert!(seen == expected, "day {day}: {} looks at {} links", seen.len(), expected.len());
    }
    let ledger = Ledger::open(folder.path()).unwrap();
    let mut faults = Vec::new();
    for (kind, link) in &links {
        let (name, _, expected) = KINDS[*kind];
        let state = &ledger.table.links[&link.url];
        let got = state.result(today(10)).map(|(status, _)| status);
        if got != expected {
            faults.push(format!("{name}: expected {expected:?}, got {state:?}"));
        }
        let moved = state.moved.as_ref().map_or(0, |moved| moved.times);
        assert_eq!(moved == 3, name == "moved", "{name}: {state:?}");
    }
    assert!(faults.is_empty(), "{} faults, such as {}", faults.len(), faults[0]);
    assert_eq!(ledger.table.links.len(), links.len() + 1);
    check_manners(&internet);
}

/// Checks that no host gets requests faster than its rate, and that the memory is bounded.
fn check_manners(internet: &Internet) {
    let asked = internet.asked.lock().unwrap();
    let (mut requests, mut fast) = (0, Vec::new());
    for (host, times) in asked.iter().filter(|(host, _)| internet.kinds.contains_key(*host)) {
        requests += times.len();
        // Three pauses in a row: the first request may be slower to arrive than the last.
        let spans = times.windows(4).map(|asked| asked[3] - asked[0]);
        fast.extend(spans.filter(|span| *span < 3 * PAUSE - JITTER).map(|span| (host, span)));
    }
    let peak = peak_kb();
    println!("{requests} requests to {} hosts, {} too early, memory {peak:?} kB", asked.len(), fast.len());
    assert!(fast.is_empty(), "{fast:?}");
    // The memory of other tests would count as well, so it is checked only if this test runs alone.
    let is_alone = std::env::args().any(|argument| argument == "links_of_an_internet");
    assert!(!is_alone || peak.is_none_or(|peak| peak <= MEMORY_KB_MAX), "{peak:?} kB");
}
