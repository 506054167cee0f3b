//! Reads the registry of .gov domains: one row for each domain, with the organization that registered it.

use super::{ReadError, table};

/// A registered domain. Mail addresses in the file are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DotGovRow {
    /// The domain in lower case, such as `hennepincounty.gov`.
    pub domain: String,
    /// Type of the organization, such as `County` or `City - Election`.
    pub kind: String,
    /// Name of the organization, as registered.
    pub organization: String,
    /// City of the organization's mailing address.
    pub city: String,
    /// Two-letter state code, as registered.
    pub state: String,
    /// Line in the file, from 1.
    pub line: usize,
}

/// Reads the rows of `current-full.csv`.
///
/// # Errors
/// When the table is damaged, or a row has no domain or no type.
pub fn rows(file: &str, bytes: &[u8]) -> Result<Vec<DotGovRow>, ReadError> {
    table::rows(file, bytes, None, |row| {
        let text = |column| row.get(column).unwrap_or_default().to_owned();
        let domain = row.need("Domain name")?;
        if !domain.to_ascii_lowercase().ends_with(".gov") {
            return Err(row.wrong("Domain name", "a domain below .gov", domain));
        }
        Ok(Some(DotGovRow {
            domain: domain.to_ascii_lowercase(),
            kind: row.need("Domain type")?.to_owned(),
            organization: text("Organization name"),
            city: text("City"),
            state: text("State"),
            line: row.line(),
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "Domain name,Domain type,Organization name,Suborganization name,City,State,Security contact email\n";

    #[test]
    fn rows_keep_what_the_join_needs() {
        let text = format!("\u{feff}{HEADER}IndioCA.gov,City,City of Indio,,Indio,CA,(blank)\n");
        let read = rows("g.csv", text.as_bytes()).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].domain, "indioca.gov");
        assert_eq!((read[0].state.as_str(), read[0].line), ("CA", 2));
    }

    #[test]
    fn damaged_rows_are_named() {
        for (row, field) in
            [("indio.com,City,a,,b,CA,", "Domain name"), ("indio.gov,,a,,b,CA,", "Domain type")]
        {
            let message = rows("g.csv", format!("{HEADER}{row}\n").as_bytes()).unwrap_err().to_string();
            assert!(message.contains(&format!("g.csv: record 2: field {field}")), "{message}");
        }
    }
}
