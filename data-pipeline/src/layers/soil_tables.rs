//! Reads the tables beside the polygons of a soil survey.
//!
//! Values are separated by bars, without headings, in a fixed order of columns. `mstabcol.txt`, which each
//! download contains, gives that order.

use std::collections::BTreeMap;

use crate::input::{ReadError, shapes};

/// Attributes of one map unit, by name.
pub(super) type Unit = BTreeMap<&'static str, String>;

/// File, column of the map unit's key, and the columns that are kept with their names.
const UNITS: (&str, usize, &[(usize, &str)]) = ("mapunit.txt", 23, &[(1, "muname"), (11, "farmlndcl")]);
/// File, column of the key, and kept columns of the table of aggregated attributes.
const AGGREGATES: (&str, usize, &[(usize, &str)]) =
    ("muaggatt.txt", 39, &[(15, "drclassdcd"), (17, "hydgrpdcd"), (37, "hydclprs")]);
/// File, column of the survey area's symbol, and column of the day on which its version was established.
const CATALOG: (&str, usize, usize) = ("sacatlog.txt", 0, 3);

/// Map units by key; empty if the file has no tables.
///
/// # Errors
/// When a table is damaged.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<BTreeMap<String, Unit>, ReadError> {
    let mut units: BTreeMap<String, Unit> = BTreeMap::new();
    for (table, key, columns) in [UNITS, AGGREGATES] {
        for row in rows(file, bytes, table)? {
            let Some(unit) = row.get(key).map(|key| units.entry(key.clone()).or_default()) else { continue };
            let values = columns.iter().filter_map(|(at, name)| Some((*name, row.get(*at)?.clone())));
            unit.extend(values.filter(|(_, value)| !value.is_empty()));
        }
    }
    let (table, _, established) = CATALOG;
    let saved = rows(file, bytes, table)?.first().and_then(|row| day(row.get(established)?));
    if let Some(day) = saved {
        units.values_mut().for_each(|unit| {
            unit.insert("saverest", day.clone());
        });
    }
    Ok(units)
}

/// The rows of a table; empty if the archive has no such member.
fn rows(file: &str, bytes: &[u8], table: &str) -> Result<Vec<Vec<String>>, ReadError> {
    let Some(text) = shapes::member_ending(file, bytes, table)? else { return Ok(Vec::new()) };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b'|')
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_slice());
    let damaged = |source| ReadError::Csv { file: format!("{file}: {table}"), source };
    let text = |row: csv::ByteRecord| {
        row.iter().map(|field| String::from_utf8_lossy(field).trim().to_owned()).collect::<Vec<String>>()
    };
    reader.byte_records().map(|row| row.map(text).map_err(damaged)).collect()
}

/// The day of `09/13/2021 16:35:51` as `2021-09-13`; `None` without a year of four digits.
fn day(text: &str) -> Option<String> {
    let mut parts = text.split_whitespace().next()?.split('/');
    let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
    (year.len() == 4).then(|| format!("{year}-{month:0>2}-{day:0>2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_in_order() {
        for (text, expected) in [
            ("09/13/2021 16:35:51", Some("2021-09-13")),
            ("9/3/2021", Some("2021-09-03")),
            ("9/3/21", None),
            ("", None),
            ("2021", None),
        ] {
            assert_eq!(day(text).as_deref(), expected, "{text}");
        }
    }
}
