//! Tests that the examples of README.md and docs/ run as they are written.
//!
//! `tests/tidy` checks commands and options of all documents by name. This test runs those that need no network, no
//! file of the reader and no second process.

use std::{env, fs, path::Path, process::Command};

use crate::{
    columnar,
    harness::{Client, Server},
};

const DOCUMENTS: &[&str] = &[
    "README.md",
    "docs/api.md",
    "docs/contribute.md",
    "docs/data.md",
    "docs/library.md",
    "docs/operate.md",
    "docs/updates.md",
];

/// Commands that answer from the snapshot or from files that they make, and end by themselves.
const RUN: &[&str] =
    &["ask", "bench", "inspect", "keys add", "keys list", "list", "openapi", "resolve", "search", "verify"];

/// Options that call services outside, or read a file that only the reader has.
const NOT_RUN: &[&str] = &["--address", "--layer"];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The lines of the code blocks in one language, with comments.
fn lines(language: &str) -> Vec<String> {
    let start = format!("{language}\n");
    let documents = DOCUMENTS.iter().map(|path| read(path)).collect::<String>();
    let blocks = documents.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix(&start));
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

#[test]
fn requests_that_the_documents_show_are_answered() {
    let mut client = Client::connect(Server::shared().address);
    let shown = lines("sh").into_iter().filter(|line| line.starts_with("curl "));
    let mut count = 0;
    for line in shown {
        let quoted: Vec<&str> = line.split('\'').skip(1).step_by(2).collect();
        let (url, headers) = quoted.split_last().unwrap();
        let target = url.strip_prefix("http://127.0.0.1:8080").unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let response = client.ask("GET", target, &headers);
        assert!(matches!(response.status, 200 | 303), "{line}: {}: {}", response.status, response.body);
        count += 1;
    }
    assert!(count >= 8, "only {count} requests are shown");
}

#[test]
fn requests_in_the_table_of_operations_are_answered() {
    let mut client = Client::connect(Server::shared().address);
    let table = read("docs/api.md");
    let targets = table.lines().filter_map(|line| line.strip_prefix("| `/v1/")?.split('`').next());
    let mut count = 0;
    for target in targets.filter(|target| !target.contains("address=") && !target.contains("screening")) {
        let response = client.get(&format!("/v1/{target}"));
        // Several places have this name, so the list of choices is also an answer.
        assert!(matches!(response.status, 200 | 409), "{target}: {}", response.body);
        count += 1;
    }
    assert!(count >= 9, "only {count} operations are shown");
}

#[test]
fn commands_that_the_documents_show_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let points = "id,lat,lon\na,44.9773,-93.2655\nb,45.5,-73.6\n";
    fs::write(folder.path().join("points.csv"), points).unwrap();
    fs::write(folder.path().join("points.jsonl"), "{\"id\":\"a\",\"lat\":44.9773,\"lon\":-93.2655}\n")
        .unwrap();
    columnar::write_parquet(&folder.path().join("points.parquet"), &columnar::one_point());
    let gzip = Command::new("gzip")
        .args(["-k", "points.csv", "points.jsonl"])
        .current_dir(&folder)
        .status()
        .unwrap();
    assert!(gzip.success());
    let binary = Path::new(env!("CARGO_BIN_EXE_platbook")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), env::var("PATH").unwrap());
    let mut count = 0;
    for line in lines("sh") {
        let run = RUN.iter().any(|name| line.starts_with(&format!("platbook {name}")));
        if !run || NOT_RUN.iter().any(|option| line.contains(option)) {
            continue;
        }
        // Without optimization, the default number of points takes five minutes: most of the time of these tests.
        let line = line.replace("platbook bench", "platbook bench --points 1000");
        let output =
            Command::new("sh").args(["-c", &line]).current_dir(&folder).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        count += 1;
    }
    assert!(count >= 12, "only {count} commands are shown");
}

#[test]
fn settings_that_the_documents_show_are_json_and_toml() {
    for path in DOCUMENTS {
        let document = read(path);
        for block in document.split("```").skip(1).step_by(2) {
            if let Some(text) = block.strip_prefix("toml\n") {
                toml::from_str::<toml::Table>(text).unwrap();
            }
            // Shortened answers have an ellipsis; the rest is JSON with one value a line.
            let json = block.strip_prefix("json\n").filter(|text| !text.contains('…'));
            for line in json.into_iter().flat_map(str::lines) {
                serde_json::from_str::<serde_json::Value>(line).unwrap();
            }
        }
    }
}
