//! Work grows no faster than the text that causes it, wherever the service reads a caller's text.
//!
//! Each such place reads a text of `n` bytes and one of `8 n`. The shapes were slow before: repeated letters,
//! separators and names, nested brackets, open quotes, combining marks. The second text may cost [`RATIO_MAX`] times
//! as much processor time of its thread. Other load on the machine does not count, and quadratic work costs 64 times
//! as much.

use std::{
    fs,
    future::pending,
    io::{Cursor, Write as _},
    net::{IpAddr, Ipv4Addr},
    process::{Child, Command, Stdio},
    sync::{Arc, LazyLock},
    time::Duration,
};

use hyper::{HeaderMap, header::HeaderValue};
use platbook::{
    answers::{Found, Plan, RawParameters, Reading},
    geocoder,
};
use platbook_service::{
    edition::Edition,
    http::{Capacity, Service, limits::Proxies, serve},
    keys::KeysFile,
    mcp::{self, McpDoor},
    operations::OPERATIONS,
    pages::Pages,
    upstream::Lookups,
};
use rustix::time::{ClockId, clock_gettime};
use tokio::{net::TcpListener, runtime, sync::oneshot};

use crate::harness::{Client, comes_true, edition};

/// Length of the second text, as a multiple of the first.
const GROWTH: usize = 8;
/// Three times [`GROWTH`]: a text that is too long for the caches takes twice as long.
const RATIO_MAX: u32 = 24;
/// Costs below this are noise: tables that a first run fills, and ticks of the process clock.
const FLOOR: Duration = Duration::from_millis(10);
const FLOOR_OF_PROCESSES: Duration = Duration::from_millis(400);
/// Number of runs of each measurement; the fastest counts.
const RUNS: usize = 3;

