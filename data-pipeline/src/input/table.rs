//! Reads comma-separated tables by column name.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::ReadError;

/// A row of a table, with its line for errors.
pub(super) struct Row<'a> {
    file: &'a str,
    line: usize,
    columns: &'a BTreeMap<String, usize>,
    values: StringRecord,
}

/// Reads every row of a table, and keeps what `make` returns for it.
///
/// `header` names the columns of a table without a header line. Rows may be shorter than the header:
/// hand-kept lists leave out trailing notes. Bytes that are not UTF-8 are read as ISO-8859-1, which the
/// Census still publishes.
pub(super) fn rows<T>(
    file: &str,
    bytes: &[u8],
    header: Option<&[&str]>,
    make: impl FnMut(&Row) -> Result<Option<T>, ReadError>,
) -> Result<Vec<T>, ReadError> {
    read(ReaderBuilder::new().has_headers(header.is_none()), file, bytes, header, make)
}

/// Reads every row of a table with a header line and a delimiter other than the comma.
pub(super) fn rows_between<T>(
    delimiter: u8,
    file: &str,
    bytes: &[u8],
    make: impl FnMut(&Row) -> Result<Option<T>, ReadError>,
) -> Result<Vec<T>, ReadError> {
    read(ReaderBuilder::new().delimiter(delimiter), file, bytes, None, make)
}

fn read<T>(
    settings: &mut ReaderBuilder,
    file: &str,
    bytes: &[u8],
    header: Option<&[&str]>,
    mut make: impl FnMut(&Row) -> Result<Option<T>, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let damaged = |source| ReadError::Csv { file: file.to_owned(), source };
    let mut reader = settings.flexible(true).trim(Trim::All).from_reader(bytes);
    let named: Vec<String> = match header {
        Some(names) => names.iter().map(|name| (*name).to_owned()).collect(),
        None => reader.byte_headers().map_err(damaged)?.iter().map(text).collect(),
    };
    let columns = named.into_iter().enumerate().map(|(at, name)| (name, at)).collect();
    let mut made = Vec::new();
    for record in reader.byte_records() {
        let record = record.map_err(damaged)?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        let values = record.iter().map(text).collect();
        made.extend(make(&Row { file, line, columns: &columns, values })?);
    }
    Ok(made)
}

fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect(), str::to_owned)
}

impl Row<'_> {
    /// Line in the file, from 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The value of a column; `None` if the row or the table lacks it, or it is empty.
    pub(super) fn get(&self, column: &str) -> Option<&str> {
        self.values.get(*self.columns.get(column)?).filter(|value| !value.is_empty())
    }

    /// The value of a required column; an error if it is missing or empty.
    pub(super) fn need(&self, column: &'static str) -> Result<&str, ReadError> {
        self.get(column).ok_or_else(|| self.wrong(column, "a value", ""))
    }

    /// The whole number in a required column.
    pub(super) fn number(&self, column: &'static str) -> Result<u64, ReadError> {
        let value = self.need(column)?;
        value.parse().map_err(|_| self.wrong(column, "a whole number", value))
    }

    pub(super) fn wrong(&self, field: &'static str, expected: &str, got: &str) -> ReadError {
        ReadError::Field {
            file: self.file.to_owned(),
            record: self.line,
            field,
            expected: expected.to_owned(),
            got: format!("{:?}", got.chars().take(80).collect::<String>()),
        }
    }
}
