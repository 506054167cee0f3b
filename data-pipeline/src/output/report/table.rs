//! A table of figures, as text for people and as JSON for programs.

use std::fmt;

use serde::{Serialize, Serializer};

use super::columns::columns;

/// Cells of a table, row by row.
pub(super) type Rows = Vec<Vec<String>>;

/// A table with its title.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    title: String,
    /// The meaning of the headings, if they are short.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The headings; `None` if each row is a word with its figure.
    columns: Option<Vec<String>>,
    #[serde(serialize_with = "values")]
    rows: Rows,
}

impl Table {
    /// Makes a table from rows, the first of which has the headings.
    pub(super) fn new(title: impl Into<String>, mut rows: Rows) -> Table {
        let columns = (!rows.is_empty()).then(|| rows.remove(0));
        Table { title: title.into(), note: None, columns, rows }
    }

    pub(super) fn without_heading(title: impl Into<String>, rows: Rows) -> Table {
        Table { title: title.into(), note: None, columns: None, rows }
    }

    /// Adds a note on the meaning of the headings.
    pub(super) fn with_note(self, note: String) -> Table {
        Table { note: Some(note), ..self }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}\n\n", self.title)?;
        if let Some(note) = &self.note {
            write!(f, "{note}\n\n")?;
        }
        let rows: Rows = self.columns.iter().chain(&self.rows).cloned().collect();
        f.write_str(&columns(&rows))
    }
}

/// A cell in JSON: a figure as a number, and `-`, for a column that does not apply, as null.
#[derive(Serialize)]
#[serde(untagged)]
enum Cell<'a> {
    Whole(u64),
    Share(f64),
    Text(&'a str),
    None,
}

fn values<S: Serializer>(rows: &Rows, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rows.iter().map(|row| row.iter().map(|cell| cell_of(cell)).collect::<Vec<_>>()))
}

fn cell_of(text: &str) -> Cell<'_> {
    if let Ok(whole) = text.parse() {
        return Cell::Whole(whole);
    }
    // Words such as "inf" and "nan" would also parse as numbers.
    let is_share = text.starts_with(|letter: char| letter.is_ascii_digit());
    match text.parse() {
        Ok(share) if is_share => Cell::Share(share),
        _ if matches!(text, "" | "-") => Cell::None,
        _ => Cell::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_say_the_same() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let rows =
            vec![row(&["state", "share %", "holes"]), row(&["MN", "99.50", "-"]), row(&["all", "7", "3/4"])];
        let table = Table::new("Lines", rows).with_note("share: of all".to_owned());
        let text = "\nLines\n\nshare: of all\n\nstate  share %  holes\nMN       99.50      -\nall          7    3/4\n";
        assert_eq!(table.to_string(), text);
        let json = serde_json::to_value(&table).unwrap();
        assert_eq!(json["columns"], serde_json::json!(["state", "share %", "holes"]));
        assert_eq!(json["rows"], serde_json::json!([["MN", 99.5, null], ["all", 7, "3/4"]]));
    }
}
