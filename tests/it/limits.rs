use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::Duration,
};

use platbook_service::http::{
    Capacity,
    limits::{Proxies, RateLimiter, Table},
};

use crate::harness::{COVERED, Client, Response, Server, service};

const POLICY: &str = "\"minute\";q=30;w=60, \"day\";q=1000;w=86400";

fn ask(address: SocketAddr, method: &str, target: &str, headers: &str) -> Response {
    let mut client = Client::connect(address);
    client.send(&format!("{method} {target} HTTP/1.1\r\nHost: x\r\n{headers}\r\n"));
    client.receive(method == "HEAD")
}

fn limited(trusted: &[&str]) -> Server {
    let proxies = Proxies::new(trusted.iter().map(|text| text.parse().unwrap()).collect());
    let limiter = RateLimiter::limited(Table::new(), None, proxies);
    Server::start(service().with_limiter(limiter), Capacity::default())
}

/// Returns the requests that are left for the minute and for the day.
fn left(response: &Response) -> (u32, u32) {
    let value = response.header("ratelimit");
    let figures: Vec<u32> = value
        .split(", ")
        .map(|item| item.split(";r=").nth(1).unwrap().split(';').next().unwrap().parse().unwrap())
        .collect();
    (figures[0], figures[1])
}

#[test]
fn every_response_says_what_is_left_and_operations_alone_count() {
    let server = limited(&[]);
    let etag = ask(server.address, "GET", COVERED, "").header("etag").to_owned();
    let mut uses = 1;
    for (method, target, headers, status, counts) in [
        ("GET", COVERED, String::new(), 200, true),
        ("HEAD", COVERED, String::new(), 200, true),
        ("GET", COVERED, format!("If-None-Match: {etag}\r\n"), 304, true),
        ("GET", "/v1/jurisdictions/resolve", String::new(), 400, true),
        ("GET", "/v1/jurisdictions/resolve?lat=0&lon=0", String::new(), 404, true),
        ("GET", "/v1/jurisdictions/resolve?address=x", String::new(), 503, true),
        ("GET", "/v1/topics", String::new(), 200, true),
        ("GET", "/nowhere", String::new(), 404, false),
        ("OPTIONS", COVERED, String::new(), 204, false),
        ("POST", COVERED, String::new(), 405, false),
        ("GET", COVERED, "Host: y\r\n".to_owned(), 400, false),
        ("GET", COVERED, "Authorization: Bearer pbk_none\r\n".to_owned(), 401, false),
        ("POST", COVERED, "Authorization: Bearer pbk_none\r\n".to_owned(), 405, false),
        ("GET", "/nowhere", "Authorization: Bearer pbk_none\r\n".to_owned(), 404, false),
        ("OPTIONS", COVERED, "Authorization: Bearer pbk_none\r\n".to_owned(), 204, false),
    ] {
        let response = ask(server.address, method, target, &headers);
        uses += u32::from(counts);
        assert_eq!(response.status, status, "{method} {target} {headers}");
        assert_eq!(response.header("ratelimit-policy"), POLICY);
        assert_eq!(left(&response), (30 - uses, 1000 - uses), "{method} {target} {headers}");
        let challenge = "Bearer realm=\"platbook\", error=\"invalid_token\", error_description=\"";
        assert_eq!(response.header("www-authenticate").starts_with(challenge), status == 401);
    }
    let exposed = ask(server.address, "GET", COVERED, "");
    assert!(
        exposed.header("access-control-expose-headers").contains("RateLimit, RateLimit-Policy, Retry-After")
    );
}

#[test]
fn pages_count_apart_from_requests_and_what_they_are_made_up_of_is_free() {
    let server = limited(&[]);
    let get = |target: &str| ask(server.address, "GET", target, "Accept: text/html\r\n");
    let front = get("/").body;
    let style = front.split('"').find(|text| text.starts_with("/assets/style-")).unwrap();
    for (target, status, left_after) in [
        ("/about", 200, (28, 998)),
        (style, 200, (30, 1000)),
        ("/robots.txt", 200, (30, 1000)),
        ("/llms.txt", 200, (30, 1000)),
        ("/.well-known/security.txt", 200, (30, 1000)),
        ("/suggest?q=st", 200, (119, 3999)),
        ("/suggest?q=sto", 200, (118, 3998)),
        ("/places/county:99999", 404, (27, 997)),
        ("/places/x", 400, (26, 996)),
        ("/nowhere", 404, (30, 1000)),
        (COVERED, 200, (29, 999)),
    ] {
        let response = get(target);
        assert_eq!((response.status, left(&response)), (status, left_after), "{target}");
    }
    (0..26).for_each(|_| assert_eq!(get("/about").status, 200));
    let refused = get("/about");
    assert_eq!((refused.status, refused.header("content-type")), (429, "text/html; charset=utf-8"));
    assert!(refused.body.contains("Too many") && !refused.header("retry-after").is_empty());
    assert_eq!(get(COVERED).status, 200, "requests have a limit of their own");
}