/// The name of a kind of text, and a function that makes such a text of this length.
type Shape = (&'static str, fn(usize) -> String);

/// Texts that were slow to read somewhere: a name, and a function that makes about this many bytes.
const SHAPES: [Shape; 14] = [
    ("one letter", |n| "a".repeat(n)),
    ("one digit", |n| "9".repeat(n)),
    ("spaces", |n| " ".repeat(n)),
    ("commas", |n| ",".repeat(n)),
    ("words", |n| "n st, ".repeat(n / 6)),
    ("other words", |n| (0..n / 7).map(|word| format!("{word:05x}, ")).collect()),
    ("numbers", |n| "12 1/2-7 ".repeat(n / 9)),
    ("brackets", |n| "[".repeat(n)),
    ("quotes", |n| "\"".repeat(n)),
    ("open quotes", |n| "=\"a,".repeat(n / 4)),
    ("members", |n| "for=1.2.3.4;".repeat(n / 12)),
    ("marks", |n| "\u{301}\u{316}".repeat(n / 4)),
    ("letters with marks", |n| "e\u{301}".repeat(n / 3)),
    ("lines", |n| "a\n\r\n".repeat(n / 4)),
];

/// Processor time of this thread so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}

/// The processor time of a run on this thread.
fn cost(mut run: impl FnMut()) -> Duration {
    let once = |()| {
        let before = processor_time();
        run();
        processor_time() - before
    };
    [(); RUNS].map(once).into_iter().min().unwrap()
}

/// Fails if the longer text costs [`RATIO_MAX`] times as much as the shorter one, or more.
fn check(place: &str, shape: &str, floor: Duration, mut cost_of: impl FnMut(usize) -> Duration) {
    let longer = cost_of(GROWTH);
    if longer > floor {
        let shorter = cost_of(1);
        println!("{place}, {shape}: {shorter:?}, {longer:?}");
        assert!(
            longer < shorter * RATIO_MAX,
            "{place}, {shape}: {shorter:?}, and {GROWTH} times as much text {longer:?}"
        );
    }
}

/// Checks each shape with a text of `bytes` and one of [`GROWTH`] times as many bytes.
fn check_all(place: &str, bytes: usize, run: impl Fn(&str)) {
    for (shape, text) in SHAPES {
        check(place, shape, FLOOR, |times| {
            let text = text(bytes * times);
            cost(|| run(&text))
        });
    }
}

static EDITION: LazyLock<Edition> = LazyLock::new(edition);

/// Runs an operation, as front ends do.
fn ask(operation: &str, query: &str) {
    let operation = OPERATIONS.iter().find(|one| one.id == operation).unwrap();
    let raw = RawParameters::from_query(operation.parameters, query);
    let Ok(request) = raw.and_then(|raw| (operation.parse)(&raw)) else { return };
    let answers = EDITION.answers();
    let answer = match answers.plan(&request) {
        Plan::Done(answer) => answer,
        Plan::Needs(_) => answers.finish(&request, Found::default()),
    };
    drop(answer.map(|answer| EDITION.encode(&answer)));
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn texts_of_questions() {
    let ask_all = |text: &str| {
        let text = encoded(text);
        for (operation, before, after) in [
            ("search", "q=", ""),
            ("ask", "q=", ""),
            ("ask", "q=geo:", ""),
            ("ask", "q=https://maps.example/?q=", ",-93.2"),
            ("ask", "q=zoning+", "+44.9+N"),
            ("search", "state=MN&q=a&cursor=", ""),
            ("resolve_jurisdiction", "place=", "&state=MN"),
            ("resolve_jurisdiction", "place=a&state=", ""),
            ("resolve_jurisdiction", "address=", ""),
            ("resolve_jurisdiction", "lat=44.9&lon=", ""),
            ("list_resources", "jurisdiction_id=county:27053&topic=", ""),
            ("list_resources", "jurisdiction_id=county:27053&cursor=", ""),
            ("list_resources", "jurisdiction_id=", ""),
            ("list_jurisdictions", "state=MN&within=", ""),
            ("list_offices", "state=MN&function=", ""),
            ("list_chains", "points=", ""),
            ("list_chains", "points=44.9,-93.2;", ""),
        ] {
            ask(operation, &format!("{before}{text}{after}"));
        }
    };
    // Lengths within the limits of a parameter, and far beyond them.
    check_all("a question", 25, ask_all);
    check_all("a long question", 1 << 12, ask_all);
    check_all("a query", 1 << 12, |text| ask("search", text));
    check_all("a free text", 120, |text| drop(Reading::new(text)));
    check_all("a long free text", 1 << 12, |text| drop(Reading::new(text)));
    check_all("a long link", 1 << 12, |text| drop(Reading::new(&format!("https://maps.example/{text}"))));
    check_all("an address", 50, |text| drop(geocoder::parse(text)));
    check_all("a long address", 1 << 14, |text| drop(geocoder::parse(text)));
}

#[test]
fn headers_of_proxies() {
    let proxies = Proxies::new(vec!["10.0.0.0/8".parse().unwrap()]);
    for (name, hop) in [("x-forwarded-for", "10.0.0.1, "), ("forwarded", "for=10.0.0.1, ")] {
        let read = |text: &str| {
            let Ok(value) = HeaderValue::from_bytes(text.as_bytes()) else { return };
            let headers: HeaderMap = [(name.parse().unwrap(), value)].into_iter().collect();
            proxies.caller_address(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), &headers);
        };
        check_all(name, 1 << 14, read);
        check(name, "hops", FLOOR, |times| {
            let hops = hop.repeat(1_500 * times);
            cost(|| read(&hops))
        });
    }
}

/// Measures a whole request over a connection. The service runs on the measured thread.
#[test]
fn heads_of_requests() {
    let service = Service::new(edition()).with_max_wait(Duration::MAX);
    let service = service.with_door(Box::new(McpDoor)).with_door(Box::new(Pages::new()));
    let service = Arc::new(service);
    for (before, after) in [
        ("GET /", " HTTP/1.1\r\nHost: x"),
        ("GET /?q=", " HTTP/1.1\r\nHost: x"),
        ("GET /v1/search?q=", " HTTP/1.1\r\nHost: x"),
        ("GET /places/", " HTTP/1.1\r\nHost: x"),
        ("GET /v1/topics HTTP/1.1\r\nHost: ", ""),
        ("GET /v1/topics HTTP/1.1\r\nHost: x\r\nAccept: ", ""),
        ("GET / HTTP/1.1\r\nHost: x\r\nAccept: ", ""),
        ("GET /v1/topics HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ", ""),
        ("GET /v1/topics HTTP/1.1\r\nHost: x\r\nIf-None-Match: ", ""),
        ("GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ", ""),
        ("OPTIONS /v1/topics HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Headers: ", ""),
        ("GET /v1/topics HTTP/1.1\r\nHost: x\r\n", ": b"),
    ] {
        for (shape, text) in SHAPES {
            check(before, shape, FLOOR, |times| {
                // The longer text and the rest of the head have nearly 16 KiB, which is the limit. A path or a header
                // holds neither spaces nor lines.
                let text = text(1_900 * times).replace([' ', '\n', '\r'], "+");
                let text = if before.starts_with("GET /v1/topics") { text } else { text.replace('"', "%22") };
                let head = format!("{before}{text}{after}\r\nConnection: close\r\n\r\n");
                cost(|| serve_once(&service, &head))
            });
        }
    }
}

fn serve_once(service: &Arc<Service>, head: &str) {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (done, is_done) = oneshot::channel();
        let head = head.to_owned();
        let client = std::thread::spawn(move || {
            let mut client = Client::connect(address);
            client.send_bytes(head.as_bytes());
            client.rest();
            done.send(()).unwrap();
        });
        // The service is dropped without a stop, which would take a while.
        tokio::select! {
            _ = serve(listener, Arc::clone(service), Capacity::default(), pending()) => {}
            _ = is_done => {}
        }
        client.join().unwrap();
    });
}

