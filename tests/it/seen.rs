use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read as _},
    net::SocketAddr,
    process::{Child, Command, Output, Stdio},
    sync::Arc,
    time::Duration,
};

use platbook_service::{
    http::{
        Capacity, Drained,
        limits::{Proxies, RateLimiter, Table},
    },
    observe,
};

use crate::harness::{COVERED, Client, Server, comes_true, service, signal};

const ADDRESS: &str = "/v1/jurisdictions/resolve?address=350+Secret+Street";
const KEY: &str = "pbk_0123456789012345678901234567890123456789012345678";

#[test]
fn probes_tell_whether_to_ask_here() {
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::default());
    let service = Arc::new(service().with_limiter(limiter));
    let server = Server::start_shared(Arc::clone(&service), Capacity::default());
    let mut client = Client::connect(server.address);
    let mut probe = |path: &str| {
        let response = client.get(path);
        assert_eq!((response.header("cache-control"), response.header("ratelimit")), ("no-store", ""));
        (response.status, response.json()["status"].as_str().unwrap().to_owned())
    };
    let said = |status, word: &str| (status, word.to_owned());
    assert_eq!(probe("/healthz"), said(200, "alive"));
    assert_eq!(probe("/readyz"), said(503, "warming"));
    service.health().set_warm();
    // Probes do not count against limits.
    for _ in 0..40 {
        assert_eq!(probe("/readyz"), said(200, "ready"));
    }
    let mut kept = Client::connect(server.address);
    assert_eq!(kept.get(COVERED).status, 200);
    let stopped = std::thread::spawn(move || server.stop());
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(probe("/readyz"), said(503, "draining"));
    drop((client, kept));
    assert_eq!(stopped.join().unwrap(), Drained::Whole);
}

/// The figures of a page, by name with labels.
fn read(page: &str) -> BTreeMap<String, f64> {
    assert!(page.ends_with("# EOF\n"), "{page}");
    let lines = page.lines().filter(|line| !line.starts_with('#'));
    let figures = lines.map(|line| {
        let (name, figure) = line.rsplit_once(' ').expect(line);
        (name.to_owned(), figure.parse().expect(line))
    });
    figures.collect()
}

#[test]
fn figures_tell_what_happened() {
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::default());
    let service = Arc::new(service().with_limiter(limiter));
    let server = Server::start_shared(Arc::clone(&service), Capacity::default());
    let mut client = Client::connect(server.address);
    for target in
        [COVERED, COVERED, "/v1/topics", "/v1/places/county:99999", "/about", "/nowhere", "/openapi.json"]
    {
        client.get(target);
    }
    for _ in 0..30 {
        client.get(COVERED);
    }
    client.ask("GET", COVERED, "Authorization: Bearer pbk_none\r\n");
    let page = read(&observe::figures(&service).unwrap());
    for (name, expected) in [
        ("platbook_requests_total{operation=\"resolve_jurisdiction\",status=\"200\"}", 28.0),
        ("platbook_requests_total{operation=\"resolve_jurisdiction\",status=\"429\"}", 4.0),
        ("platbook_requests_total{operation=\"resolve_jurisdiction\",status=\"401\"}", 1.0),
        ("platbook_requests_total{operation=\"list_topics\",status=\"200\"}", 1.0),
        ("platbook_requests_total{operation=\"get_place\",status=\"404\"}", 1.0),
        ("platbook_requests_total{operation=\"pages\",status=\"200\"}", 1.0),
        ("platbook_requests_total{operation=\"unknown\",status=\"404\"}", 1.0),
        ("platbook_requests_total{operation=\"document\",status=\"200\"}", 1.0),
        ("platbook_request_seconds_count{operation=\"resolve_jurisdiction\"}", 33.0),
        ("platbook_request_seconds_bucket{le=\"+Inf\",operation=\"resolve_jurisdiction\"}", 33.0),
        ("platbook_limit_uses_total{limit=\"requests\",tier=\"no_key\",outcome=\"granted\"}", 30.0),
        ("platbook_limit_uses_total{limit=\"requests\",tier=\"no_key\",outcome=\"refused\"}", 4.0),
        ("platbook_connections_open", 1.0),
        ("platbook_connections_total", 1.0),
        ("platbook_connections_rejected_total{reason=\"full\"}", 0.0),
        ("platbook_requests_in_flight", 0.0),
        ("platbook_shedding", 0.0),
        ("platbook_jobs_total{outcome=\"done\"}", 1.0),
        ("platbook_jobs_total{outcome=\"refused\"}", 0.0),
        ("platbook_jobs_running", 0.0),
        ("platbook_jobs_waiting", 0.0),
        ("platbook_panics_total", 0.0),
        ("platbook_ready", 0.0),
        ("platbook_memory_budget_bytes", f64::from(64 << 20)),
        ("platbook_cache_entries{cache=\"bodies\"}", 1.0),
        ("platbook_cache_looks_total{cache=\"bodies\",outcome=\"miss\"}", 1.0),
        ("platbook_cache_entries{cache=\"pages\"}", 1.0),
    ] {
        assert_eq!(page.get(name), Some(&expected), "{name} of {page:#?}");
    }
    let positive = [
        "platbook_snapshot_age_seconds",
        "platbook_resident_memory_bytes",
        "platbook_threads",
        "platbook_cache_looks_total{cache=\"bodies\",outcome=\"hit\"}",
    ];
    assert!(positive.iter().all(|name| page[*name] > 0.0), "{page:#?}");
    let info = page.keys().filter(|name| name.starts_with("platbook_snapshot_info{digest=\""));
    assert_eq!(info.count(), 1);
}

