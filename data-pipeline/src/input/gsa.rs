//! Reads Search.gov's list of government addresses outside .gov and .mil, and the addresses retired from that list.

use std::collections::BTreeSet;

use super::{ReadError, table};

/// An address on the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GsaRow {
    /// Host in lower case, sometimes with a path.
    pub domain: String,
    /// Level of government: `County`, `Local`, `State` and others.
    pub level: String,
    /// Full name of the state.
    pub state: String,
    /// Owner of the address in free words, without the note on when it was added.
    pub comment: String,
    /// The page that a reviewer opened; `None` if the list gives none.
    pub link: Option<String>,
    /// Line in the file, from 1.
    pub line: usize,
}

/// Addresses that the list no longer has: they were redirected, parked or a vendor's.
pub type Retired = BTreeSet<String>;

/// Reads the rows of `1_govt_urls_full.csv`.
///
/// # Errors
/// When the table is damaged, or a row has no domain.
pub fn rows(file: &str, bytes: &[u8]) -> Result<Vec<GsaRow>, ReadError> {
    table::rows(file, bytes, None, |row| {
        let text = |column| row.get(column).unwrap_or_default();
        let comment = text("Comments").split("-- Note").next().unwrap_or_default();
        Ok(Some(GsaRow {
            domain: row.need("Domain name")?.to_lowercase(),
            level: text("Type of government").to_owned(),
            state: text("State").to_owned(),
            comment: comment.trim().to_owned(),
            link: row.get("Link").filter(|link| link.starts_with("http")).map(str::to_owned),
            line: row.line(),
        }))
    })
}

/// Reads the addresses of `9_govt_urls_not_used.csv`.
///
/// # Errors
/// When the table is damaged, or a row has no domain.
pub fn retired(file: &str, bytes: &[u8]) -> Result<Retired, ReadError> {
    let rows = table::rows(file, bytes, None, |row| Ok(Some(row.need("Domain")?.to_lowercase())))?;
    Ok(rows.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_left_out_of_comments() {
        let text = "Domain name,Type of government,State,Comments,Link\nLee.ga.us,County,Georgia,\"Lee County, Ga -- Note added 8/25/15 15:57\",#N/A\n";
        let read = rows("u.csv", text.as_bytes()).unwrap();
        assert_eq!((read[0].domain.as_str(), read[0].comment.as_str()), ("lee.ga.us", "Lee County, Ga"));
        assert_eq!(read[0].link, None);
        assert!(retired("r.csv", b"Domain,Status\n211RI.org,\n").unwrap().contains("211ri.org"));
    }

    #[test]
    fn damaged_rows_are_named() {
        let message = rows("u.csv", b"Domain name,State\n,Ohio\n").unwrap_err().to_string();
        assert!(message.contains("u.csv: record 2: field Domain name"), "{message}");
        assert!(retired("r.csv", b"Domain,Status\n,x\n").is_err());
    }
}
