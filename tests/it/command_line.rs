use std::{
    fs,
    io::{BufRead, BufReader, Read as _, Write},
    os::unix::net::UnixStream,
    process::{Child, ChildStderr, Command, Output, Stdio},
};

use platbook_service::operations::OPERATIONS;
use serde_json::Value;

use crate::{
    contract,
    harness::{COVERED, Client, signal},
};

fn platbook(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
    command.args(args).env_clear().stdin(Stdio::null());
    command
}

fn run(args: &[&str], input: &str) -> Output {
    let mut child =
        platbook(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_point_is_answered_as_over_http() {
    let output = run(&["resolve", "44.9773", "-93.2655"], "");
    assert_eq!(output.status.code(), Some(0));
    contract::check_printed("/jurisdictions/resolve", text(&output.stdout));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["data"]["jurisdictions"][1]["jurisdiction_id"], "county:27053");
    assert_eq!(answer["data"]["point"]["coordinates"], serde_json::json!([-93.2655, 44.9773]));
}

#[test]
fn names_are_answered_as_over_http() {
    let answer = |args: &[&str]| -> serde_json::Value {
        let output = run(args, "");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let found = answer(&["search", "st paul", "--state", "MN", "--limit", "1"]);
    assert_eq!(found["data"]["places"].as_array().unwrap().len(), 1);
    assert_eq!(found["data"]["places"][0]["jurisdiction_id"], "place:2758000");
    let asked = answer(&["ask", "N 44.9773 W 93.2655"]);
    assert_eq!(asked["data"]["resolve"]["point"]["coordinates"], serde_json::json!([-93.2655, 44.9773]));
    let asked = answer(&["ask", "350 S 5th St, Minneapolis, MN", "--offline"]);
    assert_eq!(asked["data"]["read_as"], "address");
    assert_eq!(asked["data"]["places"][0]["jurisdiction_id"], "place:2743000");
    let resolved = answer(&["resolve", "--place", "City of Austin", "--state", "tx"]);
    assert_eq!(resolved["data"]["point"], serde_json::Value::Null);
    assert_eq!(resolved["data"]["match"]["matched_name"], "Austin");
    let ids: Vec<_> = resolved["data"]["jurisdictions"].as_array().unwrap().iter().collect();
    assert_eq!(ids.last().unwrap()["jurisdiction_id"], "place:4805000");
}

#[test]
fn refusals_go_to_stderr_and_into_the_exit_code() {
    for (args, code, said) in [
        (&["resolve"][..], 2, "no location was given"),
        (&["resolve", "44.9"], 2, "lon is missing"),
        (&["resolve", "-93.2655", "44.9773"], 2, "look swapped"),
        (&["resolve", "0", "-0"], 1, "outside-coverage"),
        (&["resolve", "--csv", "-", "1", "2"], 2, "cannot be used with"),
        (&["resolve", "--csv", "-", "--state", "MN"], 2, "cannot be used with"),
        (&["resolve", "44", "-93", "--strict"], 2, "cannot be used with"),
        (&["resolve", "44", "-93", "--lat-column", "y"], 2, "cannot be used with"),
        (&["resolve", "--place", "Austin", "--state", "TX", "--columns", "all"], 2, "cannot be used with"),
        (&["resolve", "--strict"], 2, "--in <FILE>"),
        (&["resolve", "--csv", "/no/such/file"], 1, "--in: cannot read /no/such/file"),
        (&["inspect", "/no/such/file"], 1, "name a file that exists"),
        (&["inspect", "Cargo.toml"], 1, "platbook: Cargo.toml: expected a platbook snapshot"),
        (&["resolve", "44", "-93", "--snapshot", "Cargo.toml"], 1, "platbook: Cargo.toml: expected"),
        (&["resolve", "--address", "x", "--layer", "Cargo.toml"], 1, "platbook: Cargo.toml: expected"),
        (&["serve", "--offline", "--snapshot", "Cargo.toml"], 1, "--snapshot Cargo.toml: expected"),
        (
            &["serve", "--offline", "--snapshot", "/no/file"],
            1,
            "--snapshot: cannot read /no/file: No such file",
        ),
        (
            &["serve", "--offline", "--layer", "Cargo.toml"],
            1,
            "--layer Cargo.toml: expected a platbook layer",
        ),
        (&["resolve", "--csv", "-"], 2, "expected a column lat, latitude, y"),
        (&["resolve", "--place", "Austin"], 2, "state is missing"),
        (&["resolve", "--place", "Austin", "--state", "ZZ"], 2, "ZZ"),
        (&["resolve", "--place", "Austin", "--state", "TX"], 1, "Austin County, Texas (county:48015)"),
        (&["resolve", "--place", "Austni", "--state", "TX"], 1, "nearest name is Austin city"),
        (&["ask"], 2, "q is missing"),
        (&["ask", "99, 99"], 2, "from -90 to 90"),
        (&["ask", "48.8566, 2.3522"], 1, "outside-coverage"),
        (&["search"], 2, "q is missing"),
        (&["search", " "], 2, "q is missing"),
        (&["search", "Austin", "--limit", "51"], 2, "from 1 to 50"),
        (&["search", "Austin", "--state", "Texaz"], 2, "two-letter"),
        (&["serve", "--listen", "nowhere"], 2, "such as 127.0.0.1:8080"),
        (&["serve", "--site-url", "platbook.example"], 2, "such as https://platbook.example"),
        (&["serve", "--threads", "0"], 2, "expected a whole number of 1 or more, got \"0\""),
        (&["serve", "--memory", "much"], 2, "expected a whole number of 1 or more, got \"much\""),
        (&["serve", "--max-wait", "-1"], 2, "expected a whole number of 0 or more"),
        (&["verify", "--cross-check", "x"], 2, "expected a whole number of 0 or more"),
        (&["status", "--url", "nope"], 2, "such as http://127.0.0.1:9464, got \"nope\""),
        (&["serve", "--config", "/no/such/file"], 1, "--config: cannot read /no/such/file"),
        (&["place"], 2, "jurisdiction_id"),
        (&["place", "Houston"], 2, "`platbook resolve --place \"Houston, TX\"` finds a place by its name"),
        (&["guide"], 2, "topic is missing; `platbook topics` lists them"),
        (&["place", "county:27999"], 1, "unknown-jurisdiction"),
        (&["guide", "fishing"], 2, "\"fishing\" is not a topic; `platbook topics` lists them"),
        (&["resources", "--lat", "44.9", "--lon", "-93.2"], 2, "topic is missing"),
        (&["screen", "0", "0"], 1, "outside-coverage"),
        (&["topics", "--format", "yaml"], 2, "yaml"),
        (&["nonsense"], 2, "unrecognized subcommand"),
    ] {
        let output = run(args, "");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), ""), "{args:?}");
        assert!(text(&output.stderr).contains(said), "{args:?}: {}", text(&output.stderr));
    }
}

