//! Prints the answer to one request on stdout, or on stderr the reason why it has no answer. Uses the same lookups
//! and encodings as the server.

use std::io::{self, IsTerminal};

use anyhow::{Result, anyhow};
use serde_json::value::RawValue;
use tokio::runtime::Builder;

use super::{UsageError, print};
use crate::{
    edition::Edition,
    operations::{Operation, status_of},
    text,
    upstream::{Asker, Lookups},
};
use platbook::{
    answers::{Answer, Choice, Plan, RawParameters, Refusal, Request},
    words::English,
};

/// Stands for the random id of a request, so that equal commands print the same bytes.
pub(super) const REQUEST_ID: &str = "command-line";

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Plain text for people.
    Text,
    /// The JSON of the interface.
    Json,
    /// All rows of a list as a table.
    Csv,
    /// All rows of a list, an object on each line.
    Jsonl,
}

/// Prints the answer of an operation whose parameters were given as text. Without a format, a terminal gets text and a
/// pipe JSON.
pub(super) fn print_answer<'q>(
    edition: &Edition,
    operation: &Operation,
    pairs: impl IntoIterator<Item = (&'q str, &'q str)>,
    lookups: impl FnOnce() -> Result<Lookups>,
    format: Option<Format>,
) -> Result<()> {
    let asked =
        RawParameters::from_pairs(operation.parameters, pairs).and_then(|raw| (operation.parse)(&raw));
    let answered = match asked {
        Ok(request) => answered(edition, &request, lookups)?,
        Err(refusal) => Err(refusal),
    };
    let answer = match answered {
        Ok(answer) => answer,
        Err(refusal) => return Err(refused(&refusal)),
    };
    let is_terminal = io::stdout().is_terminal();
    match format.unwrap_or(if is_terminal { Format::Text } else { Format::Json }) {
        Format::Text => print(&text::render(edition.answers(), &English, &answer)),
        // Commands of lists write these formats themselves.
        Format::Json | Format::Csv | Format::Jsonl => print(&json(edition, &answer, is_terminal)?),
    }
}

/// Converts a refusal into an error: wrong usage, or a request that has no answer.
pub(super) fn refused(refusal: &Refusal) -> anyhow::Error {
    match status_of(refusal.kind) {
        400 => UsageError(in_commands(&refusal.detail)).into(),
        _ => anyhow!("{} ({}){}", refusal.detail, refusal.kind.slug(), choices(refusal)),
    }
}

/// Answers a request, and first looks up the data that it needs. Limits do not apply.
fn answered<'e>(
    edition: &'e Edition,
    request: &Request,
    lookups: impl FnOnce() -> Result<Lookups>,
) -> Result<Result<Answer<'e>, Refusal>> {
    let lookup = match edition.answers().plan(request) {
        Plan::Done(answered) => return Ok(answered),
        Plan::Needs(lookup) => lookup,
    };
    let lookups = lookups()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let found = runtime.block_on(lookups.run(edition.answers(), lookup, || Ok(Asker::Operator)));
    // Abandons lookups that are still running.
    runtime.shutdown_background();
    Ok(found.and_then(|found| edition.answers().finish(request, found)))
}

/// Replaces paths of the service in the detail of a refusal by the names of commands.
fn in_commands(detail: &str) -> String {
    let hint = match detail.strip_prefix("jurisdiction_id: expected ") {
        Some(_) => "; `platbook resolve --place \"Houston, TX\"` finds a place by its name",
        None => "",
    };
    let detail = detail.replace("a topic of /topics", "a topic of `platbook topics`");
    format!("{}{hint}", detail.replace("/v1/topics lists", "`platbook topics` lists"))
}

/// Returns one line for each choice that a refusal offers.
fn choices(refusal: &Refusal) -> String {
    let line = |choice: &Choice| match (&choice.jurisdiction, choice.point) {
        (Some(id), _) => format!("\n  {} ({id})", choice.label),
        (None, Some(point)) => {
            format!("\n  {} ({} {})", choice.label, point.lat_degrees(), point.lon_degrees())
        }
        (None, None) => format!("\n  {}", choice.label),
    };
    refusal.choices.iter().map(line).collect()
}

/// Returns the answer as JSON: indented for a terminal, else on one line.
fn json(edition: &Edition, answer: &Answer<'_>, is_terminal: bool) -> Result<String> {
    let body = edition.encode(answer).fill(REQUEST_ID).into_contiguous();
    let mut text = if is_terminal {
        // `serde_json` keeps the order of the keys, which the contract fixes.
        serde_json::to_string_pretty(&serde_json::from_slice::<serde_json::Value>(&body)?)?
    } else {
        serde_json::from_slice::<&RawValue>(&body)?.get().to_owned()
    };
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::in_commands;

    #[test]
    fn hints_name_commands() {
        for (detail, said) in [
            (
                "\"nope\" is not a topic; /v1/topics lists them",
                "\"nope\" is not a topic; `platbook topics` lists them",
            ),
            (
                "jurisdiction_id: expected state:NN, got \"Houston\"",
                "jurisdiction_id: expected state:NN, got \"Houston\"; `platbook resolve --place \"Houston, TX\"` finds a \
                 place by its name",
            ),
            (
                "topic is missing; give a topic of /topics",
                "topic is missing; give a topic of `platbook topics`",
            ),
            ("q is missing", "q is missing"),
        ] {
            assert_eq!(in_commands(detail), said);
        }
    }
}
