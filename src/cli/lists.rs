//! `platbook list`: all rows of a list, as CSV or as lines of JSON, page after page.

use std::io::{self, Write};

use anyhow::{Result, anyhow};
use clap::Command;
use serde_json::Value;

use super::{
    UsageError,
    answer::{Format, REQUEST_ID, refused},
};
use crate::{edition::Edition, operations::Operation};
use platbook::answers::{Answer, Found, RawParameters};

/// The command whose subcommands are the lists.
pub(super) const GROUP: &str = "list";

/// Rows of a page: the most that the operations give.
const PAGE_ROWS: &str = "100";

/// A column, and where its value stands in a row.
type Column = (&'static str, &'static str);

/// Columns of each jurisdiction.
const COLUMNS: &[Column] = &[
    ("jurisdiction_id", "/jurisdiction_id"),
    ("type", "/type"),
    ("name", "/name"),
    ("legal_type", "/legal_type"),
    ("state", "/state"),
    ("ocd_id", "/ocd_id"),
];

/// Columns of the entry of a function.
const ENTRY_COLUMNS: &[Column] = &[
    ("function", "/entry/function"),
    ("office_name", "/entry/office_name"),
    ("office_jurisdiction_id", "/entry/jurisdiction_id"),
    ("office_id", "/entry/office/office_id"),
    ("phone", "/entry/office/phone"),
    ("email", "/entry/office/email"),
    ("address", "/entry/office/address"),
    ("url", "/entry/office/url"),
    ("url_scope", "/entry/office/url_scope"),
    ("action", "/entry/actions/0/text"),
    ("action_url", "/entry/actions/0/url"),
    ("resource_name", "/entry/resources/0/name"),
    ("resource_url", "/entry/resources/0/url"),
    ("confidence", "/entry/confidence"),
    ("basis", "/entry/basis"),
    ("evidence_url", "/entry/evidence_url"),
];

/// Returns whether an operation is a list.
pub(super) fn is_list(operation: &Operation) -> bool {
    operation.command.split_once(' ').is_some_and(|(group, _)| group == GROUP)
}

/// Returns the command of a list with help on its formats.
pub(super) fn with_formats(command: Command) -> Command {
    command.mut_arg("format", |argument| {
        argument.value_name("text|json|csv|jsonl").help(
            "Plain text, JSON, or all rows to the end of the list as CSV or as lines of JSON [default: text on a terminal, \
             JSON elsewhere]",
        )
    })
}

/// Prints the rows of a list to its end, or the first `limit` of them.
pub(super) fn print_rows<'q>(
    edition: &Edition,
    operation: &Operation,
    pairs: impl IntoIterator<Item = (&'q str, &'q str)>,
    format: Format,
) -> Result<()> {
    if !is_list(operation) {
        return Err(
            UsageError("expected --format text or json; csv and jsonl are for lists".to_owned()).into()
        );
    }
    let (limits, others): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(name, _)| *name == "limit");
    let mut left = limits.first().map(|(_, text)| rows(text)).transpose()?.unwrap_or(usize::MAX);
    let has_entries = others.iter().any(|(name, _)| *name == "function");
    let columns: Vec<Column> =
        COLUMNS.iter().chain(ENTRY_COLUMNS.iter().filter(|_| has_entries)).copied().collect();
    let mut stdout = io::stdout().lock();
    if format == Format::Csv {
        write_record(&mut stdout, columns.iter().map(|(name, _)| (*name).to_owned()))?;
    }
    let mut cursor: Option<String> = None;
    loop {
        let pages =
            [("limit", PAGE_ROWS)].into_iter().chain(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let own = others.iter().copied().filter(|(name, _)| cursor.is_none() || *name != "cursor");
        let asked = RawParameters::from_pairs(operation.parameters, own.chain(pages))
            .and_then(|raw| (operation.parse)(&raw))
            .and_then(|request| edition.answers().finish(&request, Found::default()));
        let answer = asked.map_err(|refusal| refused(&refusal))?;
        for row in page(edition, &answer)?.iter().take(left) {
            match format {
                Format::Csv => write_record(&mut stdout, columns.iter().map(|(_, at)| value(row, at)))?,
                _ => writeln!(stdout, "{row}")?,
            }
            left -= 1;
        }
        cursor = answer.next_cursor().map(str::to_owned);
        if left == 0 || cursor.is_none() {
            return Ok(stdout.flush()?);
        }
    }
}

fn rows(text: &str) -> Result<usize> {
    let wrong = || UsageError(format!("expected --limit as a number of rows, got {text:?}"));
    Ok(text.parse::<usize>().ok().filter(|limit| *limit > 0).ok_or_else(wrong)?)
}

/// Returns the rows of a page.
fn page(edition: &Edition, answer: &Answer<'_>) -> Result<Vec<Value>> {
    let body = edition.encode(answer).fill(REQUEST_ID).into_contiguous();
    let mut body: Value = serde_json::from_slice(&body)?;
    match body["data"]["jurisdictions"].take() {
        Value::Array(rows) => Ok(rows),
        _ => Err(anyhow!("the answer is not a list")),
    }
}

/// Returns the text of a value; empty for null and where it is missing.
fn value(row: &Value, at: &str) -> String {
    match row.pointer(at) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn write_record(out: &mut impl Write, fields: impl Iterator<Item = String>) -> Result<()> {
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    writer.write_record(fields)?;
    Ok(writer.flush()?)
}
