//! Measures the time from the start to the first answer, the memory after it, and the size of the snapshot.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Instant,
};

const STARTS: usize = 11;
const REQUEST: &[u8] =
    b"GET /v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

fn main() {
    let mut times_ms: Vec<f64> = (0..STARTS).map(|_| start().0).collect();
    times_ms.sort_by(f64::total_cmp);
    println!(
        "start to first answer {:.1} ms (median of {STARTS}, {:.1} to {:.1})",
        times_ms[STARTS / 2],
        times_ms[0],
        times_ms[STARTS - 1]
    );
    println!("memory after it: {}", start().1);
    let directory = platbook_service::embedded().expect("a built-in snapshot");
    let bytes: usize = directory.snapshot().sizes().iter().map(|(_, bytes)| bytes).sum();
    let vertices = directory.snapshot().meta().source_vertices();
    println!(
        "snapshot {bytes} bytes, {:.2} for each of {vertices} source vertices",
        bytes as f64 / vertices as f64
    );
}

/// Returns milliseconds to the first answer, and the memory of the process.
fn start() -> (f64, String) {
    let begin = Instant::now();
    let mut server = Command::new(binary())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let mut answer = String::new();
    let mut stream = TcpStream::connect(address(&mut server)).expect("the service listens");
    stream.write_all(REQUEST).expect("the service reads");
    stream.read_to_string(&mut answer).expect("the service answers");
    let elapsed_ms = begin.elapsed().as_secs_f64() * 1e3;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("Minneapolis"), "{answer}");
    let memory = memory(server.id());
    server.kill().expect("the service runs");
    server.wait().expect("the service ends");
    (elapsed_ms, memory)
}

/// Returns the binary of the same profile: target/PROFILE/platbook beside target/PROFILE/deps/start.
fn binary() -> PathBuf {
    let bench = std::env::current_exe().expect("the bench is a file");
    bench.ancestors().nth(2).expect("below target").join("platbook")
}

/// Reads the address that the service prints first.
fn address(server: &mut Child) -> String {
    let stderr = server.stderr.take().expect("piped");
    let mut line = String::new();
    BufReader::new(stderr).read_line(&mut line).expect("the service says where it listens");
    let address = line.trim().rsplit("http://").next().unwrap_or_default();
    address.split(['/', ' ', ',']).next().unwrap_or_default().to_owned()
}

/// Returns the memory of the process itself and its pages of mapped files, as Linux reports them.
fn memory(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("RssAnon") || line.starts_with("RssFile"));
    let words: Vec<String> =
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    if words.is_empty() { "not known on this system".to_owned() } else { words.join(", ") }
}
