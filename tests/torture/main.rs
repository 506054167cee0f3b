//! What would bring a service down, done to one: every row is tried on loopback, and printed with its aim and its result.
//!
//! `make torture`, or `torture BINARY [SECONDS]`: so many seconds of mixed work and of each overload. Bounded in time and
//! in connections; it needs Linux and 13,000 open files.

#![expect(unreachable_pub, reason = "the modules of a program share freely")]

mod client; // requests and loads, new connections and kept ones
mod crowds; // connections that are slow, silent, or too many
mod faults; // files, signals and requests that have done harm
mod overload; // more than can be answered
mod server; // the service that all this is done to

use std::{error::Error, process::ExitCode, time::Duration};

/// What was tried, and what came of it.
pub struct Row {
    what: &'static str,
    aim: &'static str,
    result: String,
    holds: bool,
}

impl Row {
    /// A row, printed at once.
    pub fn new(what: &'static str, aim: &'static str, result: String, holds: bool) -> Row {
        println!("{} {what}: {result} (aim: {aim})", if holds { "ok  " } else { "MISS" });
        Row { what, aim, result, holds }
    }
}

/// What a part of the harness has tried.
pub type Rows = Result<Vec<Row>, Box<dyn Error>>;

/// What all rows are tried with.
#[derive(Clone)]
pub struct Setting {
    /// The program that serves.
    pub binary: String,
    /// How long mixed work and each overload last.
    pub time: Duration,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let binary = args.next().ok_or("usage: torture BINARY [SECONDS]")?;
    let seconds = args.next().map_or(Ok(20), |text| text.parse())?;
    let setting = Setting { binary, time: Duration::from_secs(seconds) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let mut rows = Vec::new();
    runtime.block_on(async {
        rows.extend(faults::all(&setting).await?);
        rows.extend(crowds::all(&setting).await?);
        rows.extend(overload::all(&setting).await?);
        Ok::<_, Box<dyn Error>>(())
    })?;
    println!("\n| what | result | aim | holds |\n|---|---|---|---|");
    for Row { what, aim, result, holds } in &rows {
        println!("| {what} | {result} | {aim} | {} |", if *holds { "yes" } else { "**no**" });
    }
    let holds = rows.iter().all(|row| row.holds);
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
