use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use platbook::{
    snapshot::write::{CountyTables, LayerContents, RadonRow},
    vocabulary::is_unsafe_to_show,
};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::{
    SERVICES,
    outside::{Act, Outside},
    over_http::everything,
};
use crate::harness::{COVERED, Client};

/// The option that sets all services to this address.
fn all_at(outside: &Outside) -> String {
    SERVICES.map(|name| format!("{name}={}/{name}", outside.url())).join(",")
}

fn platbook(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
    command.args(args).env_clear().stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = platbook(args).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn commands_look_up_as_a_server_does() {
    let runtime = Runtime::new().unwrap();
    let outside = runtime.block_on(Outside::start(everything));
    let services = all_at(&outside);
    let address = ["resolve", "--address", "350 S 5th St, Minneapolis", "--service", &services];
    let (code, printed, said) = run(&address);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let answer: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(answer["data"]["match"]["geocoder"], "Census Geocoder");
    assert_eq!(answer["data"]["jurisdictions"][1]["jurisdiction_id"], "county:27053");
    let screen = ["screen", "44.9773", "-93.2655", "--format", "text", "--service", &services];
    let (code, printed, said) = run(&screen);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    for words in [
        "In a special flood hazard area (zone AE)",
        "No wetland is mapped within 300 ft",
        "The soil could not be checked: the service answered with an error (status 500).",
        "The ground is about 838 ft above sea level.",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    for (address, code, words) in [
        ("Main St", 1, "1 S MAIN ST (44.8 -93.3)"),
        ("Nowhere St", 1, "no address matches the text"),
        ("Down St", 1, "status 500"),
    ] {
        let (got, _, said) = run(&["resolve", "--address", address, "--service", &services]);
        assert!(got == Some(code) && said.contains(words), "{address}: {got:?} {said}");
    }
}

/// A service whose texts would move the cursor, set a title and turn the line around.
#[test]
fn no_text_of_a_service_controls_a_terminal() {
    const EVIL: &str = r"\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\r\nMAIN ST";
    let runtime = Runtime::new().unwrap();
    let outside = runtime.block_on(Outside::start(|call| {
        let is_one = call.target().contains("ONE");
        let matches: Vec<String> = [-93.2655, -93.4]
            .iter()
            .take(if is_one { 1 } else { 2 })
            .map(|x| format!("{{\"matchedAddress\":\"{EVIL}\",\"coordinates\":{{\"x\":{x},\"y\":44.9773}}}}"))
            .collect();
        Act::json(&format!("{{\"result\":{{\"addressMatches\":[{}]}}}}", matches.join(",")))
    }));
    for (address, code) in [("One Main St", 0), ("Two Main St", 1)] {
        for format in ["text", "json"] {
            let args = ["resolve", "--address", address, "--format", format, "--service", &all_at(&outside)];
            let (got, printed, said) = run(&args);
            assert_eq!(got, Some(code), "{address}, {format}: {said}");
            let shown = (printed + &said).replace('\n', " ");
            assert!(shown.contains("MAIN ST"), "{address}, {format}: {shown}");
            assert!(!shown.contains(is_unsafe_to_show), "{address}, {format}: {shown:?}");
        }
    }
}

#[test]
fn commands_may_ask_nobody() {
    let (code, _, said) = run(&["resolve", "--address", "1 Main St", "--offline"]);
    assert!(code == Some(1) && said.contains("switched off"), "{said}");
    let (code, printed, _) = run(&["screen", "44.9773", "-93.2655", "--offline", "--format", "text"]);
    assert!(code == Some(0) && printed.contains("online lookups are off"), "{printed}");
    for (option, value, words) in [
        ("--service", "floods=off", "geocoder, flood, wetlands, soils, elevation, shoreland"),
        ("--service", "flood=http://maps.example", "expected an https address"),
        ("--contact", "me (at home)", "expected an address of mail or web"),
    ] {
        let (code, _, said) = run(&["resolve", "--address", "1 Main St", option, value]);
        assert!(code == Some(2) && said.contains(words), "{option} {value}: {code:?} {said}");
    }
}

/// A server in its own process, to measure its memory and threads.
struct Process(Child, SocketAddr);

impl Process {
    fn serve(args: &[&str]) -> Process {
        let args =
            [&["serve", "--listen", "127.0.0.1:0", "--limits", "off", "--threads", "2"], args].concat();
        let mut child = platbook(&args).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let (_, address) = line.trim().rsplit_once("http://").unwrap_or_else(|| panic!("{line}"));
        Process(child, address.parse().unwrap())
    }

    /// A figure of `/proc/PID/status`, in the unit of that file.
    fn figure(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// Measures 500 callers whose lookups hang, each for five facts, and others who send requests meanwhile.
#[cfg(target_os = "linux")]
#[test]
fn lookups_that_hang_hold_no_thread_and_little_memory() {
    const CALLERS: usize = 500;
    let runtime = Runtime::new().unwrap();
    let outside = runtime.block_on(Outside::start(|_| Act::Hang));
    // Builds for tests are slow: 500 concurrent callers would be rejected as too many.
    let server = Process::serve(&["--service", &all_at(&outside), "--max-wait", "0"]);
    let pure = |what: &str| assert_eq!(Client::connect(server.1).get(COVERED).status, 200, "{what}");
    pure("before");
    // A first lookup makes everything that is made only once.
    let screening = |at: usize| format!("/v1/screening?lat=44.{at:04}&lon=-93.3");
    assert_eq!(Client::connect(server.1).get(&screening(9_000)).status, 200);
    let (threads, memory_kb) = (server.figure("Threads"), server.figure("VmRSS"));
    let mut waiting: Vec<Client> = (0..CALLERS)
        .map(|at| {
            let mut client = Client::connect(server.1);
            client.send(&format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", screening(5_000 + at)));
            client
        })
        .collect();
    pure("meanwhile");
    // A thread that only the start needed may have ended since.
    assert!(server.figure("Threads") <= threads, "no thread is held");
    for client in &mut waiting {
        let answer = client.receive(false);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["data"]["facts"]["flood"]["status"], "unknown");
    }
    assert!(server.figure("Threads") <= threads, "no thread was held");
    let more_kb = server.figure("VmHWM").saturating_sub(memory_kb);
    assert!(more_kb < 50 * 1024, "{more_kb} kB more");
    eprintln!("{CALLERS} callers: {threads} threads, {memory_kb} kB before, {more_kb} kB more at most");
}

/// A service has its own copies of layer files, so changes to the files do not affect it.
#[test]
fn a_layer_file_may_be_cut_and_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("county.layer");
    let radon = vec![RadonRow { county: 27_053, zone: 3 }];
    let county_tables = Some(CountyTables::pack(radon, Vec::new(), Some(0), Vec::new(), None));
    let layer = LayerContents { county_tables, ..LayerContents::default() };
    fs::write(&path, layer.to_bytes().unwrap()).unwrap();
    let server = Process::serve(&["--offline", "--layer", path.to_str().unwrap()]);
    let harms: [fn(&Path); 4] = [
        |_| {},
        |path| fs::File::options().write(true).open(path).unwrap().set_len(0).unwrap(),
        |path| fs::write(path, [0xa5; 20_000]).unwrap(),
        |path| fs::remove_file(path).unwrap(),
    ];
    for (at, harm) in harms.into_iter().enumerate() {
        harm(&path);
        let answer = Client::connect(server.1).get("/v1/screening?lat=44.9773&lon=-93.2655").json();
        assert_eq!(answer["data"]["facts"]["radon"]["status"], "zone_3", "harm {at}");
    }
    for path in ["/dev/zero", folder.path().to_str().unwrap()] {
        let (code, _, said) = run(&["serve", "--listen", "127.0.0.1:0", "--offline", "--layer", path]);
        assert!(code == Some(2) && said.contains("expected a file at"), "{path}: {code:?} {said}");
    }
}