/// An error names the variable if a variable was set, and the option if an option was typed.
#[test]
fn a_wrong_value_is_reported_by_its_place() {
    for (variable, value, args, said) in [
        ("PLATBOOK_LISTEN", "bogus", &["serve"][..], "'bogus' for 'PLATBOOK_LISTEN'"),
        ("PLATBOOK_LIMITS", "maybe", &["serve"], "'maybe' for 'PLATBOOK_LIMITS'"),
        ("PLATBOOK_OFFLINE", "maybe", &["screen", "44", "-93"], "'maybe' for 'PLATBOOK_OFFLINE'"),
        ("PLATBOOK_SITE_URL", "x", &["topics"], "'x' for 'PLATBOOK_SITE_URL'"),
        ("PLATBOOK_LISTEN", "8080", &["serve", "--listen", "bogus"], "'bogus' for '--listen <ADDRESS:PORT>'"),
        ("PLATBOOK_LISTEN", "8080", &["serve", "--listen=bogus"], "'bogus' for '--listen <ADDRESS:PORT>'"),
        ("PLATBOOK_LOG", "text", &["serve", "--log-level", "loud"], "'loud' for '--log-level"),
    ] {
        let output = platbook(args).env(variable, value).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{variable} {args:?}");
        assert!(text(&output.stderr).contains(said), "{variable} {args:?}: {}", text(&output.stderr));
    }
}

