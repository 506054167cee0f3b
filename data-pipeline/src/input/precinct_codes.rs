//! Reads a state's table of election precincts with the codes of their subdivisions and places.

use super::{ReadError, table};

/// A precinct with the codes of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrecinctCodes {
    /// Name of the county without its legal word.
    pub county: String,
    /// Name of the precinct.
    pub name: String,
    /// Last five digits of the GEOIDs of the precinct's subdivisions and places: one code for most precincts, several
    /// for a precinct that joins several.
    pub codes: Vec<u32>,
}

/// Columns of the table, which has no header line.
const COLUMNS: [&str; 6] = ["county", "precinct", "code", "code2", "code3", "code4"];

/// Reads a table of county, precinct and up to four codes. Skips rows without a code.
///
/// # Errors
/// When the table is damaged or a code is not a number.
pub fn rows(file: &str, bytes: &[u8]) -> Result<Vec<PrecinctCodes>, ReadError> {
    table::rows(file, bytes, Some(&COLUMNS), |row| {
        let given = COLUMNS[2..].iter().copied().filter(|column| row.get(column).is_some());
        let codes = given
            .map(|column| row.number(column).map(|code| u32::try_from(code).unwrap_or(u32::MAX)))
            .collect::<Result<Vec<u32>, _>>()?;
        let (county, name) = (row.need("county")?.to_owned(), row.need("precinct")?.to_owned());
        Ok((!codes.is_empty()).then_some(PrecinctCodes { county, name, codes }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_precincts_have_several_codes() {
        let table = b"Hardin,BUCK,09848,,,\nHardin,FOREST / JACKSON,27636,37814,,\nHardin,NONE,,,,\n";
        let found = rows("p.csv", table).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].codes, [9848]);
        assert_eq!((found[1].county.as_str(), found[1].codes.as_slice()), ("Hardin", &[27636, 37814][..]));
        let message = rows("p.csv", b"Hardin,BUCK,x,,,\n").unwrap_err().to_string();
        assert!(message.contains("p.csv: record 1: field code"), "{message}");
    }
}