#[test]
fn a_used_up_minute_says_when_to_come_back() {
    let server = limited(&[]);
    let mut client = Client::connect(server.address);
    for left_in_minute in (0..30).rev() {
        let response = client.get(COVERED);
        assert_eq!((response.status, left(&response).0), (200, left_in_minute));
    }
    for headers in ["", "X-Forwarded-For: 198.51.100.7\r\n", "If-None-Match: *\r\n"] {
        let response = ask(server.address, "GET", COVERED, headers);
        assert_eq!((response.status, response.header("cache-control")), (429, "no-store"), "{headers}");
        assert!(response.json()["type"].as_str().unwrap().ends_with("/problems/rate-limited"));
        let retry_after_s: u32 = response.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&retry_after_s));
        assert!(response.header("ratelimit").starts_with(&format!("\"minute\";r=0;t={retry_after_s}, ")));
        assert_eq!(left(&response).1, 970, "a refused request does not count");
    }
    assert_eq!(ask(server.address, "OPTIONS", COVERED, "").status, 204);
    assert_eq!(ask(server.address, "GET", "/nowhere", "").status, 404);
}

#[test]
fn callers_behind_a_trusted_proxy_count_for_themselves() {
    let server = limited(&["127.0.0.0/8"]);
    for (forwarded, left_in_minute) in [
        ("X-Forwarded-For: 198.51.100.7", 29),
        ("X-Forwarded-For: 203.0.113.9, 198.51.100.7", 28),
        ("X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 198.51.100.7, 127.0.0.2", 27),
        ("Forwarded: for=\"198.51.100.7:80\";proto=https", 26),
        ("X-Forwarded-For: 2001:db8:0:1::1", 29),
        ("X-Forwarded-For: 2001:db8:0:1::2", 28),
        ("X-Forwarded-For: 2001:db8:0:2::1", 29),
        ("X-Request-Id: from-the-proxy-itself", 29),
        ("X-Forwarded-For: unknown", 28),
    ] {
        let response = ask(server.address, "GET", COVERED, &format!("{forwarded}\r\n"));
        assert_eq!(left(&response).0, left_in_minute, "{forwarded}");
    }
}