/// A misspelled name is accepted if it can mean only one place. A place whose name only begins with it does not
/// count.
#[test]
fn a_name_with_a_slip_is_read_as_the_one_near() {
    for (name, state, expected) in [
        ("Mineapolis", "MN", Some("place:2743000")),
        ("Tuscon", "AZ", Some("place:0477000")),
        ("Pittsburg", "PA", Some("place:4261000")),
        // Chicago Heights begins with the same letters.
        ("Chicag", "IL", None),
        ("Pittsbur", "PA", None),
        ("Bet", "MN", None),
    ] {
        let output = run(&["resolve", "--place", name, "--state", state], "");
        let answer = serde_json::from_slice::<Value>(&output.stdout).ok();
        let found = answer.as_ref().and_then(|answer| answer["data"]["jurisdictions"].as_array()?.last());
        let id = found.and_then(|found| found["jurisdiction_id"].as_str());
        assert_eq!(id, expected, "{name}: {}", text(&output.stderr));
    }
}

/// Nine townships of one name are distinguished by their counties.
#[test]
fn equal_names_are_distinguished() {
    let output = run(&["search", "Springfield Township", "--state", "PA", "--format", "text"], "");
    let printed = text(&output.stdout);
    let mut lines: Vec<&str> = printed.lines().filter(|line| line.contains("(cousub:")).collect();
    assert!(
        printed.contains("Springfield Township, Bucks County, Pennsylvania (cousub:4201773016)"),
        "{printed}"
    );
    lines.iter_mut().for_each(|line| *line = line.split(" (").next().unwrap());
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert!(count >= 9 && lines.len() == count, "{printed}");
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let mut child = platbook(&["resolve", "--csv", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(("lat,lon\n".to_owned() + &"44.9,-93.2\n".repeat(10)).as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[test]
fn inspect_and_verify_read_the_built_in_snapshot() {
    for (args, said) in [
        (&["inspect"][..], "MN    county  complete"),
        (&["verify"], "is whole"),
        (
            &["bench", "--points", "100", "--threads", "2"],
            "100 random points: an answer takes p50 / p99 / p99.9 ",
        ),
        (&["verify", "--cross-check", "30"], "compared "),
    ] {
        let output = run(args, "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(said), "{}", text(&output.stdout));
    }
}

#[test]
fn inspect_and_verify_speak_json() {
    for (args, pointer, expected) in [
        (&["inspect", "--json"][..], "/coverage/0/state", Value::from("AL")),
        (&["inspect", "--json"], "/layers/0/count", Value::from(56)),
        (&["verify", "--json"], "/is_whole", Value::from(true)),
        (&["verify", "--json"], "/cross_check", Value::Null),
        (&["verify", "--json", "--cross-check", "30"], "/cross_check/differences", Value::from(0)),
    ] {
        let output = run(args, "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value.pointer(pointer), Some(&expected), "{args:?}: {value}");
    }
}

#[test]
fn the_manual_and_completions_know_every_command() {
    let manual = run(&["man"], "");
    let completions =
        ["bash", "zsh", "fish", "elvish", "powershell"].map(|shell| run(&["completions", shell], ""));
    for output in completions.iter().chain([&manual]) {
        for command in ["resolve", "search", "place", "serve", "inspect", "keys"] {
            assert!(text(&output.stdout).contains(command), "{command}: {}", text(&output.stdout));
        }
    }
    assert!(text(&run(&["--version"], "").stdout).contains("(snapshot of 20"));
}

#[test]
fn a_program_without_a_command_says_what_to_try() {
    let output = run(&[], "");
    let printed = text(&output.stdout);
    assert_eq!((output.status.code(), printed.lines().count()), (Some(0), 6), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    for part in
        ["3235 counties, ", " days old\n", "platbook resolve 44.9773", "platbook serve ", "platbook doctor"]
    {
        assert!(
            printed.contains(part) || part == " days old\n" && printed.contains(" day old\n"),
            "{part}: {printed}"
        );
    }
}

/// `platbook doctor` with a free port, with a port that another program has, and with a port on which a service runs.
#[test]
fn a_doctor_says_whether_a_service_could_start() {
    let healthy = run(&["doctor", "--listen", "127.0.0.1:0"], "");
    assert_eq!(healthy.status.code(), Some(0), "{}", text(&healthy.stdout));
    assert!(text(&healthy.stdout).contains("0 faults, "), "{}", text(&healthy.stdout));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let sick = run(&["doctor", "--listen", &taken.local_addr().unwrap().to_string()], "");
    assert_eq!(sick.status.code(), Some(1), "{}", text(&sick.stdout));
    assert!(text(&sick.stdout).contains("FAULT  port "), "{}", text(&sick.stdout));
    let mut server =
        platbook(&["serve", "--offline", "--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
    let (line, _stderr) = first_line(&mut server);
    let address = line.trim_end().strip_prefix("platbook: listening on http://").expect(&line);
    let running = run(&["doctor", "--listen", address], "");
    assert!(text(&running.stdout).contains("a platbook listens on "), "{}", text(&running.stdout));
    assert_eq!(running.status.code(), Some(0), "{}", text(&running.stdout));
    signal(&server, "TERM");
    server.wait().unwrap();
}

/// Help is read in terminals of 80 columns.
#[test]
fn help_is_not_wide() {
    for args in [
        &["--help"][..],
        &["-h"],
        &["resolve", "--help"],
        &["serve", "--help"],
        &["resources", "--help"],
        &["keys", "add", "--help"],
    ] {
        let output = run(args, "");
        let widest = text(&output.stdout).lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{args:?}: {widest}");
    }
}

#[test]
fn help_describes_each_operation() {
    for operation in OPERATIONS {
        let words: Vec<&str> = operation.command.split(' ').chain(["--help"]).collect();
        let help = run(&words, "");
        // A long summary continues in the next line.
        let start = operation.summary.split(' ').take(4).collect::<Vec<_>>().join(" ");
        assert!(text(&help.stdout).starts_with(&start), "{}", text(&help.stdout));
    }
}

#[test]
fn a_file_that_is_no_snapshot_is_refused() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&[0; 4096]).unwrap();
    for args in
        [&["inspect"][..], &["verify"], &["resolve", "1", "2", "--snapshot"], &["serve", "--snapshot"]]
    {
        let output = run(&[args, &[file.path().to_str().unwrap()]].concat(), "");
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(text(&output.stderr).contains("expected a platbook snapshot"), "{}", text(&output.stderr));
    }
}

/// Returns the first line of a server's stderr. The reader stays open until the end of a test, so that the server can
/// write further lines.
fn first_line(server: &mut Child) -> (String, BufReader<ChildStderr>) {
    let mut stderr = BufReader::new(server.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    (line, stderr)
}

/// The command line overrides the environment, which overrides the file. A signal stops the service cleanly.
#[test]
fn settings_have_an_order_and_sigterm_stops() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    writeln!(file, "listen = \"127.0.0.1:1\"\nsite-url = \"https://file.example\"\nthreads = 1").unwrap();
    let mut server =
        platbook(&["serve", "--listen", "127.0.0.1:0", "--config", file.path().to_str().unwrap()])
            .env("PLATBOOK_LISTEN", "nonsense that is not looked at")
            .env("PLATBOOK_SITE_URL", "https://environment.example")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    let (line, _stderr) = first_line(&mut server);
    let address =
        line.trim_end().strip_prefix("platbook: listening on http://").expect(&line).parse().unwrap();
    let answer = Client::connect(address).get(COVERED).json();
    let page_url = answer["data"]["jurisdictions"][0]["page_url"].as_str().unwrap();
    assert_eq!(page_url, "https://environment.example/places/state:27");
    signal(&server, "TERM");
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

/// The service listens on a socket file in place of an address. An empty variable counts as not set.
#[test]
fn a_socket_file_serves_and_goes_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let listen = format!("unix:{}", path.display());
    let homeless = run(&["serve", "--listen", &listen], "");
    assert_eq!(homeless.status.code(), Some(2));
    assert!(text(&homeless.stderr).contains("give --site-url"), "{}", text(&homeless.stderr));
    let mut server =
        platbook(&["serve", "--offline", "--listen", &listen, "--site-url", "https://file.example"])
            .env("PLATBOOK_LIMITS", "")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    let (line, _stderr) = first_line(&mut server);
    assert_eq!(line, format!("platbook: listening on {listen}\n"));
    let mut stream = UnixStream::connect(&path).unwrap();
    write!(stream, "GET {COVERED} HTTP/1.1\r\nHost: file.example\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"https://file.example/places/state:27\"")
    );
    assert!(answer.to_lowercase().contains("\r\nratelimit: "), "callers have limits: {answer:.500}");
    signal(&server, "TERM");
    assert_eq!((server.wait().unwrap().code(), path.exists()), (Some(0), false));
}

/// The examples in `deploy/`, comments included, are valid up to the missing snapshot.
#[test]
fn the_example_of_a_configuration_is_one() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/platbook.toml");
    let mut example = fs::read_to_string(example).unwrap();
    for key in ["site-url", "trusted-proxy", "limits", "snapshot", "threads", "offline", "contact"] {
        assert!(example.contains(&format!("\n# {key} = ")), "{key}");
        example = example.replace(&format!("\n# {key} = "), &format!("\n{key} = "));
    }
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(example.as_bytes()).unwrap();
    let output = run(&["serve", "--config", file.path().to_str().unwrap()], "");
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("/var/lib/platbook/default.platbook"), "{stderr}");
}

/// Two options name an address, so the error names the option.
#[test]
fn an_address_in_use_is_reported_by_its_option() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for option in ["--listen", "--metrics-listen"] {
        let mut args = vec!["serve", "--offline", option, address.as_str()];
        if option != "--listen" {
            args.extend(["--listen", "127.0.0.1:0"]);
        }
        let output = run(&args, "");
        let said = format!("{option}: cannot listen on {address}: ");
        assert!(text(&output.stderr).contains(&said), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("give another port"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_spoilt_configuration_file_is_refused_by_name() {
    for (content, said) in [
        ("lissten = 1", "unknown field `lissten`"),
        ("lissten = 1", "did you mean `listen`?"),
        ("snapshot_url = \"x\"", "did you mean `snapshot-url`?"),
        ("color = 1", "settings are listen, "),
        ("threads = 0", "expected a whole number of 1 or more"),
        ("=", "TOML"),
        ("site-url = \"platbook.example\"", "expected an http or https address"),
        (
            "[parcels]\nurl = \"https://a.example\"\nname = \"a\"\npublisher = \"b\"\nplaces = []\nabout-url = \"javascript:alert(1)\"",
            "expected an http or https address for about-url, got \"javascript:alert(1)\"",
        ),
    ] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content.as_bytes()).unwrap();
        let path = file.path().to_str().unwrap();
        let output = run(&["serve", "--config", path], "");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(said) && stderr.contains(path), "{content}: {stderr}");
    }
}
