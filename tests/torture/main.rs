//! Tries to bring a service down on loopback, in all ways that the rows list. Prints each row with its aim and its
//! result.
//!
//! Run it with `make torture`, or as `torture BINARY [SECONDS [WORDS]]` in any folder. Each load lasts this many
//! seconds. With words, only rows run whose names contain one of them. A campaign takes minutes, so it runs only by
//! name: `torture BINARY 600 campaign`.
//!
//! The exit code is 0 if all aims are reached, and 1 if one is missed. It is 3 if none is missed, but other programs
//! left too few processors for some. The program is bounded in time and in connections; it needs Linux and 13,000
//! open files.

#![expect(unreachable_pub, reason = "the modules of a program share freely")]

mod attack; // clients that do harm
mod campaign; // minutes of all loads and attacks at once
mod client; // connections, requests and answers
mod faults; // files and requests that have caused failures before
mod load; // good clients, and their results
#[path = "../it/lookups/outside.rs"]
#[expect(dead_code, clippy::unwrap_used, reason = "tests use more of it, and may panic")]
mod loopback; // services outside, on loopback
mod machine; // processors and memory of the machine
mod outside; // mirrors and lookup services that misbehave
mod overload; // more requests than can be answered
mod row; // a row of the table, and its result
mod server; // the service under test
mod siege; // attackers beside good clients
mod sieges; // the table of attacks
mod stops; // signals

use std::{error::Error, process::ExitCode, time::Duration};

use row::{Row, Setting, Tried, Verdict};

const USAGE: &str = "usage: torture BINARY [SECONDS [WORDS]]";

/// Exit code if no row failed, but some could not be tried.
const NOT_TRIED: u8 = 3;

fn rows() -> Vec<Row> {
    let mut rows = stops::rows();
    rows.extend(faults::rows());
    rows.extend(outside::rows());
    rows.extend(sieges::SIEGES.iter().map(siege::Siege::row));
    rows.extend(overload::rows());
    rows.push(campaign::row());
    rows
}

async fn try_all(rows: &[Row], setting: &Setting) -> Vec<Tried> {
    let mut all = Vec::new();
    for row in rows {
        let tried = row.attempt(setting).await;
        println!("{} | {}", row.name, tried.text(&row.aim));
        all.push(tried);
    }
    all
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let binary = args.next().ok_or(USAGE)?;
    let seconds = args.next().map_or(Ok(20), |text| text.parse().map_err(|_| USAGE))?;
    let setting = Setting { binary, time: Duration::from_secs(seconds) };
    let words: Vec<String> = args.collect();
    let mut rows = rows();
    rows.retain(|row| match words.is_empty() {
        true => !row.only_when_named,
        false if row.only_when_named => words.iter().any(|word| row.name.starts_with(word)),
        false => words.iter().any(|word| row.name.contains(word)),
    });
    if rows.is_empty() {
        return Err("no row has one of these words in its name".into());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let all = runtime.block_on(try_all(&rows, &setting));
    println!("\n| what | result | aim | holds |\n|---|---|---|---|");
    for (row, tried) in rows.iter().zip(&all) {
        println!("| {} | {} |", row.name, tried.text(&row.aim));
    }
    Ok(match all.iter().map(|tried| tried.verdict).max() {
        Some(Verdict::Fails) => ExitCode::FAILURE,
        Some(Verdict::Busy) => ExitCode::from(NOT_TRIED),
        _ => ExitCode::SUCCESS,
    })
}