fn platbook(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
    command.args(args).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code, stdout and stderr of `platbook keys`.
fn keys(file: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let output = platbook(&[&["keys"], args].concat()).env("PLATBOOK_KEYS", file).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A service of the binary, stopped when this is dropped.
struct Running {
    child: Child,
    stderr: BufReader<std::process::ChildStderr>,
    address: SocketAddr,
}

impl Running {
    fn start(args: &[&str]) -> Running {
        let mut child = platbook(&[&["serve", "--listen", "127.0.0.1:0"], args].concat()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let address =
            line.trim_end().strip_prefix("platbook: listening on http://").expect(&line).parse().unwrap();
        Running { child, stderr, address }
    }

    /// Stops the service, and returns its output since the start.
    fn stop(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.stderr.lines().map(Result::unwrap).collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn keys_work_until_they_are_revoked_and_show_up_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let file = path.to_str().unwrap();
    let (_, standard, _) = keys(file, &["add", "--class", "standard", "--note", "first"]);
    let server = Running::start(&["--keys", file]);
    let authorized = |key: &str| {
        ask(server.address, "GET", COVERED, &format!("Authorization: Bearer {}\r\n", key.trim_end()))
    };
    let plain = ask(server.address, "GET", COVERED, "");
    let answer = authorized(&standard);
    assert_eq!((answer.status, left(&answer)), (200, (119, 19_999)));
    assert_eq!(answer.header("etag"), plain.header("etag"), "a key never changes results");
    assert_eq!(left(&plain), (29, 999), "nor does it use the limits of its address");

    let (code, partner, said) = keys(file, &["add", "--class", "partner"]);
    assert_eq!(code, Some(0));
    assert!(said.contains("partner key") && !said.contains(partner.trim_end()));
    let (_, listed, _) = keys(file, &["list"]);
    let ids: Vec<&str> = listed.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect();
    let (code, _, said) = keys(file, &["revoke", ids[0]]);
    assert!(code == Some(0) && said.contains("is revoked"), "{said}");
    std::thread::sleep(Duration::from_secs(1));

    let refused = authorized(&standard);
    assert_eq!((refused.status, refused.header("cache-control")), (401, "no-store"));
    assert!(refused.json()["type"].as_str().unwrap().ends_with("/problems/invalid-key"));
    assert_eq!(left(&authorized(&partner)), (599, 199_999));
    let log = server.stop();
    let stored = fs::read_to_string(&path).unwrap();
    for key in [standard.trim_end(), partner.trim_end()] {
        assert_eq!(key.len(), 55);
        for text in [&log, &stored, &refused.body, &listed, &said] {
            assert!(!text.contains(&key[4..47]));
        }
    }
}

#[test]
fn keys_are_listed_without_themselves_and_faults_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let file = path.to_str().unwrap();
    let (_, key, _) = keys(file, &["add", "--class", "standard", "--note", "a town's map"]);
    let (code, listed, _) = keys(file, &["list"]);
    let row: Vec<&str> = listed.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((code, row[1], row[3], &row[4..]), (Some(0), "standard", "-", &["a", "town's", "map"][..]));
    assert_eq!(keys(file, &["revoke", row[0]]).0, Some(0));
    let (code, _, said) = keys(file, &["revoke", row[0]]);
    assert!(code == Some(0) && said.contains("was revoked before"), "{said}");
    for (args, code, said) in [
        (&["revoke", "00000000"][..], 1, "no key 00000000"),
        (&["revoke", "nonsense"], 2, "expected the id of a key"),
        (&["revoke", key.trim_end()], 2, "expected the id of a key"),
        (&["add", "--class", "gold"], 2, "gold"),
        (&["add"], 2, "--class"),
        (&["add", "--class", "standard", "--note", "a\u{1b}[2Jb"], 1, "a note has at most"),
        (&["list", "--keys", "/no/such/file"], 1, "--keys: cannot read /no/such/file"),
        (
            &["list", "--keys", "Cargo.toml"],
            1,
            "Cargo.toml: expected a keys file of format 1, written by `platbook keys`: it is not",
        ),
        (
            &["add", "--class", "standard", "--keys", "/no/such/file"],
            1,
            "name a file in a folder that exists",
        ),
    ] {
        let (got, _, stderr) = keys(file, args);
        assert!(got == Some(code) && stderr.contains(said), "{args:?}: {got:?} {stderr}");
        assert!(!stderr.contains(key.trim_end()));
    }
    for (args, said) in [
        (&["serve", "--keys", "/no/such/file"][..], "--keys: cannot read /no/such/file"),
        (&["serve", "--trusted-proxy", "10.0.0.1/8"], "did you mean 10.0.0.0/8?"),
        (&["serve", "--limits", "maybe"], "maybe"),
    ] {
        let output = platbook(args).output().unwrap();
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{args:?}");
    }
}

#[test]
fn limits_can_be_switched_off_and_proxies_named_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("platbook.toml");
    fs::write(&config, "limits = \"off\"\ntrusted-proxy = [\"127.0.0.1\", \"2001:db8::/32\"]\n").unwrap();
    let server = Running::start(&["--config", config.to_str().unwrap()]);
    let response = ask(server.address, "GET", COVERED, "");
    assert_eq!(
        (response.status, response.header("ratelimit"), response.header("ratelimit-policy")),
        (200, "", "")
    );
    assert_eq!(ask(server.address, "GET", COVERED, "Authorization: Basic eDp5\r\n").status, 401);
    server.stop();
    let server = Running::start(&["--config", config.to_str().unwrap(), "--limits", "on"]);
    for left_in_minute in [29, 28] {
        let response = ask(server.address, "GET", COVERED, "X-Forwarded-For: 198.51.100.7\r\n");
        assert_eq!(left(&response).0, left_in_minute);
    }
    assert_eq!(left(&ask(server.address, "GET", COVERED, "")).0, 29);
    server.stop();
}
