//! What would bring a service down, done to one: every row is tried on loopback, and printed with its aim and its result.
//!
//! `make torture`, or `torture BINARY [SECONDS [WORDS]]`: so many seconds of mixed work and of each overload, and the rows
//! alone whose names hold one of the words. Bounded in time and in connections; it needs Linux and 13,000 open files.

#![expect(unreachable_pub, reason = "the modules of a program share freely")]

mod bodies; // bodies that do not end, and stops that lose nothing
mod client; // requests and loads, new connections and kept ones
mod crowds; // connections that are slow, silent, or too many
mod faults; // files, signals and requests that have done harm
mod overload; // more than can be answered
mod server; // the service that all this is done to

use std::{error::Error, pin::Pin, process::ExitCode, time::Duration};

/// What came of a row.
pub struct Row {
    aim: &'static str,
    result: String,
    holds: bool,
}

impl Row {
    /// What came of it, beside its aim.
    pub fn new(aim: &'static str, result: String, holds: bool) -> Row {
        Row { aim, result, holds }
    }

    fn said(&self) -> String {
        let Row { aim, result, .. } = self;
        format!("{result} | {aim} | {}", if self.holds { "yes" } else { "**no**" })
    }
}

/// A row, or why it could not be tried.
pub type Tried = Result<Row, Box<dyn Error>>;

/// What is tried, and how.
pub type Trial = (&'static str, for<'s> fn(&'s Setting) -> Pin<Box<dyn Future<Output = Tried> + 's>>);

/// What all rows are tried with.
#[derive(Clone)]
pub struct Setting {
    /// The program that serves.
    pub binary: String,
    /// How long mixed work and each overload last.
    pub time: Duration,
}

async fn try_all(trials: &[Trial], setting: &Setting) -> Vec<(&'static str, Row)> {
    let mut rows = Vec::new();
    for (what, how) in trials {
        let failed = |error| Row::new("it can be tried", format!("{error}"), false);
        let row = how(setting).await.unwrap_or_else(failed);
        println!("{what} | {}", row.said());
        rows.push((*what, row));
    }
    rows
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let binary = args.next().ok_or("usage: torture BINARY [SECONDS [WORDS]]")?;
    let seconds = args.next().map_or(Ok(20), |text| text.parse())?;
    let setting = Setting { binary, time: Duration::from_secs(seconds) };
    let words: Vec<String> = args.collect();
    let mut trials = [faults::TRIALS, bodies::TRIALS, crowds::TRIALS, overload::TRIALS].concat();
    trials.retain(|(what, _)| words.is_empty() || words.iter().any(|word| what.contains(word)));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let rows = runtime.block_on(try_all(&trials, &setting));
    println!("\n| what | result | aim | holds |\n|---|---|---|---|");
    for (what, row) in &rows {
        println!("| {what} | {} |", row.said());
    }
    let holds = rows.iter().all(|(_, row)| row.holds);
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
