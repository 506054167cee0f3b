//! `platbook list`: prints all rows of a list as CSV or JSON lines, page after page.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use anyhow::{Result, anyhow};
use clap::Command;
use serde_json::Value;

use super::{
    UsageError,
    answer::{Format, REQUEST_ID, refused},
};
use crate::{edition::Edition, operations::Operation};
use platbook::{
    answers::{Answer, FileTable, Found, RawParameters},
    columns::CellType,
};

/// The command whose subcommands are the lists.
pub(super) const GROUP: &str = "list";

/// Number of rows in a page: the maximum that the operations allow.
const PAGE_ROWS: &str = "100";

/// A column of a table: its name, the JSON Pointer to its value in a row, and the type of its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    at: &'static str,
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "CSV has no types"))]
    pub(super) cell: CellType,
}

const fn text(name: &'static str, at: &'static str) -> Column {
    Column { name, at, cell: CellType::Text }
}

/// Columns of each jurisdiction.
const COLUMNS: &[Column] = &[
    text("jurisdiction_id", "/jurisdiction_id"),
    text("type", "/type"),
    text("name", "/name"),
    text("legal_type", "/legal_type"),
    text("state", "/state"),
    text("ocd_id", "/ocd_id"),
];

/// Columns for the entry of a function in a table.
const ENTRY_COLUMNS: &[Column] = &[
    text("function", "/entry/function"),
    text("office_name", "/entry/office_name"),
    text("office_jurisdiction_id", "/entry/jurisdiction_id"),
    text("office_id", "/entry/office/office_id"),
    text("phone", "/entry/office/phone"),
    text("email", "/entry/office/email"),
    text("address", "/entry/office/address"),
    text("url", "/entry/office/url"),
    text("url_scope", "/entry/office/url_scope"),
    text("action", "/entry/actions/0/text"),
    text("action_url", "/entry/actions/0/url"),
    text("resource_name", "/entry/resources/0/name"),
    text("resource_url", "/entry/resources/0/url"),
    text("confidence", "/entry/confidence"),
    text("basis", "/entry/basis"),
    text("evidence_url", "/entry/evidence_url"),
];

/// Columns of a web page.
const RESOURCE_COLUMNS: &[Column] = &[
    text("resource_id", "/resource_id"),
    text("jurisdiction_id", "/jurisdiction_id"),
    text("name", "/name"),
    text("url", "/url"),
    text("topics", "/topics"),
    text("actions", "/actions"),
    text("description", "/description"),
    text("publisher", "/publisher"),
    text("provider", "/provider"),
    Column { name: "official", at: "/official", cell: CellType::Truth },
    text("search_url_template", "/search_url_template"),
    text("verified_status", "/verified_status"),
    text("verified_at", "/verified_at"),
    text("source_kind", "/source_kind"),
];

/// Returns the columns of a table.
pub(super) fn columns_of(table: FileTable) -> Vec<Column> {
    let parts = match table {
        FileTable::Jurisdictions => [COLUMNS, &[]],
        FileTable::Offices => [COLUMNS, ENTRY_COLUMNS],
        FileTable::Resources => [RESOURCE_COLUMNS, &[]],
    };
    parts.concat()
}

/// Returns whether an operation is a list.
pub(super) fn is_list(operation: &Operation) -> bool {
    operation.command.split_once(' ').is_some_and(|(group, _)| group == GROUP)
}

/// Adds help on the formats to the command of a list.
pub(super) fn with_formats(command: Command) -> Command {
    command.mut_arg("format", |argument| {
        argument.value_name("text|json|csv|jsonl").help(
            "Plain text, JSON, or all rows to the end of the list as CSV or as lines of JSON [default: text on a terminal, \
             JSON elsewhere]",
        )
    })
}

/// Prints all rows of a list, or the first `limit` rows.
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
    let columns = columns_of(if has_entries { FileTable::Offices } else { FileTable::Jurisdictions });
    let mut stdout = io::stdout().lock();
    if format == Format::Csv {
        write_header(&mut stdout, &columns)?;
    }
    each_row(edition, operation, &others, |row| {
        match format {
            Format::Csv => write_record(&mut stdout, &columns, row)?,
            _ => writeln!(stdout, "{row}")?,
        }
        left -= 1;
        Ok(left > 0)
    })?;
    Ok(stdout.flush()?)
}

/// Passes the rows of a list to `take`, to the end or until `take` returns false.
///
/// # Errors
/// Fails if the request has no answer, or `take` fails.
pub(super) fn each_row(
    edition: &Edition,
    operation: &Operation,
    pairs: &[(&str, &str)],
    mut take: impl FnMut(&Value) -> Result<bool>,
) -> Result<()> {
    let mut cursor: Option<String> = None;
    loop {
        let pages =
            [("limit", PAGE_ROWS)].into_iter().chain(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let own = pairs.iter().copied().filter(|(name, _)| cursor.is_none() || *name != "cursor");
        let asked = RawParameters::from_pairs(operation.parameters, own.chain(pages))
            .and_then(|raw| (operation.parse)(&raw))
            .and_then(|request| edition.answers().finish(&request, Found::default()));
        let answer = asked.map_err(|refusal| refused(&refusal))?;
        for row in page(edition, &answer)? {
            if !take(&row)? {
                return Ok(());
            }
        }
        cursor = answer.next_cursor().map(str::to_owned);
        if cursor.is_none() {
            return Ok(());
        }
    }
}

fn rows(text: &str) -> Result<usize> {
    let wrong = || UsageError(format!("expected --limit as a number of rows, got {text:?}"));
    Ok(text.parse::<usize>().ok().filter(|limit| *limit > 0).ok_or_else(wrong)?)
}

/// Returns the rows of one page.
fn page(edition: &Edition, answer: &Answer<'_>) -> Result<Vec<Value>> {
    let body = edition.encode(answer).fill(REQUEST_ID).into_contiguous();
    let mut body: Value = serde_json::from_slice(&body)?;
    match body["data"]["jurisdictions"].take() {
        Value::Array(rows) => Ok(rows),
        _ => Err(anyhow!("the answer is not a list")),
    }
}

/// Returns the text of a cell, with spaces between several values. `None` for null, for an empty list, and for a
/// missing member.
pub(super) fn cell<'r>(row: &'r Value, column: &Column) -> Option<Cow<'r, str>> {
    let text_of = |value: &'r Value| match value {
        Value::String(text) => Cow::Borrowed(text.as_str()),
        other => Cow::Owned(other.to_string()),
    };
    match row.pointer(column.at)? {
        Value::Null => None,
        Value::Array(values) if values.is_empty() => None,
        Value::Array(values) => Some(values.iter().map(text_of).collect::<Vec<_>>().join(" ").into()),
        value => Some(text_of(value)),
    }
}

/// Writes the names of columns as the header of a CSV file.
pub(super) fn write_header(out: &mut impl Write, columns: &[Column]) -> Result<()> {
    write_csv(out, columns.iter().map(|column| column.name))
}

/// Writes the cells of a row as a CSV record.
pub(super) fn write_record(out: &mut impl Write, columns: &[Column], row: &Value) -> Result<()> {
    let cells: Vec<_> = columns.iter().map(|column| cell(row, column).unwrap_or_default()).collect();
    write_csv(out, cells.iter().map(|cell| &**cell))
}

fn write_csv<'t>(out: &mut impl Write, fields: impl Iterator<Item = &'t str>) -> Result<()> {
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    writer.write_record(fields)?;
    Ok(writer.flush()?)
}
