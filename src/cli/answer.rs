//! One answer on stdout, or the reason why there is none.

use std::io::{self, IsTerminal};

use anyhow::{Result, bail};

use super::{UsageError, indent::indented, print};
use crate::{
    answers::{Answers, Given, Refusal, Reply},
    operations::Operation,
};

/// Stands in for the id of a request: the same question has the same answer, to the byte.
const REQUEST_ID: &str = "command-line";

/// Answers an operation whose parameters were given as text.
pub(super) fn print_answer<'q>(
    answers: &Answers,
    operation: &Operation,
    named: impl IntoIterator<Item = (&'q str, Option<&'q String>)>,
) -> Result<()> {
    let pairs = named.into_iter().filter_map(|(name, value)| Some((name, value?.as_str())));
    let asked = Given::from_pairs(operation.parameters, pairs).and_then(|given| (operation.parse)(&given));
    match asked.and_then(|request| answers.answer(&request)) {
        Ok(reply) => print(&to_text(&reply)),
        Err(refusal) if refusal.kind.status() == 400 => Err(UsageError(refusal.detail).into()),
        Err(refusal) => bail!("{} ({}){}", refusal.detail, refusal.kind.slug(), choices(&refusal)),
    }
}

/// A line for each choice.
fn choices(refusal: &Refusal) -> String {
    let line = |label: &str, id: String| format!("\n  {label} ({id})");
    let id = |id: &Option<_>| id.as_ref().map_or(String::new(), ToString::to_string);
    refusal.choices.iter().map(|choice| line(&choice.label, id(&choice.jurisdiction_id))).collect()
}

/// For a person on a terminal, for a program on one line.
fn to_text(reply: &Reply<'_>) -> String {
    let json =
        String::from_utf8(reply.to_json().fill(REQUEST_ID).into_contiguous().into()).expect("JSON is UTF-8");
    let mut text = if io::stdout().is_terminal() { indented(&json) } else { json };
    text.push('\n');
    text
}