fn platbook(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
    command.args(args).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A service of the binary with a listener for figures, and its whole output.
struct Running {
    child: Child,
    stderr: BufReader<std::process::ChildStderr>,
    address: SocketAddr,
    figures: SocketAddr,
}

impl Running {
    fn start(args: &[&str]) -> Running {
        let usual = ["serve", "--offline", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"];
        let mut child = platbook(&[&usual, args].concat()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut next_address = |begin: &str, end: char| {
            let mut line = String::new();
            stderr.read_line(&mut line).unwrap();
            let address = line.split_once(begin).and_then(|(_, rest)| rest.split(end).next());
            address.expect(&line).trim_end().parse().expect(&line)
        };
        let address = next_address("listening on http://", '"');
        let figures = next_address("figures at http://", '/');
        Running { child, stderr, address, figures }
    }

    fn status(&self) -> Output {
        platbook(&["status", "--url", &format!("http://{}", self.figures)]).output().unwrap()
    }

    /// Stops the service cleanly, and returns its output since the start.
    fn stop(mut self) -> String {
        signal(&self.child, "TERM");
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).unwrap();
        said
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn status_says_in_words_how_a_service_is() {
    let running = Running::start(&["--memory", "32"]);
    let ready = || Client::connect(running.figures).get("/readyz").status == 200;
    assert!(comes_true(ready));
    assert_eq!(Client::connect(running.address).get(COVERED).status, 200);
    let page = Client::connect(running.figures).get("/metrics");
    assert_eq!(page.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    assert_eq!(read(&page.body)["platbook_memory_budget_bytes"], f64::from(32 << 20));
    assert_eq!(page.header("cache-control"), "no-store");
    let elsewhere = Client::connect(running.figures).get("/nowhere");
    assert_eq!((elsewhere.status, Client::connect(running.figures).get("/healthz").status), (404, 200));
    let posted = Client::connect(running.figures).ask("POST", "/metrics", "");
    assert_eq!(posted.status, 404, "figures are only read");
    assert!(posted.body.contains("/metrics, /readyz and /healthz"), "{posted:?}");
    let head = Client::connect(running.figures).ask("HEAD", "/metrics", "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(Client::connect(running.address).get("/metrics").status, 404, "figures are not for the world");
    let status = running.status();
    let said = text(&status.stdout);
    assert_eq!(status.status.code(), Some(0), "{said} {}", text(&status.stderr));
    for part in ["ready: platbook ", "snapshot of 20", "requests: 2 answered; 0 over a limit", "of 32.0 MiB"]
    {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    let figures = running.figures;
    assert!(running.stop().ends_with("platbook: stopped\n"));
    let gone = platbook(&["status", "--url", &format!("http://{figures}")]).output().unwrap();
    assert_eq!(gone.status.code(), Some(1));
    assert!(text(&gone.stderr).contains("--metrics-listen"), "{}", text(&gone.stderr));
}

/// The log lines of a service for these requests.
fn said_of_requests(args: &[&str]) -> String {
    let running = Running::start(args);
    for (target, lines) in [
        (COVERED, String::new()),
        (ADDRESS, String::new()),
        ("/v1/topics", format!("Authorization: Bearer {KEY}\r\n")),
        (&*format!("/v1/topics?access_token={KEY}"), String::new()),
    ] {
        Client::connect(running.address).ask("GET", target, &lines);
    }
    running.stop()
}

#[test]
fn lines_tell_of_requests_what_is_asked_for_and_no_more() {
    let secrets = ["44.97", "Secret", "127.0.0.1", "pbk_", "0123456789"];
    for (args, lines, is_full) in [
        (&["--log", "json"][..], 0, false),
        (&["--log-level", "debug"], 0, false),
        (&["--access-log", "operations", "--log", "json", "--log-level", "error"], 4, false),
        (&["--access-log", "full", "--log", "json"], 4, true),
        (&["--access-log", "full"], 4, true),
    ] {
        let said = said_of_requests_at(args);
        let requests: Vec<&str> = said.lines().filter(|line| line.contains("took_us")).collect();
        assert_eq!(requests.len(), lines, "{args:?}: {said}");
        for secret in secrets {
            let may_be_logged = is_full && !secret.starts_with("pbk_") && secret != "0123456789";
            assert_eq!(said.contains(secret), may_be_logged, "{args:?}: {secret} in {said}");
        }
        for line in requests.iter().filter(|_| args.contains(&"json")) {
            let line: serde_json::Value = serde_json::from_str(line).expect(line);
            assert_eq!(line["message"], "request");
            assert!(line["status"].is_u64() && line["timestamp"].is_string(), "{line}");
        }
    }
}

/// At log level error the lines with addresses are missing, so the addresses are found with the system's own tools.
fn said_of_requests_at(args: &[&str]) -> String {
    if !args.contains(&"error") {
        return said_of_requests(args);
    }
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listen = free.to_string();
    let mut child = platbook(&[&["serve", "--offline", "--listen", &listen], args].concat()).spawn().unwrap();
    let is_up = || std::net::TcpStream::connect(free).is_ok();
    assert!(comes_true(is_up));
    for target in [COVERED, ADDRESS, "/v1/topics", "/v1/guides/zoning"] {
        Client::connect(free).get(target);
    }
    signal(&child, "TERM");
    child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    said
}