#[test]
fn messages_of_language_models() {
    let runtime = runtime::Builder::new_current_thread().build().unwrap();
    let lookups = Lookups::closed();
    let serve = |message: &str| {
        let (mut input, mut output) = (Cursor::new(format!("{message}\n").into_bytes()), Vec::new());
        runtime.block_on(mcp::serve_lines(&EDITION, &lookups, &mut input, &mut output)).unwrap();
    };
    check_all("lines", 1 << 16, serve);
    check_all("a method", 1 << 14, |text| {
        serve(&serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": text }).to_string());
    });
    check_all("an argument", 1 << 14, |text| {
        let params = serde_json::json!({ "name": "search_places", "arguments": { "q": text } });
        serve(
            &serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
                .to_string(),
        );
    });
    let members: [Shape; 4] = [
        ("the same members", |n| r#""a":1,"#.repeat(n / 6)),
        ("other members", |n| (0..n / 12).map(|number| format!(r#""{number:06}":1,"#)).collect()),
        ("nested members", |n| r#""a":{"#.repeat(n / 5)),
        ("a batch", |n| {
            format!(r#""a":[{}1],"#, r#"{"jsonrpc":"2.0","id":1,"method":"ping"},"#.repeat(n / 41))
        }),
    ];
    for (shape, text) in members {
        check("members", shape, FLOOR, |times| {
            let text = text((1 << 14) * times);
            cost(|| serve(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping",{text}"z":1}}"#)))
        });
    }
}

#[test]
fn files_of_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let read = |content: &str| {
        fs::write(&path, content).unwrap();
        drop(KeysFile::at(&path).read());
    };
    check_all("keys", 1 << 18, read);
    let record = |number: usize| {
        format!(
            r#"{{"id":"{number:08}","class":"standard","created":"","revoked":null,"note":"","digest":"{number:064}"}},"#
        )
    };
    check("keys", "records", FLOOR, |times| {
        let records: String = (0..1_000 * times).map(record).collect();
        let content = format!(r#"{{"format":1,"keys":[{}]}}"#, records.trim_end_matches(','));
        cost(|| read(&content))
    });
}

/// Processor time of a child from its start to its end; only Linux reports it.
fn cost_of_process(command: &mut Command) -> Duration {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut ticks = None;
    assert!(comes_true(|| {
        ticks = ticks_at_the_end(&child);
        ticks.is_some()
    }));
    child.wait().unwrap();
    // Every Linux counts a hundred ticks a second (`USER_HZ`).
    Duration::from_millis(10 * ticks.unwrap())
}

/// Ticks of all threads of a child, after its end and before it is waited for.
fn ticks_at_the_end(child: &Child) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    (fields[0] == "Z").then(|| fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap())
}

/// The processor time of a command that reads such a file.
fn check_file(place: &str, shape: &str, args: &[&str], content: impl Fn(usize) -> String) {
    check(place, shape, FLOOR_OF_PROCESSES, |times| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content(times).as_bytes()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
        command.args(args).arg(file.path()).env_clear().stdin(Stdio::null());
        cost_of_process(&mut command)
    });
}

#[test]
fn files_of_configuration() {
    const BYTES: usize = 1 << 16;
    // The command ends even if the file is good.
    let args = ["serve", "--listen", "unix:/no/such/folder/socket", "--site-url", "http://x", "--config"];
    for (shape, text) in SHAPES {
        check_file("a configuration", shape, &args, |times| text(BYTES * times));
    }
    let tables: [Shape; 5] = [
        ("dotted keys", |n| format!("{}a = 1", "a.".repeat(n / 2))),
        ("tables", |n| (0..n / 12).map(|table| format!("[a.b{table:05}]\n")).collect()),
        ("lists", |n| format!("a = {}{}", "[".repeat(n / 2), "]".repeat(n / 2))),
        ("keys", |n| (0..n / 12).map(|key| format!("k{key:05} = 1\n")).collect()),
        ("the same keys", |n| "threads = 1\n".repeat(n / 12)),
    ];
    for (shape, text) in tables {
        check_file("a configuration", shape, &args, |times| text(BYTES * times));
    }
}

/// Measures files of points: a header, rows and cells that are long, many or odd.
#[test]
fn files_of_points() {
    const COLUMNS: usize = 2_000;
    const BYTES: usize = 1 << 17;
    let headers: [Shape; 5] = [
        ("the same names", |n| "c,".repeat(n)),
        ("no names", |n| ",".repeat(n)),
        ("numbered names", |n| (0..n).map(|column| format!("c,c_{column},")).take(n / 2).collect()),
        ("other names", |n| (0..n).map(|column| format!("{column},")).collect()),
        ("names with marks", |n| "e\u{301},".repeat(n)),
    ];
    let long: [Shape; 9] = [
        ("a long cell", |n| format!("44.9,-93.2,{}\n", "x".repeat(n))),
        ("a long number", |n| format!("{},-93.2\n", "4".repeat(n))),
        ("a quote that stays open", |n| format!("44.9,-93.2,\"{}\n", "x".repeat(n))),
        ("lines that open quotes", |n| "\"a\n".repeat(n / 3)),
        ("lines that open and double quotes", |n| "1,\"\"\"\n".repeat(n / 6)),
        ("quotes in words", |n| "a\"\"b\n".repeat(n / 5)),
        ("short rows", |n| "x\n".repeat(n / 2)),
        ("empty rows", |n| "\n".repeat(n)),
        ("control characters", |n| format!("44.9,-93.2,{}\n", "\u{1}".repeat(n))),
    ];
    for format in ["csv", "jsonl", "geojson"] {
        let args = ["resolve", "--to", format, "--csv"];
        for (shape, names) in headers {
            check_file(format, shape, &args, |times| {
                format!("lat,lon,{}\n44.9,-93.2\n", names(COLUMNS * times))
            });
        }
        for (shape, rows) in long {
            check_file(format, shape, &args, |times| format!("lat,lon,note\n{}", rows(BYTES * times)));
        }
    }
    for (shape, text) in SHAPES {
        check_file("points", shape, &["resolve", "--csv"], |times| {
            format!("lat,lon\n{}", text(BYTES * times))
        });
    }
}
