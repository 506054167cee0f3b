//! Tests the cost of a tool's call against that of the same request over REST: processor time of a running service.
//! Only Linux reports it.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, ChildStderr, Command, Stdio},
};

use serde_json::json;

use crate::{
    harness::Client,
    mcp::{legacy, post},
    mcp_campaigns::questions,
};

/// Number of measured rounds, after one that fills the caches.
const ROUNDS: usize = 4;

struct Running {
    child: Child,
    /// Kept open, because the service's later output must find a reader.
    _stderr: BufReader<ChildStderr>,
    client: Client,
}

impl Running {
    /// Starts the binary that `PLATBOOK` names, else this build's.
    fn start() -> Running {
        let binary = std::env::var("PLATBOOK").unwrap_or_else(|_| env!("CARGO_BIN_EXE_platbook").to_owned());
        let mut child = Command::new(binary)
            .args(["serve", "--offline", "--limits", "off", "--listen", "127.0.0.1:0", "--threads", "1"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("platbook: listening on http://").expect(&line);
        Running { client: Client::connect(address.parse().unwrap()), child, _stderr: stderr }
    }

    /// Processor time of all threads of the service so far, in nanoseconds.
    fn processor_ns(&self) -> u64 {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let ran = |task: fs::DirEntry| fs::read_to_string(task.path().join("schedstat")).unwrap();
        let first = |text: String| text.split(' ').next().unwrap().parse::<u64>().unwrap();
        tasks.map(|task| first(ran(task.unwrap()))).sum()
    }

    /// Processor time in microseconds per request.
    fn cost(&mut self, count: usize, mut ask_all: impl FnMut(&mut Client)) -> f64 {
        ask_all(&mut self.client);
        let before = self.processor_ns();
        (0..ROUNDS).for_each(|_| ask_all(&mut self.client));
        (self.processor_ns() - before) as f64 / 1e3 / (count * ROUNDS) as f64
    }
}

#[test]
#[ignore = "a measure, see benches/README.md"]
fn what_calls_cost_beside_requests() {
    let mut by_tool: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for (tool, arguments, target) in questions(&platbook_service::embedded().unwrap()) {
        let call = legacy("tools/call", json!({ "name": tool, "arguments": arguments }));
        by_tool.entry(tool).or_default().push((call.to_string(), target));
    }
    let mut running = Running::start();
    println!("{:24}{:>10}{:>10}{:>8}", "tool", "REST us", "MCP us", "ratio");
    for (tool, questions) in &by_tool {
        let rest = running.cost(questions.len(), |client| {
            questions.iter().for_each(|(_, target)| drop(client.get(target)));
        });
        let mcp = running.cost(questions.len(), |client| {
            questions.iter().for_each(|(call, _)| drop(post(client, "", call)));
        });
        println!("{tool:24}{rest:>10.1}{mcp:>10.1}{:>8.2}", mcp / rest);
    }
    running.child.kill().unwrap();
    running.child.wait().unwrap();
}
