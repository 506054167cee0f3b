//! One answer on stdout, or the reason why there is none.

use std::io::{self, IsTerminal};

use anyhow::{Result, bail};
use serde_json::value::RawValue;

use super::{UsageError, print};
use crate::{
    answers::{Answer, Found, RawParameters, Refusal},
    edition::Edition,
    operations::{Operation, status_of},
    text,
};

/// Stands in for the id of a request: the same question has the same answer, to the byte.
const REQUEST_ID: &str = "command-line";

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Plain text for people.
    Text,
    /// The JSON of the interface.
    Json,
}

/// Answers an operation whose parameters were given as text. Without a format, people at a terminal get text, and
/// programs JSON. Nothing is looked up outside: a command has no network.
pub(super) fn print_answer<'q>(
    edition: &Edition,
    operation: &Operation,
    pairs: impl IntoIterator<Item = (&'q str, &'q str)>,
    format: Option<Format>,
) -> Result<()> {
    let asked =
        RawParameters::from_pairs(operation.parameters, pairs).and_then(|raw| (operation.parse)(&raw));
    let answered = asked.and_then(|request| edition.answers().finish(&request, Found::default()));
    let answer = match answered {
        Ok(answer) => answer,
        Err(refusal) if status_of(refusal.kind) == 400 => return Err(UsageError(refusal.detail).into()),
        Err(refusal) => bail!("{} ({}){}", refusal.detail, refusal.kind.slug(), choices(&refusal)),
    };
    let is_terminal = io::stdout().is_terminal();
    match format.unwrap_or(if is_terminal { Format::Text } else { Format::Json }) {
        Format::Text => print(&text::render(edition.answers(), &answer)),
        Format::Json => print(&json(edition, &answer, is_terminal)?),
    }
}

/// A line for each choice.
fn choices(refusal: &Refusal) -> String {
    let line = |label: &str, id: String| format!("\n  {label} ({id})");
    let id = |id: &Option<_>| id.as_ref().map_or(String::new(), ToString::to_string);
    refusal.choices.iter().map(|choice| line(&choice.label, id(&choice.jurisdiction))).collect()
}

/// On one line for a program, laid out for a person.
fn json(edition: &Edition, answer: &Answer<'_>, is_terminal: bool) -> Result<String> {
    let body = edition.encode(answer).fill(REQUEST_ID).into_contiguous();
    let mut text = if is_terminal {
        // Reads the keys in their order, as the contract has them.
        serde_json::to_string_pretty(&serde_json::from_slice::<serde_json::Value>(&body)?)?
    } else {
        serde_json::from_slice::<&RawValue>(&body)?.get().to_owned()
    };
    text.push('\n');
    Ok(text)
}
