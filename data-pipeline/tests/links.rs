//! An internet on loopback: hosts that work, lie, redirect, forbid, break and never answer, looked at for ten days.

use std::{collections::BTreeMap, net::SocketAddr, sync::Arc, time::Duration};

use jiff::civil::{Date, date};
use platbook::vocabulary::VerifiedStatus;
use platbook_https::Hosts;
use platbook_pipeline::links::{Crawler, Ledger, Link, Manners, Observation};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::sweep;

/// A kind of host, what its page of /adams/assessor answers, and the result after ten days.
type Kind = (&'static str, fn(&Asked<'_>) -> String, Option<VerifiedStatus>);

/// A request to a host.
struct Asked<'a> {
    path: &'a str,
    /// The address of the server, for redirects.
    server: SocketAddr,
}

const WORKS: Option<VerifiedStatus> = Some(VerifiedStatus::Verified);
const BROKEN: Option<VerifiedStatus> = Some(VerifiedStatus::PossiblyBroken);

const KINDS: [Kind; 17] = [
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

/// The host with this number: an address of loopback of its own.
fn host(number: usize, port: u16) -> String {
    format!("127.{}.{}.{}:{port}", 1 + number / 62_500, number / 250 % 250, 1 + number % 250)
}

/// Answers one request by the kind of its host.
async fn serve(mut stream: TcpStream, server: SocketAddr, kinds: Arc<BTreeMap<String, usize>>) {
    let mut head = vec![0; 4096];
    let Ok(length) = stream.read(&mut head).await else { return };
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    let mut words = head.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let host = head.lines().find_map(|line| line.to_lowercase().strip_prefix("host: ").map(str::to_owned));
    // Redirects of "moved" lead to a host that is not listed.
    let kind = host.and_then(|host| kinds.get(&host).copied()).unwrap_or(10);
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
async fn internet(count: usize) -> Vec<(usize, Link)> {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let server = listener.local_addr().unwrap();
    let kinds: BTreeMap<String, usize> =
        (0..count).map(|number| (host(number, server.port()), number % KINDS.len())).collect();
    let kinds = Arc::new(kinds);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, server, Arc::clone(&kinds)));
        }
    });
    let link = |number: usize| Link {
        url: format!("http://{}/adams/assessor", host(number, server.port())),
        words: vec!["adams".to_owned()],
        etag: None,
    };
    (0..count).map(|number| (number % KINDS.len(), link(number))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_an_internet_get_their_results() {
    let links = internet(sweep::steps(2_000) / KINDS.len() * KINDS.len()).await;
    let gone = Link { url: "http://no-such-host.invalid/".to_owned(), words: Vec::new(), etag: None };
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    let today = |day: i8| -> Date { date(2026, 11, day) };
    // Three looks within ten days.
    for day in [1, 4, 10] {
        let manners = Manners {
            pause: Duration::from_millis(5),
            wait: Duration::from_secs(2),
            hosts_max: 200,
            ..Manners::default()
        };
        let crawler = Crawler::new(manners, Hosts::Any);
        let mut run = ledger.begin(&today(day).to_string()).unwrap();
        let all = links.iter().map(|(_, link)| link.clone()).chain([gone.clone()]).collect();
        crawler.run(all, today(day), |seen: Observation| run.add(&seen)).await.unwrap();
        ledger.end(run).unwrap();
    }
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
}
